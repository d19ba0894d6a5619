#!/bin/bash
# Files, standard output and standard error in hostile hands: a second writer, a reader that is
# stuck or gone, limits, planted links, names that a terminal would obey.
# Clauses: record.writer.alone, runner.output.stuck, runner.output.watched, runner.output.tame,
# runner.output.unread, runner.output.planted, runner.tap.failure, runner.output.mode, runner.output.input, runner.limits.file,
# runner.limits.stack, runner.signal.ignored, verdicts.error.host, verdicts.reason.given.
#     outputs.sh path/to/assay
assay=$1
. "$(dirname "$0")/tap.sh"
case $assay in /*) ;; *) assay=$PWD/$assay ;; esac
export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
settings() { # of a folder
    mkdir "$scratch/corpus"
    host="--device host --seed 1 --corpus $scratch/corpus"
    deep="run offset_copy/vector --tier deep $host"
}
settings
begun() { until_holds grep -qs "$2" "$1"; } # begun FILE PATTERN: waits until it has that line

# One writer, who stands still while others try; its failures are written at once.
writers() {
    settings
    "$assay" run mutant/gap_written --tier deep $host --jobs 1 --timeout 60 -o "$scratch/r.json" >"$scratch/out1" 2>&1 &
    writer=$!
    begun "$scratch/r.json" '^{"finding"'
    kill -STOP $writer
    expect "a second -o of a record that is written" 2 "another program is writing it" \
        "$assay" run $host --cases 5 -o "$scratch/r.json"
    expect "bench -o of it" 2 "another program is writing it" "$assay" bench offset_copy --device host --samples 2 -o "$scratch/r.json"
    ln "$scratch/r.json" "$scratch/same.json"
    expect "under another of its names" 2 "another program is writing it" "$assay" run $host --cases 5 -o "$scratch/same.json"
    written=$(wc -l <"$scratch/r.json")
    kill -CONT $writer
    until_holds longer "$scratch/r.json" "$written"
    report $? "the run that was there first goes on as if nothing had happened"
    kill -TERM $writer
    wait $writer
    status=$?
    "$assay" report "$scratch/r.json" >"$scratch/out" 2>&1
    [ $? = 1 ] && [ $status = 1 ]
    report $? "and its record loads"
    rm "$scratch/same.json"
}
longer() { [ "$(wc -l <"$1")" -gt "$2" ]; } # longer FILE LINES
aside writers
expect "standard output and the record in one file" 2 "standard output goes there too" \
    sh -c "exec \"$assay\" run $host --cases 5 --format json -o '$scratch/both.json' >'$scratch/both.json'"

# An output that is an input.
cp "$(dirname "$0")/../../spec/floors.json" "$scratch/floors.json"
before=$(cksum <"$scratch/floors.json")
expect "floors that would become the record" 2 "the command reads that file" \
    "$assay" bench --device host --floors "$scratch/floors.json" -o "$scratch/floors.json"
[ "$(cksum <"$scratch/floors.json")" = "$before" ]
report $? "they stay as they were"
echo 'matmul m=2 n=2 k=2 fill=uniform seed=1' >"$scratch/corpus/kept.case"
expect "a corpus file that would become the record" 2 "the command reads that file" \
    "$assay" run $host --cases 5 -o "$scratch/corpus/kept.case"
[ "$(wc -l <"$scratch/corpus/kept.case")" = 1 ]
report $? "it stays as it was"

# Stuck readers: of standard output, of both streams, of the record.
held=() pids=()
stuck() { # stuck NAME SIGNAL STATUS COMMAND...: its streams are files 8 and 9, which nobody reads
    held+=("$1|$2|$3")
    shift 3
    env --default-signal "$assay" "$@" >&8 2>&9 &
    pids+=($!)
}
freed() { # ends those that were begun, which stuck all at once
    for index in "${!held[@]}"; do
        until_holds handles_signals "${pids[index]}"
    done
    sleep 1
    began=$(milliseconds)
    for index in "${!held[@]}"; do
        IFS='|' read -r name signal wanted <<<"${held[index]}"
        kill -"$signal" "${pids[index]}"
    done
    for index in "${!held[@]}"; do
        IFS='|' read -r name signal wanted <<<"${held[index]}"
        wait "${pids[index]}"
        status=$? took=$(($(milliseconds) - began))
        [ $took -lt 2500 ] && case " $wanted " in *" $status "*) true ;; *) false ;; esac
        report $? "$name, SIG$signal: status $status after $took ms"
    done
    held=() pids=()
}
stuck_readers() {
    settings
    mkfifo "$scratch/pipe"
    exec 7<>"$scratch/pipe"
    timeout 0.5 cat /dev/zero >&7 # until it is full
    chatty="run mutant/gap_written mutant/input_negated mutant/trap --tier deep --cases 4000 $host"
    exec 8>"$scratch/pipe" 9>"$scratch/err"
    stuck "text" INT "1 3 99" $chatty
    stuck "TAP" TERM "0 1 3 99" $deep --format tap
    stuck "a record" HUP "3 99" $deep --format json
    stuck "a record" TERM "3 99" $deep --format json
    stuck "a bench" INT "3 99" bench offset_copy --device host --samples 200
    exec 9>"$scratch/pipe"
    stuck "both streams" TERM "1 3 99" $chatty
    stuck "mutants, both streams" INT "3 99" mutants mutant/gap_written mutant/hang --device host --timeout 600
    freed
    exec 7>&- 8>&- 9>&-
}
aside stuck_readers

# A reader that is gone before the first word ends the program as it ends any filter, and only a run
# that it cuts short has something to say. /proc that cannot say who runs.
"$assay" run $host --cases 5 offset_copy -o "$scratch/kept.json" >/dev/null 2>&1
kept=$scratch/kept.json
for command in "$deep" "bench offset_copy --device host" info list help "help run" "help --man" --version version -V \
    "report $kept" "compare $kept $kept"; do
    exec 5> >(exec true)
    wait $!
    (trap - PIPE; "$assay" $command >&5 2>"$scratch/err")
    status=$?
    exec 5>&-
    case $command in run* | bench*) lines=1 ;; *) lines=0 ;; esac
    [ $status = 141 ] && [ "$(wc -l <"$scratch/err")" = $lines ]
    report $? "${command%% *}, and its reader is gone: status $status"
done
# Where /proc is not mounted no worker can be started.
blind() { unshare -rm sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@"; }
if blind "$assay" --version >/dev/null 2>"$scratch/err" && [ ! -s "$scratch/err" ]; then
    for command in "run --device host --cases 5" run info "bench --device host" "mutants mutant/s* --device host" "replay --device host"; do
        case $command in replay*) set -- 'matmul m=2 n=2 k=2 fill=uniform seed=1' ;; *) set -- ;; esac
        bad=0
        for time in 1 2 3 4 5; do
            blind "$assay" $command "$@" >"$scratch/out" 2>"$scratch/err"
            case $? in 0 | 77 | 99) ;; *) bad=1 ;; esac
            grep -qE 'no worker can be started: /proc/self/exe|the host cannot run workers: /proc/self/exe' "$scratch/out" "$scratch/err" || bad=1
        done
        report $bad "$command without /proc: says why, and no signal ends it"
        [ $bad = 0 ] || sed 's/^/# /' "$scratch/err"
    done
    # So does the line of the verdict: the last one, or the only one.
    for command in "run --device host --cases 5 --seed 1" run "run --programs 3 --device host" "mutants mutant/trap --device host" \
        "gate offset_copy --quick --device host -o $scratch/blind.json" "gate offset_copy --quick --device host" \
        "gate offset_copy --quick"; do
        blind "$assay" $command >"$scratch/out" 2>"$scratch/err"
        status=$?
        [ -s "$scratch/out" ] || cp "$scratch/err" "$scratch/out"
        sed -i '/^No baseline was recorded/d' "$scratch/out"
        [ $status = 99 ] && tail -n 1 "$scratch/out" | grep -qE '^(assay( gate)?: ERROR: |ERROR  ).*: /proc/self/exe: No such file'
        report $? "$command without /proc: the verdict has the reason: $(tail -n 1 "$scratch/out")"
    done
else
    skip "without /proc" "it may not be mounted away here, or a sanitizer needs it"
fi

# Limits.
for kib in 0 8 64; do
    case $kib in 0) kernel=offset_copy/vector ;; *) kernel=mutant/gap_written ;; esac # a line a failure
    rm -rf "$scratch/limited"
    mkdir "$scratch/limited"
    (ulimit -f $kib; "$assay" run $kernel $host --cases 3000 -o "$scratch/limited/r.json" 2>&1 >/dev/null
        echo $?) | cat >"$scratch/err"
    [ "$(tail -n 1 "$scratch/err")" = 99 ] && [ "$(wc -l <"$scratch/err")" = 2 ] && grep -q 'File too large' "$scratch/err"
    report $? "ulimit -f $kib: $(tr '\n' ' ' <"$scratch/err")"
done
rm "$scratch/corpus/kept.case"
"$assay" run aat $host --cases 20 -o "$scratch/r.json" >"$scratch/out" 2>&1
(ulimit -f 1; exec "$assay" report "$scratch/r.json" -o "$scratch/limited/p.html") >"$scratch/out" 2>"$scratch/err"
[ $? = 99 ] && grep -q 'p.html: cannot be written: File too large' "$scratch/err" && [ ! -e "$scratch/limited/p.html" ] &&
    [ "$(ls "$scratch/limited")" = r.json ]
report $? "a page that may not become so large is not there, and nothing beside it"
for kib in 64 256; do
    (ulimit -s $kib; exec "$assay" run '[!m]*' $host --cases 60) >"$scratch/out" 2>"$scratch/err"
    [ $? = 0 ] && [ ! -s "$scratch/err" ] && tail -n 1 "$scratch/out" | grep -q '^PASS '
    report $? "ulimit -s $kib: $(tail -n 1 "$scratch/out" | cut -c1-60)"
done

programs="run --device host --seed 1 --programs 4"
for each in "-Ss 64:0:PASS .*4 programs" "-s 64:77:SKIP" "-s 1024:0:PASS .*4 programs"; do
    IFS=: read -r limit wanted words <<<"$each"
    (ulimit $limit; exec "$assay" $programs) >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status = "$wanted" ] && tail -n 1 "$scratch/out" | grep -q "^$words" &&
        { [ "$wanted" = 0 ] || grep -q 'hard limit of the stack is 64 KiB' "$scratch/out"; }
    report $? "programs on the host, ulimit $limit: status $status, $(tail -n 1 "$scratch/out" | cut -c1-70)"
done

# What is ignored stays so.
for signal in INT TERM HUP; do
    env --default-signal --ignore-signal=$signal "$assay" run matmul/tiled $host --jobs 1 --cases 20000 --time 1 >"$scratch/$signal" 2>&1 &
    pids+=($!)
done
for signal in INT TERM HUP; do
    begun "$scratch/$signal" '^plan'
done
sleep 0.3
kill -INT "${pids[0]}"; kill -TERM "${pids[1]}"; kill -HUP "${pids[2]}"
for signal in INT TERM HUP; do
    wait "${pids[0]}"
    case $? in 0 | 3) tail -n 1 "$scratch/$signal" | grep -Eq '^(PASS|INCONCLUSIVE .*--time)' ;; *) false ;; esac
    report $? "SIG$signal that was ignored at the start ends nothing"
    pids=("${pids[@]:1}")
done

# Planted links, and modes.
echo "# precious" >"$scratch/victim" # as a case file has it
ln -s victim "$scratch/link"
for command in "run $host --cases 5" "bench offset_copy --device host --samples 2" "report $scratch/r.json"; do
    expect "${command%% *} -o through a symbolic link" 2 "it is a symbolic link" "$assay" $command -o "$scratch/link"
done
"$assay" run mutant/gap_written $host --cases 20 >"$scratch/out" 2>&1
kept=$(sed -n 's/^  kept *\([^ ]*\).*/\1/p' "$scratch/out" | head -n 1)
[ -f "$kept" ]
report $? "a failing case is kept: $kept"
tail -n 1 "$scratch/out" | grep -qE '^FAIL  [1-9][0-9]* of [0-9]+ checks of [0-9]+ cases failed, in '
report $? "the last line says how many checks failed: $(tail -n 1 "$scratch/out")"
rm "$kept"
"$assay" run mutant/gap_written $host --cases 20 --format tap >"$scratch/out" 2>&1
grep -q '^# FAIL$' "$scratch/out" && grep -q "^#   replay    assay replay .*' mutant/gap_written\$" "$scratch/out"
report $? "TAP has a failure as it is found, with the command that runs it again"
rm "$kept"
ln -s ../victim "$kept"
"$assay" run mutant/gap_written $host --cases 20 >"$scratch/out" 2>"$scratch/err"
[ -L "$kept" ] && grep -q 'a failing case is not kept: .*: it is a symbolic link' "$scratch/err" &&
    [ "$(cat "$scratch/victim")" = "# precious" ]
