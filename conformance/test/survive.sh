#!/bin/sh
# A run whose workers or whose supervisor are killed at any moment: the record always loads, holds
# only cases that finished, and the run's status is honest.
# Clauses: runner.worker.survived, record.lines.whole, verdicts.pass.nothing_wrong,
# verdicts.crash.reported, report.verdict.cut, record.cases.ended.
#     survive.sh path/to/assay [rounds]
assay=$1
rounds=${2:-8}
kernels="aat adjacent_difference offset_copy" # 600 cases of them take half a second
. "$(dirname "$0")/tap.sh"

# Adds what still lives of a session to $orphans, and ends it.
count_orphans() {
    for pid in $(of_session "$1"); do
        orphans=$((orphans + 1))
        kill -9 "$pid"
    done
}

# moment ROUND MS: sleeps 20 to 20 + MS milliseconds, not the same from round to round.
moment() { sleep "0.$(printf '%03d' $((20 + ($1 * 137) % $2)))"; }

supervisors() {
    good=0 orphans=0
    for round in $(seq "$rounds"); do
        # In a session of its own, so that what it leaves can be found.
        setsid "$assay" run $kernels --device host --seed "$round" --cases 600 -o "$scratch/r.json" >/dev/null 2>&1 &
        supervisor=$!
        moment "$round" 300
        kill -9 $supervisor 2>/dev/null
        wait $supervisor 2>/dev/null
        until_holds has_no_process $supervisor
        count_orphans $supervisor
        [ -s "$scratch/r.json" ] || { good=$((good + 1)); continue; } # killed before it began
        "$assay" report "$scratch/r.json" >"$scratch/out" 2>&1
        case $? in 0 | 3) good=$((good + 1)) ;; *) sed 's/^/# /' "$scratch/out" ;; esac
    done
    [ $good = "$rounds" ]
    report $? "the supervisor killed $rounds times: every record loads"

    setsid "$assay" run mutant/hang --device host --cases 3 --timeout 60 >/dev/null 2>&1 &
    supervisor=$!
    until_holds has_child $supervisor
    sleep 0.3
    kill -9 $supervisor
    wait $supervisor 2>/dev/null
    until_holds has_no_process $supervisor
    count_orphans $supervisor # a worker in an endless kernel reads no pipe
    [ $orphans = 0 ]
    report $? "no worker outlives its supervisor"
}

workers() {
    good=0
    for round in $(seq "$rounds"); do
        "$assay" run $kernels --device host --seed "$round" --cases 600 -o "$scratch/r.json" >"$scratch/out" 2>&1 &
        supervisor=$!
        moment "$round" 200
        for pid in $(processes | awk -v parent=$supervisor '$2 == parent { print $1 }'); do
            kill -9 "$pid" 2>/dev/null
        done
        wait $supervisor
        status=$?
        last=$(sed -n 's/^{"cases":.*"finished":\[\[0,\([0-9]*\)\]\].*/\1/p' "$scratch/r.json")
        done_cases=$(grep '^{"summary"' "$scratch/r.json" | sed -n 's/.*"cases_done":\([0-9]*\).*/\1/p')
        if [ $status = 99 ] || { { [ $status = 0 ] || [ $status = 3 ]; } && [ "${last:-0}" -ge 599 ] &&
            [ "$done_cases" = $((last + 1)) ]; }; then
            good=$((good + 1))
        else
            echo "# round $round: status $status, cases up to $last, $done_cases cases"
            tail -n 3 "$scratch/out" | sed 's/^/# /'
        fi
    done
    [ $good = "$rounds" ]
    report $? "workers killed in $rounds runs: every case is finished once, and no run fails for it"
}

aside supervisors
aside workers
env --default-signal=INT "$assay" run $kernels --device host --tier deep -o "$scratch/r.json" >"$scratch/out" 2>&1 &
supervisor=$!
until_holds has_child $supervisor
sleep 0.3
kill -INT $supervisor
wait $supervisor
[ $? = 3 ] && grep -q '^INCONCLUSIVE .*interrupted' "$scratch/out" &&
    tail -n 1 "$scratch/r.json" | grep -q '^{"end"'
report $? "an interrupted run says so and ends its record"
cases=$(grep '^{"summary"' "$scratch/r.json" | sed -n 's/.*"cases_done":\([0-9]*\).*/\1/p')
finished=$(sed -n 's/^{"cases":.*"finished":\[\[\(.*\)\]\].*/\1/p' "$scratch/r.json" | sed 's/\],\[/\n/g' |
    awk -F, '{ sum += $2 - $1 + 1 } END { print sum }')
[ "$cases" -gt 0 ] && [ "$finished" = "$cases" ] && [ "$(grep -c '^{"coverage"' "$scratch/r.json")" = 1 ] &&
    grep '^{"bits"' "$scratch/r.json" | grep -q '"ranges":"'
report $? "and has its results: $finished cases in $(wc -l <"$scratch/r.json") lines"

# A deep run that dies keeps its findings.
"$assay" run mutant/input_negated --device host --tier deep --seed 3 --corpus "$scratch/kept" -o "$scratch/r.json" >/dev/null 2>&1 &
supervisor=$!
until_holds grep -qs '^{"finding"' "$scratch/r.json"
kill -9 $supervisor
wait $supervisor 2>/dev/null
"$assay" report "$scratch/r.json" >"$scratch/out" 2>&1
[ $? = 1 ] && unwrapped "$scratch/out" | grep -q '^FAIL .*cut short' && unwrapped "$scratch/out" | grep -q 'cut short; its findings count.*: run it again'
report $? "a deep run that is killed keeps its findings, and its report says to run it again"
! grep -q '^{"bits"\|^{"cases"' "$scratch/r.json"
report $? "and has nothing else"
joined
finish
