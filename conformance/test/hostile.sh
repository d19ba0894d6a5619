#!/bin/sh
# Hostile input to every command: one clear line, the right status, never a crash and never 0.
# Clauses: runner.input.one_line, runner.exit.status, cases.text.strict, record.disk.full,
# runner.corpus.folder, runner.list.patterns, runner.output.watched, verdicts.skip.reason,
# runner.help.everywhere, runner.input.regular, runner.options.short, verdicts.declined.replay,
# runner.device.path, runner.corpus.unkept, runner.corpus.own, report.text.counts, runner.exit.zero,
# runner.tap.verdict, runner.time.cut, verdicts.mutants.status, occupancy.info.table, runner.input.hint,
# runner.input.sort,
# report.output.page.
#     hostile.sh path/to/assay
assay=$1
. "$(dirname "$0")/tap.sh"
# Under AddressSanitizer a refused allocation must come back as one, as it does without.
export ASAN_OPTIONS="allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
good='matmul m=2 n=2 k=2 fill=uniform seed=1'

expect "no command" 2 "missing command" "$assay"
expect "an unknown command" 2 "unknown command 'rum'; did you mean run? \`assay help\` lists them" "$assay" rum
expect "a command whose letters are swapped" 2 "did you mean gate?" "$assay" gaet
expect "a longer word for a command" 2 "did you mean bench?" "$assay" benchmark
expect "a word near no command" 2 "unknown command 'xyzzy'; \`assay help\` lists them" "$assay" xyzzy
expect "a typing error in help's word" 2 "did you mean codegen?" "$assay" help codgen
expect "a typing error in an option" 2 "unknown option '--basline'; did you mean --baseline? \`assay help gate\` lists them" \
    "$assay" gate --basline before.json
[ "$(wc -c <"$scratch/err")" -lt 160 ]
report $? "is answered in less than 160 characters"
expect "an option that begins several" 2 "ambiguous option '--ex': --expect-gpus, --exit-zero or --exit" "$assay" run --ex
expect "a typing error in a kernel" 2 "no kernel matches 'matmul/tield'; did you mean matmul/tiled? \`assay list\` lists them" \
    "$assay" run --device host matmul/tield
expect "a typing error in an algorithm" 2 "did you mean strided_copy?" "$assay" list stride_copy
expect "a typing error in a mutant" 2 "did you mean mutant/tail_dropped?" "$assay" mutants mutant/tail_droped
expect "a page of a kind that assay does not write" 2 "-o: a page's name ends in .html or .htm; for another format" \
    "$assay" report "$0" -o x.pdf
expect "an unknown option" 2 "unknown option '--frobnicate'" "$assay" run --frobnicate
expect "a removed option" 2 "--mix was removed: \`cuobjdump -sass\`" "$assay" codegen --mix
expect "and its beginning" 2 "--nvdisasm was removed: " "$assay" codegen --nvd=folder
expect "a removed option with a value" 2 "--resume was removed: a run that died keeps its findings in its record" \
    "$assay" run --resume "$scratch/r.json"
expect "but no letter" 2 "unknown option '-m'" "$assay" codegen -m
expect "which other commands never had" 2 "unknown option '--mix'" "$assay" gate --mix
expect "an unknown short option" 2 "unknown option" "$assay" run -Z
for letter in d p t n T x s f Z R c j k; do
    expect "the letter of a long option: $letter" 2 "unknown option '-$letter'" "$assay" run -$letter
done
expect "a letter before others" 2 "unknown option '-d'" "$assay" run --strict -dhost
expect "a letter of two bytes" 2 "unknown option '-ö'" "$assay" run -ö
expect "-v where there are no known miscompiles" 2 "-v is an option of run, replay, gate and report" "$assay" bench -v
expect "and where no programs run" 2 "--verbose applies only to generated programs" \
    "$assay" run offset_copy --device host --cases 1 -v
