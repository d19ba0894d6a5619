#!/bin/bash
# No wait for a stopped process.
# Clauses: gate.parts.stopped.
#     worker_ends.sh path/to/assay
assay=$1
. "$(dirname "$0")/tap.sh"

part_of() { processes | awk -v parent="$1" '$2 == parent { print $1; exit }'; }
has_part() { [ -n "$(part_of "$1")" ] && [ -s "$scratch/g.json" ]; }
short="gate matmul/naive matmul/tiled --quick --device host --seed 1"
stopped_part() {
    mkdir "$scratch/corpus"
    "$assay" $short --corpus "$scratch/corpus" -o "$scratch/g.json" >"$scratch/out" 2>"$scratch/err" &
    pid=$!
    until_holds has_part $pid
    kill -STOP "$(part_of $pid)"
    began=$(milliseconds)
    wait $pid
    status=$?
    took=$(($(milliseconds) - began))
    [ $status = 99 ] && [ $took -lt 60000 ] && grep -q '^assay gate: the part [a-z]* was stopped for 20 s, and is killed$' "$scratch/err"
    report $? "a gate whose part is stopped: status $status after $took ms"
    sed 's/^/# /' "$scratch/err"
}
# ^Z and fg: the group of the gate and its parts.
stopped_group() {
    mkdir "$scratch/corpus"
    setsid "$assay" $short --corpus "$scratch/corpus" -o "$scratch/g.json" >"$scratch/out" 2>"$scratch/err" &
    pid=$!
    until_holds has_part $pid
    kill -STOP -$pid
    sleep 24
    kill -CONT -$pid
    wait $pid
    status=$?
    [ $status = 3 ] && [ ! -s "$scratch/err" ] && grep -q '^bits *PASS' "$scratch/out"
    report $? "a gate that is stopped as a whole and continues: status $status"
    sed 's/^/# /' "$scratch/err"
}

for each in stopped_part stopped_group; do aside $each; done
joined
finish
