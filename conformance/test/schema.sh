#!/bin/sh
# Real records hold the schema: one that passes, and one with failures, crashes and reductions.
# Clauses: record.schema.complete.
#     schema.sh path/to/assay path/to/forms
assay=$1
. "$(dirname "$0")/tap.sh"

check() { # check NAME STATUS PATTERN...: runs, and holds the record against the schema
    name=$1 wanted=$2
    shift 2
    "$assay" run "$@" --device host --cases 40 --seed 1 --corpus "$scratch/corpus" \
        -o "$scratch/r.json" >"$scratch/out" 2>&1
    [ $? = "$wanted" ] && "$forms" "$scratch/r.json" >"$scratch/out" 2>&1
    report $? "$name"
    sed 's/^/# /' "$scratch/out"
}

forms=$2
check "the record of a run that passes" 0 'matmul/[ns]*' adjacent_difference
check "the record of failures and crashes" 1 mutant/gap_written mutant/trap \
    mutant/input_negated mutant/difference_one_past mutant/second_launch
finish