expect "-o where no file is written" 2 "-o is an option of run, replay, bench, codegen, gate, floors, report, compare, fleet and merge" "$assay" mutants -o "$scratch/r.json"
expect "-o and its value in one word" 0 "" "$assay" run offset_copy --device host --cases 1 --seed 1 "-o$scratch/one.json"
[ -s "$scratch/one.json" ]
report $? "is the file"
expect "an option's value missing" 2 "missing value after '--cases'" "$assay" run --cases
expect "an invalid device" 2 "--device takes" "$assay" run --device gpu
expect "a device with junk" 2 "--device takes" "$assay" run --device cuda:1x
expect "an invalid path" 2 "--path takes" "$assay" run --path fast
for path in ptx-O5 ptx-O sass-O0 all,fast ptx, ,ptx all,,ptx ptx-O0-O1; do
    expect "an invalid level or a list: --path $path" 2 "--path takes" "$assay" run --path $path
done
for command in run "replay '$good' matmul/naive" mutants bench; do
    for path in sass ptx ptx-O0 all,ptx-lowest-O3; do
        case $command:$path in mutants:*,*) continue ;; esac # mutants run through one path
        expect "a GPU's path on the host device: ${command%% *} --path $path" 2 \
            "assay ${command%% *}: --path $path needs a GPU and conflicts with --device host" \
            sh -c "exec \"$assay\" $command --path $path --device host"
        [ ! -s "$scratch/out" ]
        report $? "and nothing is run"
    done
done
for command in "run offset_copy --cases 5 --seed 1" "replay '$good' matmul/naive" "mutants mutant/tail_dropped"; do
    expect "the host device's path by its name: ${command%% *}" 0 "" sh -c "exec \"$assay\" $command --device host --path host"
    expect "which is no path of a GPU: ${command%% *}" 2 "--path host: host is the code of the host device: name it alone, with --device host" \
        sh -c "exec \"$assay\" $command --path host"
done
expect "nor one of several" 2 "--path host,ptx: host is the code of the host device: name it alone, with --device host" \
    "$assay" run --path host,ptx --device host
expect "all paths on the host device" 0 "" "$assay" run offset_copy --path all --device host --cases 5 --seed 1
if "$assay" info | grep -q '^GPUs *none'; then
    for command in run "replay '$good' matmul/naive" mutants bench; do
        expect "a GPU's path without a GPU: ${command%% *}" 77 "nothing runs; device: host, the CPU, since" \
            sh -c "exec \"$assay\" $command --path ptx"
        expect "in TAP" 77 "" sh -c "exec \"$assay\" $command --path ptx --format tap"
        grep -q '^1\.\.0 # SKIP --path ptx needs a GPU' "$scratch/out" && [ "$(wc -l <"$scratch/out")" = 1 ]
        report $? "one line with the reason"
        expect "with --exit-zero" 0 "" sh -c "exec \"$assay\" $command --path ptx --format tap --exit-zero"
    done
else
    skip "a GPU's path without a GPU" "this machine has a GPU"
fi
expect "an invalid tier" 2 "--tier takes" "$assay" run --tier giant
expect "no cases" 2 "--cases takes" "$assay" run --cases 0
expect "negative cases" 2 "--cases takes" "$assay" run --cases -5
expect "cases beyond 64 bits" 2 "--cases takes" "$assay" run --cases 99999999999999999999
expect "a time of NaN" 2 "--time takes" "$assay" run --time nan
expect "a time below 0" 2 "--time takes" "$assay" run --time -1
expect "a timeout of 0" 2 "--timeout takes" "$assay" run --timeout 0
expect "an invalid format" 2 "--format takes" "$assay" run --format xml

