#!/bin/sh
# The GPU's half of the runner without a GPU: a driver that takes every call and computes nothing
# must come out as FAIL of every kernel through both code paths; one that refuses the code, as
# nothing that could run; one whose waits fail, as CRASH.
# Clauses: memory.output.written, verdicts.skip.reason, verdicts.crash.reported, runner.device.auto,
# runner.device.broken, runner.worker.ready, runner.probe.told, runner.tap.verdict,
# verdicts.mutants.status, driver.path.ptx, driver.path.named, driver.path.options,
# runner.environment.cleared, runner.environment.recorded, runner.libraries.named, occupancy.info.table,
# memory.window.unable, runner.workers.same, runner.workers.one,
# gate.parts.exclusive, driver.host.pretended, runner.gaps.listed.
#     stand_in.sh path/to/assay path/to/libcuda.so.1's-stand-in
assay=$1 stand_in=$2
. "$(dirname "$0")/tap.sh"
if ! "$assay" info | grep -q '^toolkit *CUDA'; then
    echo "1..0 # SKIP this build has no CUDA code to hand to a driver"
    exit 0
fi
with_driver "$stand_in"
{ # waits for seconds, meanwhile the rest goes on
    ASSAY_STAND_IN=slow "$assay" info >"$scratch/slow.out" 2>"$scratch/slow.err"
    echo $? >"$scratch/slow.status"
} &
: >"$scratch/gate.lock"
ASSAY_STAND_IN_LOCK="$scratch/gate.lock" ASSAY_STAND_IN=exclusive "$assay" gate matmul/tiled --quick --path sass,ptx \
    --seed 1 --corpus "$scratch/gate" -o "$scratch/g.json" >"$scratch/gate.out" 2>"$scratch/gate.err" &

run() { # run MODE [KERNEL or OPTION...]: a short run; sets $status
    mode=$1
    shift
    ASSAY_STAND_IN=$mode "$assay" run "$@" --cases 60 --seed 1 --jobs 4 --corpus "$scratch/corpus" \
        -o "$scratch/r.json" >"$scratch/out" 2>"$scratch/err"
    status=$?
}

run compute-nothing
head -n 1 "$scratch/out" | grep -q '^device *1 GPU'
report $? "the device that the driver has is taken by itself"
all=$(rows sass .)
lowest=$(rows ptx-lowest .) # a kernel of 9.0 has one PTX, which runs once; others have as the build has
[ "$status" = 1 ] && [ "$all" -gt 10 ] && [ "$lowest" -gt 10 ] && [ "$(rows sass FAIL)" = "$all" ] &&
    [ "$(rows ptx FAIL)" = "$all" ] && [ "$(rows ptx-lowest FAIL)" = "$lowest" ]
report $? "a stack that computes nothing fails every kernel through every path"
grep -q '^not tried again: [1-9][0-9]* more failures, as others were$' "$scratch/out"
report $? "six are tried again, and the run says how many are not"
grep -q '"clause":"memory.output.written".*"unwritten":true' "$scratch/r.json"
report $? "and the reason is that the output was never written"


# Of four processes or one: the same cases, counts and findings, in another order.
cases() { grep '^{"cases"' "$scratch/$1/r.json"; }
found() { grep -o '^{"finding".*"kernel":"[^"]*"' "$scratch/$1/r.json" | sort; }
counts() { grep '^{"bits"' "$scratch/$1/r.json"; }
for workers in 1 4; do
    mkdir "$scratch/$workers"
    ASSAY_STAND_IN=compute-nothing "$assay" run matmul/tiled offset_copy/vector sliding_window/tuned \
        texture_fetch/array aat/naive --cases 60 --seed 1 --jobs 4 --workers $workers \
        --corpus "$scratch/$workers/corpus" -o "$scratch/$workers/r.json" >/dev/null 2>&1
done
[ -n "$(cases 1)" ] && [ "$(cases 1)" = "$(cases 4)" ] && [ -n "$(found 1)" ] &&
    [ "$(found 1)" = "$(found 4)" ] && [ -n "$(counts 1)" ] && [ "$(counts 1)" = "$(counts 4)" ]
