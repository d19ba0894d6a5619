#!/bin/sh
# The caller's floating-point state does not reach the bits: a preloaded library that rounds to zero
# and flushes subnormals, sooner or later, changes no digest; where it does so within the golden
# model, nothing passes.
# Clauses: numerics.state.default, numerics.state.asserted.
#     preload.sh path/to/assay path/to/the-library
assay=$1 library=$2
. "$(dirname "$0")/tap.sh"
mkdir "$scratch/corpus"
# AddressSanitizer refuses a process whose first library is another's.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
export ASAN_OPTIONS
run() { # run MODE: a short run with the library; "" without. Sets $status.
    env ${1:+LD_PRELOAD="$library" ASSAY_PRELOAD="$1"} "$assay" run '[!m]*' 'matmul/[ns]*' --device host --cases 300 --seed 1 --timeout 60 \
        --corpus "$scratch/corpus" -o "$scratch/$1.json" >"$scratch/out" 2>"$scratch/err"
    status=$?
}
digests() { grep '^{"bits"' "$scratch/$1.json" | grep -o '"kernel":"[^"]*"\|"xxh3_128":"[^"]*"'; }

run ""
digests "" >"$scratch/sound"
[ "$status" = 0 ] && [ "$(wc -l <"$scratch/sound")" -gt 20 ]
report $? "without the library all passes"
for mode in start threads clock; do
    run $mode
    digests $mode | cmp -s - "$scratch/sound" && [ "$status" = 0 ]
    report $? "rounding to zero ($mode) changes no bit"
    grep -q "\"environment\":\[[^]]*\"LD_PRELOAD=$library\"" "$scratch/$mode.json"
    report $? "and the record names the library"
done
run golden
[ "$status" = 99 ] && ! grep -q '"finding":"FAIL"' "$scratch/golden.json" &&
    grep -q '"finding":"ERROR".*"note":"the floating-point state' "$scratch/golden.json"
report $? "a golden model that is disturbed passes and fails nothing"
env LD_PRELOAD="$library" ASSAY_PRELOAD=clock "$assay" bench matmul/tiled --device host --samples 1 \
    -o "$scratch/bench.json" >"$scratch/out" 2>&1
[ $? = 99 ] && grep -q 'the floating-point state' "$scratch/bench.json"
report $? "nor is anything measured where the clock disturbs it"
programs() { # programs MODE STATUS WORDS NAME
    env LD_PRELOAD="$library" ASSAY_PRELOAD="$1" "$assay" run --programs 40 --seed 5 --device host --jobs 1 \
        >"$scratch/out" 2>&1
    status=$?
    [ $status = "$2" ] && tail -n 1 "$scratch/out" | grep -q "$3"
    report $? "$4: status $status, $(tail -n 1 "$scratch/out")"
}
if command -v cc >/dev/null; then
    programs clock 0 "^PASS  40 programs" "generated programs pass where the clock disturbs the state"
    programs golden 99 "the floating-point state" "and none where their golden is disturbed"
else
    skip "generated programs" "there is no cc on this host"
fi
finish
