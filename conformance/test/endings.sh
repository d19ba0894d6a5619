#!/bin/bash
# However a run is made to end (^C, SIGTERM, both twice, a reader that goes away), it does so within
# two seconds with a status other than 0, and leaves no process and no temporary file; with little
# memory it ends by itself, and not by a signal.
# Clauses: runner.signal.soon, runner.signal.told, runner.output.watched, runner.exit.status,
# runner.process.dies, verdicts.error.host.
#     endings.sh path/to/assay
assay=$(realpath "$1")
. "$(dirname "$0")/tap.sh"
export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

# ends NAME STATUSES SIGNALS COMMAND...: signals it as it runs, with a moment between them; not
# before its record has the line $until, if there is one.
until=
has_begun() {
    if [ -n "$until" ]; then
        grep -qs "$until" "$scratch/r.json"
    else
        handles_signals $pid && { [ -s "$scratch/r.json" ] || [ -s "$scratch/out" ]; }
    fi
}
within_its_limit() { # polls until two seconds after $began
    until "$@" || [ $(($(milliseconds) - began)) -gt 2000 ]; do sleep 0.05; done
}
ends() {
    name=$1 statuses=$2 signals=$3
    shift 3
    rm -f "$scratch/r.json" "$scratch/out"
    # A shell's background ignores SIGINT, and what is ignored at the start stays so.
    setsid env --default-signal "$assay" "$@" >"$scratch/out" 2>"$scratch/err" &
    pid=$!
    until_holds has_begun
    [ -n "$until" ] || sleep 0.2
    began=$(milliseconds)
    for signal in $signals; do
        kill -"$signal" $pid 2>/dev/null
        sleep 0.05
    done
    wait $pid
    status=$?
    took=$(($(milliseconds) - began))
    within_its_limit has_no_process $pid
    orphans=$(of_session $pid)
    case " $statuses " in *" $status "*) good=0 ;; *) good=1 ;; esac
    [ $good = 0 ] && [ $took -lt 2000 ] && [ -z "$orphans" ]
    report $? "$name: status $status after $took ms"
    [ -z "$orphans" ] || kill -9 $orphans
}

# The last line, and the record's summary, of what has just ended.
is_reported() {
    tail -n 1 "$scratch/out" | grep -q "interrupted before the end of the plan" &&
        tail -n 2 "$scratch/r.json" | grep -q '^{"summary".*"reason":"interrupted' &&
        { "$assay" report "$scratch/r.json" >"$scratch/page" 2>&1; [ $? = 3 ]; } &&
        grep -q 'interrupted' "$scratch/page"
    report $? "$1: the last line and its record say that it was interrupted"
}

hang="--device host --timeout 600"
settings() { # of a folder
    run="run --device host --tier deep --seed 1 -o $scratch/r.json"
    bench="bench --device host --samples 200 -o $scratch/r.json"
}

signalled() { # signalled SIGNALS
    settings
    ends "run, $1" 3 "$1" $run
    is_reported "run, $1"
    ends "run of a kernel that hangs, $1" 3 "$1" run mutant/hang $hang
    ends "mutants, $1" 3 "$1" mutants mutant/hang $hang
    ends "bench, $1" 3 "$1" $bench matmul
    is_reported "bench, $1"
}

benches() {
    settings
    ends "bench in TAP, INT" 3 INT $bench matmul --format tap
    grep -q '^not ok .* the bench as a whole: INCONCLUSIVE, interrupted' "$scratch/out"
    report $? "a line of TAP says that it was interrupted"
    until='^{"sweep"'
    ends "bench in its sweep, INT" 3 INT $bench shared_stride shared_copy --samples 40 --sweep
    is_reported "bench in its sweep"
    until=
    # A failure is being tried again and reduced.
    ends "run that reduces a hang, INT" "1 3" INT run mutant/hang --device host --timeout 0.4 --cases 2 \
        --seed 1 --corpus "$scratch"
}

