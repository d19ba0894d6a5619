#!/bin/sh
# `assay gate` from end to end, on the host device: its parts, its file, its verdicts and refusals.
# Clauses: gate.verdict.whole, gate.baseline.made, gate.baseline.seed, gate.baseline.read,
# gate.baseline.parts, gate.parts.apart, gate.parts.time, gate.parts.gpu, gate.parts.quick,
# gate.baseline.edited, gate.file.held, gate.output.formats, gate.verdict.early, compare.bits.missing,
# verdicts.error.host, verdicts.reason.given, gate.file.verdict, gate.output.stack, gate.baseline.corpus.
#     gate.sh path/to/assay
assay=$(realpath "$1")
. "$(dirname "$0")/tap.sh"
cd "$scratch" || exit 99
mkdir kept

# gives NAME STATUS WORDS OPTION...: the status, and the words in the lines, whose breaks and blanks
# count as one blank.
gives() {
    name=$1 status=$2 words=$3
    shift 3
    "$assay" gate --device host --quick --corpus kept "$@" >out 2>err && got=0 || got=$?
    [ $got = "$status" ] && cat out err | tr -s ' \n' ' ' | grep -q -- "$words"
    report $? "$name"
    [ $got = "$status" ] || sed 's/^/# /' out err
}

# An absolute check, in a folder of its own, which stays empty.
mkdir empty
absolute() { (cd empty && "$assay" gate --device host --quick "$@" >../out 2>../err); }
absolute offset_copy
[ $? = 3 ] && [ -z "$(ls -A empty)" ] && grep -q '^bits *PASS' out && grep -q '^INCONCLUSIVE .*; no GPU was checked$' out &&
    tail -n 1 out | grep -qx 'No baseline was recorded: with -o FILE a gate records one.'
report $? "neither baseline nor file: the gate is an absolute check, and writes none"
absolute offset_copy --format json
[ $? = 3 ] && [ -z "$(ls -A empty)" ] && grep -q '^{"report":"assay",.*"verdict":"INCONCLUSIVE".*"parts":\[{"part":"bits","verdict":"PASS"' out
report $? "its JSON, too"
absolute mutant/offset_ignored --corpus "$scratch/kept"
[ $? = 1 ] && [ -z "$(ls -A empty)" ] && tail -n 2 out | grep -q '^FAIL  bits: '
report $? "and a failure fails it"
read_only='mount -o remount,bind,ro / && cd / && ! touch /written 2>/dev/null'
if unshare -rm sh -c "$read_only" 2>/dev/null; then
    unshare -rm sh -c "$read_only && exec \"\$@\"" sh "$assay" gate --device host --quick offset_copy >out 2>err
    [ $? = 3 ] && grep -q '^bits *PASS' out
    report $? "a root that is read-only is no matter"
else
    skip "a root that is read-only is no matter" "no namespace of its own"
fi
gives "a baseline is made" 3 "^gate assay [0-9.]*, commit [^ ]*, begun 2[^ ]*Z, seed 7 toolkit .* devices host, .* host host (.* bits PASS .*speed SKIP no GPU .*compare with it: assay gate --baseline 'later.json' --device 'host' --seed 7 --quick --corpus 'kept' 'aat'" \
    aat -o later.json --seed 7
if "$assay" info | grep -q '^toolkit *CUDA'; then
    grep -q '^code *PASS  [1-9][0-9]* functions' out
    report $? "the program's own machine code is looked at, without a GPU"
else
    skip "the program's own machine code is looked at, without a GPU" "this build has none"
