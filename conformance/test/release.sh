#!/bin/bash
# The release binaries: they build, ask for no symbol of a glibc after 2.28, compute with glibc's
# functions, have the kernels' code of the build, and give the bits of the same run by it; the one for AArch64 under qemu, where the kernel
# lets it run.
# Clauses: stability.release.glibc, numerics.contraction.none, numerics.rounding.nearest,
# numerics.subnormal.kept.
#     release.sh path/to/assay path/to/make_release path/to/images.c FOLDER
# FOLDER keeps the builds.
assay=$1 make_release=$2 images=$3 folder=$4
. "$(dirname "$0")/tap.sh"

# shows RESULT NAME FILE: what was printed, where the result is bad
shows() {
    report "$1" "$2"
    [ "$1" = 0 ] || tail -n 20 "$3" | sed 's/^/# /'
}

# starts_anywhere BINARY: glibc 2.28 has each symbol that it asks for, and it needs no other library.
starts_anywhere() {
    readelf --wide --version-info "$1" | grep -o 'Name: GLIBC_[0-9.]*' | sort -u >"$scratch/versions"
    [ -s "$scratch/versions" ] || return 1
    awk -F'[_.]' '$2 > 2 || $3 > 28 { bad = 1 } END { exit bad }' "$scratch/versions" || return 1
    ! readelf --wide --dynamic "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -v -x -e 'lib\(c\|m\)\.so\.6' -e 'libdl\.so\.2' -e 'lib\(pthread\)\.so\.0' -e 'ld-linux-.*'
}

"$make_release" --into "$folder" --images "$images" >"$scratch/log" 2>&1
status=$?
if [ $status = 77 ]; then
    echo "1..0 # SKIP $(tail -n 1 "$scratch/log")"
    exit 0
fi
shows $status "they build" "$scratch/log"
if [ $status != 0 ]; then
    finish
    exit
fi

# imports_glibc BINARY MACHINE: the compiler's own runtime library has functions of these names, too,
# which round to nearest in every mode, or are slow. AArch64 has an instruction for fma.
imports_glibc() {
    fused='fma fmaf'
    [ "$2" != aarch64 ] || fused=
    for function in __assert_fail exp fmod memcpy memmove strlen $fused; do
        readelf --wide --dyn-syms "$1" | grep -q " UND $function@" || return 1
    done
}

# The same check refuses the build for this system alone.
if getconf GNU_LIBC_VERSION | awk '{ exit !($2 > 2.28) }'; then
    ! starts_anywhere "$assay"
    report $? "the check refuses the build for this system's glibc"
else
    skip "the check refuses the build for this system's glibc" "this glibc is not newer than 2.28"
fi

# A binary for another machine starts itself as its workers, so qemu alone does not do: the kernel must
# know of it. In a namespace of its own any user may tell it (Linux 6.7).
cat >"$scratch/with_qemu" <<'END'
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
mount -t binfmt_misc binfmt_misc "$1" &&
    printf '%s' ":assay-aarch64:M::$magic:$mask:$2:" >"$1/register" || exit
shift 2
exec "$@"
END
mkdir "$scratch/binfmt"
export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu # the cross compiler's libc
in_namespace=(unshare --user --map-root-user --mount
    sh "$scratch/with_qemu" "$scratch/binfmt" "$(command -v qemu-aarch64)")

# An emulated program is slow, and no check of it is late for that.
run="run --device host --tier smoke --seed 1 --timeout 120"
digests() { grep '^{"bits"' "$1" | grep -o '"xxh3_128":"[0-9a-f]*"'; }
"$assay" $run -o "$scratch/here.json" >"$scratch/log" 2>&1
shows $? "a smoke run of the build passes" "$scratch/log"
digests "$scratch/here.json" >"$scratch/here"
"$assay" info | grep '^toolkit' >"$scratch/toolkit"

for machine in x86_64 aarch64; do
    binary=$folder/assay-$machine
    starts_anywhere "$binary"
    report $? "$machine: it needs no glibc after 2.28"
    imports_glibc "$binary" $machine
    report $? "$machine: it computes with glibc's functions"
    if "$binary" --version >/dev/null 2>&1; then
        runs=()
    elif "${in_namespace[@]}" "$binary" --version >/dev/null 2>&1; then
        runs=("${in_namespace[@]}")
    else
        skip "$machine: a smoke run passes" "this kernel does not run it: no qemu, or no binfmt_misc"
        continue
    fi
    "${runs[@]}" "$binary" info | grep '^toolkit' | cmp -s - "$scratch/toolkit"
    report $? "$machine: it has the kernels' code of the build"
    "${runs[@]}" "$binary" $run -o "$scratch/there.json" >"$scratch/log" 2>&1
    shows $? "$machine: a smoke run passes: $(tail -n 1 "$scratch/log")" "$scratch/log"
    digests "$scratch/there.json" >"$scratch/there"
    [ -s "$scratch/here" ] && cmp -s "$scratch/here" "$scratch/there"
    report $? "$machine: with the same bits in $(wc -l <"$scratch/here") digests"
    rm -f "$scratch/there.json"
    # Generated programs round in all modes. The compiler of this host makes their code.
    if [ ${#runs[@]} = 0 ]; then
        "$binary" run --device host --programs 20 --seed 5 >"$scratch/log" 2>&1
        shows $? "$machine: programs pass: $(tail -n 1 "$scratch/log")" "$scratch/log"
    fi
done
finish
