#!/bin/sh
# A libcuda that is there and cannot be used, and a GPU that shows without one, are never passed
# over: INCONCLUSIVE, one line that says why, and nothing is run on the CPU. A driver that shows no GPU
# does not end in PASS either.
# Clauses: verdicts.error.host, gate.verdict.early, runner.device.broken, runner.device.shown, runner.device.expected, runner.device.auto, runner.device.many, runner.jobs.most, runner.checks.parts, runner.output.tame, runner.worker.parsed.
#     broken_driver.sh path/to/assay path/to/libcuda.so.1's-stand-in path/to/one-that-needs-a-library
assay=$1
. "$(dirname "$0")/tap.sh"
mkdir "$scratch/lib"
library="$scratch/lib/libcuda.so.1"
short="run matmul/naive --cases 3 --seed 1 --corpus $scratch/corpus"
mkdir "$scratch/corpus"

# broken NAME WORDS [VARIABLE=VALUE...]: by itself, and where GPUs are asked for by name
broken() {
    kind=$1 why=$2
    shift 2
    for named in auto all cuda:0; do
        expect "$kind, --device $named" 3 "assay: INCONCLUSIVE: the GPU stack does not work: $why" \
            env LD_LIBRARY_PATH="$scratch/lib" "$@" "$assay" $short --device $named
        [ ! -s "$scratch/out" ]
        report $? "and nothing is run"
    done
    env LD_LIBRARY_PATH="$scratch/lib" "$@" "$assay" info >"$scratch/out" 2>&1
    grep -q '^GPUs *broken: ' "$scratch/out"
    report $? "$kind: info says so"
    expect "$kind, --device host" 0 "" env LD_LIBRARY_PATH="$scratch/lib" "$@" "$assay" $short --device host
}

: >"$library"
broken "an empty libcuda" "$library: file too short"
head -c 4096 /dev/zero >"$library"
broken "a libcuda that is no library" "$library: invalid ELF header"
cp "$3" "$library"
broken "a libcuda that needs a library which is missing" "libstand_in_needed.so: cannot open shared object file"
rm "$library"
ln -s "$(ldd "$assay" | sed -n 's/.*libm\.so\.6 => \([^ ]*\).*/\1/p')" "$library"
broken "a libcuda without the driver's functions" "libcuda.so.1 has no cuInit"
ln -sf "$2" "$library"
broken "a driver that does not start" "the CUDA driver does not start" ASSAY_STAND_IN=mismatch
expect "a driver that starts for the supervisor's look and in no worker" 99 \
    "cuda:0: the CUDA driver does not start: CUDA_ERROR_STAND_IN" env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=once \
    ASSAY_STAND_IN_LOCK="$scratch/started" "$assay" $short --device cuda:0
tail -n 1 "$scratch/out" | grep -q '^ERROR  0 checks .*a device was lost: .*the CUDA driver does not start: CUDA_ERROR_STAND_IN$'
report $? "is a device that was lost, and the last line says why"

for named in auto all cuda:0; do
    expect "GPUs that are expected, of a driver that does not start, --device $named" 1 \
        "assay: FAIL: --expect-gpus 8: nothing runs; device: the GPU stack does not work: the CUDA driver" \
        env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=mismatch "$assay" $short --device $named --expect-gpus 8
    expect "or shows none, --device $named" 1 "FAIL: --expect-gpus 8: nothing runs; device: " \
        env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=no-device "$assay" $short --device $named --expect-gpus 8
done
env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=mismatch "$assay" $short --format tap >"$scratch/out" 2>/dev/null
[ $? = 3 ] && grep -q '^Bail out! the GPU stack does not work' "$scratch/out"
report $? "TAP of a driver that does not start bails out"

# A host that lacks something is not a broken stack, and a gate on it is no regression.
for files in 12 24 48; do
    expect "$files descriptors" 99 "ERROR: too few file descriptors (ulimit -n)" \
        env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=mismatch \
        sh -c "ulimit -n $files; exec \"\$@\"" sh "$assay" $short --device auto
