#!/bin/sh
# What a command prints while it runs is what its record has: a run is played again from its record, and
# both are the same byte for byte.
# Clauses: report.live.lines.
#     live.sh path/to/assay path/to/played
assay=$1 played=$2
. "$(dirname "$0")/tap.sh"

# same NAME STATUS PATTERN ARGUMENTS...: as text, which has the pattern, and as TAP
same() {
    name=$1 wanted=$2 pattern=$3
    shift 3
    for format in text tap; do
        rm -f "$scratch/r.json"
        "$assay" "$@" --format $format -o "$scratch/r.json" >"$scratch/live" 2>"$scratch/err"
        [ $? = "$wanted" ] && "$played" $format "$scratch/r.json" >"$scratch/kept" && [ -s "$scratch/live" ] &&
            cmp "$scratch/live" "$scratch/kept" >"$scratch/why" && { [ $format = tap ] || grep -q -- "$pattern" "$scratch/live"; }
        status=$?
        [ $status = 0 ] || { cat "$scratch/why" "$scratch/err"; diff "$scratch/live" "$scratch/kept"; } 2>&1 | head -n 20 | sed 's/^/# /'
        report $status "$name, as $format"
    done
}

if "$assay" info | grep -q '^toolkit *CUDA'; then
    same "machine code" 0 '^coverage ' codegen --cubins offset_copy
    cp "$scratch/r.json" "$scratch/before.json"
    same "machine code compared with another's" 0 '^against ' codegen --cubins offset_copy --against "$scratch/before.json"
else
    skip "machine code" "this build has none"
fi
run="run --device host --cases 40 --seed 1 --corpus $scratch/corpus"
same "a run" 0 '^PASS  ' $run matmul/naive adjacent_difference
same "a run with failures" 1 '^  reduced  ' $run mutant/gap_written mutant/trap mutant/input_negated mutant/second_launch
same "a replay" 1 '^plan      one case' replay --device host 'matmul m=3 n=3 k=3 fill=uniform seed=1' mutant/input_negated
same "a replay of a sequence" 0 'in sequence, in one worker' replay --device host \
    --after 'offset_copy n=9 fill=uniform seed=2' 'offset_copy n=7 fill=uniform seed=2' offset_copy/vector
bench="bench --device host --repeats 3 --samples 2"
same "speeds" 77 '^strided_copy/scalar ' $bench strided_copy/scalar offset_copy/vector
same "speeds of which some are wrong" 1 '^replay  ' $bench mutant/input_negated mutant/c_row_32_bits
same "a sweep" 77 '^sweep     1 repeat' $bench --sweep strided_copy/scalar
same "programs" 0 '^PASS .*no GPU was checked$' run --programs 70 --device host --seed 5 --jobs 1
same "a replay of one program" 0 '^PASS  1 program, 1 compared' replay --device host "operation add.u32"
finish