# Compilers that hang, deaf to signals, with what they started in a group and a session of its own.
# They sleep for a time of this test alone, by which what is left of them is found, and leave files
# in TMPDIR.
hangers() { # hangers NUMBER: writes a compiler that answers as cc and as ptxas do
    seconds=$((1000000 + $$)).$1
    mkdir "$scratch/bin" "$scratch/deaf"
    cat >"$scratch/bin/cc" <<END
#!/bin/sh
if [ "\$1" = --version ]; then
    echo 'ptxas: NVIDIA (R) Ptx optimizing assembler'
    echo 'Cuda compilation tools, release 12.6, V12.6.20'
    exit 0
fi
trap '' INT TERM HUP QUIT
mkdir "\$TMPDIR/folder"
: >"\$TMPDIR/folder/file"
setsid sh -c 'sleep $seconds; :' &
sleep $seconds &
: >'$scratch/begun'
wait
END
    chmod +x "$scratch/bin/cc"
}
three_run() { [ -e "$scratch/begun" ] && [ "$(left | wc -l)" -ge 3 ]; }
nothing_is_left() { [ -z "$(left)$(ls "$scratch/deaf")" ]; }
left() { grep -lsa "[s]leep.$seconds" /proc/[0-9]*/cmdline | tr -dc '0-9\n'; } # their numbers, a line each
compilers() { # compilers NAME [candidate]
    name=$1 candidate=
    [ -z "${2:-}" ] || candidate="--ptxas $scratch/bin/cc --path ptxas-12.6.20"
    hangers "1$#"
    for signal in INT TERM HUP QUIT KILL; do
        rm -f "$scratch/begun"
        PATH="$scratch/bin:$PATH" TMPDIR="$scratch/deaf" setsid env --default-signal "$assay" run \
            --device host --programs 20 --seed 1 --timeout 600 $candidate >"$scratch/out" 2>"$scratch/err" &
        pid=$!
        until_holds three_run
        running=$(left | wc -l)
        began=$(milliseconds)
        kill -$signal $pid
        wait $pid 2>/dev/null
        status=$?
        took=$(($(milliseconds) - began))
        until_holds nothing_is_left # what KILL leaves has to be told first
        case $signal:$status in KILL:137 | [!K]*:3) ended=0 ;; *) ended=1 ;; esac
        [ $ended = 0 ] && [ $took -lt 2000 ] && [ "$running" -ge 3 ] && [ -z "$(left)$(ls "$scratch/deaf")" ]
        report $? "$name, $signal: status $status after $took ms, of $running processes left: "$(left) $(ls "$scratch/deaf")
        [ -z "$(left)" ] || kill -9 $(left)
    done
}

has_temporaries() { # the reading that counts stays in $began
    began=$(find "$scratch/temp" -type f 2>/dev/null | wc -l)
    [ "$began" -gt 0 ]
}
is_empty() { [ -z "$(ls "$1")" ]; }
temporaries() { # what a compiler has in TMPDIR
    mkdir "$scratch/temp"
    for signal in TERM QUIT KILL; do
        TMPDIR="$scratch/temp" setsid env --default-signal "$assay" run --device host --programs 2000 --seed 3 \
            --jobs 2 >"$scratch/out" 2>"$scratch/err" &
        pid=$!
        until_holds has_temporaries
        kill -$signal $pid
        wait $pid 2>/dev/null
        until_holds is_empty "$scratch/temp"
        [ "$began" -gt 0 ] && [ -z "$(ls "$scratch/temp")" ]
        report $? "a compiler's temporary files, $signal: of $began left: "$(ls "$scratch/temp")
        rm -rf "$scratch/temp/"*
    done
}

made=$(grep -rlE '\b(v?fork|exec(l|v)p?e?|posix_spawnp?|popen|system|clone3?)\(' --include=*.c --exclude-dir=test \
    "$(dirname "$0")/..")
[ "$made" = "$(dirname "$0")/../base/process.c" ]
report $? "one file starts processes: "$made

for signals in INT TERM "INT INT"; do
    aside signalled "$signals"
done
aside benches
aside compilers "the host's compiler hangs"
aside compilers "a candidate compiler hangs" candidate
if cc --version 2>/dev/null | grep -q -e GCC -e gcc -e 'Free Software'; then
    aside temporaries
else
    skip "a compiler's temporary files" "there is no gcc"
fi
joined