done
if sh -c 'ulimit -v 8000000; exec "$@"' sh "$assay" --version >/dev/null 2>&1; then
    expect "a limited address space" 99 "the address space is limited (ulimit -v)" \
        env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=mismatch \
        sh -c 'ulimit -S -v 8000000; exec "$@"' sh "$assay" $short
else
    skip "a limited address space" "the sanitizer takes more"
fi
LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=slow "$assay" gate --quick matmul/tiled -o "$scratch/gate.json" \
    --corpus "$scratch/corpus" >"$scratch/out" 2>"$scratch/err" &
gate=$!
until_holds has_child $gate
began=$(milliseconds)
kill -TERM $gate
wait $gate
[ $? = 3 ] && [ $(($(milliseconds) - began)) -lt 2000 ] && tail -n 1 "$scratch/out" | grep -q '^INCONCLUSIVE .*interrupted'
report $? "a gate whose driver does not answer ends at once when it is told to"

# What the system shows without a driver, below a root of the test's.
device="$scratch/root/sys/bus/pci/devices/0000:3b:00.0"
shows() { # shows VENDOR CLASS
    mkdir -p "$device"
    echo "$1" >"$device/vendor"
    echo "$2" >"$device/class"
}
shows 0x10de 0x030200
for mode in no-device devices:0; do
    broken "$mode, and a GPU on the bus" \
        "the CUDA driver has no device, but an NVIDIA GPU is on the PCI bus at 0000:3b:00.0" \
        ASSAY_STAND_IN=$mode ASSAY_TEST_ROOT="$scratch/root"
done
if "$assay" info | grep -q '^GPUs *none: '; then # this machine shows no GPU of its own
    falls_back() { # falls_back NAME STATUS WORDS VARIABLE=VALUE...
        kind=$1 expected=$2 why=$3
        shift 3
        env "$@" "$assay" $short >"$scratch/out" 2>"$scratch/err"
        [ $? = "$expected" ] && unwrapped "$scratch/out" | head -n 1 | grep -q "host, the CPU, since no GPU can be used ($why): no GPU is checked"
        report $? "$kind: the CPU is checked, and the first line says so"
        sed 's/^/# /' "$scratch/err"
    }
    for mode in no-device devices:0; do
        for other in "0x10de 0x040300" "0x8086 0x030000" "0x10de 0x060400"; do # sound, another's, a bridge
            shows $other
            falls_back "$mode beside $other" 3 "the CUDA driver has no device" \
                LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=$mode ASSAY_TEST_ROOT="$scratch/root"
            tail -n 1 "$scratch/out" |
                grep -q '^INCONCLUSIVE .*: the CUDA driver has no device; --device host checks only the CPU; no GPU was checked$'
            report $? "$mode: no PASS, and the last line says why"
        done
        # no_pass NAME STATUS COMMAND...: the verdict, and the driver's words in the last line
        no_pass() {
            kind=$1 expected=$2
            shift 2
            env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=$mode "$assay" "$@" --corpus "$scratch/corpus" >"$scratch/out" 2>&1
            [ $? = "$expected" ] && grep -q 'the CUDA driver has no device' "$scratch/out" && ! grep -q '^PASS' "$scratch/out"
            report $? "$mode: $kind does not pass either"
        }
        no_pass "a gate" 3 gate --quick offset_copy/vector -o "$scratch/gate.json"
        LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=$mode "$assay" mutants mutant/tail_dropped >"$scratch/out" 2>&1
        [ $? = 3 ] && tail -n 1 "$scratch/out" | grep -q '^INCONCLUSIVE .*the CUDA driver has no device'
        report $? "$mode: nor do mutants"
        expect "$mode: --device host passes" 0 "" \
            env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=$mode "$assay" $short --device host
    done
    falls_back "no libcuda" 0 "libcuda.so.1: cannot open .*: No such file or directory" ASSAY_TEST_ROOT="$scratch/root"
    shows 0x10de 0x030000
    expect "no libcuda, and a GPU on the bus" 3 "No such file or directory, but an NVIDIA GPU is on the PCI bus" \
        env ASSAY_TEST_ROOT="$scratch/root" "$assay" $short
    rm -r "$device"
    mkdir -p "$scratch/root/dev"
    : >"$scratch/root/dev/nvidiactl"
    expect "no libcuda, and the kernel module" 3 "No such file or directory, but the NVIDIA kernel module is loaded" \
        env ASSAY_TEST_ROOT="$scratch/root" "$assay" $short
