#!/bin/sh
# A report believes the record of a run that just ended, with every kernel and code path in it.
# Clauses: report.verdict.borne.
#     believed.sh path/to/assay DEVICE CASES, where a device of "all" is every GPU there is
assay=$1 device=$2 cases=$3
. "$(dirname "$0")/tap.sh"

if [ "$device" = all ]; then
    why=$("$assay" info | sed -n 's/^GPUs *none: //p')
    if [ -n "$why" ]; then
        echo "1..0 # SKIP no GPU: $why"
        exit 0
    fi
fi
"$assay" run --device "$device" --cases "$cases" --seed 1 --corpus "$scratch/corpus" \
    -o "$scratch/r.json" >"$scratch/out" 2>&1
ran=$?
[ $ran = 0 ] || [ $ran = 1 ]
report $? "the run comes to a verdict"
"$assay" report "$scratch/r.json" >>"$scratch/out" 2>&1
[ $? = $ran ]
report $? "its report comes to the same"
sed 's/^/# /' "$scratch/out"
finish