report $? "where a link was planted what it points to stays as it was"
rm -f "$kept"
mkdir "$scratch/elsewhere" "$scratch/here"
mkdir "$scratch/here/assay"
ln -s "$scratch/elsewhere" "$scratch/here/assay/corpus"
XDG_STATE_HOME="$scratch/here" "$assay" run mutant/gap_written --device host --cases 20 --seed 1 >"$scratch/out" 2>"$scratch/err"
[ $? = 1 ] && [ -z "$(ls "$scratch/elsewhere")" ] && grep -q "not kept: $scratch/here/assay/corpus.*symbolic link" "$scratch/err"
report $? "a folder of its own that is a link gets nothing"
umask 022
"$assay" report "$scratch/r.json" -o "$scratch/new.html" && [ "$(stat -c %a "$scratch/new.html")" = 644 ]
report $? "a new page has the mode that the umask leaves"
chmod 600 "$scratch/new.html"
"$assay" report "$scratch/r.json" -o "$scratch/new.html" && [ "$(stat -c %a "$scratch/new.html")" = 600 ]
report $? "a page of mode 0600 keeps it"

# What a terminal would obey. The C1 control CSI is the byte 9b, and c2 9b in UTF-8.
obeyed() { LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|(^|[^\xc2-\xf4\x80-\xbf])[\x80-\xbf]' "$1"; }
for bytes in '\033[2J' '\302\2332J' '\2332J' '\342\200\256' '\377'; do
    odd=$(printf "x${bytes}y")
    for command in "report" "bench --device host --floors" "run --corpus /proc/no/" \
        "run --device" "run" "replay" "list" "" "run --device host --cases 1 -o /no/"; do
        "$assay" $command "$odd" >"$scratch/out" 2>"$scratch/err"
        status=$?
        [ "$status $(wc -l <"$scratch/err")" = "2 1" ] && ! obeyed "$scratch/err" && ! obeyed "$scratch/out" &&
            { [ "$command" = replay ] || grep -qF '\x' "$scratch/err"; } || echo "$command: $status" >>"$scratch/bad"
    done
done
[ ! -s "$scratch/bad" ]
report $? "names that a terminal would obey are shown"
[ ! -s "$scratch/bad" ] || sed 's/^/# /' "$scratch/bad"
expect "a name of two lines" 2 "has a line break" "$assay" report "$(printf 'a\nPASS  1000 checks')"
expect "a name that is UTF-8" 2 "größe.json" "$assay" report größe.json
joined
finish