report $? "four workers find what one finds"
for words in "--tier huge --workers 2" "--device host --workers 2" "--workers 9"; do
    "$assay" run matmul/tiled --cases 1 $words >/dev/null 2>"$scratch/err" || echo $?
done | sort | uniq -c | grep -qx ' *3 2'
report $? "and --workers is refused where it would change nothing"

# A stack that opens for one process at a time, and says so.
: >"$scratch/lock"
export ASSAY_STAND_IN_LOCK="$scratch/lock"
run exclusive matmul/naive offset_copy/vector --workers 4
[ "$status" = 1 ] && [ "$(rows sass FAIL)" = 2 ] && ! grep -q 'a second process' "$scratch/err"
report $? "a GPU that opens for one process at a time gets one worker"

# A GPU that does not exist: what is not written is all that fails, and of code nothing does. Its harness
# proves itself on as much memory as fills all SMs, so one kernel tries that of 3,604 SMs.
faults=
for number_of in 0 3 33 57 2; do
    export ASSAY_HOST_GPU=$number_of
    only=
    [ $number_of != 2 ] || only='offset_copy/scalar --path ptx --workers 1'
    # shellcheck disable=SC2086
    run compute-nothing $only
    grep '^{"finding"' "$scratch/r.json" | grep -qv '"clause":"memory.output.written"' && faults="$faults $number_of"
    [ "$(grep -c '^gaps  *cuda:0: ' "$scratch/out")" = 1 ] && [ $status = 1 ] || faults="$faults $number_of:$status"
    "$assay" codegen matmul/naive offset_copy table_lookup/constant >"$scratch/out" 2>"$scratch/err"
    [ $? = 0 ] && ! grep -qE 'FAIL|CRASH|ERROR' "$scratch/out" || faults="$faults code:$number_of"
done
unset ASSAY_HOST_GPU
[ -z "$faults" ]
report $? "limits, SMs and memory that no GPU has are no failure of a GPU:$faults"

run newest
[ "$(rows ptx FAIL)" = "$all" ] && [ "$(rows ptx-lowest 'SKIP: .*through ptx-lowest')" = "$lowest" ] &&
    grep -q '^{"device":.*"ptx":\[{"path":"ptx","ptx":"compute_90"},{"path":"ptx-lowest","ptx":"compute_[1-8]' "$scratch/r.json"
report $? "path ptx is the highest PTX that the GPU takes, ptx-lowest the lowest"
others=$(sed -n '/^{"device":/s/.*"kernels":\[\([^]]*\)\].*/\1/p' "$scratch/r.json")
echo "$others" | grep -q '"kernel":"shared_copy/bulk"' && ! echo "$others" | grep -q '"mutant/'
report $? "the device line names checked kernels whose PTX differs, and no others"
run turing
[ $(($(rows ptx FAIL) + $(rows ptx "SKIP: the GPU lacks its instructions, or L2 to set aside"))) = "$all" ] && [ "$(rows ptx-lowest .)" = 0 ] && [ "$status" = 1 ] &&
    sed -n '1s/.*"paths":\[\([^]]*\)\].*/\1/p' "$scratch/r.json" | grep -qv ptx-lowest
report $? "where they are the same text it is checked once"

