#!/bin/sh
# The run on every GPU, or one skipped line that says why there is none.
# Clauses: verdicts.skip.reason.
#     gpu.sh path/to/assay
assay=$1
why=$("$assay" info | sed -n 's/^GPUs *none: //p')
if [ -n "$why" ]; then
    echo "1..0 # SKIP no GPU: $why"
    exit 0
fi
exec "$assay" run --device all --seed 1 --format tap --exit-zero
