#!/bin/sh
# An NVRTC that the user names as two code paths, on a driver that computes nothing: what loads must
# come out as FAIL. The library is a fake that compiles nothing, and does as ASSAY_FAKE_NVRTC says
# (cuda/paths/fake_libnvrtc.c). Runs in builds without a toolkit, too.
# Clauses: driver.nvrtc.paths, driver.nvrtc.refused, driver.nvrtc.architecture, driver.candidate.found,
# driver.candidate.named, driver.candidate.refused, driver.candidate.alone, driver.candidate.cached.
#     nvrtc.sh path/to/assay path/to/libcuda.so.1's-stand-in path/to/libnvrtc's-fake
assay=$1 stand_in=$2 fake=$3
. "$(dirname "$0")/tap.sh"
export XDG_CACHE_HOME="$scratch/cache"
library="$scratch/it's a wheel/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"
mkdir -p "$(dirname "$library")" "$scratch/toolkit/targets/x86_64-linux/lib" "$scratch/nothing"
cp "$fake" "$library"
cp "$fake" "$scratch/toolkit/targets/x86_64-linux/lib/libnvrtc.so.12.9.86"
ln -s libnvrtc.so.12.9.86 "$scratch/toolkit/targets/x86_64-linux/lib/libnvrtc.so"
ln -s targets/x86_64-linux/lib "$scratch/toolkit/lib64"
mkdir "$scratch/two"
cp "$fake" "$scratch/two/libnvrtc.so.12"
cp "$fake" "$scratch/two/libnvrtc.so.13"
echo 'no library' >"$scratch/libnvrtc.so"
with_driver "$stand_in"
export ASSAY_STAND_IN=compute-nothing

refused() { # refused NAME WORDS MODE OPTIONS...
    name=$1 words=$2
    export ASSAY_FAKE_NVRTC="$3"
    shift 3
    expect "$name" 2 "$words" "$assay" run shared_copy/sync --cases 5 --device cuda:0 "$@"
    unset ASSAY_FAKE_NVRTC
}
refused "a folder without one" "$scratch/nothing holds no nvrtc" '' --nvrtc "$scratch/nothing"
refused "a folder with two" "holds 2: " '' --nvrtc "$scratch/two"
cp "$fake" "$scratch/packed.whl"
refused "a wheel as it comes" 'it is packed: unzip it' '' --nvrtc "$scratch/packed.whl"
refused "a file that is no library" 'exit status 1: ' '' --nvrtc "$scratch/libnvrtc.so"
refused "one that has no companion" 'failed to open libnvrtc-builtins.so.12.9' no-builtins --nvrtc "$library"
refused "one that does not say its version" 'it does not report its version' no-version --nvrtc "$library"
refused "the same twice" 'there is a code path nvrtc-12.9.86' '' --nvrtc "$library" --nvrtc "$scratch/toolkit"

run() { # run MODE OPTIONS...: one case through two kernels; sets $status
    mode=$1
    shift
    ASSAY_FAKE_NVRTC=$mode "$assay" replay 'shared_copy n=64 copy_count=1 fill=position seed=1' $only \
        shared_copy/async -o "$scratch/r.json" "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
}
only=shared_copy/sync
kernel_rows() { grep -c "^$1 *cuda:0 *$2 .*$3" "$scratch/out"; } # of a kernel
note() { grep -q "\"path\":\"$1\".*\"note\":\"[^\"]*$2" "$scratch/r.json"; }

run '' --nvrtc "$scratch/it's a wheel" --opt 0,3
[ "$status" = 1 ] && [ "$(kernel_rows '.*' nvrtc-12.9.86-O0 FAIL)" = 2 ] && [ "$(kernel_rows '.*' nvrtc-12.9.86-O3 FAIL)" = 2 ] &&
    [ "$(kernel_rows '.*' nvrtc-12.9.86-ptx-O0 FAIL)" = 2 ] && [ "$(kernel_rows '.*' nvrtc-12.9.86-ptx-O3 FAIL)" = 2 ]
