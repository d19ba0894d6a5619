#!/bin/bash
# A driver that computes right and then fails, dies, hangs, leaves children behind or prints: no PASS after
# a worker that did not close its device, no wait for a child of the driver's or for a stopped process, and
# nothing on the terminal that the driver wrote there.
# Clauses: runner.worker.closed, runner.worker.watched, runner.worker.group, runner.worker.printed,
# gate.parts.stopped.
#     worker_ends.sh path/to/assay path/to/faulty_assay path/to/libcuda.so.1's-stand-in
assay=$1 faulty=$2
. "$(dirname "$0")/tap.sh"
release=cuDevicePrimaryCtxRelease_v2
export ASSAY_HOST_GPU=0

commands() { # commands FOLDER: what each command is called with
    mkdir -p "$1/corpus"
    run="run offset_copy/vector --cases 10 --seed 1 --jobs 2 --corpus $1/corpus --timeout 100"
    bench="bench table_lookup/global --repeats 3 --samples 20 --seed 1 --timeout 100"
    codegen="codegen offset_copy/vector"
    gate="gate offset_copy/vector --quick --corpus $1/corpus --timeout 100"
    programs="run --programs 8 --seed 1"
}

# ended NAME STATUS WORDS...: how $status is, what the last line says, and what one line of stderr says
ended() {
    name=$1 expected=$2
    shift 2
    good=0
    [ "$status" = "$expected" ] || good=1
    if [ "$expected" = 3 ]; then
        grep -q '^INCONCLUSIVE  \|PASS  in [0-9.]* s: INCONCLUSIVE, ' "$scratch/out" || good=1
        grep -q "^PASS  " "$scratch/out" && good=1
    fi
    for words in "$@"; do grep -q -- "$words" "$scratch/err" || good=1; done
    report $good "$name: status $status"
    [ $good = 0 ] || tail -n 4 "$scratch/out" "$scratch/err" | sed 's/^/# /'
}

# on_gpu WORDS-OF-ASSAY_HOSTILE COMMAND...; on_host
on_gpu() {
    hostile=$1
    shift
    LD_LIBRARY_PATH="$libs" ASSAY_HOSTILE=$hostile "$assay" "$@" --path ptx >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
}
on_host() {
    hostile=$1
    shift
    ASSAY_HOSTILE=$hostile "$faulty" "$@" --device host >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
}

# Each way to end badly: the words of the line that says so.
ways() {
    cat <<END
$release=error closed it with an error: $release: CUDA_ERROR_UNKNOWN
$release=exit:0 ended with exit status 0 in $release
$release=exit:1 ended with exit status 1 in $release
$release=abort ended with signal 6 (Aborted) in $release
$release=crash ended with signal 11 (Segmentation fault) in $release
cuStreamDestroy_v2=error closed it with an error: cuStreamDestroy_v2: CUDA_ERROR_UNKNOWN
cuModuleUnload=error closed it with an error: cuModuleUnload: CUDA_ERROR_UNKNOWN
end=abort ended with signal 6 (Aborted) after it had closed the device
end=exit:1 ended with exit status 1 after it had closed the device
END
}

gpu_run() {
    commands "$scratch"
    on_gpu "" $run
    ended "a run of a good driver" 0
    while read -r hostile words; do
        on_gpu "$hostile" $run
        ended "run, $hostile" 3 "^assay: cuda:0: its worker $words"
    done <<END
$(ways)
END
}
gpu_bench() {
    commands "$scratch"
    on_gpu "" $bench
    ended "a bench of a good driver" 0
    while read -r hostile words; do
        on_gpu "$hostile" $bench
        ended "bench, $hostile" 3 "^assay: cuda:0: its worker $words"
    done <<END
$(ways | grep "^$release\|^end=abort")
END
}
gpu_codegen() {
    commands "$scratch"
    on_gpu "" $codegen
    ended "codegen of a good driver" 0
    for way in "$release=error closed it with an error" "$release=exit:0 ended with exit status 0 in $release"; do
        on_gpu "${way%% *}" $codegen
        ended "codegen, ${way%% *}" 3 "^assay: cuda:0: its worker ${way#* }"
    done
}
gpu_gate() {
    commands "$scratch"
    on_gpu "$release=exit:0" $gate -o "$scratch/gate.json"
    ended "gate, $release=exit:0" 3 "^assay: cuda:0: its worker ended with exit status 0 in $release"
    for part in bits code speed; do grep -q "^$part *INCONCLUSIVE" "$scratch/out" || echo $part; done >"$scratch/missing"
    [ ! -s "$scratch/missing" ]
    report $? "and each part of it says so"
    sed 's/^/# /' "$scratch/missing"
}
hangs() {
    commands "$scratch"
    on_gpu "$release=hang" $bench
    ended "a driver that hangs at the end" 3 "^assay: cuda:0: its worker did not end within 20 s: killed in $release"
}
host_programs() {
    commands "$scratch"
    on_host "" $programs
    ended "programs of a good driver" 0
    for way in "$release=error closed it with an error" "$release=exit:0 ended with exit status 0 in $release"; do
        on_host "${way%% *}" $programs
        ended "programs, ${way%% *}" 3 "^assay: host: its worker ${way#* }"
    done
}