# A reader that has gone away before the first line is written: what it takes of a short output is
# chance.
leaves() { # leaves NAME COMMAND...
    name=$1
    shift
    began=$(milliseconds)
    { sleep 0.2; timeout 60 "$assay" "$@" 2>"$scratch/err"; echo $? >"$scratch/status"; } | true
    took=$(($(milliseconds) - began))
    [ "$(cat "$scratch/status")" = 141 ] && [ $took -lt 2500 ] && ! grep -q "cannot write" "$scratch/err"
    report $? "$name, and its reader is gone: status $(cat "$scratch/status") after $took ms"
}
settings
leaves "run" $run
leaves "run in TAP" $run --format tap
leaves "mutants" mutants --device host --timeout 600 mutant/gap_written mutant/input_negated mutant/trap mutant/hang
leaves "bench" bench --device host adjacent_difference offset_copy


# With less and less memory; AddressSanitizer alone takes terabytes.
if (ulimit -v 2000000 && "$assay" --version) >"$scratch/out" 2>&1; then
    bad=0 tried=0 first=8000
    # Below some size, which grows with the program, the system cannot even load it.
    until (ulimit -v "$first" && exec "$assay" --version) >"$scratch/out" 2>&1; do
        first=$((first + 3000))
    done
    for kib in $(seq $first 1000 $((first + 12000))) $(seq $((first + 15000)) 3000 $((first + 48000))); do
        (ulimit -v "$kib" && exec "$assay" run matmul/naive --device host --jobs 1 --cases 20 --seed 1 --corpus "$scratch") \
            >"$scratch/out" 2>"$scratch/err"
        status=$? tried=$((tried + 1))
        case $status in 0 | 3 | 77 | 99) ;; *) bad=1 && echo "# $kib KiB: status $status" ;; esac
    done
    [ $bad = 0 ] && [ $tried -gt 5 ]
    report $? "with little memory a run ends by itself, tried $tried times"
else
    skip "with little memory" "the sanitizer takes more"
fi

# Without processes: a user who may have few of them, in place of root, whom no such limit binds. One or
# two lines say what is missing, no check is lost, and nothing passes that did not run.
few() { # few PROCESSES COMMAND...
    processes=$1
    shift
    $as prlimit --nproc="$processes" "$@" >"$scratch/out" 2>"$scratch/err"
}
as=
[ "$(id -u)" = 0 ] && as="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 777 "$scratch"
mkdir -m 777 "$scratch/few"
if few 64 "$assay" --version && ! few 1 "$assay" --version; then
    grep -q '^assay: no thread with a stack of 8 MiB: Resource temporarily unavailable$' "$scratch/err"
    report $? "without a thread it says so: $(cat "$scratch/err")"
    small="--device host --corpus $scratch/few --seed 1"
    for command in "run matmul/naive --cases 20 $small -o $scratch/few/r.json" "run --programs 20 --device host" \
        "bench offset_copy/vector --device host --samples 1" "gate offset_copy --quick $small -o $scratch/few/g.json" \
        "mutants mutant/trap --device host"; do
        few 2 "$assay" $command
        status=$?
        [ $status = 99 ] && [ "$(wc -l <"$scratch/err")" -le 2 ] && ! grep -q PASS "$scratch/out" &&
            cat "$scratch/err" "$scratch/out" | grep -q 'no \(worker \)\?process: Resource temporarily unavailable'
        report $? "${command%% *} without processes: status $status"
        sed 's/^/# /' "$scratch/err"
    done
    few 64 "$assay" run matmul/naive --cases 20 $small
    checks=$(tail -n 1 "$scratch/out" | grep -o '[0-9]* checks of [0-9]* cases')
    bad=0
    for processes in 3 4 5 6 8; do
        few $processes "$assay" run matmul/naive --cases 20 $small
        status=$?
        case $status in
        0) grep -q "^PASS  $checks" "$scratch/out" || bad=1 ;;
        99) ;;
        *) bad=1 ;;
        esac
    done
    [ $bad = 0 ] && [ -n "$checks" ]
    report $? "with few processes a run has all of $checks, or is an ERROR"
else
    skip "without processes" "no user here has a limit of them, or may run $assay"
fi
finish