# The status is the verdict in every format, unless --exit-zero says that its reader needs none.
tap_ends() { # tap_ends NAME STATUS LAST COMMAND...: the status, and how the last verdict begins
    name=$1 status=$2 last=$3
    shift 3
    "$@" --format tap >"$scratch/out" 2>"$scratch/err" </dev/null && got=0 || got=$?
    [ "$got" = "$status" ] && tail -n 2 "$scratch/out" | head -n 1 | grep -q "^$last"
    report $? "$name: status $got, $(tail -n 2 "$scratch/out" | head -n 1)"
    "$@" --format tap --exit-zero >"$scratch/out" 2>"$scratch/err" </dev/null && got=0 || got=$?
    [ "$got" = 0 ] && tail -n 2 "$scratch/out" | head -n 1 | grep -q "^$last"
    report $? "$name, with --exit-zero: status $got"
}
tail='matmul m=33 n=7 k=17 lda=20 fill=uniform seed=7'
shape='matmul m=2 n=2 k=2 fill=uniform seed=1'
tap_ends "a pass in TAP" 0 "ok .* the run as a whole$" "$assay" replay --device host "$tail" matmul/naive
tap_ends "a failure in TAP" 1 "not ok .* the run as a whole: FAIL" \
    "$assay" replay --device host "$tail" mutant/tail_dropped
tap_ends "what nothing ran of in TAP" 77 "ok .* the run as a whole # SKIP" \
    "$assay" replay --device host "$shape" matmul/shared_a
tap_ends "what was cut short in TAP" 3 "not ok .* the run as a whole: INCONCLUSIVE, --time ended it after" \
    "$assay" run offset_copy --device host --seed 1 --tier deep --time 0.05
tap_ends "mutants in TAP" 0 "ok .* died as expected" "$assay" mutants --device host --seed 1 mutant/tail_dropped
tap_ends "a bench in TAP" 77 "ok .* the bench as a whole # SKIP" \
    "$assay" bench --device host --samples 2 offset_copy/vector
expect "--exit-zero without TAP" 2 "--exit-zero needs --format tap, not 'text'" "$assay" run --exit-zero
expect "--exit-zero hides no mistake" 2 "no kernel matches" "$assay" run none --format tap --exit-zero
"$assay" run offset_copy --device host --seed 1 --tier deep --time 0.05 >"$scratch/out" 2>&1
[ $? = 3 ] && tail -n 1 "$scratch/out" | grep -q '^INCONCLUSIVE .*--time ended it after [0-9,]* of its plan of [0-9,]* cases'
report $? "a run that --time cuts short is not PASS"
(ulimit -n 5; exec "$assay" mutants --device host --seed 1 mutant/tail_dropped mutant/trap) >"$scratch/out" 2>"$scratch/err"
[ $? = 99 ] && grep -q '^assay mutants: ERROR: too few file descriptors (ulimit -n): ' "$scratch/err"
report $? "mutants that no worker can be started for are an error of the harness"

expect "a pattern that matches nothing" 2 "no kernel matches 'matmul/fast'" "$assay" run matmul/fast
expect "a GPU that is not there" 2 "--device cuda:1000" "$assay" run --device cuda:1000
expect "a pattern that lists nothing" 2 "no kernel matches 'all'" "$assay" list all
expect "two repeats" 2 "--repeats takes a number from 3 to 32, not '2'" "$assay" bench --repeats 2
expect "33 repeats" 2 "--repeats takes" "$assay" bench --repeats 33
expect "repeats with junk" 2 "--repeats takes" "$assay" bench --repeats 3x
expect "repeats of another command" 2 "--repeats is an option of bench" "$assay" run --repeats 3
expect "cases of mutants, which have their own" 2 "--cases is an option of run" "$assay" mutants --cases 5
expect "a sweep with a value" 2 "--sweep takes no value" "$assay" bench --sweep=all
expect "floors of nothing" 2 "missing argument; usage:" "$assay" floors
expect "words after info" 2 "unexpected argument" "$assay" info me
expect "help of no command" 2 "unknown command 'me'" "$assay" help me
expect "words after help" 2 "unexpected argument" "$assay" help run me
expect "--help after other words" 0 "" "$assay" run matmul --help
expect "words after a command's --help" 2 "unknown option '--help'" "$assay" run --help me
for command in run replay mutants bench floors report list info help; do
    shown=$("$assay" $command --help 2>&1) && [ "$shown" = "$("$assay" help $command)" ]
    report $? "assay $command --help is the command's help"
