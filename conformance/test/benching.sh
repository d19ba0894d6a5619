#!/bin/sh
# `assay bench` on the host device from end to end: it runs, checks bits, skips for want of floors,
# and its record holds the schema; wrong kernels, wrong floors and failing drivers are reported.
# Clauses: bandwidth.verdict.host, bandwidth.floor.checked, bandwidth.sweep.unjudged,
# bandwidth.bits.told, bandwidth.shape.none, bandwidth.verdict.replay, bandwidth.repeat.process,
# bandwidth.verdict.repeats, record.schema.complete,
# record.shipped.nameless, runner.fault.honest.
#     benching.sh path/to/assay path/to/forms path/to/tools/reduce_record.py path/to/faulty_assay
assay=$1
forms=$2
reduce_record=$3
faulty=$4
. "$(dirname "$0")/tap.sh"

status() { # status NAME WANTED WORDS COMMAND...: exit status, and words on standard output
    name=$1 wanted=$2 words=$3
    shift 3
    "$@" >"$scratch/out" 2>"$scratch/err"
    got=$?
    [ $got = "$wanted" ] && grep -qF -- "$words" "$scratch/out"
    report $? "$name"
    [ $got = "$wanted" ] || sed "s/^/# status $got: /" "$scratch/err"
}

bench="$assay bench --device host --samples 2"
status "a bench without floors ran nothing that counts" 77 "the host device has no floors" \
    $bench adjacent_difference 'aat/*' '*/vector' -o "$scratch/r.json" --seed 3
[ "$(sed '$d' "$scratch/out" | grep -c 'has no floors')" = 1 ] &&
    tail -n 1 "$scratch/out" | grep -q '^[0-9]* SKIP  in .* s: [0-9]* skipped: .*has no floors: .*; no GPU was measured$' &&
    ! tail -n +5 "$scratch/out" | grep '.\{133\}'
report $? "says why once above the verdict, and in the last line that no GPU was measured"
"$forms" "$scratch/r.json" >"$scratch/out" 2>&1
report $? "its record holds the schema"
grep '^{"ceiling"' "$scratch/r.json" >"$scratch/copies" && ! grep -v '"memcpy_gbps":\[\[' "$scratch/copies"
report $? "each line of copies has their speeds"
status "TAP has the reason" 77 "# SKIP the host device has no floors" \
    $bench adjacent_difference --format tap
unfit=mutant/c_row_32_bits # of tier huge
nothing="no shape of these kernels is measured here"
expect "kernels without a shape in that regime" 77 "$nothing" $bench --regime l2 table_lookup/global
expect "kernels without a shape" 77 "$nothing" $bench $unfit
[ ! -s "$scratch/out" ]
report $? "and no row and no second line"
status "in TAP" 77 "1..0 # SKIP nothing to measure" $bench $unfit --format tap
status "one beside others is reported" 77 "SKIP      $unfit: no shape of it is measured here" $bench $unfit offset_copy/vector
status "in TAP, too" 77 "ok - $unfit # SKIP no shape of it is measured here" $bench $unfit offset_copy/vector --format tap
$bench $unfit variable_scope/device offset_copy/vector -o "$scratch/u.json" >/dev/null
sed -n 's/^{"summary":.*"unmeasured":\(\[[^]]*\]\).*/\1/p' "$scratch/u.json" >"$scratch/out"
wanted='[{"device":"host","kernel":"variable_scope/device","note":"no shape of its algorithm is measured","declined":true},'
grep -qxF "$wanted{\"device\":\"host\",\"kernel\":\"$unfit\",\"note\":\"no shape of it is measured here\"}]" "$scratch/out"
report $? "and the record names both, with the reasons"
status "an algorithm without shapes is no gap" 77 "DECLINED  variable_scope/device: no shape of its algorithm is measured" $bench variable_scope/device offset_copy/vector
status "wrong bits have no bandwidth" 1 "FAIL: wrong bits before timing" $bench mutant/input_negated
replay="replay    assay bench --device host --repeats 3 --samples 2 --seed 5 mutant/input_negated"
status "and are reported with the command that measures them again" 1 "$replay" \
    $bench mutant/input_negated --seed 5 -o "$scratch/w.json"
