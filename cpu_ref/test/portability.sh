#!/bin/sh
# Compiles the golden model for another compiler or machine, runs it there, and compares its digest
# with the one that all have. Usage: portability.sh TARGET, from anywhere. Exits 77 where the
# compiler or the emulator is missing.
# Clauses: numerics.contraction.none, numerics.rounding.nearest, numerics.subnormal.kept.
set -u
target=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

# A float must be evaluated as a float, or the sources refuse to compile: i686 needs SSE2, and gcc for
# s390x takes double where ISO C lets it.
case $target in
gcc)     compiler=gcc                   emulator=''           options=-O3 ;;
clang)   compiler=clang                 emulator=''           options=-O3 ;;
i686)    compiler=i686-linux-gnu-gcc    emulator=qemu-i386    options='-static -msse2 -mfpmath=sse' ;;
aarch64) compiler=aarch64-linux-gnu-gcc emulator=qemu-aarch64 options=-static ;;
riscv64) compiler=riscv64-linux-gnu-gcc emulator=qemu-riscv64 options=-static ;;
s390x)   compiler=s390x-linux-gnu-gcc   emulator=qemu-s390x   options='-static -fexcess-precision=fast' ;;
*)       echo "portability: no target '$target'" >&2; exit 2 ;;
esac

for tool in $compiler $emulator; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$root" || exit 1
# shellcheck disable=SC2086
"$compiler" -std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -Wall -Wextra -Werror -I. $options \
    cpu_ref/*.c cpu_ref/test/values.c cpu_ref/test/golden_digest.c -lm -pthread -o "$scratch/digest" ||
    { echo "$target: the golden model does not compile"; exit 1; }

expected="golden digest $(cat "$here/digest.expected")"
got=$($emulator "$scratch/digest") || { echo "$target: the golden model does not run"; exit 1; }
[ "$got" = "$expected" ] || { echo "$target: got '$got', expected '$expected'"; exit 1; }
echo "$target: $got"
