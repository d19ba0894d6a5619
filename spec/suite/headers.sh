#!/bin/sh
# Every header compiles alone: headers.sh SOURCE_ROOT COMPILE_COMMANDS COMPILER FLAGS...
# A kernel's headers are compiled as kernels are, with cuda/ in the path and as a unit
# (cuda/host/unit.c.in). A header that a source of the build begins with was compiled alone by the
# build; COMPILE_COMMANDS lists those sources.
# And what one declares is named by two other files: that which defines it, and one more.
# Clauses: rooms.header.alone, rooms.header.used.
set -u
root=$1 commands=$2
shift 2
. "$root/conformance/test/tap.sh"
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
# unused FOLDER...: what headers declare and one file alone names, but for what a macro of the header
# names; tests' own headers are left out.
unused() {
    find "$@" -name '*.[ch]' -o -name '*.cu' -o -name '*.def' -o -name '*.in' | xargs awk '
        FNR == 1 { declares = FILENAME ~ /\.h$/ && FILENAME !~ /test|^spec\/suite/ }
        /^ *\/?\* / { next } # of a comment
        declares && !/^(static|typedef|DEVICE) / && /^[A-Za-z0-9_]+ [A-Za-z0-9_ *]*[(]|^extern .*;/ {
            name = $0
            sub(/[][(;].*/, "", name)
            sub(/.*[ *]/, "", name)
            where[name] = FILENAME
        }
        {
            gsub(/[^A-Za-z0-9_]+/, " ")
            count = split($0, words, " ")
            for (word = 1; word <= count; word++)
                files[words[word]] += !times[FILENAME, words[word]]++
        }
        END {
            for (name in where)
                if (files[name] < 3 && times[where[name], name] < 2)
                    print where[name] ": " name " is named by one source alone; make it static"
        }'
}

rest spec cpu_ref fuzz conformance | alone host "$@"
report $? 'every header of the runner compiles alone'
rest cuda | alone cuda "$@" -I "$root/cuda" -DASSAY_UNIT=alone -include host/emulation.h
report $? 'every header of cuda/ compiles alone'
unused spec cpu_ref fuzz conformance cuda >"$scratch/unused"
[ ! -s "$scratch/unused" ]
report $? 'what a header declares is named outside the file that defines it'
sed 's/^/# /' "$scratch/unused"
finish