sed 's/.*"replay":"\([^"]*\)".*/\1/p;d' "$scratch/w.json" | grep -qx "${replay#replay    }" &&
    "$assay" report "$scratch/w.json" | grep -qF "$replay" &&
    $bench mutant/input_negated --seed 5 --format tap | grep -qF "# replay: ${replay#replay    }"
report $? "in the record, its report and TAP, too"
cp "$(dirname "$0")/../../spec/floors.json" "$scratch/it's floors.json"
$bench mutant/input_negated --seed 5 --floors "$scratch/it's floors.json" >"$scratch/out" 2>"$scratch/err"
printed=$(sed -n 's/^replay    assay //p' "$scratch/out" | head -n 1)
eval "\"$assay\" $printed" >"$scratch/again" 2>&1
[ $? = 1 ] && grep -qxF "replay    assay $printed" "$scratch/again"
report $? "which does so as it is printed: $printed"
"$forms" "$scratch/w.json" >"$scratch/out" 2>&1
report $? "its record holds the schema"
status "a crash is a result" 1 "CRASH: trap in block" $bench mutant/trap
status "JSON is a record" 77 '"summary"' $bench offset_copy --format json
# All but the kernels of matmul and aat that the emulation takes longest for: they are in its sweep as others.
swept="'[!ma]*' adjacent_difference 'matmul/[ns]*' aat/naive"
status "a sweep makes nothing pass" 77 "host: strided_copy/scalar host, stride 4: PASS" \
    sh -c "$bench --sweep $swept -o $scratch/s.json >$scratch/sweep; status=\$?
           $bench strided_copy/scalar --sweep --format tap; exit \$status"
"$forms" "$scratch/s.json" >"$scratch/out" 2>&1
report $? "its record holds the schema"
[ "$(grep -c '^{"sweep".*"memcpy_verdict":"PASS".*"copy_verdict":"PASS"' "$scratch/s.json")" = \
    "$(grep -c '^{"sweep"' "$scratch/s.json")" ]
report $? "and says of each point what came of its copies"
sed -n 's/^{"sweep".*"memcpy_gbps":\(\[[^]]*\]\).*"copy_gbps":\(\[[^]]*\]\).*/\1 \2/p' "$scratch/s.json" >"$scratch/copies"
[ -s "$scratch/copies" ] && ! awk '$1 == $2 { print }' "$scratch/copies" | grep -q .
report $? "each with its own bandwidth"
sed -n '/^{"sweep"/s/.*"figure":"\([^"]*\)","at":\([0-9]*\).*"kernel":"\([^"]*\).*/\1 \2 \3/p' "$scratch/s.json" >"$scratch/points"
[ -s "$scratch/points" ] && awk '/^figure/ { rows = 1; next } rows && $2 ~ /^[0-9]+$/ { print $1, $2, $3 }' "$scratch/sweep" | cmp -s - "$scratch/points"
report $? "and the text has a line for each of its lines"
status "the record of a sweep can be shown" 77 "Copies with a stride" "$assay" report "$scratch/s.json"
for figure in offset stride ladder size; do
    grep '^{"sweep":{"figure":"'$figure'"' "$scratch/s.json" | grep -q '"verdict":"PASS"'
    report $? "the record has the figure $figure, with right bits"
done
status "a wrong kernel of a sweep fails" 1 "FAIL: wrong bits" \
    $bench --sweep mutant/input_negated
$bench --repeats 5 offset_copy/vector --format json >"$scratch/out"
interval='\[([0-9.e-]*,){2}[0-9.e-]*\]'
grep -qE "\"gbps\":\[($interval,){4}$interval\],\"fraction" "$scratch/out"
report $? "five repeats are five intervals"
grep -q '"processes":5,' "$scratch/out"
report $? "and have five processes"
tr '[]{},:' '\n' <"$scratch/out" | grep '^[0-9]*[.][0-9]' |
    awk '{ sub(/e.*/, ""); sub(/[.]/, ""); sub(/^0*/, ""); long += length($0) > 7 } END { exit long > 0 || NR < 20 }'
