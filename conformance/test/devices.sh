#!/bin/sh
# Which GPUs are looked at: each once, as many as are expected, and all of them only where nothing
# hides any.
# Clauses: runner.device.all, runner.device.once, runner.device.expected, runner.environment.cleared,
# runner.device.unchecked.
#     devices.sh path/to/assay path/to/libcuda.so.1's-stand-in
assay=$1
. "$(dirname "$0")/tap.sh"
unset CUDA_VISIBLE_DEVICES NVIDIA_VISIBLE_DEVICES
mkdir "$scratch/lib" "$scratch/corpus"
ln -s "$2" "$scratch/lib/libcuda.so.1"
short="run offset_copy/vector --cases 3 --seed 1 --corpus $scratch/corpus"
with_gpus() { # with_gpus MODE [VARIABLE=VALUE...] COMMAND...
    mode=$1
    shift
    env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN="$mode" "$@"
}

# first NAME WORDS MODE [VARIABLE=VALUE...] WORD...: the first line of a run
first() {
    name=$1 words=$2
    shift 2
    with_gpus "$@" >"$scratch/out" 2>"$scratch/err"
    unwrapped "$scratch/out" | head -n 1 | grep -qxF -- "device    $words"
    report $? "$name"
    head -n 1 "$scratch/out" | sed 's/^/# /'
}

if [ ! -e /proc/driver/nvidia/gpus ]; then # else those of this machine are listed too
    first "nothing hides GPUs" "2 GPUs, all that the driver has" devices:2 "$assay" $short
    first "nor does a container that gets all" "2 GPUs, all that the driver has" \
        devices:2 NVIDIA_VISIBLE_DEVICES=all "$assay" $short
    mkdir -p "$scratch/root/proc/driver/nvidia/gpus/0000:01:00.0" \
        "$scratch/root/proc/driver/nvidia/gpus/0000:02:00.0" "$scratch/root/proc/driver/nvidia/gpus/0000:03:00.0"
    first "the kernel module lists more" "2 GPUs, all that the driver shows, of 3 in the machine" \
        devices:2 ASSAY_TEST_ROOT="$scratch/root" "$assay" $short
else
    skip "nothing hides GPUs" "the kernel module lists GPUs of this machine, too"
fi
first "a variable hides some" "1 GPU, all that the driver shows; CUDA_VISIBLE_DEVICES=1 may hide more" \
    devices:1 CUDA_VISIBLE_DEVICES=1 "$assay" $short
first "so does a container's" "1 GPU, all that the driver shows; NVIDIA_VISIBLE_DEVICES=GPU-7 may hide more" \
    devices:1 NVIDIA_VISIBLE_DEVICES=GPU-7 "$assay" $short
first "some are named" "cuda:0,cuda:2, chosen by --device" devices:3 "$assay" $short --device cuda:0,cuda:2
with_gpus devices:3 "$assay" $short --device cuda:0,cuda:2 -o "$scratch/r.json" >/dev/null 2>&1
grep -q '"devices":\["cuda:0","cuda:2"\]' "$scratch/r.json" &&
    grep -q '"uuid":"GPU-00000000-0000-0000-0000-000000000003"' "$scratch/r.json"
report $? "and they are those that are looked at"

rm -f "$scratch"/corpus/* # what failed above

expect "one that is not there" 2 "the driver has cuda:0 to cuda:1" \
    with_gpus devices:2 "$assay" $short --device cuda:1,cuda:2
for list in cuda:0, cuda:0,1 ,cuda:0 cuda: cuda:0,host cuda:-1; do
    expect "no list: $list" 2 "--device takes" with_gpus devices:2 "$assay" $short --device "$list"
done
for command in run bench mutants; do
    expect "$command: a GPU that is named twice" 2 "cuda:0 and cuda:0 are the same GPU" \
        with_gpus devices:2 "$assay" $command --device cuda:0,cuda:0
    expect "$command: a GPU that the driver shows twice" 2 \
        "cuda:0 and cuda:1 are the same GPU, GPU-00000000-0000-0000-0000-000000000001" \
        with_gpus twins "$assay" $command
done

with_gpus devices:1 CUDA_VISIBLE_DEVICES=1 CUDA_LAUNCH_BLOCKING=1 "$assay" info >"$scratch/out" 2>&1
grep -q "CUDA_LAUNCH_BLOCKING=1 (workers do not get it: " "$scratch/out" &&
    grep -q "CUDA_VISIBLE_DEVICES=1 (names the GPUs" "$scratch/out"
report $? "info shows the variables that reach the driver, and those that do not"

with_gpus devices:2 "$assay" $short --expect-gpus 3 >"$scratch/out" 2>"$scratch/err"
[ $? != 0 ] && unwrapped "$scratch/out" | grep -q '^device .*; --expect-gpus asks for 3: this cannot end in PASS$' &&
    tail -n 1 "$scratch/out" | grep -q 'fewer GPUs than --expect-gpus asks for'
report $? "fewer GPUs than are expected are no PASS, and the first and the last line say so"
with_gpus devices:2 "$assay" $short --expect-gpus 2 >"$scratch/out" 2>"$scratch/err"
! grep -q expect-gpus "$scratch/out"
report $? "as many are as expected"
for command in run bench; do
    if "$assay" info | grep -q '^GPUs *none: '; then
        expect "$command: the CPU takes no GPU's place" 1 "FAIL: --expect-gpus 1: nothing runs; device: host, the CPU" \
            "$assay" $command --expect-gpus 1
        [ ! -s "$scratch/out" ]
        report $? "and nothing is run"
    else
        skip "$command: the CPU takes no GPU's place" "this machine has a GPU"
    fi
    expect "$command: the CPU is no GPU" 2 "it conflicts with --device host" \
        "$assay" $command --device host --expect-gpus 1
    expect "$command: no number of GPUs" 2 "--expect-gpus takes" "$assay" $command --expect-gpus 0
done
"$assay" $short --device host >"$scratch/out" 2>&1
unwrapped "$scratch/out" | grep -q '^note      no GPU: neither the code paths sass, ptx, ptx-lowest nor generated programs are checked'
report $? "without a GPU the code paths that are not checked are named"
finish