else
    skip "without a usable GPU the CPU is checked, and the first line says so" "this machine shows a GPU of its own"
fi

# Many GPUs: all of them, or none.
many() { env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=devices:$1 "$assay" run offset_copy/vector --path sass --cases 1 --jobs 1 \
    --seed 1 --corpus "$scratch/corpus" -o "$scratch/r.json" >"$scratch/out" 2>"$scratch/err"; }
many 100
[ "$(grep -c '^{"device"' "$scratch/r.json")" = 100 ] && head -n 1 "$scratch/out" | grep -q '^device *100 GPUs, all that the driver' &&
    grep -q '^offset_copy/vector *cuda:99 ' "$scratch/out"
report $? "a hundred GPUs are a hundred devices"
expect "more than a run can take" 2 "the driver has 300 GPUs, and a run takes 256 at most" \
    env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=devices:300 "$assay" $short
expect "more names than a run can take" 2 "assay: --device names more than 256 GPUs" \
    env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=devices:300 "$assay" $short \
    --device "$(seq -s , -f cuda:%g 0 255),cuda:0"
expect "more threads than a GPU's worker has" 2 "--jobs takes a number from 1 to 64 on a GPU, not '65'" \
    env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=devices:1 "$assay" $short --jobs 65

# More checks than a message holds: two paths of every mutant of one algorithm.
most() { # most OPTION...: the checks of the one case
    env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=devices:1 "$assay" replay 'matmul m=5 n=3 k=2 fill=uniform seed=1' \
        'mutant/*' "$@" -o "$scratch/r.json" >"$scratch/out" 2>"$scratch/err"
    status=$?
    sed -n 's/^{"cases":.*"checks":\([0-9]*\).*/\1/p' "$scratch/r.json"
}
most --path sass >"$scratch/one"
most >"$scratch/two"
one=$(cat "$scratch/one") two=$(cat "$scratch/two")
[ "$two" = "$((2 * ${one:-0}))" ] && [ "$two" -gt 64 ] &&
    { "$assay" report "$scratch/r.json" >"$scratch/out" 2>&1; [ $? = "$status" ]; }
report $? "a case of $two checks, of which a message holds 64, is run whole"
expect "replay of every mutant" 0 "" sh -c "\"$assay\" replay --device host \
    'offset_copy n=4 offset=3 fill=uniform seed=1' 'mutant/*' >/dev/null; [ \$? = 1 ]"

# What a driver calls its devices and errors, on the way to a terminal and to a record.
shown() { ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xf6' "$1"; }
for mode in foreign-name foreign-error; do
    for command in info "$short -o $scratch/r.json"; do
        env LD_LIBRARY_PATH="$scratch/lib" ASSAY_STAND_IN=$mode "$assay" $command >"$scratch/out" 2>"$scratch/err"
        cat "$scratch/out" "$scratch/err" >"$scratch/all"
        shown "$scratch/all" && grep -qF 'stand????[2J?in' "$scratch/all"
        report $? "${command%% *}, $mode: shown and not obeyed"
    done
    [ $mode = foreign-name ] || continue
    tail -n 2 "$scratch/r.json" | grep -q '^{"summary"' && grep -qF '"name":"stand????[2J?in"' "$scratch/r.json"
    report $? "and the record of a device whose name is no UTF-8 is whole"
done
finish