done
expect "a report of nothing" 2 "missing argument; usage:" "$assay" report
expect "records that are not there" 2 "cannot be read" "$assay" report a b
expect "a case without quotes" 2 "put the case in quotes" "$assay" replay matmul m=1 n=1 k=1 fill=uniform seed=1
expect "a kernel of another algorithm" 2 "'aat/naive' is not a kernel of matmul" "$assay" replay "$good" aat/naive
expect "mutants by a kernel's name" 2 "no mutant matches 'matmul'" "$assay" mutants --device host matmul
expect "bytes beyond all" 2 "takes a number from 1 to 2^40" "$assay" bench --bytes 1000000000000000
expect "a number that begins with 0 is decimal" 2 "--repeats takes a number from 3 to 32, not '040'" "$assay" bench --repeats 040
spec=$(dirname "$0")/../../spec
"$assay" run --device host --cases 1 offset_copy -o "$scratch/sort.json" >/dev/null 2>&1
expect "floors as a record" 2 "floors.json: this is floors, not a record" "$assay" report "$spec/floors.json"
expect "budgets as a record to compare" 2 "this is budgets, not a record" "$assay" compare "$scratch/sort.json" "$spec/codegen_budgets.json"
expect "floors as a baseline" 2 "this is floors, not a record" "$assay" gate --device host --baseline "$spec/floors.json"
expect "a record as floors" 2 "sort.json: this is a record, not floors" "$assay" bench --device host --floors "$scratch/sort.json"
expect "a record as budgets" 2 "this is a record, not budgets" "$assay" codegen --budgets "$scratch/sort.json"
expect "floors as a file of one GPU" 2 "this is floors, not a file of one GPU" "$assay" run --device host --gpu "$spec/floors.json"
expect "a record as a list of miscompiles" 2 "this is a record, not a list of known miscompiles" \
    "$assay" run --device host --programs 1 --known "$scratch/sort.json"
expect "a record as a corpus" 2 "sort.json: this is a record, not a folder" "$assay" run --device host --corpus "$scratch/sort.json"
expect "a file of cases as a corpus" 2 "this is cases of a corpus, not a folder" \
    "$assay" run --device host --corpus "$spec/../fuzz/corpus/edges.case"