# The driver's child holds the worker's pipes, for 40 s.
children() {
    commands "$scratch"
    began=$(milliseconds)
    setsid env LD_LIBRARY_PATH="$libs" ASSAY_HOSTILE=cuLaunchKernel=fork "$assay" $run --path ptx \
        >"$scratch/out" 2>"$scratch/err" </dev/null &
    pid=$!
    wait $pid
    status=$?
    took=$(($(milliseconds) - began))
    [ $status != 0 ] && [ $took -lt 20000 ]
    report $? "a worker that leaves a child behind has ended: status $status after $took ms"
    left=$(of_session $pid)
    [ -z "$left" ]
    report $? "and so has the child $left"
    [ -z "$left" ] || kill -9 $left
}

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
    [ $status = 3 ] && ! grep -q 'was stopped' "$scratch/err" && grep -q '^bits *PASS' "$scratch/out"
    report $? "a gate that is stopped as a whole and continues: status $status"
    sed 's/^/# /' "$scratch/err"
}

prints() {
    commands "$scratch"
    on_gpu "cuStreamCreate=print" $run
    ended "a driver that prints" 0
    grep -q '^cuda:0 worker: PASS  evil$' "$scratch/err" && grep -q '^cuda:0 worker: \\x1b\[2Jcleared\\x0dreturned$' "$scratch/err" &&
        grep -q '^cuda:0 worker: a line that has no end' "$scratch/err" && ! grep -q evil "$scratch/out" &&
        ! grep -qvE '^(cuda:0 )?worker: ' "$scratch/err"
    report $? "is shown after its worker's name, and not obeyed"
    ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$scratch/err"
    report $? "without control characters"
    on_gpu "cuStreamCreate=flood" $bench
    ended "a driver that prints without end" 0
    [ "$(grep -c . "$scratch/err")" -le "$((4 * 602))" ] && grep -q '^cuda:0 worker: flood 199$' "$scratch/err" &&
        grep -q '^cuda:0 worker: \.\.\. left out: [0-9,]* lines, [0-9.]* [KM]iB$' "$scratch/err" &&
        grep -q '^cuda:0 worker: after the flood$' "$scratch/err"
    report $? "is cut, and its last words are shown: $(grep -c . "$scratch/err") lines"
    on_gpu "cuStreamCreate=flood cuLaunchKernel=report" $run
    grep -q '^cuda:0 worker: ==1==ERROR: AddressSanitizer' "$scratch/err" && grep -q '^cuda:0 worker:     #59 ' "$scratch/err" &&
        grep -q '^cuda:0 worker: SUMMARY: AddressSanitizer' "$scratch/err" && [ $status != 0 ]
    report $? "and so is a sanitizer's report after them"
}

libs=$scratch/lib
mkdir "$libs"
ln -s "$3" "$libs/libcuda.so.1"
for each in stopped_part stopped_group; do aside $each; done # which wait; the others compute
host_programs
if "$assay" info | grep -q '^toolkit *CUDA'; then
    for each in hangs children; do aside $each; done
    for each in prints gpu_run gpu_bench gpu_codegen gpu_gate; do $each; done
else
    skip "drivers of a GPU" "this build has no CUDA code to hand to a driver"
fi
joined
finish
