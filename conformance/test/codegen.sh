#!/bin/sh
# `assay codegen` from end to end, without a GPU: the code in the program, budgets that hold and budgets
# that do not, the record, and what is not looked at; and a driver that answers in libcuda's place.
# Clauses: codegen.device.none, codegen.cubin.unread, codegen.device.host, codegen.device.gpu, codegen.device.workers, codegen.path.driver, codegen.coverage.printed,
# codegen.budget.provenance, codegen.budget.held, thread_array.local.placed, report.figure.codegen, report.figure.occupancy, codegen.record.short, occupancy.driver.equal, occupancy.driver.verdict,
# runner.tap.verdict, runner.output.input.
#     codegen.sh path/to/assay path/to/make_budgets.py path/to/forms path/to/spec/codegen_budgets.json stand-in
assay=$1 make_budgets=$2 forms=$3 shipped=$4 stand_in=$5
. "$(dirname "$0")/tap.sh"

ends() { # ends NAME STATUS ARGUMENTS...: its output is in $scratch/out
    name=$1 wanted=$2
    shift 2
    "$assay" codegen "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ "$status" = "$wanted" ] || sed 's/^/# /' "$scratch/err"
    [ "$status" = "$wanted" ]
    report $? "$name"
}
says() { # says NAME PATTERN...: lines of the last output
    name=$1 missing=0
    shift
    for pattern; do grep -q -- "$pattern" "$scratch/out" || missing=1; done
    report $missing "$name"
}

if ! "$assay" info | grep -q '^toolkit *CUDA'; then
    expect "a build without CUDA code has nothing to look at" 77 "this build has no machine code" \
        "$assay" codegen --cubins
    ends "which TAP says" 77 --cubins --format tap
    says "as a skip" '^1..0 # SKIP this build has no machine code'
    skip "machine code" "this build has none"
    finish
    exit 0
fi
toolkit=$("$assay" info | sed -n 's/^toolkit *CUDA \([0-9.]*\).*/\1/p')
made_with=$(sed -n 's/.*"toolkit": "\([^"]*\)".*/\1/p' "$shipped")

expect "the host device has no registers of a GPU" 77 "--cubins reads the machine code" \
    "$assay" codegen --device host
ends "and TAP says so" 77 --device host --format tap
says "as a skip" '^1..0 # SKIP the host device'

expect "--cubins with --device is refused" 2 "--cubins and --device conflict" \
    "$assay" codegen --cubins --device cuda:0
expect "and --cubins with --expect-gpus" 2 "--cubins and --expect-gpus conflict" \
    "$assay" codegen --cubins --expect-gpus 1

# The budgets are those of one toolkit; what another one made of the sources may exceed them.
expect "a copy that the driver carries out" 2 "has no machine code" "$assay" codegen --cubins "host_copy/*"
"$assay" codegen --cubins -o "$scratch/r.json" >"$scratch/out" 2>&1
status=$?
if [ "$toolkit" = "$made_with" ]; then
    [ "$status" = 0 ]
else
    [ "$status" = 0 ] || [ "$status" = 1 ] || [ "$status" = 3 ]
fi
report $? "every function for every architecture is within its budget"
"$assay" report "$scratch/r.json" >"$scratch/said"
[ $? = "$status" ]
report $? "a report of all kernels has the same status"
[ "$status" = 0 ] || grep -v 'PASS$' "$scratch/out" | sed 's/^/# /'
architectures=$("$assay" info | sed -n 's/.*machine code for sm: \([0-9 ]*\);.*/\1/p' | wc -w)
says "and the output says how much that is" \
    "^coverage  [0-9,]* functions of [0-9]* kernels, for $architectures architectures\{0,1\}: from the machine code" \
    "^note .*there is no driver"
[ "$(grep -c '^{"device":' "$scratch/r.json")" = "$architectures" ] &&
    ! grep -q '^{"codegen".*"path":"ptx' "$scratch/r.json"
report $? "the record has a device line for each architecture, and path sass alone"
"$forms" "$scratch/r.json" >"$scratch/out" 2>&1
report $? "and holds the schema"
grep -q '^{"record".*"budgets":"measured with toolkit [0-9.]*, 20[0-9-]*"' "$scratch/r.json" &&
    ! grep '^{"codegen"' "$scratch/r.json" | grep -q '""\|toolkit' &&
    grep '^{"codegen"' "$scratch/r.json" | awk '/"verdict":"PASS"/ && length > 400' >"$scratch/out"
[ -e "$scratch/out" ] && [ ! -s "$scratch/out" ]
report $? "it says once where the budgets are from, and the lines of functions are short"

! grep '"kernel":"thread_array/local"' "$scratch/r.json" | grep -q '"local_bytes":0,' &&
    ! grep '"kernel":"thread_array/registers"' "$scratch/r.json" | grep -q '"local_bytes":[1-9]' &&
    [ "$(grep -c '"kernel":"thread_array/\(local\|registers\)"' "$scratch/r.json")" = "$((10 * architectures))" ]
report $? "an array that is indexed at run time is in local memory, and one laid out in registers is not"

