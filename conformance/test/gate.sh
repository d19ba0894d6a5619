#!/bin/sh
# `assay gate` from end to end, on the host device: its parts, its file, its verdicts and refusals.
# Clauses: gate.verdict.whole, gate.baseline.made, gate.baseline.seed, gate.baseline.read,
# gate.baseline.parts, gate.parts.apart, gate.parts.time, gate.parts.gpu, gate.parts.quick.
#     gate.sh path/to/assay
assay=$(realpath "$1")
. "$(dirname "$0")/tap.sh"
cd "$scratch" || exit 99
mkdir none

# gives NAME STATUS WORDS OPTION...: the status, and the words in the lines, whose breaks and blanks
# count as one blank.
gives() {
    name=$1 status=$2 words=$3
    shift 3
    "$assay" gate --device host --quick --corpus none "$@" >out 2>err && got=0 || got=$?
    [ $got = "$status" ] && cat out err | tr -s ' \n' ' ' | grep -q -- "$words"
    report $? "$name"
    [ $got = "$status" ] || sed 's/^/# /' out err
}

gives "neither baseline nor file" 2 "nothing to compare with: --baseline FILE" aat
gives "a baseline is made" 3 "^bits PASS .*speed SKIP there is no GPU .*baseline now: assay gate --baseline base.json" \
    aat -o base.json --seed 7
"$assay" report base.json | grep -q 'seed 0x0*7$'
report $? "the file is one of records"
grep -q '^bits .* in [0-9.]* s (.*driver and device [0-9.]* s' out &&
    grep -q '"summary".*"phases":\[{"name":"opening devices","seconds":[0-9.e-]*},' base.json
report $? "what the time of a part went into"
gives "the same again" 3 "SAME next.json against base.json: .*INCONCLUSIVE [a-z]*: .*, in [0-9.]* s" \
    aat --baseline base.json -o next.json
"$assay" report next.json | grep -q 'seed 0x0*7$'
report $? "with the cases of the baseline"
digest='"path":"host","verdict":"PASS","xxh3_128":"'
sed "s/$digest./&@/; s/0@/1/; s/.@/0/" base.json >altered.json
gives "other bits" 1 "REGRESSED this gate against altered.json.*FAIL REGRESSED: against the baseline" \
    aat --baseline altered.json
gives "less than before" 1 "kernel missing: aat/tiled.*FAIL REGRESSED" aat/naive --baseline base.json
gives "a kernel that is wrong" 1 "replay assay replay .*FAIL bits: " mutant/tail_dropped -o wrong.json
gives "as wrong as before" 1 "SAME this gate against wrong.json.*FAIL bits: " \
    mutant/tail_dropped --baseline wrong.json
sed '2s/.*/{"case":7/' base.json >broken.json
gives "a damaged baseline" 2 "broken.json: line 2" aat --baseline broken.json
[ ! -s out ]
report $? "before anything is measured"
gives "the baseline as output" 2 "the command reads that file" aat --baseline base.json -o base.json
gives "a full disk" 99 "No space left on device" aat -o /dev/full
if [ "$(grep -c '^{"record"' base.json)" = 2 ]; then # with machine code
    sed '/^{"summary"/q' base.json >bits.json
    gives "a baseline without a part" 3 "SAME .*NOT COMPARED machine code: the baseline has no record of that part" \
        aat --baseline bits.json
fi

# begin NAME: a long gate, once its first part is under way; its session is $gate, its part $part.
begin() {
    rm -f "$1"
    setsid "$assay" gate --device host --corpus none -o "$1" --seed 1 >out 2>err &
    gate=$! tries=0 part=
    until [ -s "$1" ] && [ -n "$part" ] || [ $tries = 100 ]; do
        sleep 0.1
        part=$(processes | awk -v parent="$gate" '$2 == parent { print $1 }')
        tries=$((tries + 1))
    done
}
left() { # left: how many of its processes there are, a second later at most
    for try in 1 2 3 4 5 6 7 8 9 10; do
        [ "$(of_session "$gate" | wc -l)" = 0 ] && break
        sleep 0.1
    done
    of_session "$gate" | wc -l
}
begin ended.json
kill -TERM "$gate"
wait "$gate"
status=$?
[ $status = 3 ] && [ "$(left)" = 0 ] && [ "$("$assay" report ended.json | grep -c '^INCONCLUSIVE')" = 1 ]
report $? "one that is ended leaves a whole record and no process: status $status"
begin killed.json
kill -KILL $part
wait "$gate"
status=$?
[ $status = 99 ] && [ "$(left)" = 0 ] && grep -q 'the part bits was killed' err && ! grep -q PASS out
report $? "a part that is killed ends it: status $status"
begin orphan.json
kill -KILL "$gate"
wait "$gate" 2>/dev/null
[ "$(left)" = 0 ]
report $? "with a gate that is killed its part ends, too"
finish
