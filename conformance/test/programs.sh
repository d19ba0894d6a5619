#!/bin/sh
# Generated programs through compilers. The host's compiler is a script before the real one: it spoils
# the text of one program, crashes on it, hangs, refuses it, or makes code that does nothing; what comes out
# must name that program and no other. On a driver that computes nothing every program is wrong.
# Clauses: program_runs.paths.text, program_runs.host.compiles, program_runs.launch.one,
# program_runs.golden.equal, program_runs.poison.differs, program_runs.outputs.whole,
# program_runs.count.whole, program_runs.compile.alone, program_runs.module.apart,
# program_runs.finding.confirmed, program_runs.finding.reduced, program_runs.finding.attributed,
# program_runs.finding.grouped, program_runs.finding.printed, program_runs.replay.bits,
# program_runs.record.lines, program_runs.artifacts.whole, program_runs.operations.alone,
# program_runs.operations.table, program_runs.tiers.concurrent, program_runs.tiers.none,
# program_runs.tiers.deep, program_runs.tiers.joined,
# program_runs.known.trigger, program_runs.known.avoided, program_runs.known.checked,
# program_runs.known.crashes,
# program_runs.known.versions, program_runs.known.strict, program_runs.known.hangs,
# program_runs.known.lines, program_runs.known.grouped, program_runs.known.counted, program_runs.known.named,
# program_runs.known.held, program_runs.known.own, program_runs.tiers.search, program_runs.replay.verbatim, runner.options.table,
# report.live.lines.
#     programs.sh path/to/assay path/to/libcuda.so.1's-stand-in path/to/played
assay=$1 stand_in=$2 played=$3
. "$(dirname "$0")/tap.sh"
cc=$(command -v cc || command -v gcc || command -v clang) || {
    echo '1..0 # SKIP there is no C compiler on this host'
    exit 0
}
# Libc and libm are in the worker that loads the programs: a link without them takes half the time.
link='-nostdlib -lgcc'
echo 'int it;' | "$cc" -shared -fPIC -o "$scratch/link" -x c - $link 2>/dev/null || link=-lm
count=4 spoilt=3 # programs of a run, and the one that is spoilt
mkdir "$scratch/texts" "$scratch/made"

host() { # host NAME COMMANDS: a folder with a cc that runs them on $text, and then the compiler
    mkdir -p "$scratch/$1"
    cat >"$scratch/$1/cc" <<END
#!/bin/sh
[ "\$1" != --version ] || exec '$cc' --version
text='$scratch/texts/'\$\$.c
cat /proc/self/fd/3 >"\$text"
$2
while [ "\$1" != -o ]; do words="\$words \$1"; shift; done
sum=\$(cksum <"\$text")
made="$scratch/made/\${sum% *}-\${sum#* }" # as an earlier run wanted it
[ -e "\$made" ] || { '$cc' \$words -O0 -o "\$made.\$\$" "\$text" $link && mv "\$made.\$\$" "\$made"; } || exit
cat "\$made" >/proc/self/fd/4
END
    chmod +x "$scratch/$1/cc"
}
run() { # run NAME OPTIONS...: through that compiler, in the background; $scratch/NAME.out and .status
    (
        name=$1
        shift
        PATH="$scratch/$name:$PATH" "$assay" run --programs $count --seed 5 --device host --jobs 1 \
            -o "$scratch/$name.json" "$@" >"$scratch/$name.out" 2>"$scratch/$name.err"
        echo $? >"$scratch/$name.status"
    ) &
}
is() { [ "$(cat "$scratch/$1.status")" = "$2" ]; } # is NAME STATUS
row() { # row NAME FIELD: of the host path's line in the record; a count that is not there is 0
    sed -n '/^{"programs":{.*"path":"host"/s/.*"'"$2"'":\([0-9]*\).*/\1/p' "$scratch/$1.json" | grep . || echo 0
}
finding() { # finding NAME: the record's one line of it, with the number of the spoilt program
    [ "$(grep -c '^{"program":' "$scratch/$1.json")" = 1 ] &&
        grep '^{"program":' "$scratch/$1.json" | grep -q "\"number\":$spoilt,"
}
others_are_right() { [ "$(row "$1" passed)" = $((count - 1)) ]; }