# The kernels whose functions may have local memory: those whose shipped budgets do.
"$make_budgets" "$scratch/r.json" >"$scratch/made.json"
report $? "budgets are made of it"
if [ "$toolkit" = "$made_with" ] && [ "$architectures" = "$(grep -c '"architecture":' "$shipped")" ]; then
    sed '/"date":/d' "$scratch/made.json" >"$scratch/left"
    sed '/"date":/d' "$shipped" >"$scratch/right"
    cmp "$scratch/left" "$scratch/right" >&2
    report $? "and are the shipped ones"
else
    skip "and are the shipped ones" "those are of toolkit $made_with for $(grep -c '"architecture":' "$shipped") architectures"
fi
ends "with which it passes, whatever the toolkit is" 0 --cubins --budgets "$scratch/made.json" \
    -o "$scratch/passed.json"
sed -nE 's/^.{28} sass +sm_[0-9]+ +([0-9]+.[0-9]+) +([0-9]+.[0-9]+) +([0-9]+.[0-9]+) +([0-9]+.[0-9]+)  PASS$/\1 \2 \3 \4/p' \
    "$scratch/out" >"$scratch/text"
sed -nE 's/^.*"registers":([0-9]+),"local_bytes":([0-9]+),"shared_bytes":([0-9]+),"code_bytes":([0-9]+),.*"budget":\[([0-9]+),([0-9]+),([0-9]+),([0-9]+)\].*$/\1\/\5 \2\/\6 \3\/\7 \4\/\8/p' \
    "$scratch/passed.json" >"$scratch/recorded"
ends "and passes in TAP" 0 --cubins --budgets "$scratch/made.json" --format tap
sed -nE 's/^ok .*: registers ([^,]+), local ([^,]+), shared ([^,]+), code ([^,]+)$/\1 \2 \3 \4/p' "$scratch/out" >"$scratch/tap"
[ "$(wc -l <"$scratch/recorded")" = "$(grep -c '^{"codegen"' "$scratch/passed.json")" ] &&
    cmp "$scratch/text" "$scratch/recorded" >&2 && cmp "$scratch/tap" "$scratch/recorded" >&2
report $? "both show each figure with its own budget, as the record has them"
sed 's/"local_bytes":0/"local_bytes":8/' "$scratch/r.json" >"$scratch/spilled.json"
ended "$scratch/spilled.json"
expect "none are made of code that spills" 2 "spills" "$make_budgets" "$scratch/spilled.json"

one=$(sed -n 's/.*"kernel": "\([^"]*\)".*/\1/p' "$scratch/made.json" | head -1)
shrink() { # shrink FIELD NUMBER: the budget of the first kernel's
    sed "s|\(\"kernel\": \"$one\".*\"$1\": \)[0-9]*\(.*\"measured\"\)|\1$2\2|" "$scratch/made.json" >"$scratch/small.json"
}
shrink shared_bytes 16
ends "a function that is not as its budget says fails" 1 --cubins --budgets "$scratch/small.json" \
    -o "$scratch/failed.json"
says "and is named with the figure and the command" '^FAIL$' 'clause *codegen.budget.held' \
    'static shared bytes, budget 16' "replay *assay codegen --cubins --path sass --budgets '.*small.json' $one"
"$assay" codegen --cubins --budgets "$scratch/small.json" "$one" >/dev/null
[ $? = 1 ]
report $? "which fails alone, too"
ends "in TAP" 1 --cubins --budgets "$scratch/small.json" "$one" --format tap
says "it is not ok" '^not ok - .*budget 16: FAIL$' '^not ok .* as a whole'
first=$(sed -n 's/.*"architecture": \([0-9]*\),.*/\1/p' "$scratch/made.json" | head -1)
sed "s/\"architecture\": $first,/\"architecture\": 1,/" "$scratch/made.json" >"$scratch/other.json"
ends "an architecture without budgets is recorded" 0 --cubins --budgets "$scratch/other.json" "$one"
says "and says so" "^coverage .*; 1 recorded, not judged: no budgets of the architecture$"
expect "a budget below its own measurement" 2 "small.json: line" \
    sh -c "sed 's/\"registers\": [0-9]*, \"local/\"registers\": 1, \"local/' '$scratch/made.json' >'$scratch/small.json'; '$assay' codegen --cubins --budgets '$scratch/small.json'"
expect "a record in the place of the budgets" 2 "the command reads that file" \
    "$assay" codegen --cubins --budgets "$scratch/made.json" -o "$scratch/made.json"

ends "a path that the driver compiles is not looked at" 77 --cubins --path ptx "$one"
says "and says why" 'SKIP: the driver compiles it, and there is no driver'
ends "and beside one that is, is no pass" 3 --cubins --path all --budgets "$scratch/made.json" "$one"

"$assay" report "$scratch/passed.json" >"$scratch/out" 2>&1
report $? "the report believes the record"
says "and shows it" 'Machine code: \([0-9,]*\) of \1 functions within the budget' '^PASS; no GPU was checked'
sed '5d' "$scratch/passed.json" >"$scratch/less.json"
expect "but not one that lacks a line" 2 "less.json: line 5: damaged: 1 line missing from here on" \
    "$assay" report "$scratch/less.json"
