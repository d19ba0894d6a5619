#!/bin/sh
# Reports in the formats of machines, from kept records and from one of this machine: valid by their
# schemas, with the status of the verdict.
# Clauses: report.junit.valid, report.junit.verdict, report.line.fits, report.exit.status, report.output.page, report.output.whole, runner.exit.nagios, runner.output.quiet, runner.output.colour,
# report.prometheus.lint, report.prometheus.verdict, report.json.object, report.tap.lines, report.gcm.record, gate.output.formats, report.live.document, compare.environment.run.
#     formats.sh path/to/assay path/to/source
assay=$1
source=$2
. "$(dirname "$0")/tap.sh"

records="$source/conformance/gate/example/before.json $source/conformance/gate/example/after.json \
$source/conformance/report/example/run.json $source/conformance/report/example/bench.json \
$source/conformance/report/test/golden.json"
"$assay" run --device host --cases 40 --seed 1 mutant/gap_written matmul/naive -o "$scratch/bad.json" \
    --corpus "$scratch/corpus" >/dev/null 2>&1
head -n 5 "$scratch/bad.json" >"$scratch/cut.json"
records="$records $scratch/bad.json $scratch/cut.json"

render() { # render FORMAT RECORD...: into out; its status is that of the text
    format=$1
    shift
    "$assay" report "$@" >/dev/null 2>&1
    wanted=$?
    "$assay" report "$@" --format "$format" >"$scratch/out" 2>"$scratch/err"
    [ $? = $wanted ] && [ ! -s "$scratch/err" ] && [ -s "$scratch/out" ]
}
each() { # each FORMAT COMMAND...: of every record, and of all of them
    each_format=$1
    shift
    # shellcheck disable=SC2086
    for record in $records "$records"; do
        render "$each_format" $record && "$@" && continue
        echo "# $record"
        sed 's/^/# /' "$scratch/err"
        return 1
    done
}

if command -v xmllint >/dev/null; then
    each junit xmllint --noout --schema "$source/spec/junit.xsd" "$scratch/out" 2>"$scratch/xml"
    report $? "JUnit is valid by its schema"
    sed -i 's/ tests="[0-9]*"//' "$scratch/out"
    ! xmllint --noout --schema "$source/spec/junit.xsd" "$scratch/out" 2>/dev/null
    report $? "its schema refuses a suite without its count"
else
    skip "JUnit is valid by its schema" "xmllint is not installed"
    skip "its schema refuses a suite without its count" "xmllint is not installed"
fi
render junit "$scratch/bad.json" && grep -q '<failure message="[^"]*" type="FAIL">mutant/gap_written' "$scratch/out" &&
    grep -q '^replay: ' "$scratch/out"
report $? "a failure of JUnit has what failed and its command"
whole_tap() {
    [ "$(tail -n 1 "$scratch/out")" = "1..$(grep -cE '^(not )?ok - ' "$scratch/out")" ] && [ "$(grep -c '^1\.\.' "$scratch/out")" = 1 ]
}
each tap whole_tap
report $? "TAP has a plan of its lines at its end"
render tap "$scratch/bad.json" && grep -A2 '^not ok - mutant/gap_written' "$scratch/out" | grep -q '^# mutant/gap_written' &&
    grep -q '^not ok - the run as a whole: FAIL' "$scratch/out" && grep -q '^# replay: ' "$scratch/out"
report $? "a failure of TAP is told after its line"

if command -v promtool >/dev/null; then
    lint() { promtool check metrics <"$scratch/out" >"$scratch/err" 2>&1; }
    each prometheus lint
    report $? "promtool has nothing to complain of"
else
    skip "promtool has nothing to complain of" "promtool is not installed"
fi
"$assay" report "$scratch/bad.json" --format prometheus -o "$scratch/assay.prom"
grep -q '^assay_verdict{verdict="FAIL"} 1$' "$scratch/assay.prom" && grep -q '^assay_exit_status 1$' "$scratch/assay.prom" &&
    grep -q '^assay_recommended_action{action="drain"} 1$' "$scratch/assay.prom"
report $? "gauges have the verdict, the status and the action"

