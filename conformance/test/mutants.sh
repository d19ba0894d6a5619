#!/bin/sh
# Every kernel that is wrong on purpose is caught, with the verdict, in the place and by the clause
# that its row names: wrong bits, stray writes and reads, crashes, hangs.
# Clauses: verdicts.crash.reported, verdicts.timeout.reported, memory.reads.inside.
#     mutants.sh path/to/assay
exec "$1" mutants --device host --seed 1 --timeout 2 --format tap
