#!/bin/sh
# Each driver call that the runner makes fails in turn, with each of the errors that drivers have:
# the run ends by itself, its record loads, and status 0 comes only where everything was checked.
# Clauses: runner.fault.honest, record.lines.whole.
#     faults.sh path/to/faulty_assay (faulty.c)
assay=$1
. "$(dirname "$0")/tap.sh"

run() { # run CALL ERROR: a short run with that fault; sets $status and, of status 0, $passed
    rm -f "$scratch/$1.json"
    FAULT=$1:$2 timeout 60 "$assay" replay 'matmul m=17 n=5 k=9 fill=uniform seed=1' matmul/tiled matmul/padded \
        --device host --timeout 5 -o "$scratch/$1.json" \
        >"$scratch/out" 2>"$scratch/err"
    status=$?
    passed=
    [ $status != 0 ] || passed=$(sed -n 's/.*"summary".*"passed":\([0-9]*\).*/\1/p' "$scratch/$1.json")
}

run 100000 1 # no call has that number: nothing fails
whole=$passed
[ "$status" = 0 ] && [ "$whole" = 2 ]
report $? "without a fault everything passes ($whole checks)"

points=0
for error in 2 46 600 700 719; do
    bad=0 noticed=0 call=0 quiet=0
    # Until the calls have run out: the fault has found nothing to fail ten times in a row.
    while [ $quiet -lt 10 ]; do
        call=$((call + 1))
        run "$call" $error
        points=$((points + 1))
        if [ "$status" = 0 ]; then quiet=$((quiet + 1)); else quiet=0 noticed=$((noticed + 1)); fi
        case $status in
        0 | 1 | 3 | 77 | 99) ;;
        *) bad=$((bad + 1)) && echo "# call $call: status $status" ;;
        esac
        [ "$status" != 0 ] || [ "$passed" = "$whole" ] || {
            bad=$((bad + 1))
            echo "# call $call: status 0 although $passed of $whole checks passed"
        }
    done
    for first in $(seq 1 60 $call); do # a report takes 64 records
        last=$((first + 59 < call ? first + 59 : call))
        # shellcheck disable=SC2046
        "$assay" report $(seq -f "$scratch/%.0f.json" "$first" $last) >/dev/null 2>"$scratch/err"
        [ $? != 2 ] || { bad=$((bad + 1)) && sed 's/^/# a record does not load: /' "$scratch/err"; }
    done
    [ $bad = 0 ] && [ $noticed -gt 20 ]
    report $? "error $error at each of $call calls: $noticed runs noticed it, all ended honestly"
done
echo "# $points points tried"
finish
