#!/bin/sh
# A failure that needs what its worker ran before it is bisected to the shortest sequence of cases, and
# the command that is printed for it fails again.
# Clauses: cases.sequence.shortest, runner.replay.sequence.
#     sequence.sh path/to/assay
assay=$1
. "$(dirname "$0")/tap.sh"

bisect() { # bisect NAME OPTION...: two cases in the end, in the report and in the record
    name=$1
    shift
    "$assay" run mutant/second_launch --device host --cases 20 --seed 1 --corpus "$scratch/corpus" \
        -o "$scratch/r.json" "$@" >"$scratch/out" 2>&1
    [ $? = 1 ] && [ "$(grep -c '^  after     matmul ' "$scratch/out")" = 1 ] &&
        grep -q '^  sequence  by itself it failed 0 times out of 5; behind the 1 before it 3 times out of 3' \
            "$scratch/out" &&
        grep '^{"reduced"' "$scratch/r.json" | grep -q '"failures":0,.*"after":\["matmul [^,]*"\]'
    report $? "$name"
}

bisect "several workers: a sequence of two cases"
bisect "checks one at a time: a sequence of two cases" --careful
bisect "one worker: a sequence of two cases" --jobs 1
[ ! -e "$scratch/corpus" ]
report $? "a case that does not fail by itself is not kept in the corpus"

replay=$(sed -n 's/^  replay    assay \(replay .*--after .*\)/\1/p' "$scratch/out")
eval "\"$assay\" $replay" >"$scratch/out" 2>&1
[ $? = 1 ] && [ "$(grep -c '^FAIL$' "$scratch/out")" = 1 ] &&
    grep -q '1 *1 *0 *0  FAIL' "$scratch/out"
report $? "the command that is printed fails again, on the last case alone"
alone=$(echo "$replay" | sed "s/--after '[^']*'//")
eval "\"$assay\" $alone" >"$scratch/out" 2>&1
report $? "without the case before it passes"

good='matmul m=2 n=2 k=2 fill=uniform seed=1'
expect "a case to go before that is none" 2 "column 1" "$assay" replay --after nonsense "$good"
set --
while [ $# -lt 130 ]; do set -- "$@" --after "$good"; done
expect "more cases before than there may be" 2 "at most 64 times" "$assay" replay "$@" "$good"
"$assay" replay --device host --after "$good" --after 'offset_copy n=5 fill=uniform seed=1' "$good" \
    matmul/naive offset_copy/scalar >"$scratch/out" 2>&1
[ $? = 0 ] && grep -q '3 checks of 3 cases' "$scratch/out"
report $? "cases of several algorithms run one behind the other"
finish
