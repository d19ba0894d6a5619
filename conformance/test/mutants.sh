#!/bin/sh
# Every kernel that is wrong on purpose is caught, with the verdict, in the place and by the clause
# that its row names: wrong bits, stray writes and reads, crashes, hangs. Those that only tier huge
# can catch pass small cases, and are a SKIP with the reason. Each dies on a case of the corpus too, so
# none lives under an unlucky seed.
# Clauses: verdicts.crash.reported, verdicts.timeout.reported, memory.reads.inside, memory.reads.watched,
# verdicts.mutants.huge, verdicts.mutants.sheltered, verdicts.mutants.witness, verdicts.mutants.path.
#     mutants.sh path/to/assay
assay=$1
. "$(dirname "$0")/tap.sh"
export ASSAY_HOST_DEVICES=2 # some copy between two devices
# All but the one that hangs, whose limit may be as short as one likes.
"$assay" mutants 'mutant/[!h]*' 'mutant/h[!a]*' 'mutant/ha[!n]*' --device host --timeout 2 --format tap --exit-zero \
    >"$scratch/out"
tried=$(grep -c '^[no t]*ok - [a-z0-9_]*\(: \| # SKIP\)' "$scratch/out")
grep -v '^1\.\.' "$scratch/out"
number=$(sed -n 's/^1\.\.//p' "$scratch/out")

grep -q '^# device .*; path host; seed 1$' "$scratch/out"
report $? "the seed is 1 unless it is given, and the first line has it and the path"
expect "several paths, of which mutants run through one" 2 "mutants run through one code path" "$assay" mutants --path sass,ptx
! grep -q 'no case of the corpus' "$scratch/out"
report $? "the corpus has a witness of each"
"$assay" mutants mutant/hang --device host --timeout 0.3 --format tap >"$scratch/out"
[ $? = 0 ] && grep -q '^ok - hang: dies after 1 case: TIMEOUT ' "$scratch/out"
report $? "$(sed -n 's/^ok - //p' "$scratch/out")"
[ $((tried + 1)) = "$("$assay" list 'mutant/*' | grep -c '^  mutant/')" ]
report $? "these are all mutants: $tried and 1"
if [ -n "$ASSAY_HOST_SHARED" ]; then # what follows is the same in both modes
    skip "seeds under which mutants once lived, and the order of the output" "both modes give the same"
    finish
    exit
fi
# Under these seeds no seeded case catches the first. Earlier programs misjudged the others: two by the
# place of their deaths, one by a single order of threads, one by an element that equals the poison.
for row in lookup_index_signed:1795448209 gap_written:31 row_read_past:4 difference_no_barrier:1028 \
    array_no_turn:1067; do
    "$assay" mutants --device host --timeout 2 --seed "${row#*:}" "mutant/${row%:*}" >"$scratch/${row%:*}"
    report $? "${row%:*} dies under seed ${row#*:}, too"
done
grep -q '; the corpus only$' "$scratch/lookup_index_signed" &&
    grep -q '^    case: table_lookup n=[1-9]' "$scratch/lookup_index_signed"
report $? "and the case of the corpus that caught it is printed"
for jobs in 1 3; do
    "$assay" mutants --device host --timeout 2 --jobs $jobs "mutant/difference_*" >"$scratch/$jobs"
done
[ "$(wc -l <"$scratch/1")" -gt 15 ] && cmp "$scratch/1" "$scratch/3"
report $? "mutants hunted side by side are in the same order, and die the same deaths"
finish