# A statement of one program alone, whatever its variables are called: the shrinker renames them.
cat >"$scratch/text.awk" <<'END'
function form(line) { gsub(/v[0-9]+/, "v#", line); return line }
mode == "find" { # of program p`spoilt`
    seen[form($0)]++
    if (/^KERNEL\(/)
        inside = index($0, "(p" spoilt ",") > 0
    if (inside && /^    v[0-9]+ = .*;$/)
        mine[++count] = form($0)
}
mode == "find" { next }
FILENAME == mark_file { mark = $0; next }
form($0) != mark { print; next }
{ found = 1 }
mode == "negate" { sub(/ = /, " = !("); sub(/;$/, ");"); print }
mode == "trap" { print; print "    __builtin_trap();" }
END {
    for (; mode == "find" && count > 0; count--)
        if (seen[mine[count]] == 1) { print mine[count]; exit }
    exit mode == "has" && !found
}
END
host good ''
run good
wait
is good 0 && [ "$(row good passed)" = $count ] && [ "$(row good compared)" = $count ] &&
    [ "$(row good words)" -gt 1000 ] && grep -q "^PASS  $count programs, $count compared in .*; no GPU was checked" "$scratch/good.out"
report $? "programs pass through the host's compiler, every word compared"
find_mark() { awk -v mode=find -v spoilt="$1" -f "$scratch/text.awk" "$(ls "$scratch"/texts/*.c | head -1)"; }
find_mark $spoilt >"$scratch/mark"
find_mark 1 >"$scratch/second"
[ -s "$scratch/mark" ] && [ -s "$scratch/second" ]
report $? "a statement of one program alone is found: $(cat "$scratch/mark")"
spoil() { # spoil MODE: a command that has it in the text
    echo "awk -v mode=$1 -v mark_file='$scratch/mark' -f '$scratch/text.awk' '$scratch/mark' \"\$text\""
}
has_mark="$(spoil has) >/dev/null"
changed() { echo "$(spoil "$1") >\"\$text.new\"; mv \"\$text.new\" \"\$text\""; }

host wrong "$(changed negate)"
host dies "$(changed trap)"
host crash "if $has_mark; then kill -SEGV \$\$; fi"
host internal "if $has_mark; then echo 'cc: internal compiler error: lost' >&2; exit 4; fi"
host refuse "if $has_mark; then echo 'line 7: too hard' >&2; exit 1; fi"
has_second="$(spoil has | sed "s|$scratch/mark|$scratch/second|g") >/dev/null"
host hang "if $has_second; then sleep 1000; fi"
host warm "if $has_second; then kill -SEGV \$\$; fi" # makes what hang wants, which has little time
host slow "sleep 4.6"
host stuck "if $has_mark; then sleep 1000; fi"
host once "if mkdir '$scratch/first' 2>/dev/null; then kill -SEGV \$\$; fi"
host moody "if mkdir '$scratch/moody/first' 2>/dev/null; then echo 'line 7: too hard' >&2; exit 1; fi"
host known "if [ \"\$(grep -c '^KERNEL(p' \"\$text\")\" -gt 1 ] && mkdir '$scratch/known/first' 2>/dev/null; then kill -SEGV \$\$; fi"
printf '%s | %s.u32(_, _) | host 0- | trigger %s.u32(_, _)\n' one add add two sub sub >"$scratch/two"
host late "if mkdir '$scratch/second_try' 2>/dev/null; then kill -SEGV \$\$; fi"
host nothing "sed -n 's/^KERNEL(\\(p[0-9]*\\),.*/void \\1(void) {}/p' \"\$text\" >\"\$text.new\"; mv \"\$text.new\" \"\$text\""
host lacks "echo 'int other;' >\"\$text\""
mkdir "$scratch/none"
# In sequence, as most of what a run wants made the one before it has wanted, too.
(run wrong --artifacts "$scratch/files"; wait; run dies; wait; run nothing --programs 2; wait) &
(run crash; wait; run internal; run refuse; run once; run moody; run known --programs 1 --known "$scratch/two"; run late --programs 1; wait; run warm --programs 2; wait
    run hang --timeout 1 --programs 2; run lacks --programs 1; wait) &
(run slow --timeout 4 --programs 1; wait) &
(PATH="$scratch/none" "$assay" run --programs 3 --device host >"$scratch/none.out" 2>"$scratch/none.err"
    echo $? >"$scratch/none.status") &
(PATH="$scratch/good:$PATH" "$assay" run --programs 4000 --seed 5 --time 0.2 --jobs 1 --device host \
    -o "$scratch/cut.json" >"$scratch/cut.out" 2>"$scratch/cut.err"; echo $? >"$scratch/cut.status") &
wait

is wrong 1 && finding wrong && others_are_right wrong && [ "$(row wrong fail)" = 1 ] &&
    [ "$(row wrong compared)" = $count ] && grep -q '^  expected  0x' "$scratch/wrong.out" &&
    grep -q "^FAIL  1 failure of $count programs, $count compared in " "$scratch/wrong.out"
report $? "a statement that is spoilt is a FAIL of that program alone"
is slow 0 # its limit is 4.4 s of CPU time, and twice that on the clock
report $? "a compiler that waits for the machine is not late"
for record in "$scratch"/*.json; do
    "$played" text "$record" | cmp - "${record%.json}.out" 2>&1 | sed 's/^/# /'
done >"$scratch/differ"
cat "$scratch/differ"
[ ! -s "$scratch/differ" ] && [ -s "$scratch/wrong.json" ]
report $? "what each of them printed is what its record says"
line=$(sed -n '/^{"program":/s/.*"reduced":"\([^"]*\)".*/\1/p' "$scratch/wrong.json")
[ -n "$line" ] && grep -q '^  seen in   1 program: host 1' "$scratch/wrong.out" &&
    grep -q '^  pattern   .' "$scratch/wrong.out" && [ "$(grep -c '^  replay ' "$scratch/wrong.out")" = 1 ] &&
    grep -q '"recurs":true' "$scratch/wrong.json"
report $? "which recurs alone, is reduced, and printed once: $line"
! grep -q '"layer":' "$scratch/wrong.json"
report $? "without a layer: the host's compiler has one level, so there is no other path to try"
PATH="$scratch/wrong:$PATH" "$assay" replay "$line" --device host >"$scratch/out" 2>&1
[ $? = 1 ] && cmp -s "$scratch/wrong.out" "$scratch/out"
same=$?
expected=$(grep '^  expected' "$scratch/wrong.out") got=$(grep '^  got' "$scratch/wrong.out")
grep -qxF "$expected" "$scratch/out" && grep -qxF "$got" "$scratch/out" && [ "$same" != 0 ]
report $? "its line gives the same bits again"
"$assay" replay "$line" --device host >"$scratch/out" 2>&1
report $? "and is right through a compiler that is right"
command=$(sed -n 's/^  replay    //p' "$scratch/wrong.out")
(PATH="$scratch/wrong:${assay%/*}:$PATH" && eval "$command") >"$scratch/again" 2>&1
[ $? = 1 ] && grep -qxF "$expected" "$scratch/again" && grep -qxF "  replay    $command" "$scratch/again"
report $? "the printed command does so as it is: $command"
"$assay" replay "operation add.u32" --device host >"$scratch/out" 2>&1 && grep -q "^PASS  1 program, 1 compared" "$scratch/out"
report $? "a program of one operation is replayed by its words"
[ "$(ls "$scratch/files")" = "host-$spoilt.cu
host-$spoilt.ptx" ] && grep -qF "// $line" "$scratch/files/host-$spoilt.cu" &&
    grep -q '^// .*: expected 0x.*, got 0x' "$scratch/files/host-$spoilt.ptx" &&
    grep -q '^.visible .entry p0\|^.entry p0\|entry p0' "$scratch/files/host-$spoilt.ptx"
report $? "and lies in the folder of --artifacts, as PTX and as CUDA C"
built() { # built WORD: the command in the file's head that begins so, without what it runs after it
    sed -n "s,^//   \\($1 .*\\) && ./program.*,\\1,p" "$scratch/files/host-$spoilt.cu" | head -1
}
artifact() { (cd "$scratch/files" && PATH="${cc%/*}:$PATH" && eval "$(built "$1")" && ./program) >"$scratch/out" 2>&1; }
artifact cc && grep -q '^0 of [0-9]* words are wrong$' "$scratch/out"
report $? "which links as its head says, and is right through a compiler that is right"
text="$scratch/files/host-$spoilt.cu"
eval "$(changed negate)"
artifact cc
[ $? = 1 ] && grep -q "^output\\[[0-9]*\\]: expected ${expected##* }, got ${got##* }\$" "$scratch/out"
report $? "and prints the wrong word and ends with 1 through one that is not"
if command -v nvcc >/dev/null 2>&1; then
    artifact nvcc
    status=$? # without a GPU it is 2
    { [ "$status" = 1 ] && grep -q 'words are wrong' "$scratch/out"; } || { [ "$status" = 2 ] && grep -q '^CUDA error ' "$scratch/out"; }
    report $? "nvcc links it too: $(tail -n 1 "$scratch/out")"
else
    skip "nvcc links it too" "there is no nvcc"
fi
grep -q '^// FAIL through host on host (' "$text" && grep -q '^// compilers: host; .*/cc: ' "$text" && grep -q '^// written by assay .*, generator ' "$text"
report $? "its head has the versions of device and compilers"
# Links and pipes under the names of its files, planted: what they point to stays, and nothing waits.
echo precious >"$scratch/victim"
mkdir "$scratch/planted" "$scratch/piped"
for form in cu ptx; do
    ln -s ../victim "$scratch/planted/host-0.$form"
    mkfifo "$scratch/piped/host-0.$form"
done
for folder in planted piped; do
    words='it is a symbolic link'
    [ $folder = planted ] || words='not a regular file'
    PATH="$scratch/wrong:$PATH" timeout 60 "$assay" replay "$line" --device host --artifacts "$scratch/$folder" \
        >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status = 1 ] && grep -q "^assay replay: --artifacts: $scratch/$folder/host-0.*: cannot be written: $words" "$scratch/err" &&
        [ "$(cat "$scratch/victim")" = precious ]
    report $? "artifacts where something is $folder: status $status, $(cat "$scratch/err")"
done
trigger=$(sed -n 's/^  pattern   //p' "$scratch/wrong.out" | sed 's/.*; //; s/ .*//')
listed() { # listed NAME VERSIONS OPTIONS...: a run with that miscompile in a list
    name=$1
    printf '# a list\nlost | %s | %s | %s | https://example.org/1 | %s\n' "$trigger" "$2" "$word$line" "$words" >"$scratch/$1.list"
    shift 2
    (
        PATH="$scratch/${through:-wrong}:$PATH" "$assay" run --programs $count --seed 5 --device host --jobs 1 \
            --known "$scratch/$name.list" -o "$scratch/$name.json" $verbose "$@" >"$scratch/$name.out" 2>&1
        echo $? >"$scratch/$name.status"
    ) &
}
verbose=-v
words=
listed wordless 'host 0-'
wait
words=$(sed -n '/^{"known":.*"id":"lost"/s/.*"wrong_bits":"\([^"]*\)".*/\1/p' "$scratch/wordless.json")
listed avoided 'ptxas 1.0-2.0, host 0-'
listed triggered 'host 0-0' --triggers
verbose=
listed counted 'ptxas 1.0-2.0, host 0-'
verbose=-v
listed strict 'host 0-' --strict
kept=$words words=0x0000000000000001 # of another miscompile
listed unlike 'host 0-' --triggers
words=$kept
listed other 'host 1-2, ptxas 0-'
through=crash
listed crashes_wrong 'host 0-' # its row says that words are wrong
word='crash '
listed crashes 'host 0-'
listed crashes_too 'host 0-' --triggers
listed crashes_other 'host 1-2'
through=wrong
listed wrong_crash 'host 0-'
wait
through=stuck word='hang ' # what the others made of the rest is there
listed hangs 'host 0-' --timeout 1
word=''
known_line() { # known_line NAME: the line of what is known in that run, which may be broken, as one
    sed -n '/^known  /{:next;N;/\n  */{s/\n  */ /;b next;};P;}' "$scratch/$1.out"
}
says() { # says NAME WORDS: the line of what is known in that run ends so
    [ "$(known_line "$1")" = "known     1 known miscompile in this stack$2" ]
}
present=', through host on host: lost'
is wordless 3 && says wordless '; INCONCLUSIVE through host on host (its row lists no wrong words): lost' && [ -n "$words" ]
report $? "a row without wrong words excuses nothing, and the record has those that there are: $words"
is avoided 0 && says avoided "$present" && [ "$(row avoided passed)" = $count ] &&
    grep -q '^{"known":{.*"id":"lost","verdict":"PASS","present":true,"listed":true,' "$scratch/avoided.json" &&
    grep -q '^{"record":.*"known_list":"built in, [0-9]* rows, 0x[0-9a-f]\{16\}; avoided.list, 1 row, 0x[0-9a-f]\{16\}"' "$scratch/avoided.json"
report $? "a known miscompile is avoided, checked by itself, and reported beside the verdict"
is counted 0 && says counted '; -v names them' && grep -q '^{"known":{.*"id":"lost"' "$scratch/counted.json" &&
    "$assay" report "$scratch/counted.json" | tr -s ' \n' ' ' | grep -q '1 known miscompile in this stack (-v and the end of a report.s page name each)\.' &&
    "$assay" report -v "$scratch/counted.json" | tr -s ' \n' ' ' | grep -q '1 known miscompile in this stack, through host on host: lost\.'
report $? "without -v it is counted and not named; the record has its name"
is triggered 0 && says triggered "$present" && [ "$(row triggered known)" = 1 ] &&
    [ "$(row triggered passed)" = $((count - 1)) ] && grep -q '^known: lost$' "$scratch/triggered.out"
report $? "with --triggers a program that fails as it does is counted as known"
is unlike 1 && [ "$(row unlike known)" = 0 ] && grep -q '^{"program":.*"like":"lost"' "$scratch/unlike.json" &&
    grep -q '^  like      lost, a known miscompile whose trigger it has$' "$scratch/unlike.out"
report $? "and as a failure that is like it where the row lists other wrong words"
is strict 1 && says strict '; FAIL through host on host (known, and --strict): lost'
report $? "with --strict it is a failure"
is other 1 && says other '; FAIL through host on host (the list marks this version as right): lost'
report $? "and so it is in a version that the list does not give"
says crashes "$present (CRASH)" &&
    is crashes 0 && [ "$(row crashes passed)" = $count ] &&
    "$assay" report -v "$scratch/crashes.json" >"$scratch/out" && grep -q 'through host on host: lost (CRASH)' "$scratch/out" &&
    "$assay" report "$scratch/crashes.json" >"$scratch/out" && grep -q '1 known miscompile in this stack (' "$scratch/out" &&
    "$assay" report "$scratch/crashes.json" -o "$scratch/crashes.html" &&
    grep -q '<td>lost (CRASH)</td>.*<td>through host on host</td>' "$scratch/crashes.html"
report $? "a crash of the compiler is known where it is listed, by its own word"
is crashes_too 0 && [ "$(row crashes_too known)" = 1 ] && grep -q '^{"program":.*"verdict":"CRASH".*"known":"lost"' "$scratch/crashes_too.json"
report $? "and so is a program that ends in it"
is crashes_wrong 1 && says crashes_wrong '; CRASH through host on host (its row lists another kind of failure): lost (CRASH)' &&
    is wrong_crash 1 && says wrong_crash '; FAIL through host on host (its row lists another kind of failure): lost'
report $? "a crash is no known miscompile where wrong words are listed, nor are wrong words where a crash is"
is crashes_other 1 && says crashes_other '; CRASH through host on host (the list marks this version as right): lost (CRASH)'
report $? "and a failure in another version"
wait
is hangs 0 && [ "$(row hangs passed)" = $count ] && grep -q '^{"known":{.*"id":"lost","verdict":"PASS","present":true' "$scratch/hangs.json" &&
    says hangs "$present (TIMEOUT)"
report $? "a hang is checked apart from the others, and known by its own word"
for wrong in 'no_such.u32' 'add.u32(' 'add.u32(_' 'add.u7' '' 'add(sub(_, _)) x'; do
    # A row without a trigger is of its program's line, which this one lacks.
    printf 'it | %s | host 0- | %s |\n' "$wrong" "${wrong:+$line}" >"$scratch/list"
    "$assay" run --programs 1 --device host --known "$scratch/list" >"$scratch/out" 2>&1
    [ $? = 2 ] && grep -q "line 1: it: '.*' is not a trigger" "$scratch/out" || echo "# taken: $wrong"
done >"$scratch/taken"
[ ! -s "$scratch/taken" ]
report $? "what is no trigger is refused"
for wrong in 1 0x1 0x0123456789abcdeg '0x0123456789abcdef,' '@' '0x0123456789abcdef 0x0123456789abcdef0' 'add.u32'; do
    printf 'it | add | host 0- | | | %s\n' "$wrong" >"$scratch/list"
    "$assay" run --programs 1 --device host --known "$scratch/list" >"$scratch/out" 2>&1
    [ $? = 2 ] && grep -q "line 1: it: '.*' is not a list of wrong words" "$scratch/out" || echo "# taken: $wrong"
done >"$scratch/taken"
[ ! -s "$scratch/taken" ]
report $? "and so are words that are no digests"
for wrong in 'abs_s16 | add | host 0 | |' 'it | add | host 0 | |\nit | sub | host 0 | |' 'it | add | host 0 | |\n\0'; do
    printf "$wrong\n" >"$scratch/list"
    "$assay" run --programs 1 --device host --known "$scratch/list" >"$scratch/out" 2>&1
    [ $? = 2 ] && grep -qE 'another row has that name|not a text file: byte 22 is 0' "$scratch/out" || echo "# taken: $wrong"
done >"$scratch/taken"
[ ! -s "$scratch/taken" ]
report $? "and so is a name that another row has, and what is no text"
for wrong in '' ptxas 'ptaxs 12.0' 'ptxas 12.x' 'ptxas 12.0-x' 'ptxas -12.0' 'ptxas 12.0,' 'ptxas 12.0 13.0' \
    'ptxas 12.0-13.0-13.5' 'ptxas 12.0 nvrtc 12.6' 'driver 580.1, gcc 13'; do
    printf 'it | add | %s | |\n' "$wrong" >"$scratch/list"
    "$assay" run --programs 1 --device host --known "$scratch/list" >"$scratch/out" 2>&1
    [ $? = 2 ] && grep -q "line 1: it: '.*' is not a compiler with its versions, as in " "$scratch/out" || echo "# taken: $wrong"
done >"$scratch/taken"
[ ! -s "$scratch/taken" ]
report $? "and so are versions of no compiler, and what is no version"

# Compilers of which a list knows one thing, and that do another. The list has the words of one in which
# each abs.s16 is wrong in its last bit; one that gives 42 is another. One in which each bfe.s32 is wrong is
# listed with what it gives of constants: a program that avoids these, and is wrong, is reduced to no such.
host abs_listed "sed -i 's/= (s16)\(.*\) < 0 ? 0 - (u16).*;/= (s16)\1 < 0 ? 7 : \1;/' \"\$text\""
host abs_42 "sed -i 's/= (s16).* < 0 ? 0 - (u16).*;/= 42;/' \"\$text\""
host bfe "sed -i '/p < 32 ? p : 32 - 1); v[0-9]* = n == 0 ? 0 : n < 32 ? (s32)/{s/n == 0 ? 0 : n < 32 ?/n == 0 ? 5 : n < 32 ? 1 ^/;s/ : x; }/ : ~x; }/;}' \"\$text\""
held() { # held NAME COMPILER ROW OPTIONS...: a run with that row in its list, and $words
    name=$1 compiler=$2
    printf '%s | | %s\n' "$3" "$words" >"$scratch/$1.list"
    shift 3
    PATH="$scratch/$compiler:$PATH" "$assay" run --device host --jobs 2 --known "$scratch/$name.list" \
        -o "$scratch/$name.json" -v "$@" >"$scratch/$name.out" 2>&1
    echo $? >"$scratch/$name.status"
    words=$(sed -n '/^{"known":/s/.*"wrong_bits":"\([^"]*\)".*/\1/p' "$scratch/$name.json")
}
words=
held abs_first abs_listed 'lost | abs.s16 | host 0- | trigger cvt_u64.s16(abs.s16)' --programs 1 --seed 5
first=$words
held abs_same abs_listed 'lost | abs.s16 | host 0- | trigger cvt_u64.s16(abs.s16)' --programs 1 --seed 5
held abs_other abs_42 'lost | abs.s16 | host 0- | trigger cvt_u64.s16(abs.s16)' --programs 1 --seed 5
printf 'KNOWN("lost", "abs.s16", "host 0-", "", "", "")\nKNOWN("other", "add", "host 0-", "", "", "")\n' >"$scratch/table.def"
"$(dirname "$0")/../../.ci/list_words" --into "$scratch/table.def" "$scratch/abs_same.json" "$scratch/abs_first.json" >"$scratch/out" 2>&1 &&
    grep -qxF "KNOWN(\"lost\", \"abs.s16\", \"host 0-\", \"\", \"\", \"$first\")" "$scratch/table.def" &&
    grep -qxF 'KNOWN("other", "add", "host 0-", "", "", "")' "$scratch/table.def" &&
    "$(dirname "$0")/../../.ci/list_words" --into "$scratch/table.def" "$scratch/abs_other.json" >>"$scratch/out" 2>&1 &&
    grep -q "^KNOWN(\"lost\", .*$first" "$scratch/table.def" && grep -q "^KNOWN(\"lost\", .*$words" "$scratch/table.def"
report $? "list_words takes wrong words from records into a table"
is abs_first 3 && is abs_same 0 && says abs_same "$present" && is abs_other 1 &&
    says abs_other '; FAIL through host on host (its row lists other wrong words): lost'
report $? "a row is held to its wrong words: an abs.s16 that gives 42 is another miscompile"
words=
constants='lost | bfe.s32(_, #, #) | host 0- | trigger bfe.s32(_, 0xffffffff, 0x1)'
held bfe_first bfe "$constants" --programs 1 --seed 5
held bfe_other bfe "$constants" --programs 8 --seed 1
is bfe_other 1 && says bfe_other "$present" && [ "$(row bfe_other fail)" -gt 0 ] && [ "$(row bfe_other known)" = 0 ] &&
    grep -q '^{"program":.*"reduced":' "$scratch/bfe_other.json" &&
    ! grep -qE '"pattern":"[^"]*bfe\.s32 v[0-9]+, [^,]+, #, #' "$scratch/bfe_other.json" &&
    grep -q '^  found by  a search: no run or gate has this program unless it is asked for' "$scratch/bfe_other.out" &&
    grep -q '^FAIL  .*: a search with seed 1 found unlisted miscompiles; no GPU' "$scratch/bfe_other.out"
report $? "a program that avoided the trigger is no known miscompile, however it is reduced; it is a finding of a search"
is crash 1 && finding crash && others_are_right crash && [ "$(row crash crash)" = 1 ] &&
    grep -q '^  note      signal 11' "$scratch/crash.out"
report $? "a compiler that crashes on one program is a CRASH of that program alone"
is internal 1 && finding internal && others_are_right internal && [ "$(row internal crash)" = 1 ]
report $? "and so is one that says that the error is its own"
is refuse 3 && finding refuse && others_are_right refuse && [ "$(row refuse inconclusive)" = 1 ] &&
    grep -q 'too hard' "$scratch/refuse.out"
report $? "one that refuses a program leaves that INCONCLUSIVE, and the others of its module are checked"
is hang 1 && [ "$(row hang passed)" = 1 ] && [ "$(row hang timeout)" = 1 ] &&
    grep -q '^{"program":.*"number":1,' "$scratch/hang.json"
report $? "one that does not end is killed, and is a TIMEOUT"
is dies 1 && finding dies && others_are_right dies && [ "$(row dies crash)" = 1 ]
report $? "a program that ends its worker is a CRASH of that program alone"
is once 3 && [ "$(row once inconclusive)" = 1 ] && grep -q 'failed, but no part of it does' "$scratch/once.out"
report $? "a crash that does not come back is INCONCLUSIVE, and no PASS"
is moody 3 && [ "$(row moody inconclusive)" = 1 ] && grep -q 'failed, but no part of it does' "$scratch/moody.out"
report $? "so is a module that is refused once"
is known 3 && [ "$(row known passed)" = 1 ] &&
    grep -q '^{"known":.*"id":"one","verdict":"INCONCLUSIVE",.*"a module of 2 programs from here on failed, ' "$scratch/known.json"
report $? "and one of known miscompiles"
is late 3 && [ "$(row late inconclusive)" = 1 ] && [ "$(row late crash)" = 0 ] &&
    grep -q 'it ended in CRASH once, but not again' "$scratch/late.out" &&
    { "$assay" report "$scratch/late.json" >"$scratch/out" 2>&1; [ $? = 3 ]; }
report $? "nor is one of a program alone"
is nothing 1 && [ "$(row nothing fail)" = 2 ] && [ "$(row nothing passed)" = 0 ] &&
    grep -q 'the poison: never written' "$scratch/nothing.out"
report $? "code that does nothing fails every program"
is lacks 1 && [ "$(row lacks passed)" = 0 ]
report $? "code without the programs is no PASS"
is none 77 && grep -q 'there is no C compiler on this host' "$scratch/none.out"
report $? "without a compiler of the host nothing is checked, and the output says why"
is cut 3 && grep -q 'cut short by --time' "$scratch/cut.out" &&
    [ $(($(row cut passed) + $(row cut inconclusive))) = 4000 ] && [ "$(row cut inconclusive)" -gt 0 ]
report $? "a run that is cut short is INCONCLUSIVE, and counts what did not run"

cat >"$scratch/ptxas" <<'END'
#!/bin/sh
[ "$1" = --version ] && echo 'Cuda compilation tools, release 12.6, V12.6.20' && exit 0
while [ "$1" != -o ]; do shift; done
grep -q '^.version' "$3" && echo ELF >"$2"
END
chmod +x "$scratch/ptxas"
mkdir "$scratch/it's"
sed '$d' "$scratch/ptxas" >"$scratch/it's/ptxas" # it has no end
echo 'kill -SEGV $$' >>"$scratch/it's/ptxas"
chmod +x "$scratch/it's/ptxas"
"$assay" run --programs 1 --seed 1 --device host --ptxas "$scratch/it's/ptxas" --path ptxas-12.6.20-O0 --opt 0 >"$scratch/out" 2>&1
command=$(sed -n 's/^  replay    //p' "$scratch/out")
(PATH="${assay%/*}:$PATH" && eval "$command") >"$scratch/again" 2>&1
[ $? = 1 ] && grep -qxF "  replay    $command" "$scratch/again" && grep -q '^  note      signal 11' "$scratch/again"
report $? "a crash of a compiler whose code cannot run here is replayed by the printed command"
expect "a path that takes no text is named in vain" 2 'needs a GPU and conflicts with --device host' \
    "$assay" run --programs 3 --device host --path sass
expect "a kernel beside programs" 2 'leave out matmul' "$assay" run matmul --programs 3
for option in --strict --triggers "--known $scratch/victim" '--artifacts /tmp'; do
    # shellcheck disable=SC2086
    expect "$option without programs" 2 "applies only to generated programs" "$assay" run matmul $option
done
for line in "run --programs 3 --cases 9" "run --programs 3 --corpus $scratch" "replay operation\ add.u32 --after aat"; do
    expect "$line" 2 'applies only to kernels' sh -c "\"$assay\" $line"
done
expect "a line that is no program's" 2 '' "$assay" replay 'program seed=x'
"$assay" run --programs 3 --seed 1 --device host --ptxas "$scratch/ptxas" --opt 0,3 --path ptxas-12.6.20-O3 \
    --format tap >"$scratch/out" 2>&1
[ $? = 3 ] && grep -q '^ok - programs host ptxas-12.6.20-O3: 0 of 3 compared, 3 compiled and not run' "$scratch/out" &&
    grep -q '^not ok - .*programs were compiled, and none ran' "$scratch/out"
report $? "what was compiled and did not run is no PASS of the whole"

with_driver "$stand_in"
export ASSAY_STAND_IN=compute-nothing
"$assay" run --programs 3 --seed 1 --jobs 1 --ptxas "$scratch/ptxas" --opt 0,3 -v -o "$scratch/gpu.json" \
    >"$scratch/out" 2>&1
status=$?
sed -n 's/^  replay    //p' "$scratch/out" >"$scratch/commands"
[ "$status" = 1 ] && [ "$(grep -c '^{"programs":.*"fail":3,' "$scratch/gpu.json")" = 3 ] &&
    grep -q '^  got .*the poison: never written' "$scratch/out" &&
    grep -q 'seen in   1 program: ptx 1, ptxas-12.6.20-O0 1, ptxas-12.6.20-O3 1' "$scratch/out" &&
    grep -q 'layer     .* all paths share: wrong through ptx, ptxas-12.6.20-O0, ptxas-12.6.20-O3, ptx-O0$' "$scratch/out"
report $? "launches that do nothing fail every program through every path"
whole=$(tr -s ' \n' ' ' <"$scratch/out")
{
    cat "$scratch/commands"
    # Through a compiler that is named, at its level, from the record; and what a note says to run.
    sed -n '/^{"program":.*"path":"ptxas-12.6.20-O0"/{s/.*"replay":"\([^"]*\)".*/\1/p;q;}' "$scratch/gpu.json"
    grep -o 'assay run --programs 1 --triggers' "$scratch/gpu.json" | head -1
} >"$scratch/printed"
(
    PATH="${assay%/*}:$PATH"
    while read -r command; do
        eval "$command" >"$scratch/again" 2>&1 </dev/null
        [ $? = 1 ] || echo "# not accepted: $command"
    done <"$scratch/printed"
) >"$scratch/refused"
[ "$(wc -l <"$scratch/printed")" -gt 2 ] && [ ! -s "$scratch/refused" ]
report $? "each command that is printed is accepted as it is: $(wc -l <"$scratch/printed") $(cat "$scratch/refused")"
case $whole in
*"; not tried through ptx on cuda:0 (it may hang the driver's compiler: assay run --programs 1 --triggers tries it): set_lt_of_set "*) ;;
*) false ;;
esac && ! grep -q 'it did not run' "$scratch/gpu.json" &&
    [ "$(grep -c '^{"known":.*"id":"set_lt_of_set"' "$scratch/gpu.json")" = 3 ] &&
    [ "$(sed -n '/^{"known":.*"path":"ptx"/s/.*"id":"\([^"]*\)".*/\1/p' "$scratch/gpu.json")" = \
        "$(sed -n '/^{"known":.*"path":"ptxas-12.6.20-O3"/s/.*"id":"\([^"]*\)".*/\1/p' "$scratch/gpu.json")" ]
report $? "each path has a line of each known miscompile, and what is not tried is said"
ASSAY_STAND_IN=fail "$assay" run --programs 1 --seed 1 --jobs 1 >"$scratch/out" 2>&1
[ $? = 1 ] && grep -q 'CUDA_ERROR_LAUNCH_FAILED' "$scratch/out" && ! grep -qE '^PASS|  PASS' "$scratch/out"
report $? "a launch that fails is a CRASH"
ASSAY_STAND_IN=compute-nothing "$assay" run --programs 3 --path sass >"$scratch/out" 2>"$scratch/err"
[ $? = 77 ] && grep -q 'takes programs' "$scratch/err"
report $? "a path of the build's own code takes no programs"

# A driver that refuses all code leaves nothing to wait for, so these runs need no --time.
beside() { # beside MODE FORMAT OPTIONS...: a run of kernels on that GPU
    mode=$1 format=$2
    shift 2
    ASSAY_STAND_IN=$mode "$assay" run --tier smoke --seed 1 --corpus "$scratch/corpus" \
        --format "$format" -o "$scratch/beside.json" "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    records=$(grep -c '^{"record"' "$scratch/beside.json")
}
(ASSAY_STAND_IN=slow "$assay" run --tier smoke --seed 1 --time 0.001 --corpus "$scratch/slow_corpus" >"$scratch/slow_gpu.out" 2>&1) &
: >"$scratch/lock"
export ASSAY_STAND_IN_LOCK="$scratch/lock"
beside exclusive text --time 1
rm -rf "$scratch/corpus" # what failed there
[ "$records" = 2 ] && ! grep -q ERROR "$scratch/out" && tail -n 1 "$scratch/out" | grep -q ', generated programs FAIL\( (.*)\)*$'
report $? "where a GPU opens for one process at a time, programs come after kernels: status $status"
beside refuse text
[ "$records" = 2 ] && grep -q '^plan      200 programs, ' "$scratch/out" &&
    grep -q '^{"summary":.*"compiling"' "$scratch/beside.json" &&
    grep -q '^{"gate":{"verdict":"SKIP",.*"part":"kernels","verdict":"SKIP",.*"part":"programs","verdict":"SKIP",' "$scratch/beside.json" &&
    tail -n 1 "$scratch/out" | grep -q '^SKIP  kernels SKIP (..*), generated programs SKIP (.*CUDA_ERROR_STAND_IN)$' &&
    ! "$assay" report "$scratch/beside.json" | grep 'Generated programs were not run'
report $? "a run on a GPU has programs beside its kernels, with a record of their own: status $status"
beside refuse tap
lines=$(grep -cE '^(not )?ok ' "$scratch/out")
[ "$(grep -c '^1\.\.' "$scratch/out")" = 1 ] && [ "$(tail -n 1 "$scratch/out")" = "1..$lines" ] &&
    grep -E '^(not )?ok ' "$scratch/out" | tail -n 2 | head -n 1 | grep -q '^ok - programs cuda:0 ptx: 0 of 200 compared' &&
    [ "$(grep -c 'as a whole' "$scratch/out")" = 1 ]
report $? "as TAP they are one report: $lines lines, at the end $(tail -n 3 "$scratch/out" | cut -c1-120 | tr '\n' '|')"
beside refuse json
[ "$(grep -c '^{"record"' "$scratch/out")" = 2 ] && [ "$records" = 2 ]
report $? "as JSON two records"
beside compute-nothing junit
"$assay" report "$scratch/beside.json" --format junit | cmp - "$scratch/out" >/dev/null && [ "$status" = 1 ]
report $? "in another format what a report says of the record"
ASSAY_STAND_IN=refuse "$assay" run --tier deep --time 0.3 --seed 1 --corpus "$scratch/corpus" \
    -o "$scratch/deep.json" >"$scratch/out" 2>&1
[ "$(grep -c '^{"record"' "$scratch/deep.json")" = 2 ] && [ ! -e "$scratch/deep.json.programs" ] &&
    grep -q '^plan      programs without end, ' "$scratch/out" &&
    grep -q '^{"programs":{.*"verdict":"SKIP"' "$scratch/deep.json"
report $? "a deep run has theirs in its file"
# What ends one part hides nothing of the other. A build without machine code has kernels that are a SKIP.
kernels=FAIL beside_error=1
"$assay" info | grep -q '^toolkit *none' && kernels=SKIP beside_error=99
killed() { # killed INDEX: a run whose part of that index is killed once it has begun, 0 for kernels
    rm -f "$scratch/killed.json"
    ASSAY_STAND_IN=compute-nothing "$assay" run --tier smoke --seed 1 --corpus "$scratch/corpus" \
        -o "$scratch/killed.json" >"$scratch/out" 2>"$scratch/err" &
    run=$!
    until_holds has_both
    kill -KILL "$(processes | awk -v parent="$run" '$2 == parent { print $1 }' | sort -n | sed -n "$(($1 + 1))p")"
    wait "$run"
    status=$?
}
has_both() { [ "$(grep -cs '^{"record"' "$scratch/killed.json")" = 2 ]; }
killed 0
[ "$status" = 1 ] && grep -q '^assay run: the part kernels was killed' "$scratch/err" &&
    tail -n 1 "$scratch/out" | grep -q '^FAIL  kernels ERROR (it ended before its record was whole), generated programs FAIL' &&
    grep -q '^{"program":.*"FAIL"' "$scratch/killed.json" &&
    "$assay" report "$scratch/killed.json" | grep -q '^FAIL '
report $? "where the kernels die, what programs found stays: status $status"
killed 1
[ "$status" = $beside_error ] && tail -n 1 "$scratch/out" | grep -q "kernels $kernels.*, generated programs ERROR (it ended before" &&
    grep -q "^{\"bits\":.*\"$kernels\"" "$scratch/killed.json"
report $? "and the other way round: status $status"
ASSAY_STAND_IN=refuse "$assay" run --tier smoke --seed 1 --corpus "$scratch/corpus" -o /dev/full >"$scratch/out" 2>"$scratch/err"
status=$?
[ "$status" = 99 ] && tail -n 1 "$scratch/out" | grep -q '^ERROR  kernels .*; the record cannot be written: No space left on device'
report $? "nor is a record that is lost passed over: status $status"
beside compute-nothing tap
[ "$status" = 1 ] && tail -n 2 "$scratch/out" | grep -q "^not ok - the run as a whole: FAIL, kernels $kernels.*, generated programs FAIL"
report $? "the last line of TAP is of both: status $status"
sed '/^{"gate"/,$d' "$scratch/beside.json" >"$scratch/cut.json"
"$assay" report "$scratch/cut.json" >"$scratch/out"
[ $? = 1 ] && "$assay" report "$scratch/beside.json" >/dev/null
[ $? = 1 ]
report $? "a record of both parts without the verdict of both fails, too"
beside refuse text
awk '/^{"record":.*"part":"programs"/ { of = 1 } /^{"lines_of":"kernels"/ { of = 0 } /^{"lines_of":"programs"/ { of = 1 } !of' \
    "$scratch/beside.json" | sed '/^{"gate"/,$d' >"$scratch/cut.json"
"$assay" report "$scratch/cut.json" >"$scratch/out"
got=$?
[ $got = 3 ] && tail -n 1 "$scratch/out" | grep -q 'the run was cut short: no whole record of programs'
report $? "a run that was killed before its programs began names them: status $got"
beside refuse text --programs 0
[ "$records" = 1 ] && ! grep -q 'generated programs' "$scratch/out"
report $? "none with --programs 0"
beside refuse text matmul/naive
[ "$records" = 1 ] && ! grep -q 'generated programs' "$scratch/out"
report $? "nor where kernels are named"
beside no-device text --time 0.001
[ "$records" = 1 ] && unwrapped "$scratch/out" | grep -q '^note      no GPU: neither the code paths .* nor generated programs are checked' &&
    "$assay" report "$scratch/beside.json" | grep -q 'Generated programs were not run'
report $? "nor without a GPU, and both the run and the report say so"
wait
[ "$(grep -c '^assay: waiting for the GPU driver' "$scratch/slow_gpu.out")" = 1 ] &&
    tail -n 1 "$scratch/slow_gpu.out" | grep -q '^FAIL  kernels .*, generated programs FAIL\( (.*)\)*$'
report $? "kernels and programs have the same devices, which are chosen once"
finish