report $? "no number of theirs has more than six digits, or .0 after these"
$bench --repeats 12 'offset_copy/*' -o "$scratch/long.json" >/dev/null
"$reduce_record" "$scratch/long.json" >"$scratch/short.json" &&
    [ "$(grep -c '"bench".*"fraction_of_ceiling":\[\[' "$scratch/short.json")" = \
        "$(grep -c '^{"bench"' "$scratch/long.json")" ] &&
    [ "$(wc -l <"$scratch/short.json")" -lt "$(wc -l <"$scratch/long.json")" ] &&
    ! grep -q '"sensors' "$scratch/short.json"
report $? "a record is reduced to its measurements"
# What a GPU's record has, in the host's.
sed '1s/{/{"host":"node17","machine":"0123456789abcdef0123456789abcdef","booted":"2026-11-21T07:00:00Z",/
     /^{"summary"/i {"reduced":"offset_copy n=1 fill=uniform seed=5","kernel":"offset_copy/vector","kept":"/home/anna/a.case"}
     s/^{"device":{/&"serial":"165","pci":"00000000:17:00.0",/; s/"uuid":"[^"]*"/"uuid":"GPU-1"/' "$scratch/long.json" >"$scratch/named.json"
"$reduce_record" "$scratch/named.json" >"$scratch/short.json" &&
    "$reduce_record" --gates "$scratch/named.json" >"$scratch/gates.json" &&
    "$reduce_record" --example "$scratch/named.json" >"$scratch/example.json" && ended "$scratch/example.json" &&
    [ "$(wc -l <"$scratch/example.json")" = "$(wc -l <"$scratch/named.json")" ] &&
    grep -q '"uuid":"GPU-1"' "$scratch/short.json" && ! grep -q GPU-1 "$scratch/example.json" &&
    ! grep -E 'node17|anna|"(machine|booted|serial|pci)":' "$scratch/short.json" "$scratch/gates.json" "$scratch/example.json"
report $? "and does not say which machine it was"
"$assay" report "$scratch/example.json" >"$scratch/out" 2>&1
[ $? != 2 ]
report $? "an example is a record"
grep -rl '^{"record":"assay"' "$(dirname "$0")/../../spec" "$(dirname "$0")/.." >"$scratch/shipped"
[ "$(wc -l <"$scratch/shipped")" -gt 20 ] &&
    ! xargs grep -lE '^\{"record".*"(host|machine|booted)":"|^\{"device":.*"(serial|pci)":"|^\{"reduced":.*"kept":"' <"$scratch/shipped" &&
    ! grep /example/ "$scratch/shipped" | xargs grep -l '"uuid":"[^"]'
report $? "no record that comes with the source says which machine it was"
printf "{\"bench\"" >"$scratch/half.json"
expect "half a record is not reduced" 2 "line 1" "$reduce_record" "$scratch/half.json"
printf '{"floors": "assay",\n"version": 2}' >"$scratch/floors.json"
expect "a wrong floor file is refused" 2 "floors.json: line 1: the file: not assay floors of version 1" \
    $bench --floors "$scratch/floors.json"
expect "a kernel that is not there is reported" 2 "no kernel matches 'matmul/none'" $bench matmul/none
expect "floors of the host device are not made" 2 "nothing in it was measured on a GPU" \
    "$assay" floors "$scratch/long.json"
bad=0
for call in 1 9 25 33 40 47 55 70 90; do
    FAULT=$call:2 timeout 60 "$faulty" bench --device host --samples 2 offset_copy/scalar >/dev/null 2>&1
    case $? in 0 | 124) bad=1 ;; esac
done
report $bad "whichever driver call fails, it ends, and not in a pass"
finish
