#!/bin/sh
# Each driver call that the runner makes fails in turn, with each of the errors that drivers have:
# the run ends by itself, its record loads, and status 0 comes only where everything was checked.
# Clauses: runner.fault.honest, record.lines.whole.
#     faults.sh path/to/assay
assay=$1
. "$(dirname "$0")/tap.sh"

run() { # run CALL ERROR: a short run with that fault; sets $status, $loads and, of status 0, $passed
    timeout 60 "$assay" replay 'matmul m=17 n=5 k=9 fill=uniform seed=1' matmul/tiled matmul/padded \
        --device host --timeout 5 --driver-fault "$1:$2" -o "$scratch/r.json" \
        >"$scratch/out" 2>"$scratch/err"
    status=$?
    passed=
    [ $status != 0 ] || passed=$(sed -n 's/.*"summary".*"passed":\([0-9]*\),"fail".*/\1/p' "$scratch/r.json")
    "$assay" report "$scratch/r.json" >/dev/null 2>&1
    [ $? != 2 ] # any other status is the record's own
    loads=$?
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
        [ $loads = 0 ] || { bad=$((bad + 1)) && echo "# call $call: the record does not load"; }
        [ "$status" != 0 ] || [ "$passed" = "$whole" ] || {
            bad=$((bad + 1))
            echo "# call $call: status 0 although $passed of $whole checks passed"
        }
    done
    [ $bad = 0 ] && [ $noticed -gt 20 ]
    report $? "error $error at each of $call calls: $noticed runs noticed it, all ended honestly"
done
echo "# $points points tried"
finish