expect "a file as corpus" 2 "--corpus $assay: Not a directory" "$assay" run --device host --corpus "$assay"
expect "replay of nothing" 2 "missing argument; usage:" "$assay" replay
expect "a case of no algorithm" 2 "column 1" "$assay" replay 'matmull m=1 n=1 k=1 fill=uniform seed=1'
expect "a case cut short" 2 "of the case" "$assay" replay 'matmul m=1'
expect "a case with an unknown key" 2 "column 8" "$assay" replay 'matmul q=1 m=1 n=1 k=1 fill=uniform seed=1'
expect "a case with a key twice" 2 "of the case" "$assay" replay 'matmul m=1 m=1 n=1 k=1 fill=uniform seed=1'
expect "a size beyond 64 bits" 2 "of the case" "$assay" replay 'matmul m=99999999999999999999 n=1 k=1 fill=uniform seed=1'
expect "sizes whose product overflows" 2 "of the case" "$assay" replay 'matmul m=4294967296 n=4294967296 k=1 fill=uniform seed=1'
expect "a negative size" 2 "of the case" "$assay" replay 'matmul m=-1 n=1 k=1 fill=uniform seed=1'
expect "a leading dimension below the width" 2 "of the case" "$assay" replay 'matmul m=1 n=1 k=4 lda=3 fill=uniform seed=1'
expect "an element of 3 bytes" 2 "of the case" "$assay" replay 'offset_copy n=4 element=3 fill=uniform seed=1'
expect "a stride of 0" 2 "of the case" "$assay" replay 'strided_copy n=4 stride=0 fill=uniform seed=1'
expect "a stride beyond all tiles" 2 "of the case" "$assay" replay 'shared_stride n=4 stride=1099511627777 fill=uniform seed=1'
expect "no copy" 2 "of the case" "$assay" replay 'shared_copy n=4 copy_count=0 fill=uniform seed=1'
expect "too many copies" 2 "of the case" "$assay" replay 'shared_copy n=4 copy_count=4097 fill=uniform seed=1'
expect "a copy of 12 bytes" 2 "of the case" "$assay" replay 'shared_copy n=4 element=12 fill=uniform seed=1'
expect "a window below nothing" 2 "of the case" "$assay" replay 'sliding_window n=4 hot=4 resident=-1 fill=uniform seed=1'
expect "hot data of no size" 2 "of the case" "$assay" replay 'sliding_window n=4 resident=1 fill=uniform seed=1'
expect "more to stay than 2^40" 2 "of the case" "$assay" replay 'sliding_window n=4 hot=4 resident=1099511627777 fill=uniform seed=1'
expect "33 lanes of a warp" 2 "of the case" "$assay" replay 'table_lookup n=4 entries=4 distinct=33 fill=uniform seed=1'
expect "no launch" 2 "of the case" "$assay" replay 'variable_scope n=4 launches=0 fill=uniform seed=1'
expect "too many launches" 2 "of the case" "$assay" replay 'variable_scope n=4 launches=65 fill=uniform seed=1'
expect "a load after all launches" 2 "of the case" "$assay" replay 'variable_scope n=4 launches=64 reload=65 fill=uniform seed=1'
expect "a load before all launches" 2 "of the case" "$assay" replay 'variable_scope n=4 reload=-1 fill=uniform seed=1'
expect "an array without elements" 2 "of the case" "$assay" replay 'thread_array n=4 length=0 fill=uniform seed=1'
expect "an array of 65" 2 "of the case" "$assay" replay 'thread_array n=4 length=65 fill=uniform seed=1'
expect "a length below 0" 2 "of the case" "$assay" replay 'thread_array n=4 length=-1 fill=uniform seed=1'
expect "an array that no kernel holds" 77 "" "$assay" replay --device host 'thread_array n=4 length=64 element=16 fill=uniform seed=1'
expect "a texel of no format" 2 "of the case" "$assay" replay 'texture_fetch n=4 width=4 height=4 texel=5 fill=uniform seed=1'
expect "three channels" 2 "of the case" "$assay" replay 'texture_fetch n=4 width=4 height=4 channels=3 fill=uniform seed=1'
expect "an invalid filter" 2 "of the case" "$assay" replay 'texture_fetch n=4 width=4 height=4 filter=2 fill=uniform seed=1'
expect "a fifth address mode" 2 "of the case" "$assay" replay 'texture_fetch n=4 width=4 height=4 address_y=4 fill=uniform seed=1'
expect "rows that overlap" 2 "of the case" "$assay" replay 'texture_fetch n=4 width=4 height=4 ld=3 fill=uniform seed=1'
expect "no round" 2 "of the case" "$assay" replay 'shared_stride n=4 rounds=0 fill=uniform seed=1'
expect "junk after a case" 2 "of the case" "$assay" replay "$good ;"
expect "an invalid fill" 2 "of the case" "$assay" replay 'matmul m=1 n=1 k=1 fill=ones seed=1'
expect "a huge case without the memory for it" 77 "" "$assay" replay --device host 'offset_copy n=1000000000000 fill=uniform seed=1'
replayed() {
    "$assay" replay --device host "$good" "$@" >"$scratch/out"
    echo "$? $(grep -c '^matmul/.* 0 *1  SKIP: the kernel takes no case' "$scratch/out") $(tail -n 1 "$scratch/out" | cut -d' ' -f1)"
}
[ "$(replayed)" = "0 4 PASS" ] && [ "$(replayed 'matmul/*')" = "3 4 INCONCLUSIVE" ]
report $? "kernels that decline are missed in a replay that names them, and in no other"
replayed matmul/naive >/dev/null
tail -n 1 "$scratch/out" | grep -q '^PASS  1 check of 1 case in'
report $? "one check of one case is reported as one"
expect "a case that a named kernel declines" 77 "" "$assay" replay --device host "$good" matmul/shared_a
expect "a record in no folder" 2 "cannot be written" "$assay" run offset_copy --device host --cases 5 -o /no/such/folder/r
expect "a record that is a folder" 2 "cannot be written" "$assay" run offset_copy --device host --cases 5 -o /
expect "a full disk" 99 "No space left on device" "$assay" run offset_copy --device host --cases 5 -o /dev/full
lasts() { "$assay" "$@" -o /dev/full --device host --seed 1 2>"$scratch/err" | grep . | tail -n 1; }
[ -z "$(lasts run offset_copy --cases 5 | grep -v '^ERROR .*: the output could not be written')" ] &&
    lasts bench offset_copy | grep -q ': ERROR, the output could not be written' &&
    lasts bench offset_copy --format tap | grep -q '^1\.\.' &&
    "$assay" bench offset_copy -o /dev/full --device host --format tap 2>"$scratch/err" |
    grep -q '^not ok .* as a whole: ERROR, the output could not be written'