report $? "machine code and PTX are two paths at each level, beside the others"
grep -q '"paths":\[.*"nvrtc-12.9.86-O0","nvrtc-12.9.86-O3","nvrtc-12.9.86-ptx-O0","nvrtc-12.9.86-ptx-O3"' "$scratch/r.json"
report $? "the record has their names"
made() { grep -la -- "$1" "$XDG_CACHE_HOME"/assay/* | wc -l; }
[ "$(made '-ftz=false')" = "$(made '-arch=')" ] && [ "$(made '-arch=sm_90')" -ge 4 ] && [ "$(made '-arch=compute_90')" -ge 2 ] &&
    [ "$(made '--ptxas-options=-O0')" = "$(made '--ptxas-options=-O3')" ] &&
    [ "$(made '--ptxas-options')" = "$(made '-arch=sm_90')" ]
report $? "with nvcc's options that the bits depend on, and of levels machine code alone"
run crash --nvrtc "$scratch/toolkit" --opt 0,3 --path nvrtc-12.9.86-O0
grep -q '; \([1-9]\) modules*: 0 compiled, \1 from the cache$' "$scratch/out" && [ "$(kernel_rows '.*' nvrtc-12.9.86-O0 FAIL)" = 2 ]
report $? "what the same library made before is not made again, and no other path is made"
echo other >"$scratch/toolkit/targets/x86_64-linux/lib/libnvrtc-builtins.so.12.9"
run '' --nvrtc "$scratch/toolkit" --opt 0,3 --path nvrtc-12.9.86-O0
grep -q '; [1-9] modules*: [1-9] compiled, 0 from the cache$' "$scratch/out"
report $? "but where another library of built-in functions lies beside it"
run crash --nvrtc "$scratch/toolkit" --opt 0,3 --path nvrtc-12.9.86-O0
again=$(sed -n 's|^ *replay  *\(assay replay .*--nvrtc .*\)$|\1|p' "$scratch/out" | head -n 1)
mkdir "$scratch/bin"
ln -s "$(realpath "$assay")" "$scratch/bin/assay"
(PATH="$scratch/bin:$PATH" && eval "$again") >"$scratch/again" 2>&1
[ $? = 1 ] && grep -q '^[a-z_/]* *cuda:0 *nvrtc-12.9.86-O0 .*FAIL' "$scratch/again"
report $? "a replay command brings it back"

ASSAY_STAND_IN=bad-level
run '' --nvrtc "$library" --opt 0,3 --path nvrtc-12.9.86-O0,nvrtc-12.9.86-ptx-O0,nvrtc-12.9.86-ptx-O3
ASSAY_STAND_IN=compute-nothing
[ "$(kernel_rows '.*' nvrtc-12.9.86-O0 FAIL)" = 2 ] && [ "$(kernel_rows '.*' nvrtc-12.9.86-ptx-O0 CRASH)" = 2 ] &&
    [ "$(kernel_rows '.*' nvrtc-12.9.86-ptx-O3 FAIL)" = 2 ]
report $? "and of PTX a level is the driver's"

paths=nvrtc-12.9.86,nvrtc-12.9.86-ptx
XDG_CACHE_HOME="$scratch/none"
run ampere --nvrtc "$library" --path $paths
[ "$(kernel_rows shared_copy/sync nvrtc-12.9.86 'SKIP: .*none of its architectures is for compute capability 9.0')" = 1 ] &&
    [ "$(kernel_rows shared_copy/sync nvrtc-12.9.86-ptx FAIL)" = 1 ]
report $? "for a later architecture there is no machine code, and the PTX of an earlier one"
only=shared_copy/bulk
run ampere --nvrtc "$library" --path nvrtc-12.9.86-ptx
only=shared_copy/sync
[ "$(kernel_rows shared_copy/bulk nvrtc-12.9.86-ptx 'SKIP: .*needs compute capability 9.0')" = 1 ]
report $? "where that one has not the unit's instructions there is no PTX, either"
XDG_CACHE_HOME="$scratch/other"
run newer --nvrtc "$library" --path $paths
[ "$(kernel_rows '.*' nvrtc-12.9.86 FAIL)" = 2 ] && [ "$(kernel_rows '.*' nvrtc-12.9.86-ptx SKIP)" = 2 ]
report $? "PTX that is newer than the driver is a SKIP"
XDG_CACHE_HOME=/dev/null
for mode in no-copies crash; do
    run $mode --nvrtc "$library" --path $paths
    [ "$(kernel_rows shared_copy/sync 'nvrtc[^ ]*' FAIL)" = 2 ] && [ "$(kernel_rows shared_copy/async 'nvrtc[^ ]*' CRASH)" = 2 ] && [ "$status" = 1 ]
    report $? "$mode: a finding of that unit on those paths alone"
    case $mode in
    no-copies) words='exit status 1: async_copy.h(7): error: no such instruction' ;;
    crash) words='signal 6 (Aborted)' ;;
    esac
    note nvrtc-12.9.86 "shared_copy_async for sm_90: $words" && note nvrtc-12.9.86-ptx "shared_copy_async for sm_90: $words"
    report $? "$mode: with its words"
done
XDG_CACHE_HOME="$scratch/cache"
ASSAY_FAKE_NVRTC=no-copies "$assay" bench shared_copy/sync shared_copy/async --samples 1 --bytes 4096 \
    --path nvrtc-12.9.86 --nvrtc "$library" >"$scratch/out" 2>"$scratch/err"
grep -q '^shared_copy/sync  *nvrtc-12.9.86 .*FAIL: before the first launch' "$scratch/out" &&
    grep -q "^replay .* --path nvrtc-12.9.86 --nvrtc '.*/libnvrtc.so.12' .* shared_copy/sync" "$scratch/out" &&
    ! grep -q 'was not compiled' "$scratch/out"
report $? "a bench measures them, and the kernel that copies with them"
XDG_CACHE_HOME=/dev/null
only=
run hang --nvrtc "$library" --path $paths --timeout 0.05
[ "$(kernel_rows shared_copy/async 'nvrtc[^ ]*' CRASH)" = 2 ] && note nvrtc-12.9.86 'no end within 0.3 s'
report $? "one that comes to no end is killed"
on_one_core="import os, sys
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.execv(sys.argv[1], sys.argv[1:])"
ASSAY_FAKE_NVRTC=hang python3 -c "$on_one_core" "$(command -v "$assay")" run shared_copy/sync 'matmul/*' 'aat/*' --cases 40 \
    --seed 1 --corpus "$scratch/corpus" --nvrtc "$library" --path nvrtc-12.9.86 --timeout 0.05 >"$scratch/out" 2>"$scratch/err"
[ "$(kernel_rows shared_copy/sync nvrtc-12.9.86 'SKIP: .*not tried: the compiler hung on others')" = 1 ] &&
    [ "$(kernel_rows matmul/stages nvrtc-12.9.86 CRASH)" = 1 ]
report $? "after three of these it is not tried on the other units, which are SKIP"
finish
