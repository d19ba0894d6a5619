#!/bin/sh
# Three runs at the same time on one device, each a process with a context of its own: the variables
# that their modules have under the same names are not one another's.
# Clauses: variable_scope.context.own.
#     side_by_side.sh path/to/assay DEVICE CASES
assay=$1 device=$2 cases=$3
. "$(dirname "$0")/tap.sh"
why=$("$assay" info | sed -n 's/^GPUs *none: //p')
if [ "$device" != host ] && [ -n "$why" ]; then
    echo "1..0 # SKIP no GPU: $why"
    exit 0
fi
for seed in 1 2 3; do
    { "$assay" run variable_scope/device variable_scope/constant --device "$device" --seed $seed \
        --cases "$cases" --corpus "$scratch/corpus$seed" >"$scratch/out$seed" 2>&1
      echo $? >"$scratch/status$seed"; } &
done
wait
for seed in 1 2 3; do
    [ "$(cat "$scratch/status$seed")" = 0 ] && grep -q '^PASS' "$scratch/out$seed"
    report $? "run $seed of 3 passes beside the others"
done
finish