report $? "a record that is lost is reported in the last line, of a bench and in TAP, too"
for command in "run offset_copy --device host --cases 5" list info help --version "bench --device host offset_copy" \
    "mutants mutant/trap --device host"; do
    expect "$command to a full standard output" 99 "cannot write standard output" \
        sh -c "exec \"$assay\" $command >/dev/full"
    expect "$command to a closed standard output" 99 "cannot write standard output" \
        sh -c "exec \"$assay\" $command >&-"
done
sh -c "\"$assay\" run offset_copy --device host --cases 5 --seed 1 -o \"$scratch/r.json\" >&- 2>/dev/null"
"$assay" report "$scratch/r.json" >"$scratch/out" 2>&1
[ $? = 99 ] && grep -q '^ERROR  the output could not be written' "$scratch/out"
report $? "a closed standard output does not become the record: it loads, and says what happened"
expect "a corpus folder that cannot be made" 2 "cannot be created" "$assay" run --device host --corpus /proc/no/folder
expect "a corpus folder that is a file" 2 "Not a directory" "$assay" run --device host --corpus /dev/null
expect "the word none as a corpus folder" 2 "leave the option out, or name the folder ./none" \
    "$assay" run --device host --corpus none
expect "a corpus folder that is not there yet" 0 "did not exist and was created" \
    "$assay" run offset_copy --device host --cases 5 --seed 1 --corpus "$scratch/new"
expect "a corpus folder that is there" 0 "" "$assay" run offset_copy --device host --cases 5 --seed 1 --corpus "$scratch/new"
[ -d "$scratch/new" ] && ! [ -s "$scratch/err" ]
report $? "and then nothing is said of it"
case $assay in /*) program=$assay ;; *) program=$PWD/$assay ;; esac
expect "a failing case that cannot be kept" 1 "not kept: /proc/mutant-gap_written-" \
    "$assay" run mutant/gap_written --device host --cases 20 --seed 1 --corpus /proc # even root writes nothing there
! grep -q '^  kept' "$scratch/out"
report $? "and no file is named"
failing="mutant/gap_written --device host --cases 20 --seed 1"
expect "a corpus folder of its own that cannot be made" 1 "not kept: /proc/no/assay/corpus: cannot be created: " \
    env XDG_STATE_HOME=/proc/no "$assay" run $failing
expect "nor is there one for a user without a home" 1 "not kept: neither \$XDG_STATE_HOME nor \$HOME names a folder" \
    env XDG_STATE_HOME=not/absolute HOME=/ "$assay" run $failing
mkdir -p "$scratch/tree/.git" "$scratch/tree/fuzz/corpus" "$scratch/home"
for folder in "$scratch/tree" /; do
    ls -A "$folder" "$scratch/tree/fuzz/corpus" >"$scratch/before"
    expect "in $folder nothing is written" 1 "" env -u XDG_STATE_HOME HOME="$scratch/home" \
        sh -c "cd '$folder' && exec '$program' run $failing"
    ls -A "$folder" "$scratch/tree/fuzz/corpus" | diff "$scratch/before" - >/dev/null &&
        kept=$(sed -n "s|^  kept      \($scratch/home/.local/state/assay/corpus/mutant-gap_written-[0-9a-f]*.case\)$|\1|p" "$scratch/out") &&
        [ -s "$kept" ]
    report $? "but in the user's own folder, and the run says where: $kept"
done
expect "JSON says so on standard error" 1 "assay: a failing case is kept: $XDG_STATE_HOME/assay/corpus/mutant-gap_written-" \
    "$assay" run $failing --format json
listed=$("$assay" list 'aat/*' 'mutant/trap' | sed -n 's/^  \([^ ]*\) .*/\1/p' | tr '\n' ' ')
ran=$("$assay" run 'aat/*' 'mutant/trap' --device host --cases 1 --seed 1 --format tap --corpus "$scratch/new" |
    sed -n 's/^\(not \)*ok - \([a-z_]*\/[a-z_]*\) host.*/\2/p' | tr '\n' ' ')