fi
"$assay" report later.json >out2
[ $? = 3 ] && grep -q 'seed 0x0*7$' out2 && tail -n 1 out2 | grep -q '^INCONCLUSIVE  [a-z]*: .*; no GPU was checked$'
report $? "the file is one of records, and its verdict is the gate's"
tail -n 1 out | grep -q '^Recorded a baseline' && grep -q '^INCONCLUSIVE .*; no GPU was checked$' out
report $? "the verdict says that no GPU was checked"
sed '1,/; no GPU was checked$/d' out | tr -s ' \n' ' ' | grep -q '^Not PASS: .*speed SKIP, no GPU Recorded a baseline; compare'
report $? "the follow-up says first what is missing"
sed '/^$/,$d' out | awk 'length > 80 { print "#", $0; long = 1 } END { exit long }' && grep -q '^bits ' out
report $? "no line before the verdict is longer than 80 columns"
tr -s ' \n' ' ' <out | grep -q ' bits .* in [0-9.]* s (seconds of all threads: .*driver and device [0-9.]* s' &&
    grep -q '"summary".*"phases":\[{"name":"opening devices","seconds":[0-9.e-]*},' later.json
report $? "what the time of a part went into"
# A part that is not PASS says why, in its own line, in the verdict and in a report of the file.
if "$assay" info | grep -q '^toolkit *CUDA'; then
    none=$("$assay" info | sed -n 's/^toolkit .* sm: \([0-9 ]*\);.*/\1/p' |
        sed 's/\([0-9][0-9]*\) */{"architecture": \1, "functions": []},/g; s/,$//')
    cat >few.json <<EOF
{"gpu_file": "assay", "version": 1, "gpu": "any", "compute_capability": 90,
 "source": {"uuids": [], "driver": "1", "toolkit": "1", "date": "2026-01-01"},
 "budgets": {"budgets": "assay", "version": 1, "toolkit": "1", "date": "2026-01-01", "architectures": [$none]}}
EOF
    gives "code without budgets says so" 3 'code INCONCLUSIVE .*: [0-9]* inconclusive.*: .*no budget.* INCONCLUSIVE code: [0-9]* inconclusive.*: .*no budget' \
        offset_copy --gpu few.json -o few.out
    "$assay" report few.out | grep -q '^INCONCLUSIVE *few.out, code, .*: [0-9]* inconclusive.*: .*no budget'
    report $? "and so does a report of each part"
else
    skip "code without budgets says so" "this build has no machine code"
    gives "a part without a record says why" 3 'code SKIP nothing was checked: this build has no machine code.*INCONCLUSIVE code: nothing was checked: this build has no machine code' \
        offset_copy
fi
# What follows runs the two kernels that take the least time.
cat >empty_gpu.json <<'EOF'
{"gpu_file": "assay", "version": 1, "gpu": "any", "compute_capability": 90,
 "source": {"uuids": [], "driver": "1", "toolkit": "1", "date": "2026-01-01"}}
EOF
cp empty_gpu.json "g p u.json"
mkdir bin && ln -s "$assay" bin/assay
# follow NAME OPTION...: a gate with these, and then what it prints, verbatim; the same runs.
follow() {
    name=$1
    shift
    "$assay" gate -o "it's a.json" "$@" >out 2>&1
    printed=$(sed -n 's/.* compare with it: \(assay gate .*\)/\1/p' out)
    (PATH="$PWD/bin:$PATH" && eval "$printed" >out2 2>err)
    got=$?
    [ $got = 3 ] && tr -s ' \n' ' ' <out2 | grep -q "SAME this gate against it's a.json" &&
        ! tr -s ' \n' ' ' <out2 | grep -q 'NOT COMPARABLE\|REGRESSED' &&
        [ "$(grep '^bits' out | sed 's/,* in .*//')" = "$(grep '^bits' out2 | sed 's/,* in .*//')" ]
    report $? "$name: $printed"
}
follow "the command that is printed reads it" --device host --quick --corpus kept offset_copy
follow "and has all that decides what runs" --device host --quick --corpus kept --seed 7 --jobs 1 --timeout 20.5 --path host \
    --gpu "g p u.json" --programs 0 'offset_*' aat/naive