run no-set-aside sliding_window/window sliding_window/aside sliding_window/plain
[ "$(rows sass "SKIP: setting L2 aside for the kernel's window: CUDA_ERROR_STAND_IN")" = 2 ] && [ "$(rows sass FAIL)" = 1 ]
report $? "where no L2 can be set aside a kernel with a window is a SKIP that says so"

run bad-level offset_copy/vector --path all,ptx-O0,ptx-O1,ptx-lowest-O0
[ "$(rows ptx-O0 CRASH)" = 1 ] && [ "$(rows ptx-lowest-O0 CRASH)" = 1 ] && [ "$(rows ptx-O1 FAIL)" = 1 ] &&
    [ "$(rows ptx FAIL)" = 1 ] && [ "$(rows sass FAIL)" = 1 ] && [ "$status" = 1 ]
report $? "a path with a level hands that level to the driver's compiler, and another path another"
head -n 1 "$scratch/r.json" | grep -q '"paths":\["sass","ptx","ptx-lowest","ptx-O0","ptx-O1","ptx-lowest-O0"\]' &&
    grep -q '^{"device":.*{"path":"ptx-O0","ptx":"compute_90"}' "$scratch/r.json" &&
    grep -q 'assay replay --device cuda:0 --path ptx-O0 ' "$scratch/out"
report $? "and the record and the replay command have its name"

export CUDA_DISABLE_PTX_JIT=1 CUDA_FORCE_PTX_JIT=1 CUDA_VISIBLE_DEVICES=0
run compute-nothing offset_copy/vector
unset CUDA_DISABLE_PTX_JIT CUDA_FORCE_PTX_JIT CUDA_VISIBLE_DEVICES
[ "$(rows sass FAIL)" = 1 ] && [ "$(rows ptx FAIL)" = 1 ] && [ "$status" = 1 ]
report $? "variables that would keep the driver from a path do not reach it"
grep -q '^cleared *CUDA_DISABLE_PTX_JIT=1, CUDA_FORCE_PTX_JIT=1: ' "$scratch/out" &&
    grep -q '"environment_cleared":\["CUDA_DISABLE_PTX_JIT=1","CUDA_FORCE_PTX_JIT=1"\]' "$scratch/r.json" &&
    grep -q '"environment":\[[^]]*"CUDA_VISIBLE_DEVICES=0"' "$scratch/r.json"
report $? "and a line and the record say so"

no_jit=$(grep -c '"jit"' "$scratch/r.json")
file() { # file NAME BASE: a library of the driver under the name that it has on a disk
    cp "$stand_in" "$scratch/lib/$2.so.999.12.3"
    ln -sf "$2.so.999.12.3" "$scratch/lib/$2.so.1"
    size=$(wc -c <"$scratch/lib/$2.so.999.12.3")
    names="$names${names:+,}\"$1\":\"$scratch/lib/$2.so.999.12.3\",\"$1_version\":\"999.12.3\",\"$1_bytes\":$size"
}
names=
file libcuda libcuda
file jit libnvidia-ptxjitcompiler
file nvml libnvidia-ml
run compute-nothing offset_copy/vector
[ "$no_jit" = 0 ] && head -n 1 "$scratch/r.json" | grep -qF "$names}"
report $? "the record names libcuda, its JIT compiler and NVML by file, version and size"
"$assay" info >"$scratch/info"
grep -qx "jit *$scratch/lib/libnvidia-ptxjitcompiler.so.999.12.3, $size bytes" "$scratch/info"
report $? "so does info"
"$assay" info --occupancy >"$scratch/info"
grep -q '^occupancy  *cuda:0, sm_90: an SM holds 64 warps, 32 blocks, 65,536 registers, 228 KiB of shared memory$' \
    "$scratch/info" && [ "$(grep -c '^occupancy' "$scratch/info")" = 1 ]
report $? "info shows what an SM of the GPU holds"
if grep -q '^toolkit .* sm: .*\<90\>.*;' "$scratch/info"; then
    missing=$("$assay" list | grep -vE 'host_copy|peer_copy/(put|get)' | sed -n 's|^  *\([a-z_]*\)/\([a-z_]*\) .*|\1_\2|p' | while read -r function; do
        grep -qE "^ +$function(_[0-9]+)? +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+[.][0-9] %  [a-z+]+$" \
            "$scratch/info" || echo "$function"
    done)
    grep -qE '^ +matmul_tiled_dynamic +1024 +[0-9]+ +8192 +[12] +(32|64) ' "$scratch/info" && [ -z "$missing" ]
    report $? "and of each function registers, shared memory, blocks, warps and limit"
else
    skip "and of each function registers, shared memory, blocks, warps and limit" "this build has no code for sm_90"
fi
env LD_LIBRARY_PATH= "$assay" info --occupancy >"$scratch/info"
status=$?
if [ "$status" != 0 ] || grep -q '^GPUs *none' "$scratch/info"; then
    listed=$(sed -n 's/^toolkit .* sm: \([0-9 ]*\);.*/\1/p' "$scratch/info" | wc -w)
    limits='sm_90: an SM holds 64 warps, 32 blocks, 65,536 registers, 228 KiB of shared memory'
    [ "$status" = 0 ] && [ "$(grep -c '^occupancy .*shared memory$' "$scratch/info")" = "$listed" ] &&
        { ! grep -q '^toolkit .* sm: .*\<90\>.*;' "$scratch/info" ||
            grep -qx "occupancy  *no such GPU, $limits" "$scratch/info"; }
    report $? "without a GPU of each architecture that there is machine code for, with its limits"
else
    skip "without a GPU of each architecture that there is machine code for, with its limits" "this machine has a GPU"
fi
run jit-crash offset_copy/vector
head -n 1 "$scratch/r.json" | grep -q '"libcuda":' && [ "$(rows sass FAIL)" = 1 ] &&
    [ "$(rows ptx CRASH)" = 1 ] && [ "$status" = 1 ]
report $? "a JIT compiler that crashes is a crash of its paths, and of no other"
rm "$scratch"/lib/libnvidia-*

run refuse
[ "$status" = 77 ] && grep -q 'SKIP: loading module matmul_naive through sass' "$scratch/out"
report $? "a stack that has no code for the GPU is reported as nothing that could run"
ASSAY_STAND_IN=refuse "$assay" run --cases 60 --seed 1 --format tap --corpus "$scratch/corpus" \
    >"$scratch/out" 2>"$scratch/err"
[ $? = 77 ] && tail -n 2 "$scratch/out" | head -n 1 | grep -q '^ok .* the run as a whole # SKIP '
report $? "in TAP, too, whose last line is a SKIP"
ASSAY_STAND_IN=refuse "$assay" mutants mutant/tail_dropped --seed 1 >"$scratch/out" 2>"$scratch/err"
[ $? = 77 ] && tail -n 1 "$scratch/out" | grep -q '^SKIP  0 of 1 mutant'
report $? "and is no mutant that lives"

run mismatch
[ "$status" = 3 ] && grep -q 'the GPU stack does not work' "$scratch/err" && ! [ -s "$scratch/out" ]
report $? "a driver that does not start is no reason to check the CPU and say PASS"

run fail matmul offset_copy # whose first cases launch: a wait after nothing is an ERROR
# How many crash before the device counts as lost, or each kernel as one that crashes, depends on who
# comes first; the rest is not run, which is a SKIP or an ERROR.
all=$(rows sass .)
[ "$status" = 1 ] && [ "$(rows sass '[0-9]  CRASH')" -gt 0 ] &&
    [ "$(rows sass '[0-9]  \(CRASH\|ERROR\|SKIP\)')" = "$all" ] &&
    { grep -q '^FAIL .*a device was lost' "$scratch/out" ||
        [ "$(rows sass 'CRASH: not launched again after 3 crashes')" = "$all" ]; }
report $? "a stack whose waits fail is reported as crashes, and given up before long"

run streams --workers 1 # the device's own, and those of two of four threads
[ "$status" = 99 ] && ! grep -q '^{"finding"' "$scratch/r.json" &&
    grep -q 'cuda:0: opening it for each of 4 threads' "$scratch/err" && [ "$(wc -l <"$scratch/err")" = 1 ]
report $? "a worker whose threads do not all open the device is not ready, and says so once"

wait
[ "$(cat "$scratch/slow.status")" = 0 ] && grep -q '^cuda:0 *stand-in' "$scratch/slow.out" &&
    grep -q 'waiting for the GPU driver to answer, for at most 120 s' "$scratch/slow.err"
report $? "while a slow driver is waited for a line says so"
[ "$(grep -c '^{"summary"' "$scratch/g.json")" = 3 ] && grep -q '^FAIL  bits: ' "$scratch/gate.out" &&
    ! grep -q 'a second process' "$scratch/gate.err"
report $? "the parts of a gate open a GPU one after the other where it lets in one process at a time"
[ "$(grep -c '^{"record".*"paths":\["sass","ptx"\]' "$scratch/g.json")" = 3 ]
report $? "and each takes every path that --path names"
finish