"$assay" report "$scratch/failed.json" >"$scratch/out" 2>&1
[ $? = 1 ]
report $? "a failure is one of the report"
says "with its words" 'FAIL .*through sass for sm_' 'clause *codegen.budget.held' 'replay *assay codegen --cubins'
"$assay" report "$scratch/failed.json" -o "$scratch/page.html" >/dev/null
grep -q 'machine code of' "$scratch/page.html" && grep -q 'id="codegen"' "$scratch/page.html" &&
    grep -q 'budget from</th><td>measured with toolkit' "$scratch/page.html"
report $? "and of the page"
blocks=$(sed -n 's/.*"function":"matmul_tiled_dynamic",.*"occupancy":{"threads":1024,"shared_bytes":8192,"blocks":\([12]\),.*/\1/p' \
    "$scratch/passed.json" | wc -l)
[ "$blocks" = "$architectures" ]
report $? "the record has each function's blocks of an SM"
"$assay" report "$scratch/passed.json" -o "$scratch/page.html" >/dev/null
grep -q 'id="occupancy"' "$scratch/page.html" &&
    grep -qE '<td[^>]*>(threads|registers)[a-z+]*</td>' "$scratch/page.html"
report $? "and the page shows them, with what limits them"

# A driver that answers, in the place of libcuda: a GPU of capability 9.0.
if ! grep -q '"sm_90"' "$scratch/passed.json"; then
    skip "a driver's figures" "this build has no code for sm_90, which the driver pretends to be"
    finish
    exit 0
fi
with_driver "$stand_in"
ends "a GPU is asked where there is one" 0 offset_copy/scalar -o "$scratch/driven.json"
says "through each path that notes no SMs" '^offset_copy_scalar_16 *sass *cuda:0 .*PASS$' \
    '^offset_copy_scalar_16 *ptx *cuda:0 .* - *PASS$' "1 GPU: the driver's figures"
! grep -q '^{"codegen".*"path":"ptx-lowest"' "$scratch/driven.json" &&
    grep -q '"device":"cuda:0".*"path":"sass".*"code_bytes":' "$scratch/driven.json" &&
    ! grep '"path":"ptx"' "$scratch/driven.json" | sed 's/"budget":.*//' | grep -q '"code_bytes"' &&
    "$forms" "$scratch/driven.json" >/dev/null && "$assay" report "$scratch/driven.json" >/dev/null
report $? "the record names the GPU, and has the code of path sass alone"
functions=$(grep -c '^{"codegen"' "$scratch/driven.json")
grep -q '^{"summary".*"occupancy":{"functions":'"$functions"',"compared":[1-9][0-9]*,"differing":0}' "$scratch/driven.json" &&
    ! grep '^{"codegen"' "$scratch/driven.json" | grep -q '"compared"\|"differing"'
report $? "and that the driver's occupancy is the model's, of every function"
: >"$scratch/lock"
for mode in exclusive shared; do
    ASSAY_STAND_IN_LOCK="$scratch/lock" ASSAY_STAND_IN=$mode "$assay" codegen -o "$scratch/$mode.json" >/dev/null 2>"$scratch/$mode.err"
    grep '^{"codegen"' "$scratch/$mode.json" >"$scratch/$mode.rows"
done
[ "$(wc -l <"$scratch/shared.rows")" -gt 200 ] && cmp -s "$scratch/exclusive.rows" "$scratch/shared.rows" &&
    ! grep -q 'a second process' "$scratch/exclusive.err"
report $? "four workers give the rows that one gives, in their order"
export ASSAY_STAND_IN=occupancy
ends "a driver whose occupancy is another fails" 1 offset_copy/scalar -o "$scratch/differs.json"
says "with the first block that differs" 'clause *occupancy.driver.equal' \
    'the driver lets an SM hold 33 blocks of 1 threads with 8 registers each and 0 bytes of shared memory, the model 32; '
grep '^{"codegen"' "$scratch/differs.json" | grep -q '"limit":"[a-z+]*","compared":[1-9][0-9]*,"differing":[1-9][0-9]*}' &&
    grep -q '^{"summary".*"occupancy":{.*"differing":[1-9]' "$scratch/differs.json"
report $? "and the record has how many of its answers differ"
ASSAY_STAND_IN=no-registers
ends "a driver without a function's registers decides nothing" 3 offset_copy/scalar
says "and the reason is that" '^INCONCLUSIVE .*the driver gives the function 0 registers'
ASSAY_STAND_IN=spills
ends "local memory is a failure" 1 offset_copy/scalar
says "with the command for that GPU" '16 bytes of local memory per thread, budget 0' \
    'replay *assay codegen --device cuda:0 --path sass offset_copy/scalar'
ASSAY_STAND_IN=refuse
ends "a driver that refuses the code decides nothing" 77 offset_copy/scalar
says "and the reason is the driver's error" 'SKIP: loading module offset_copy_scalar through sass: CUDA_ERROR_'
ends "--cubins asks no GPU" 0 --cubins --budgets "$scratch/made.json"
finish
