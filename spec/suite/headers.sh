#!/bin/sh
# Every header compiles alone: headers.sh SOURCE_ROOT COMPILE_COMMANDS COMPILER FLAGS...
# A kernel's headers are compiled as kernels are, with cuda/ in the path and as a unit
# (cuda/host/unit.c.in). A header that a source of the build begins with was compiled alone by the
# build; COMPILE_COMMANDS lists those sources.
# Clauses: rooms.header.alone.
set -u
root=$1 commands=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root" || exit 99

# What sources begin with: nothing but comments may come before.
(cd "$(dirname "$commands")" && sed -n 's/^ *"file": "\(.*\.c\)",*$/\1/p' "$commands" | xargs awk '
    FNR == 1 { begun = 0 }
    begun || /^\/\*/ || /^ \*/ || /^$/ { next }
    { begun = 1 }
    /^#include "/ { split($0, parts, "\""); print parts[2] }') >"$scratch/first"
# rest FOLDER...: headers that no source begins with
rest() { find "$@" -name '*.h' | grep -vxFf "$scratch/first"; }

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

rest spec cpu_ref fuzz conformance | alone host "$@"
report $? 'every header of the runner compiles alone'
rest cuda | alone cuda "$@" -I "$root/cuda" -DASSAY_UNIT=alone -include host/emulation.h
report $? 'every header of cuda/ compiles alone'
echo "1..$number"
