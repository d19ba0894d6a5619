#!/bin/bash
# The whole program for AArch64: the cross compiler builds it; where the kernel lets qemu run it, a
# smoke run there passes with the bits of the same run here.
# Clauses: numerics.contraction.none, numerics.rounding.nearest, numerics.subnormal.kept.
#     aarch64.sh path/to/assay SOURCE FOLDER
# FOLDER keeps the build. jansson and xxHash for AArch64 lie below FOLDER/root, where
# .ci/fetch_aarch64 puts them, or below /, where a package manager does.
assay=$1 source=$2 folder=$3
. "$(dirname "$0")/tap.sh"
libraries=/usr/aarch64-linux-gnu # the cross compiler's libc

skip_all() {
    echo "1..0 # SKIP $*"
    exit 0
}

# shows RESULT NAME FILE: what was printed, where the result is bad
shows() {
    report "$1" "$2"
    [ "$1" = 0 ] || tail -n 20 "$3" | sed 's/^/# /'
}

for tool in aarch64-linux-gnu-gcc qemu-aarch64 meson ninja pkg-config; do
    command -v $tool >/dev/null || skip_all "$tool is not installed"
done
root=$folder/root
[ -d "$root" ] || root=
packages=$root/usr/lib/aarch64-linux-gnu/pkgconfig
for module in jansson libxxhash; do
    [ -f "$packages/$module.pc" ] || skip_all "$module for AArch64 is not here"
done

mkdir -p "$folder"
cat >"$folder/cross.ini" <<END
[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64', '-L', '$libraries']

[properties]
sys_root = '$root'
pkg_config_libdir = '$packages'

[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
build=$folder/build foreign=$folder/build/assay
{ [ -f "$build/build.ninja" ] ||
    meson setup "$build" "$source" --cross-file "$folder/cross.ini" -Dcuda=disabled; } \
    >"$scratch/log" 2>&1 && ninja -C "$build" assay >>"$scratch/log" 2>&1
status=$?
shows $status "it builds" "$scratch/log"
if [ $status != 0 ]; then
    finish
    exit
fi

# The program starts itself as its workers, so qemu alone does not do: the kernel must know of it.
# In a namespace of its own any user may tell it (Linux 6.7).
cat >"$scratch/with_qemu" <<'END'
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
mount -t binfmt_misc binfmt_misc "$1" &&
    printf '%s' ":assay-aarch64:M::$magic:$mask:$2:" >"$1/register" || exit
shift 2
exec "$@"
END
mkdir "$scratch/binfmt"
export QEMU_LD_PREFIX=$libraries
in_namespace=(unshare --user --map-root-user --mount
    sh "$scratch/with_qemu" "$scratch/binfmt" "$(command -v qemu-aarch64)")
if "$foreign" --version >/dev/null 2>&1; then
    runs=()
elif "${in_namespace[@]}" "$foreign" --version >/dev/null 2>&1; then
    runs=("${in_namespace[@]}")
else
    skip "a smoke run passes" "the kernel takes no program for AArch64: no binfmt_misc"
    finish
    exit
fi

# An emulated program is slow, and no check of it is late for that.
run="run --device host --tier smoke --seed 1 --timeout 120"
"${runs[@]}" "$foreign" $run -o "$scratch/there.json" >"$scratch/log" 2>&1
shows $? "a smoke run passes: $(tail -n 1 "$scratch/log")" "$scratch/log"
"$assay" $run -o "$scratch/here.json" >"$scratch/log" 2>&1
shows $? "so does it here" "$scratch/log"
for place in here there; do
    tail -n 1 "$scratch/$place.json" | grep -o '"xxh3_128":"[0-9a-f]*"' >"$scratch/$place"
done
[ -s "$scratch/here" ] && cmp -s "$scratch/here" "$scratch/there"
report $? "with the same bits in $(wc -l <"$scratch/here") digests"
finish