"$assay" gate --device host --quick --corpus kept offset_copy -o base.json --seed 7 >out 2>&1
shows_progress() { # on a terminal
    NO_COLOR=1 on_terminal "$assay" gate --device host --quick --corpus kept offset_copy -o terminal.json >out 2>err </dev/null
    if [ $? = 77 ]; then
        skip "a terminal shows the part that is under way" "$(tail -n 1 err)"
        return
    fi
    grep -q '^bits *\.\.\.' out && grep -q '^INCONCLUSIVE ' out
    report $? "a terminal shows the part that is under way"
}
shows_progress
mkdir no_terminal
echo 'def openpty(): raise OSError("out of pty devices")' >no_terminal/pty.py
(export PYTHONPATH=no_terminal && shows_progress) >skipped
grep -q '^ok .* # SKIP no pseudo terminal: out of pty devices$' skipped
report $? "without /dev/pts that is skipped, with the reason"
gives "the same again" 3 "SAME next.json against base.json[:,] .*INCONCLUSIVE [a-z]*: .*; in [0-9.]* s" \
    offset_copy --baseline base.json -o next.json
"$assay" report next.json | grep -q 'seed 0x0*7$'
report $? "with the cases of the baseline"
digest='"path":"host",[^}]*"xxh3_128":"'
sed "s/$digest./&@/; s/0@/1/; s/.@/0/" base.json >altered.json
ended altered.json
gives "other bits" 1 "REGRESSED this gate against altered.json.*FAIL compared with the baseline: REGRESSED" \
    offset_copy --baseline altered.json
gives "other bits, kept" 1 "REGRESSED regressed.json against" offset_copy --baseline altered.json -o regressed.json
# reports NAME STATUS WORDS FILE: the status and the last line of a report of a gate's file.
reports() {
    "$assay" report "$4" >out2 2>&1
    got=$?
    [ $got = "$2" ] && tail -n 1 out2 | grep -q -- "$3"
    report $? "$1: status $got"
}
reports "a report of it is REGRESSED, too" 1 '^FAIL  compared with the baseline: REGRESSED' regressed.json
sed '/^{"gate"/d' base.json >verdictless.json
ended verdictless.json
reports "of a gate that was killed after its parts" 3 '^INCONCLUSIVE  the gate was cut short: no whole record of .*speed' verdictless.json
gives "as a baseline it is not the SAME" 3 "NOT COMPARABLE .* BASE was cut short: its gate ended early" offset_copy --baseline verdictless.json
"$assay" compare verdictless.json base.json --format json >out2
grep -q '"kind":"base_cut",[^}]*"base":"its gate ended early or with ERROR","new":""' out2
report $? "and the reason is BASE's"
head -c -20 base.json >verdictless.json
reports "of a gate that was killed in its last line" 3 "the gate's verdict is there, its end is not" verdictless.json
head -c -120 base.json >verdictless.json
reports "of a gate that was killed in its verdict" 3 '^INCONCLUSIVE  the gate was cut short: no whole record of .*speed' verdictless.json
sed 's/^{"gate":{"verdict":"INCONCLUSIVE"/{"gate":{"verdict":"EMPTY"/' base.json >forged.json
ended forged.json
reports "of a verdict that no gate gives" 99 '^ERROR ' forged.json
sed 's/^{"gate":{"verdict":"INCONCLUSIVE"/{"gate":{"verdict":"PASS"/; s/"part":"speed","verdict":"SKIP"/"part":"speed","verdict":"PASS"/' base.json >forged.json
ended forged.json
reports "of a verdict on a part without a record" 3 "no record of the gate's part speed" forged.json
gives "without a seed" 3 "INCONCLUSIVE" offset_copy -o one.json
gives "a minute later" 3 "INCONCLUSIVE" offset_copy -o other.json
"$assay" compare one.json other.json >out2 2>&1 && grep -q '^SAME .* digests' out2 &&
    [ "$(grep -c '"seed":"0x0*1"' one.json)" = "$(grep -c '^{"record"' one.json)" ]
