#!/bin/sh
# Few file descriptors: whatever their number, a command that gives a verdict ends with status 99 and the
# line that says so, or as it ends without a limit.
# Clauses: runner.limits.descriptors, verdicts.error.host.
#     descriptors.sh path/to/assay folder-of-records
assay=$1 records=$2
. "$(dirname "$0")/tap.sh"

# with N ARGUMENTS...: the status with N descriptors, or "loader" if they are too few for a program's libraries.
with() {
    files=$1
    shift
    (ulimit -n "$files" && exec "$assay" "$@") >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    ! grep -q 'error while loading shared libraries' "$scratch/err" || status=loader
}
is_refused() {
    [ "$status" = 99 ] && [ ! -s "$scratch/out" ] && [ "$(wc -l <"$scratch/err")" = 1 ] &&
        grep -q "^assay $1: ERROR: too few file descriptors (ulimit -n): .*\`ulimit -n 256\`" "$scratch/err"
}
# sweep NAME ARGUMENTS...: each number from 3 to 64, and some above it.
sweep() {
    name=$1 wrong= begun=
    with 1024 "$@"
    unlimited=$status
    for number_of in $(seq 3 72) 80 96; do
        with "$number_of" "$@"
        if [ "$status" = loader ] || { [ -z "$begun" ] && is_refused "$name"; }; then
            continue
        fi
        begun=${begun:-$number_of}
        [ "$status" = "$unlimited" ] || wrong="$wrong $number_of:$status"
    done
    [ -n "$begun" ] && [ -z "$wrong" ]
    report $? "$name: begins with $begun and ends with $unlimited;$wrong"
}
sweep run --device host offset_copy/scalar --cases 3 --seed 1 --jobs 2 --programs 0 -o "$scratch/r.json"
sweep gate --device host --quick offset_copy/scalar --programs 0 --jobs 2 --corpus "$scratch/corpus"
sweep bench --device host --samples 2 --repeats 3 offset_copy/vector -o "$scratch/b.json"
sweep codegen --cubins offset_copy/scalar
sweep compare "$records/before.json" "$records/again.json" -o "$scratch/compared.txt"
sweep report "$records/before.json" -o "$scratch/page.html"
sweep replay --device host 'matmul m=2 n=2 k=2 fill=uniform seed=1' matmul/naive
sweep mutants --device host --seed 1 mutant/tail_dropped
finish
