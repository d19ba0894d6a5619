#!/bin/sh
# Every header compiles alone: headers.sh SOURCE_ROOT COMPILER FLAGS...
# A kernel's headers are compiled as kernels are, with cuda/ in the path and as a unit
# (cuda/host/unit.c.in).
# Clauses: rooms.header.alone.
set -u
root=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root" || exit 99

# alone NAME COMPILER FLAGS...: compiles a file for each header whose path is read.
alone() {
    files=$scratch/$1
    mkdir "$files"
    while read -r header; do
        # ISO C wants a declaration in a file; a header may have macros alone.
        printf '#include "%s"\nextern int alone;\n' "$header" \
            >"$files/$(printf %s "$header" | tr / _).c"
    done
    shift
    "$@" -fsyntax-only -I "$root" "$files"/*.c >&2
}
number=0
report() { # report STATUS NAME
    number=$((number + 1))
    if [ "$1" = 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; fi
}

find spec cpu_ref fuzz conformance -name '*.h' | alone host "$@"
report $? 'every header of the runner compiles alone'
find cuda -name '*.h' | alone cuda "$@" -I "$root/cuda" -DASSAY_UNIT=alone -include host/emulation.h
report $? 'every header of cuda/ compiles alone'
echo "1..$number"