report $? "two gates have the same cases, whenever they ran"
gives "less than before" 1 "kernel missing: offset_copy/vector.*FAIL compared with the baseline: REGRESSED" offset_copy/scalar --baseline base.json
gives "a kernel that is wrong" 1 "replay assay replay .*FAIL bits: " mutant/offset_ignored -o wrong.json
ls kept/mutant-offset_ignored-*.case >/dev/null
report $? "its case is kept for a run"
echo "no case" >kept/bad.case
gives "as wrong as before, whatever the folder holds by now" 1 "SAME this gate against wrong.json.*FAIL bits: " \
    mutant/offset_ignored --baseline wrong.json
sed '2s/.*/{"cases":7/' base.json >broken.json
gives "a damaged baseline" 2 "broken.json: line 2: damaged: changed since it was written" offset_copy --baseline broken.json
[ ! -s out ]
report $? "before anything is measured"
gives "the baseline as output" 2 "the command reads that file" offset_copy --baseline base.json -o base.json
gives "a device as output" 2 "/dev/null: not a regular file" offset_copy --baseline base.json -o /dev/null
mkfifo pipe
gives "a pipe as output" 2 "pipe: not a regular file" offset_copy -o pipe
ln -s base.json link.json
ln base.json hard.json
for name in link.json hard.json; do
    gives "the baseline as output: $name" 2 "the command reads that file" offset_copy --baseline $name -o base.json
done
gives "a link as output" 2 "link.json: .*symbolic link" offset_copy -o link.json
# Baselines that somebody edited, or that a gate left that was killed.
sed '/^{"bits".*offset_copy\/scalar/d' base.json >fewer.json
ended fewer.json
gives "a baseline with a row less" 3 "NOT COMPARABLE .*new kernel" offset_copy --baseline fewer.json
sed "s/\($digest\)[0-9a-f]*/\1/" base.json >bare.json
ended bare.json
gives "without a digest" 3 "NOT COMPARABLE .*BASE lacks a figure that NEW has" offset_copy --baseline bare.json
passed=$(sed -n 's/^{"bits".*"passed":\([0-9]*\),"empty":10.*/\1/p' base.json | head -n 1)
sed "s/\"passed\":$passed,\"empty\":10/\"passed\":$((passed - 1)),\"empty\":11/" base.json >shifted.json
ended shifted.json
gives "with a check less" 3 "NOT COMPARABLE .*bits of the same cases not compared" offset_copy --baseline shifted.json
head -n 4 base.json >cut.json
gives "of a gate that was killed" 3 "NOT COMPARABLE .*BASE was cut short" offset_copy --baseline cut.json
gives "of other cases" 3 "NOT COMPARABLE .*outputs not compared: the cases differ: seed" offset_copy --baseline base.json --seed 8
# Other forms.
gives "JSON" 3 '^{"report":"assay","version":1,"verdict":"INCONCLUSIVE","exit_status":3,.*"parts":\[{"part":"bits","verdict":"PASS".*"comparisons":\[{"comparison":"assay","version":2,"verdict":"SAME"' \
    offset_copy --baseline base.json --format json
[ "$(wc -l <out)" = 1 ] && grep -q '^bits *PASS' err
report $? "is one line, and the parts go to standard error"
gives "JSON of what differs" 1 '"verdict":"FAIL".*"failures":\[\].*"verdict":"REGRESSED".*"kind":"digest_differs"' \
    offset_copy --baseline altered.json --format json
gives "JSON of a failure" 1 '"verdict":"FAIL".*"failures":\[{"finding":"FAIL"' mutant/offset_ignored -o wrong.json --format json
gives "Markdown" 1 '^\*\*FAIL\*\*: .*| bits | PASS | .*\*\*REGRESSED\*\*: this gate against altered' \
    offset_copy --baseline altered.json --format markdown
