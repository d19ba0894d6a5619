#!/bin/sh
# A failure that needs what its worker ran before it is reduced to the shortest sequence of the
# smallest cases, kept in the corpus, and run first from then on; the command that is printed for it
# fails again.
# Clauses: cases.sequence.shortest, cases.sequence.smallest, cases.corpus.sequence,
# runner.corpus.sequence, runner.replay.sequence, record.cases.ended.
#     sequence.sh path/to/assay
assay=$1
. "$(dirname "$0")/tap.sh"

before='matmul m=1 n=1 k=0 fill=uniform seed=1'
failing='matmul m=1 n=1 k=1 fill=uniform seed=1'

reduce() { # reduce NAME OPTION...: two small cases in the end, in report, record and corpus
    name=$1
    shift
    rm -rf "$scratch/corpus"
    "$assay" run mutant/second_launch --device host --cases 20 --seed 1 --corpus "$scratch/corpus" \
        -o "$scratch/r.json" "$@" >"$scratch/out" 2>"$scratch/err"
    [ $? = 1 ] && grep -q "^  after     $before\$" "$scratch/out" &&
        grep -q '^  sequence  alone it failed 0 times out of 5; after the 1 case before it, 3 times out of 3' \
            "$scratch/out" && grep -q '^  expected  0xbe0fe81a ' "$scratch/out" &&
        grep '^{"reduced":"'"$failing"'"' "$scratch/r.json" |
            grep -q '"failures":0,"tried":[1-9][0-9]*,"complete":true,.*"after":\["'"$before"'"\],"after_repeats":3,"after_failures":3' &&
        printf 'after %s\n%s\n' "$before" "$failing" >"$scratch/expected" &&
        grep -v '^#' "$scratch/corpus"/mutant-second_launch-*.case | cmp -s - "$scratch/expected"
    report $? "$name"
}

reduce "several workers: a sequence of two small cases, kept"
reduce "one worker: the same sequence" --jobs 1

replay=$(sed -n 's/^  replay    assay \(replay .*--after .*\)/\1/p' "$scratch/out" | tail -n 1)
eval "\"$assay\" $replay" >"$scratch/out" 2>&1
[ $? = 1 ] && [ "$(grep -c '^FAIL$' "$scratch/out")" = 1 ] &&
    grep -q ' 1 *1  FAIL' "$scratch/out" && grep -qF "assay $replay" "$scratch/out"
report $? "the command that is printed fails again, on the last case alone, and prints itself"
alone=$(echo "$replay" | sed "s/--after '[^']*'//")
eval "\"$assay\" $alone" >"$scratch/out" 2>&1
report $? "without the case before it passes"

# The kept sequence is met by a kernel that other cases would not show to be wrong.
printf 'after %s\n%s\n' 'adjacent_difference n=9 fill=uniform seed=2' 'aat m=3 k=2 fill=uniform seed=4' \
    >"$scratch/corpus/a.case"
"$assay" run mutant/second_launch matmul/naive --device host --cases 1 --seed 1 --jobs 2 \
    --corpus "$scratch/corpus" -o "$scratch/r.json" --format tap >"$scratch/out" 2>&1
head -n 4 "$scratch/r.json" | grep '^{"finding":"FAIL"' | grep '"index":1,' | grep -qF "assay $(echo "$replay" |
    sed 's/mutant.second_launch/matmul\/naive mutant\/second_launch/')\",\"after\":[\"$before\"]" &&
    grep -q "^#   after     $before" "$scratch/out" && grep -q '^#   sequence ' "$scratch/out"
report $? "a kept sequence runs first, in its order, in one worker, and its failure is reported with it"

# A deep run has the same lines as any: its cases, those of sequences among them, and all their checks.
rm "$scratch/corpus"/mutant-*
"$assay" run matmul/naive offset_copy/scalar --device host --tier deep --cases 4000 --seed 1 --corpus "$scratch/corpus" \
    -o "$scratch/r.json" >"$scratch/out" 2>&1
sum() { grep -o '"passed":[0-9]*' | awk -F: '{ sum += $2 } END { print sum }'; }
status=$?
planned=$(sed -n '1s/.*"cases_planned":\([0-9]*\).*/\1/p' "$scratch/r.json")
[ $status = 0 ] && grep -q "^{\"cases\":{\"device\":\"host\",\"finished\":\[\[0,$((planned - 1))\]\]," "$scratch/r.json" &&
    [ "$(grep '^{"bits"' "$scratch/r.json" | sum)" = "$(grep '^{"summary"' "$scratch/r.json" | sum)" ]
report $? "a deep run of $planned cases has one line of them, and all their checks"

good='matmul m=2 n=2 k=2 fill=uniform seed=1'
expect "an invalid case to go before" 2 "column 1" "$assay" replay --after nonsense "$good"
set --
while [ $# -lt 130 ]; do set -- "$@" --after "$good"; done
expect "more cases before than there may be" 2 "at most 64 times" "$assay" replay "$@" "$good"
mkdir "$scratch/wrong"
printf '%s\nafter %s\n' "$good" "$good" >"$scratch/wrong/x.case"
expect "a sequence without its last case" 2 "x.case:2:1: no case follows" "$assay" run --corpus "$scratch/wrong"
"$assay" replay --device host --after "$good" --after 'offset_copy n=5 fill=uniform seed=1' "$good" \
    matmul/naive offset_copy/scalar >"$scratch/out" 2>&1
[ $? = 0 ] && grep -q '3 checks of 3 cases' "$scratch/out"
report $? "cases of several algorithms run in sequence"
finish
