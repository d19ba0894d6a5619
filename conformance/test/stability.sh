#!/bin/sh
# What released versions promise still holds: each line of each list in spec/released is among those
# that the program and the specification give now.
# Clauses: stability.case.text, stability.record.version, stability.clause.ids,
# stability.exit.statuses, stability.option.names.
#     stability.sh path/to/assay path/to/sources [--list]
assay=$1 root=$2
. "$(dirname "$0")/tap.sh"

# Each fill and each algorithm, placed and with gaps.
cases() {
    for fill in uniform position integer permutation onehot equal random cancel special tie small; do
        echo "matmul m=5 n=7 k=19 lda=20 ldb=9 ldc=8 a_offset=1 fill=$fill seed=7"
    done
    echo "aat m=9 k=33 lda=40 c_offset=1 fill=uniform seed=7"
    echo "adjacent_difference n=70 b_offset=3 fill=uniform seed=7"
    echo "offset_copy n=70 offset=5 element=2 fill=random seed=7"
    echo "strided_copy n=70 stride=3 element=16 fill=position seed=7"
    echo "shared_copy n=1070 copy_count=3 element=4 source_offset=1 fill=position seed=7"
    echo "variable_scope n=170 launches=3 reload=1 initial_offset=1 fill=special seed=7"
    echo "sliding_window n=170 hot=77 resident=50 stream_offset=1 fill=special seed=8"
    echo "table_lookup n=170 entries=77 distinct=5 rounds=2 element=8 fill=special seed=7"
    echo "thread_array n=170 length=7 distinct=5 rounds=9 element=8 fill=special seed=7"
    echo "texture_fetch n=170 width=17 height=5 ld=19 texel=1 channels=2 filter=1 address_x=3 fill=special seed=7"
    echo "shared_stride n=1070 stride=33 rounds=3 element=8 fill=position seed=7"
}

# The digest of what a case's kernels wrote: one line, as it is the same of each (0: one declined).
case_digests() {
    cases | while read -r line; do
        "$assay" replay --device host "$line" -o "$scratch/r.json" >/dev/null 2>&1
        grep '^{"bits"' "$scratch/r.json" | grep -o '"xxh3_128":"[0-9a-f]*"' | sort -u |
            grep -v '"0*"' |
            sed "s/.*:\"\(.*\)\"/case \1 $line/"
        rm -f "$scratch/r.json"
    done
}

# The record's version, and what a report of it comes to.
records() {
    for record in "$root"/conformance/report/example/*.json; do
        "$assay" report "$record" >/dev/null 2>&1
        echo "record $(sed -n '1s/.*"version":\([0-9]*\).*/\1/p' "$record")" \
            "conformance/report/example/${record##*/} status $?"
    done
}

options() {
    for command in run replay mutants bench floors report list info help; do
        "$assay" help $command | sed -n 's/^  \(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\1\2/p' |
            sed "s/^/option $command /"
    done
}

promises() {
    case_digests
    records
    sed -n 's/^- \*\*\([a-z0-9_.]*\)\*\*: .*/clause \1/p' "$root"/spec/*.md | LC_ALL=C sort
    sed -n 's/^| \([0-9][0-9]*\) | \(.*\) |$/status \1 \2/p' "$root/spec/runner.md"
    options
}

if [ "${3:-}" = --list ]; then
    promises
    exit
fi

promises | LC_ALL=C sort >"$scratch/now"
for list in "$root"/spec/released/*; do
    for kind in case record clause status option; do
        grep "^$kind " "$list" | LC_ALL=C sort >"$scratch/released"
        LC_ALL=C comm -23 "$scratch/released" "$scratch/now" >"$scratch/broken"
        [ -s "$scratch/released" ] && [ ! -s "$scratch/broken" ]
        report $? "what version ${list##*/} promises of each $kind holds"
        sed 's/^/# lost: /' "$scratch/broken"
    done
done
finish
