#!/bin/sh
# Every kernel that is wrong on purpose is caught, with the verdict, in the place and by the clause
# that its row names: wrong bits, stray writes and reads, crashes, hangs. Those that only tier huge
# can catch pass small cases, and are a SKIP with the reason.
# Clauses: verdicts.crash.reported, verdicts.timeout.reported, memory.reads.inside, memory.reads.watched,
# verdicts.mutants.huge, verdicts.mutants.sheltered.
#     mutants.sh path/to/assay
exec "$1" mutants --device host --seed 1 --timeout 2 --format tap --exit-zero