if [ "$(grep -c '^{"record"' base.json)" = 2 ]; then # with machine code
    cp base.json parts.json
    ended parts.json # the lines of each part together
    { sed '/^{"summary"/q' parts.json; tail -n 2 parts.json; } >bits.json
    ended bits.json
    gives "a baseline without a part" 3 "SAME .*NOT COMPARABLE .*machine code: BASE has no record of this measure" \
        offset_copy --baseline bits.json
else
    skip "a baseline without a part" "this build has no machine code, the part to leave out"
fi

# Without the GPUs that are expected a gate says what a run says, and ends with its status.
expects() { # expects STATUS OPTION...
    status=$1
    shift
    rm -f expected.json
    "$assay" run offset_copy --corpus corpus "$@" >out 2>err && ran=0 || ran=$?
    "$assay" gate --quick --corpus corpus offset_copy -o expected.json "$@" >out2 2>err2 && got=0 || got=$?
    [ $ran = "$status" ] && [ $got = "$status" ] && [ ! -s out2 ] && [ ! -s expected.json ] &&
        [ "$(sed 's/^assay: run: /assay: gate: /' err)" = "$(cat err2)" ]
    report $? "a gate with $*: status $got, and a run's is $ran: $(cat err2)"
}
mkdir -p corpus
expects 2 --device host --expect-gpus 8
if "$assay" info | grep -q '^GPUs *none: '; then
    expects 1 --expect-gpus 8
    expects 1 --device all --expect-gpus 8
    expects 2 --device cuda:0
    "$assay" gate --quick --corpus corpus offset_copy --baseline base.json --expect-gpus 8 >out 2>err
    [ $? = 1 ] && grep -q 'nothing runs; device: host' err && tail -n 1 out | grep -q '^FAIL  REGRESSED: nothing'
    report $? "and against a baseline it is a FAIL"
else
    skip "a gate without the GPUs that are expected" "this machine has a GPU"
fi

# On a host that lacks something nothing is said of the stack.
for files in 6 9 12 14 15; do
    (ulimit -n $files && exec "$assay" gate --quick --corpus kept offset_copy --baseline base.json) >out 2>err
    got=$?
    [ $got = 99 ] && ! grep -qE 'REGRESSED|FAIL|SAME' out
    report $? "$files descriptors: status $got"
done

# Where nothing can run: with a GPU none of it is shown, without one there is none.
CUDA_VISIBLE_DEVICES='' "$assay" gate --quick --corpus kept --path ptx-lowest offset_copy --baseline base.json >out 2>err
got=$?
[ $got = 1 ] || [ $got = 3 ] && ! grep -qE '^(PASS|SAME)' out && tail -n 1 out | grep -qE '^(FAIL|INCONCLUSIVE) '
report $? "a baseline, and nothing to look at: status $got"

# begin NAME OPTION...: a long gate, once its first part is under way; its session is $gate, its part
# $part.
begin() {
    rm -f "$1"
    setsid "$assay" gate --device host --corpus kept --seed 1 -o "$@" >out 2>err &
    gate=$! file=$1
    until_holds has_part
}
has_part() { # once its file has begun
    part=$(processes | awk -v parent="$gate" '$2 == parent { print $1 }')
    [ -s "$file" ] && [ -n "$part" ]
}
left() { # left: how many of its processes stay
    until_holds has_no_process "$gate"
    of_session "$gate" | wc -l
}
# halt OPTION...: a quick gate, stopped in or right after its first part; false where it was faster.
halt() {
    part=
    "$assay" gate --device host --quick --corpus kept "$@" >out 2>err &
    gate=$!
    until_holds has_part_or_ended
    [ -n "$part" ] && kill -STOP "$gate" 2>/dev/null && until_holds part_has_ended
}
has_part_or_ended() {
    processes >running
    part=$(awk -v parent="$gate" '$2 == parent { print $1 }' running) # with machine code there may be two
    [ -n "$part" ] || ! grep -q "^$gate " running
}
part_has_ended() {
    for one in $part; do
        ! readlink "/proc/$one/exe" >/dev/null || return 1
    done
}
# stopped NAME STATUS WORDS COMMAND OPTION...: the command runs while a gate waits.
stopped() {
    name=$1 status=$2 words=$3 command=$4 turns=0
    shift 4
    until halt "$@" || [ $turns = 5 ]; do
        wait "$gate"
        turns=$((turns + 1))
    done
    eval "$command"
    kill -CONT "$gate"
    wait "$gate"
    got=$?
    [ $got = "$status" ] && cat out err | tr -s ' \n' ' ' | grep -q -- "$words"
    report $? "$name: status $got"
    [ $got = "$status" ] || sed 's/^/# /' out err
}
# All kernels of aat take long enough to be stopped in the first part.
sed "s/$digest./&@/; s/0@/1/; s/.@/0/" later.json >altered.json
ended altered.json
stopped "the baseline as it was when the gate began counts" 3 "SAME this gate against later.json" \
    'cp altered.json later.json' aat --baseline later.json