[ -n "$listed" ] && [ "$listed" = "$ran" ]
report $? "list shows what run takes for the same patterns: $listed"
"$assay" info | grep -qE '^assay .*, (commit [0-9a-f]{7,}(-dirty)?|built outside a git checkout, commit unknown), built with '
report $? "info prints the commit, or that it is not known"
"$assay" info --occupancy | grep -q '^occupancy  *[a-z]'
report $? "info prints the occupancy, or that there is no machine code"
"$assay" run --tier huge --device host --seed 1 'aat/*' '*copy/*' >"$scratch/out" 2>&1
[ $? = 3 ] && [ "$(grep -c '^assay run: [0-9.]* GB of memory: ' "$scratch/out")" -ge 10 ] &&
    grep -q '^INCONCLUSIVE .*would take hours on the host device' "$scratch/out"
report $? "cases too large for the host are reported with their memory, and are no pass"
printf 'nonsense\n' >"$scratch/none.json"
expect "an invalid record" 2 "line 1: not an assay record (not JSON)" "$assay" report "$scratch/none.json"
: >"$scratch/empty.json"
expect "an empty record" 2 "it is empty" "$assay" report "$scratch/empty.json"
expect "a record that is not there" 2 "cannot be read" "$assay" report "$scratch/missing.json"
odd=$(printf '%s/odd\377.json' "$scratch")
cp "$scratch/one.json" "$odd"
[ "$("$assay" compare "$scratch/one.json" "$odd" --format json | grep -c '"compared":\[{"new":".*/odd?.json"')" = 1 ]
report $? "JSON of a comparison has a file whose name is no UTF-8"
mkdir "$scratch/corpus"
printf '# a comment\n%s\nmatmul m=\n' "$good" >"$scratch/corpus/bad.case"
expect "a corpus file with a bad line" 2 "bad.case:3" "$assay" run --device host --corpus "$scratch/corpus"
mkdir "$scratch/odd" "$scratch/odd/folder.case" "$scratch/piped" "$scratch/device"
mkfifo "$scratch/pipe" "$scratch/piped/x.case"
ln -s /dev/zero "$scratch/device/x.case"
for file in "$scratch/pipe" /dev/zero "$scratch/odd"; do
    for command in "report" "bench --device host --floors"; do
        # shellcheck disable=SC2086
        expect "$command of $(stat -c %F "$file")" 2 "$file: cannot be read: not a regular file" \
            timeout 5 "$assay" $command "$file"
    done