object() { python3 -c '
import json, sys
one = json.load(open(sys.argv[1]))
wanted = dict(verdict=str, exit_status=int, why=str, seconds=(int, float), host=str, header=dict, devices=list,
              parts=list, checks=dict, findings=list, failures=list, known=list)
sys.exit(not all(isinstance(one.get(name), kind) for name, kind in wanted.items()) or
         any(it["severity"] not in ("info", "unknown", "critical") for it in one["findings"]))' "$scratch/out"; }
each json object
report $? "JSON has its members"
SLURM_JOB_ID=1234 SLURM_CLUSTER_NAME=west "$assay" run --device host --cases 4 --seed 1 mutant/gap_written \
    -o "$scratch/job.json" --corpus "$scratch/corpus" >/dev/null 2>&1
SLURM_JOB_ID=77 "$assay" report "$scratch/job.json" --format gcm >"$scratch/out" 2>&1
[ $? = 1 ] && grep -q '"cluster":"west".*"result":2,"_msg":"assay FAIL .*"job_id":1234,"start_time":1[0-9]\{9\},"end_time":1[0-9]\{9\}}$' "$scratch/out"
report $? "gcm's record has the result, the line and the job that it ran in"
SLURM_JOB_ID=1235 SLURM_CLUSTER_NAME=west "$assay" run --device host --cases 4 --seed 1 mutant/gap_written \
    -o "$scratch/next.json" --corpus "$scratch/corpus" >/dev/null 2>&1
"$assay" compare "$scratch/job.json" "$scratch/next.json" >"$scratch/out" 2>&1 && ! grep -q ' job\|123' "$scratch/out"
report $? "another job is no difference of the stack"
"$assay" gate --device host --quick --seed 1 offset_copy -o "$scratch/gate.json" --format json >"$scratch/live.json" 2>/dev/null
live=$?
"$assay" report "$scratch/gate.json" --format json >"$scratch/kept.json"
[ $live = $? ] && python3 -c '
import json, sys
live, kept = (json.load(open(path)) for path in sys.argv[1:3])
for it in live["parts"] + kept["parts"]:
    del it["record"]
    it["why"] = ""
for name in live:
    if live[name] != kept[name]:
        sys.exit("%s: %s and %s" % (name, str(live[name])[:300], str(kept[name])[:300]))' "$scratch/live.json" "$scratch/kept.json" 2>"$scratch/err"
report $? "JSON of a gate is that of its record"
sed 's/^/# /' "$scratch/err"

# live NAME STATUS ARGUMENTS...: a command writes of itself, in each format, what a report says of its record
live() {
    live_name=$1 wanted=$2 why=
    shift 2
    for format in junit line prometheus gcm markdown page; do
        rm -f "$scratch/live.json"
        "$assay" "$@" --format $format -o "$scratch/live.json" >"$scratch/live" 2>"$scratch/err"
        [ $? = "$wanted" ] || why="$why $format: status"
        "$assay" report "$scratch/live.json" --format $format >"$scratch/out" 2>"$scratch/err"
        cmp -s "$scratch/live" "$scratch/out" && [ -s "$scratch/live" ] || why="$why $format"
    done
    [ -z "$why" ]
    report $? "$live_name writes of itself what a report says of its record"
    [ -z "$why" ] || echo "# $why"
}
live "a run" 0 run --device host --cases 40 --seed 1 offset_copy
live "a run with failures" 1 run --corpus "$scratch/corpus" --device host --cases 40 --seed 1 mutant/gap_written mutant/trap
live "a run that is cut" 3 run --device host --time 0.001
live "a replay" 1 replay --device host 'matmul m=3 n=3 k=3 fill=uniform seed=1' mutant/input_negated
says() { # says STATUS PATTERN WORDS...: standard output of a command
    wanted=$1 pattern=$2
    shift 2
    "$assay" "$@" >"$scratch/out" 2>"$scratch/err"
    got=$?
    [ $got = "$wanted" ] && if [ -n "$pattern" ]; then grep -q "$pattern" "$scratch/out"; else [ ! -s "$scratch/out" ]; fi && return 0
    echo "# status $got of: $*"
    sed 's/^/# /' "$scratch/out"
    return 1
}
says 77 '^assay SKIP .*no GPU was checked' bench --device host --repeats 3 --samples 2 strided_copy/scalar --format line &&
    says 0 '^assay PASS ' run --programs 70 --device host --seed 5 --format line &&
    says 0 '"result":0' replay --device host "operation add.u32" --format gcm &&
    if "$assay" info | grep -q '^toolkit *CUDA'; then says 0 '^assay_verdict{verdict="PASS"} 1' codegen --cubins offset_copy --format prometheus; fi
report $? "speeds, programs and machine code write their reports"
says 99 '^assay ERROR ' run --device host --cases 4 offset_copy -o /dev/full --format line &&
    says 77 '^assay SKIP: .*no shape of these kernels' bench --device host --regime l2 table_lookup/global --format line &&
    says 1 '<failure message="--expect-gpus 9' run --expect-gpus 9 --format junit && says 2 "" run --device host none/such --format junit
report $? "a record that cannot be written is an ERROR, a refusal its verdict, and bad usage nothing"

fits() { [ "$(wc -l <"$scratch/out")" = 1 ] && ! grep -q '.\{121\}' "$scratch/out"; }
each line fits
report $? "a line has at most 120 characters"

"$assay" report "$scratch/bad.json" --format junit -o "$scratch/x.xml" >"$scratch/out" 2>&1
[ $? = 1 ] && [ ! -s "$scratch/out" ] && grep -q '</testsuites>' "$scratch/x.xml"
report $? "-o writes the format that is named"
"$assay" report "$scratch/bad.json" -o "$scratch/y.xml" >"$scratch/out" 2>&1
[ $? = 2 ] && [ "$(wc -l <"$scratch/out")" = 1 ] && grep -q 'html' "$scratch/out" && [ ! -e "$scratch/y.xml" ]
report $? "without a format -o takes a page's name alone"
"$assay" report "$scratch/bad.json" --format xml >"$scratch/out" 2>&1
[ $? = 2 ] && grep -q 'junit' "$scratch/out"
report $? "an unknown format is refused with those there are"

nagios() { # nagios STATUS WORDS...: of a command line that has --exit nagios
    wanted=$1
    shift
    "$assay" "$@" >"$scratch/out" 2>&1
    got=$?
    [ $got = "$wanted" ] && return 0
    echo "# status $got of: $*"
    return 1
}
"$assay" run --device host --cases 4 --seed 1 matmul/naive -o "$scratch/good.json" >/dev/null 2>&1
head -n 2 "$scratch/good.json" >"$scratch/half.json"
nagios 0 report "$scratch/good.json" --exit nagios && nagios 2 report --exit=nagios "$scratch/bad.json" &&
    nagios 3 report "$scratch/half.json" --exit nagios && nagios 3 report --exit nagios "$scratch/none.json" &&
    nagios 3 report --exit nagios "$scratch/none.json" "$scratch/nowhere.json" &&
    nagios 3 report --exit nagios --no-such-option "$scratch/good.json" &&
    nagios 3 run --exit nagios --format xml && nagios 1 report "$scratch/bad.json" --exit assay
report $? "--exit nagios gives 0, 2 and 3, never 1"

quiet() { # quiet STATUS PATTERN WORDS...: what -q prints; "" for nothing
    wanted=$1 pattern=$2
    shift 2
    "$assay" "$@" -q >"$scratch/out" 2>&1
    got=$?
    [ $got = "$wanted" ] && if [ -n "$pattern" ]; then grep -q "$pattern" "$scratch/out"; else [ ! -s "$scratch/out" ]; fi &&
        ! grep -q PASS "$scratch/out" && return 0
    echo "# status $got of: $*"
    sed 's/^/# /' "$scratch/out"
    return 1
}
"$assay" gate --device host --quick --seed 1 offset_copy -o "$scratch/base.json" >/dev/null 2>&1
quiet 0 "" report "$source/conformance/gate/example/before.json" && quiet 1 '^finding ' report "$scratch/bad.json" &&
    quiet 1 '^FAIL ' report "$scratch/bad.json" && quiet 3 '^INCONCLUSIVE ' report "$scratch/half.json" &&
    quiet 0 "" compare "$scratch/good.json" "$scratch/good.json" &&
    quiet 0 "" run --device host --cases 4 --seed 1 offset_copy && quiet 0 "" replay --device host 'offset_copy n=7 fill=uniform seed=2' offset_copy/vector &&
    quiet 1 '^FAIL ' run --device host --cases 4 --seed 1 mutant/gap_written --corpus "$scratch/corpus" &&
    quiet 77 '^SKIP ' bench --device host --repeats 3 --samples 2 strided_copy/scalar &&
    quiet 3 '^speed *SKIP' gate --device host --quick --seed 1 offset_copy &&
    quiet 1 '^FAIL ' gate --device host --quick --seed 1 mutant/offset_ignored --corpus "$scratch/corpus" &&
    quiet 3 '^INCONCLUSIVE ' gate --device host --quick offset_copy --baseline "$scratch/base.json" &&
    ! grep -q '^SAME' "$scratch/out"
report $? "-q prints nothing but what is not PASS"

coloured() { # coloured COMMAND...: its output on a terminal has a red FAIL
    on_terminal "$@" >"$scratch/out" 2>&1 </dev/null
    grep -q "$(printf '\033\\[1;31mFAIL\033\\[0m')" "$scratch/out"
}
if on_terminal true </dev/null >/dev/null 2>&1; then
    export TERM=xterm
    coloured "$assay" report "$scratch/bad.json" && ! coloured env NO_COLOR=1 "$assay" report "$scratch/bad.json" &&
        ! coloured env TERM=dumb "$assay" report "$scratch/bad.json" &&
        coloured env NO_COLOR= "$assay" report "$scratch/bad.json" &&
        ! "$assay" report "$scratch/bad.json" | grep -q "$(printf '\033')"
    report $? "a failure is red on a terminal that shows colours, and nowhere else"
else
    skip "a failure is red on a terminal that shows colours, and nowhere else" "no pseudo terminal"
fi
finish