stopped "what is no record is written between two parts" 99 "touched.json: \|another program has" \
    'echo x >>touched.json' aat -o touched.json --seed 7
stopped "a record is written between two parts" 99 \
    "ERROR the record cannot be written: another program has written to it" \
    'cat base.json >>touched.json' aat -o touched.json --seed 7
[ "$(tail -n 1 touched.json)" = "$(tail -n 1 base.json)" ] && ! grep -q 'Recorded a baseline' out
report $? "the gate leaves that file as it is"

begin two.json
"$assay" gate --device host --quick --corpus kept offset_copy -o two.json >out2 2>err2
[ $? = 2 ] && grep -q 'two.json: another program is writing it' err2 && [ ! -s out2 ]
report $? "a second gate is refused while a first writes the file"
kill -TERM "$gate"
wait "$gate"
begin ended.json
has_code() { grep -q '"part":"code"' ended.json; }
[ "$(grep -c '^{"record"' base.json)" = 1 ] || until_holds has_code
kill -TERM "$gate"
wait "$gate"
status=$?
[ $status = 3 ] && [ "$(left)" = 0 ] && "$assay" report ended.json | grep -q '^INCONCLUSIVE  bits: interrupted'
report $? "one that is ended leaves a whole record and no process: status $status"
tail -n 1 out | grep -q '^INCONCLUSIVE  bits: interrupted' && ! grep -q 'Recorded a baseline' out
report $? "and its last line says so"
grep -q '^code ' out || [ "$(grep -c '^{"record"' base.json)" = 1 ]
report $? "a part that had ended is shown"
"$assay" compare later.json ended.json >out2
[ $? = 3 ] && ! grep -q REGRESSED out2 && grep -q 'NEW was cut short: its gate ended early' out2
report $? "and a comparison loses none of the parts that did not run"
reports "its file's verdict names what is missing" 3 '^INCONCLUSIVE .*bits: interrupted.*not checked: .*programs, speed' ended.json
begin killed.json
kill -KILL $part
wait "$gate"
status=$?
[ $status = 99 ] && [ "$(left)" = 0 ] && grep -q 'the part bits was killed' err && ! grep -q PASS out
report $? "a part that is killed ends it: status $status"
tail -n 1 out | grep -q '^ERROR  bits: it ended before its record was whole'
report $? "and its last line says so"
begin killed.json --format json
kill -KILL $part
wait "$gate"
status=$?
[ $status = 99 ] && grep -q '^{"report":"assay",.*"verdict":"ERROR","exit_status":99,"why":"bits: ' out
report $? "and so does its JSON: status $status"
begin orphan.json
kill -KILL "$gate"
wait "$gate" 2>/dev/null
[ "$(left)" = 0 ]
report $? "with a gate that is killed its part ends, too"
reports "and its file is of a gate that was cut short" 3 '^INCONCLUSIVE  the gate was cut short: no whole record of .*speed' orphan.json
finish