done
# Every option that takes a file, as the table of options has it, for each command that takes the option;
# and the files that a command takes without one. What cannot be read or written is never waited for.
working() { # working COMMAND OPTION: words with which the command would run
    case "$1 $2" in
    "run known" | "run artifacts" | "run ptxas" | "run nvrtc") echo "run --device host --programs 1 --seed 1" ;;
    "run "*) echo "run matmul/naive --device host --cases 1 --seed 1" ;;
    "replay artifacts" | "replay ptxas" | "replay nvrtc") echo "replay 'operation add.u32' --device host" ;;
    "replay "*) echo "replay '$good' matmul/naive --device host" ;;
    "mutants "*) echo "mutants mutant/trap --device host --seed 1" ;;
    "bench "*) echo "bench offset_copy/vector --device host --samples 2" ;;
    "codegen output") [ -z "$toolkit" ] || echo "codegen --cubins" ;; # there is nothing to write
    "codegen "*) echo "codegen --cubins" ;;
    "gate output") echo "gate --device host --quick" ;;
    "gate "*) echo "gate --device host --quick -o '$scratch/gate.json'" ;;
    "info "*) echo "info" ;;
    "floors output") ;; # a page's file is written in the same way, and takes no GPU's records
    "floors "*) echo "floors '$scratch/one.json'" ;;
    "report "*) echo "report '$scratch/one.json'" ;;
    "compare "*) echo "compare '$scratch/one.json' '$scratch/one.json'" ;;
    "fleet "*) echo "fleet '$scratch/one.json'" ;;
    "merge "*) echo "merge '$scratch/shard.json'" ;;
    *) echo "no_such_command_in_this_test" ;;
    esac
}
toolkit=$("$assay" info | grep '^toolkit *CUDA') || true
"$assay" run offset_copy --device host --cases 4 --shard 1/2 -o "$scratch/shard.json" >/dev/null 2>&1
mkdir "$scratch/named"
mkfifo "$scratch/named/pipe"
mkdir "$scratch/named/folder"
ln -s nowhere "$scratch/named/link"
unusable() { # unusable COMMAND WORDS FILE: one line that names the file, and status 2
    timeout 10 sh -c "exec \"$assay\" $2 '$3'" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    [ "$status $(wc -l <"$scratch/err")" = "2 1" ] && { [ "$4" = no ] || grep -qF "$3" "$scratch/err"; } ||
        echo "# $1 $2 $3: status $status: $(cat "$scratch/err")"
}
options=$(tr '\n' ' ' <"$(dirname "$0")/../session/options.def" | sed 's/OPTION/\n&/g' | sed -nE \
    's/^OPTION(_AGAIN)?\([a-z_]*, (TEXT|FILES|INPUT|OUTPUT|FOLDER),.*\.name = "([^"]*)".*\.value = "([^"]*)".*\.commands = "([^"]*)".*/\3|\4|\5/p')
tried=0
while IFS='|' read -r option value commands; do
    for command in $commands; do
        for file in pipe folder link; do
            [ "$value $file" != "DIR folder" ] || continue # which it is to be
            [ -n "$(working "$command" "$option")" ] || continue
            tried=$((tried + 1))
            unusable "$command" "$(working "$command" "$option") --$option" "$scratch/named/$file"
        done
    done
done >"$scratch/unusable" <<END
$options
END
for command in report "compare '$scratch/one.json'" floors; do
    for file in pipe folder link; do
        unusable "$command" "$command" "$scratch/named/$file" >>"$scratch/unusable"
    done
done
cat "$scratch/unusable"
[ ! -s "$scratch/unusable" ] && [ $tried -gt 100 ]
report $? "each option that takes a file refuses an invalid one: tried $tried"
for folder in odd piped device; do
    expect "an invalid corpus file: $folder" 2 ".case: not a regular file" \
        timeout 5 "$assay" run --device host --corpus "$scratch/$folder"
done
expect "a corpus folder that is a pipe" 2 "Not a directory" \
    timeout 5 "$assay" run --device host --corpus "$scratch/pipe"
for file in /dev/stdin /dev/fd/0; do
    expect "a record through $file" 0 "" sh -c "cat '$scratch/one.json' | \"$assay\" report $file"
done
expect "the worker's command by hand" 2 "for the supervisor alone" "$assay" worker
finish
