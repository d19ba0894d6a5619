#!/bin/sh
# `assay floors` from end to end: the shipped floors are made of the records that are kept, and what
# is no measurement of a healthy GPU is refused in one line, and nothing written.
# Clauses: bandwidth.floor.made, bandwidth.floor.sound, bandwidth.floor.repeats,
# bandwidth.floor.vouched, bandwidth.latency.host, runner.input.one_line, runner.output.watched.
#     floors.sh path/to/assay path/to/spec
assay=$1
spec=$2
. "$(dirname "$0")/tap.sh"

records() { ls "$@" "$spec"/measured/*.json; }
"$assay" floors --accept-slow $(records) --floors "$spec/floors.json" -o "$scratch/made.json" &&
    cmp "$scratch/made.json" "$spec/floors.json" >&2
report $? "the shipped floors are made of the records that are kept"
"$assay" floors --accept-slow $(records -r) >"$scratch/made.json" && cmp "$scratch/made.json" "$spec/floors.json" >&2
report $? "in whatever order, on standard output, and kept without --floors"

"$assay" floors --accept-slow --host-calls "$spec"/measured/hosts/*.json --floors "$spec/floors.json" \
    -o "$scratch/made.json" && cmp "$scratch/made.json" "$spec/floors.json" >&2
report $? "and the ceilings of host calls of the hosts' records"

one=$(ls "$spec"/measured/h200-*.json | head -1)
printf '%s\n' '{"floors": "assay", "version": 1, "bandwidth_unit": "GB/s", "latency_unit": "us",' \
    '"gpus": [], "relations": []}' >"$scratch/empty.json"
"$assay" floors "$one" --floors "$scratch/empty.json" -o "$scratch/one.json" &&
    [ "$(grep -c '"gpus": 1,' "$scratch/one.json")" -gt 40 ]
report $? "floors of one GPU"
"$assay" bench --device host --samples 2 --floors "$scratch/one.json" offset_copy/vector >/dev/null
[ $? = 77 ]
report $? "which a bench takes"

refused() { # refused NAME WORDS SED-SCRIPT: the record, changed, is refused and nothing is written
    sed "$3" "$one" >"$scratch/bad.json"
    ended "$scratch/bad.json"
    rm -f "$scratch/none"
    expect "$1" 2 "$2" "$assay" floors "$one" "$scratch/bad.json" -o "$scratch/none"
    [ ! -e "$scratch/none" ]
    report $? "and nothing is written of $1"
}
refused "a run that was cut short" "bad.json: the run was cut short" '/^{"summary"/d'
grep -v '^{"end"' "$one" >"$scratch/endless.json"
expect "a record without its end" 2 "endless.json: the run was cut short" "$assay" floors "$scratch/endless.json"
refused "a run that was interrupted" "the run was cut short" 's/"reason":""/"reason":"interrupted"/'
refused "a run that failed" "something in it failed" 's/"exit_status":0/"exit_status":1/'
refused "a bench of other sizes" "nothing in it was measured on a GPU and held to a floor" \
    's/"verdict":"PASS"/"verdict":"SKIP"/'
refused "too few repeats" "it has 3 repeats, and fewer than 10 do not show" \
    's/\("gbps":\[\(\[[0-9.]*\],\)\{2\}\[[0-9.]*\]\)[],[0-9.]*\]\]/\1]/'
refused "a record without a date" "does not say when it began" 's/"started":"[^"]*"//; s/,,/,/'
refused "a kernel without a name" "lacks its name" 's/"kernel":"[^"]*"/"kernel":3/'
refused "a run, which measures nothing" "nothing in it was measured" \
    '/^{"bench"/d; /^{"peak"/d; /^{"latency"/d'
slow=$(grep -l '^{"summary".*"exit_status":1,' "$spec"/measured/h200-*.json | head -1)
expect "a speed below its floor without --accept-slow" 2 "use --accept-slow if you know" "$assay" floors "$slow" -o "$scratch/none"
called=$(grep -l '^{"latency"' "$spec"/measured/h200-*.json | head -1)
sed 's/"call":/"cpu":"C","hypervisor":"none",&/' "$called" >"$scratch/host.json"
ended "$scratch/host.json"
"$assay" floors --host-calls "$scratch/host.json" -o "$scratch/calls.json" &&
    [ "$(diff "$spec/floors.json" "$scratch/calls.json" | grep -c '^> .*"cpu": "C"')" = 7 ] &&
    ! diff "$spec/floors.json" "$scratch/calls.json" | grep '^[<>].*"kernel"'
report $? "ceilings of a host's calls, and every floor kept"
expect "a record of no host" 2 "no host call in it names its host" \
    "$assay" floors --host-calls "$one" -o "$scratch/none"
expect "no record" 2 "cannot be read" "$assay" floors "$scratch/there-is-none"
expect "floors in a record's place" 2 "the command reads that file" \
    "$assay" floors "$scratch/bad.json" -o "$scratch/bad.json"
expect "a wrong floor file" 2 "bad.json: this is a record, not floors" "$assay" floors "$one" --floors "$scratch/bad.json"
printf '{"floors": "assay",\n"version": 2}' >"$scratch/other.json"
expect "floors that are wrong in themselves" 2 "other.json: line" "$assay" floors "$one" --floors "$scratch/other.json"
expect "a full disk" 99 "No space left on device" "$assay" floors "$one" -o /dev/full
expect "a full standard output" 99 "" sh -c "\"$assay\" floors \"$one\" >/dev/full"
finish
