#!/bin/bash
# One plan on several machines: shards of a run and of a gate, and `assay merge`, which joins their
# records: what passes, and each thing that must not.
# Clauses: shard.option.value, shard.option.fits, shard.auto.asked, shard.auto.refused, shard.plan.dealt,
# shard.plan.same, shard.seed.fixed, shard.record.header, shard.verdict.never, shard.gate.whole,
# shard.gate.baseline, shard.compare.refused, shard.merge.whole, shard.merge.sums, shard.merge.plan,
# shard.merge.named, shard.merge.fails, shard.merge.agrees, shard.merge.many, shard.merge.formats.
#     shards.sh path/to/assay [path/to/libcuda.so.1's-stand-in folder-of-fatbins]
assay=$1 emulated=$2 fatbins=$3
. "$(dirname "$0")/tap.sh"
case $assay in /*) ;; *) assay=$PWD/$assay ;; esac
cd "$scratch" || exit 99
unset ${!SLURM_@} JOB_COMPLETION_INDEX

# run FILE OPTION...: a run of a small plan on the CPU.
run() {
    file=$1
    shift
    "$assay" run --device host --cases 60 -o "$file" "$@" >out 2>err </dev/null
}
# merged STATUS WORDS FILE...: the status, and the words on one line once the breaks are undone.
merged() {
    status=$1 words=$2
    shift 2
    "$assay" merge "$@" >out 2>err </dev/null && got=0 || got=$?
    [ "$got" = "$status" ] && unwrapped out | tr -s ' ' | grep -q -- "$words" && return 0
    echo "# status $got, expected $status and '$words':"
    sed 's/^/# /' out err
    return 1
}
edit() { # edit FROM TO SED: a record that was edited, with an end that holds
    sed "$3" "$1" >"$2" && ended "$2"
}
other() { case $1 in 0*) echo "1${1#?}" ;; *) echo "0${1#?}" ;; esac; } # other DIGEST: not that one
bits() { # bits FILE: kernel, path, counts and digest of each row of a record
    jq -r '.bits // empty | [.kernel, .path, .passed, .declined // 0, .empty // 0, .xxh3_128] | @tsv' "$1"
}

kernels="offset_copy aat/naive aat/tiled"
statuses=
for shard in 1 2 3; do
    run s$shard.json --shard $shard/3 $kernels
    statuses="$statuses $?"
    cp out out$shard
done
run whole.json --seed 1 $kernels
[ "$? $statuses" = "0  3 3 3" ] &&
    grep -q '^INCONCLUSIVE .*: shard 2 of 3: `assay merge` gives the verdict of all' out2 &&
    grep -q '^part *shard 2 of 3$' out2 &&
    [ "$(grep -c '^{"summary":{"verdict":"INCONCLUSIVE".*"exit_status":3,"awaits_merge":true,' s[123].json | grep -c ':1$')" = 3 ]
report $? "three shards of a run that is right: each is INCONCLUSIVE, and says what it awaits"
head -n 1 s2.json | jq -e '.shard == 2 and .shards == 3 and .shard_same == null and .seed == "0x0000000000000001"' >jq.out &&
    "$assay" report s2.json >out; [ $? = 3 ] && grep -q '^part *shard 2 of 3$' out &&
    unwrapped out | grep -q 'This is shard 2 of 3: `assay merge` joins it with the others'
report $? "the header says which, the seed is that of all, and a report prints it"
merged 0 '^PASS [0-9]* of [0-9]* cases, [0-9]* checks of 4 kernels through host' s3.json s1.json s2.json
report $? "merge passes, in any order of the files"
planned=$(head -n 1 whole.json | jq .cases_planned)
"$assay" merge --format json s?.json >merged.json
jq -r '.bits[] | [.kernel, .path, .passed, .declined // 0, .empty // 0, .xxh3_128] | @tsv' merged.json >sums
bits whole.json | diff - sums && [ "$(wc -l <sums)" = 4 ] &&
    jq -e ".verdict == \"PASS\" and .exit_status == 0 and .cases == $planned and .counted == 3 and .lost == []" merged.json >jq.out
report $? "its sums and digests are those of one run of the whole plan"
jq -s '[.[] | .cases // empty | .finished[] | range(.[0]; .[1] + 1)] | [length, (unique | length)] | @text' s[123].json |
    grep -q "\[$planned,$planned\]"
report $? "each case is in one shard"

# More than 4,096 cases: the digests of ranges, too.
mkdir many.corpus
seq 0 8999 | sed 's/.*/offset_copy n=1 fill=uniform seed=&/' >many.corpus/x.case
many() { "$assay" run offset_copy/vector --device host --cases 1 --seed 1 --corpus many.corpus "$@" >out 2>err; }
many -o many.json; many --shard 1/2 -o many1.json; many --shard 2/2 -o many2.json
ranges=$(jq -r '.bits.ranges // empty' many.json)
[ ${#ranges} = 12 ] && [ "$("$assay" merge many[12].json --format json | jq -r '.bits[0].ranges')" = "$ranges" ]
report $? "and so are the digests of its ranges"

merged 3 'lost shard 2 of 3.*' s1.json s3.json && grep -q '^INCONCLUSIVE .*1 shard of 3 lost' out
report $? "a lost shard is named"
cp s2.json copy.json
merged 3 'twice .*copy.json: this shard is in s2.json, too' s1.json s2.json s3.json copy.json
report $? "a shard that is there twice"
run other.json --shard 2/3 --seed 7 $kernels
merged 3 'other shard 2, host .*, other.json: another plan: seed 0x0*7, not 0x0*1' s1.json other.json s3.json &&
    grep -q '^lost *shard 2 of 3' out
report $? "one of another seed, whichever comes first"
run fewer.json --shard 2/3 aat/naive offset_copy
merged 3 'other .*another plan: kernels aat/naive, offset_copy/scalar, offset_copy/vector, not ' fewer.json s1.json s3.json
report $? "one of other kernels"
edit s2.json version.json '1s/"commit":"[^"]*"/"commit":"other"/'
merged 3 'another plan: commit other, not' s1.json s3.json version.json
report $? "one of another build"
run four.json --shard 2/4 $kernels
merged 3 'another plan: shards 4, not 3' s1.json s3.json four.json
report $? "one of another number of shards"
merged 3 "no shard host .*, whole.json: its plan was not divided" s?.json whole.json
report $? "a whole run among them"
head -n 4 s2.json >cut.json
merged 3 'INCONCLUSIVE shard 2, host .*, cut.json: the run was cut short' s1.json cut.json s3.json
report $? "one that was cut"
grep -v '^{"end"' s2.json >endless.json
merged 3 'endless.json: .*its end is not' s1.json endless.json s3.json
report $? "one that lacks its end"
sed 's/"passed":1/"passed":2/' s2.json >damaged.json
merged 3 'unread damaged.json: line [0-9]*: damaged' s1.json damaged.json s3.json
report $? "one that was damaged"
merged 3 'unread nothing.json: .*No such file' s1.json s2.json s3.json nothing.json
report $? "a file that is not there"
edit s2.json idle.json '/^{"cases"/s/"finished":\[.*\],"checks"/"finished":[],"checks"/'
merged 3 '[0-9]* cases of the plan finished in no shard' s1.json idle.json s3.json
report $? "one that says PASS of cases that it does not have"
edit s2.json claimed.json '/^{"bits":.*aat.tiled/s/"verdict":"PASS"/"verdict":"INCONCLUSIVE"/'
merged 3 'INCONCLUSIVE shard 2, host .*, claimed.json: ' s1.json claimed.json s3.json
report $? "one whose own lines are worse than what it awaits"
edit s2.json short.json 's/"awaits_merge":true,//'
merged 3 'short.json: shard 2 of 3' s1.json short.json s3.json
report $? "one that is INCONCLUSIVE for a reason of its own"
# row FROM TO FIELDS: the row of aat/tiled has no check, and those fields.
row() {
    edit "$1" "$2" '/^{"bits":.*"aat.tiled"/s/"verdict".*/"verdict":"SKIP","xxh3_128":"00000000000000000000000000000000","passed":0'"$3"'}}/'
}
row s1.json lacks1.json ',"declined":3,"left_out":true'; row s2.json lacks2.json; row s3.json lacks3.json
merged 0 '^PASS ' lacks1.json lacks2.json lacks3.json
report $? "a kernel that needs other hardware is left out, also by shards without a case of it"
row s2.json lacks2.json ',"declined":3'
merged 3 'not checked by any shard: aat/tiled through host' lacks1.json lacks2.json lacks3.json
report $? "not one that others could have run"
row s1.json lacks1.json
merged 3 'not checked by any shard: aat/tiled through host' lacks1.json lacks3.json lacks2.json
report $? "nor one that had no case in any"
expect "no shard at all" 2 "no file is a shard: whole.json: its plan was not divided" "$assay" merge whole.json
expect "nor a record" 2 "no file is a shard: " "$assay" merge /dev/null

# A shard that fails: the others do not help.
for shard in 1 2 3; do run f$shard.json --shard $shard/3 offset_copy/scalar mutant/head_copied; echo $? >status$shard; done
merged 1 '^FAIL .*files\? fails\?: ' f1.json f2.json f3.json && grep -q '^FAIL *shard [123], host .*, f[123].json: ' out &&
    grep -q '^ *replay *assay replay --device host .offset_copy ' out && grep -q '^1$' status[123]
report $? "a wrong kernel is a FAIL of its shard and of all, with the command that runs it again"
"$assay" merge --format json f?.json | jq -e '.verdict == "FAIL" and .exit_status == 1 and
    ([.files[] | select(.verdict == "FAIL") | .failures[] | .replay] | length > 0)' >jq.out
report $? "so it is in JSON"
merged 1 '^FAIL ' f1.json f3.json && merged 1 '^FAIL ' s1.json s2.json s3.json f1.json f2.json f3.json
report $? "also if shards are lost, and if its plan is that of few"

# More shards than cases.
"$assay" run --device host --cases 1 --shard 40/40 offset_copy/vector -o none.json >out 2>err
[ $? = 3 ] && grep -q '^{"summary".*"awaits_merge":true,"cases_done":0' none.json &&
    grep -q '"verdict":"SKIP".*"reason":"none of its cases is in this shard"' none.json
report $? "a shard without a case awaits its merge"
files=
for shard in $(seq 24 30); do "$assay" run --device host --cases 1 --shard $shard/30 offset_copy/vector -o few$shard.json >out 2>err; files="$files few$shard.json"; done
merged 3 'lost shard 1 to 23 of 30' $files
report $? "and lost ones are counted"

# The same cases everywhere.
for shard in 1 2 3; do run a$shard.json --shard $shard/3:same $kernels; done
merged 0 '^merge 3 of 3 shards (same cases)' a1.json a2.json a3.json && grep -q "^PASS  $planned of $planned cases" out &&
    head -n 1 a1.json | jq -e '.shard_same' >jq.out && grep -q "\"finished\":\[\[0,$((planned - 1))\]\]" a3.json
report $? "agreement: all have all cases, and the digests are equal"
"$assay" merge --format json a?.json | jq -r '.bits[] | [.kernel, .path, .passed, .declined // 0, .empty // 0, .xxh3_128] | @tsv' |
    diff - sums
report $? "and equal to those of one run"
digest=$(bits a1.json | sed -n 's/^aat.naive.*\t//p')
edit a2.json wrong.json "s/$digest/$(other $digest)/"
merged 1 'FAIL shard 2, host .*, wrong.json, host: aat/naive through host: other bits than 2 others' a1.json wrong.json a3.json &&
    grep -q '^FAIL .*digests\? unlike most' out
report $? "a machine with other bits is named, with kernel and code path"
many --shard 1/3:same -o m1.json
edit m1.json m2.json '1s/"shard":1/"shard":2/'
edit m1.json m3.json '1s/"shard":1/"shard":3/'
digest=$(jq -r '.bits.xxh3_128 // empty' m3.json)
edit m3.json m4.json '/^{"bits"/s/"ranges":"\(....\)..../"ranges":"\10000/; s/'"$digest/$(other $digest)/"
merged 1 'm4.json, host: offset_copy/vector through host: other bits than 2 others, in cases 4096 to 8191' m1.json m4.json m2.json
report $? "and the range of its cases"
edit a2.json less.json '/^{"bits":.*aat.naive/{s/"passed":\([0-9]*\)/"passed":1/;'"s/$digest/$(other $digest)/}"
merged 3 'INCONCLUSIVE shard 2, .*less.json, host: aat/naive through host: 1 check passed, and [0-9]* of 2 others' a1.json less.json a3.json
report $? "other checks than most are no FAIL"
merged 3 'lost shard 3 of 3' a1.json a2.json
report $? "a machine that is missing is lost"
merged 3 'another plan: shards 3, not 3 (same cases)' a1.json a2.json s3.json
report $? "and a part is no whole"
edit a2.json half.json '/^{"cases"/s/"finished":\[\[0,/"finished":[[5,/'
merged 3 'half.json: host finished [0-9]* of [0-9]* cases' a1.json half.json a3.json
report $? "one that has a part of the cases"
# Two GPUs of one machine.
two() { # two FROM TO DIGEST: as a record of two GPUs, the second of which has that digest in place of its own
    sed 's/"host"/"cuda:0"/g; s/"host":"cuda:0"/"host":"x"/' "$1" >one
    sed '1s/"devices":\["cuda:0"\]/"devices":["cuda:0","cuda:1"]/; /^{"summary"/,$d' one >"$2"
    grep '^{"\(device\|bits\|coverage\|cases\)"' one | sed "s/cuda:0/cuda:1/; s/$3" >>"$2"
    sed -n '/^{"summary"/,$p' one >>"$2"
    ended "$2"
}
own=$(bits s1.json | sed -n 's/^aat.naive.*\t//p')
two s1.json g1.json 'x/x/'; two s2.json g2.json 'x/x/'; two s3.json g3.json 'x/x/'
for file in g?.json; do edit $file $file.new '1s/"paths":\["cuda:0"\]/"paths":["host"]/; s/"path":"cuda:0"/"path":"host"/' && mv $file.new $file; done
merged 0 '^merge 3 of 3 shards, 6 GPUs' g1.json g2.json g3.json &&
    [ "$("$assay" merge --format json g?.json | jq -r '.bits[] | [.kernel, .passed, .xxh3_128] | @tsv' | sort)" = "$(cut -f1,3,6 sums | sort)" ]
report $? "of several GPUs of a machine one is summed up"
edit g1.json apart.json "/^{\"bits\":{\"device\":\"cuda:1\",\"kernel\":\"aat.naive/s/$own/$(other $own)/"
merged 1 'FAIL shard 1, .*apart.json, cuda:[01]: aat/naive through host: other bits than 1 other' apart.json g2.json g3.json
report $? "and the others must agree with it"

# What refuses a shard, and what does not read the scheduler.
expect "tier deep has no end" 2 "conflicts with --tier deep" "$assay" run --shard 1/2 --tier deep
expect "a shard that is none" 2 "--shard takes I/N, auto or auto/N" "$assay" run --shard 3/2
expect "auto without a scheduler" 2 "none of SLURM_ARRAY_TASK_ID, SLURM_PROCID and JOB_COMPLETION_INDEX is set" "$assay" run --shard auto
JOB_COMPLETION_INDEX=1 expect "auto without a number of shards" 2 "for example auto/8" "$assay" gate --shard auto
SLURM_PROCID=1 SLURM_NTASKS=3 run auto.json --shard auto $kernels
[ $? = 3 ] && bits s2.json >two && bits auto.json | diff - two
report $? "auto is the task's shard"
SLURM_PROCID=1 SLURM_NTASKS=3 SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=3 JOB_COMPLETION_INDEX=1 run plain.json --seed 1 $kernels
[ $? = 0 ] && bits whole.json >two && bits plain.json | diff - two
report $? "which nobody reads who did not ask"
expect "a shard is no baseline" 2 "--baseline s1.json: this is shard 1 of 3; a baseline is a whole gate" \
    "$assay" gate --device host --baseline s1.json
expect "nor has it one" 2 "--shard conflicts with --baseline" "$assay" gate --device host --shard 1/2 --baseline whole.json
"$assay" compare s1.json s2.json >out 2>err; [ $? = 3 ] && grep -q 'BASE is shard 1 of 3, NEW is shard 2 of 3: they have different cases' out
report $? "two parts are not compared"
"$assay" compare whole.json s2.json >out 2>err; [ $? = 3 ] && grep -q 'BASE is a whole plan, NEW is shard 2 of 3' out
report $? "nor a part with the whole"
run again.json --shard 2/3 $kernels
"$assay" compare s2.json again.json >out 2>err && grep -q '^SAME ' out
report $? "but a part with itself"

# Generated programs, through the host's compiler.
programs() { "$assay" run --device host --programs 40 --timeout 100 "$@" >out 2>err; }
programs --seed 1 -o pw.json; whole=$?
programs --shard 1/2 -o p1.json; programs --shard 2/2 -o p2.json
merged $whole '40 of 40 programs right through host' p1.json p2.json && grep -q '^plan *40 programs, ' out &&
    for field in planned compared words passed; do
        jq -s "[.[] | .programs.$field // empty] | add" p1.json p2.json | diff - <(jq ".programs.$field // empty" pw.json) || exit 1
    done
report $? "programs are divided, too: as many of them, and of their words, as in one run"
edit p2.json fewer.json '/^{"programs"/s/"planned":20/"planned":10/'
merged 3 '10 programs through host are in no shard' p1.json fewer.json
report $? "none of them is missing"

# A gate: what is of the machine is whole in each shard.
gate() { "$assay" gate --device host --quick offset_copy/vector --corpus corpus "$@" >out 2>err </dev/null; }
gate --shard 1/2 -o gate1.json; gate --shard 2/2 -o gate2.json
grep -q '^Recorded shard 2 of 2; with the records of all: assay merge ' out &&
    [ "$(jq -r 'select(.record) | [.part, .shard // 0] | @text' gate2.json | tr '\n' ' ' | sed 's/\["code",0\] //')" = '["bits",2] ' ]
report $? "a gate divides its bits, and says what is next"
merged 3 'gate[12].json: ' gate1.json gate2.json && grep -q '^INCONCLUSIVE .*2 files are inconclusive' out
report $? "a gate without a GPU is undecided for other reasons, and so is its merge"

# The same on a GPU, an emulated one: its gates have nothing else that is undecided.
if [ -s "$fatbins/matmul_naive.fatbin" ]; then
    (
        with_driver "$emulated"
        ln -s "$emulated" "$scratch/lib/libnvidia-ml.so.1"
        export ASSAY_HOST_GPU=0
        for shard in 1 2; do
            "$assay" gate offset_copy/vector --quick --corpus corpus --shard $shard/2 -o e$shard.json >out 2>err </dev/null
            echo $? >status$shard
        done
        for shard in 1 2; do
            "$assay" run 'offset_copy/*' --tier smoke --programs 0 --corpus corpus --shard $shard/2 -o r$shard.json >out 2>err </dev/null
        done
    )
    [ "$(cat status1 status2 | tr '\n' ' ')" = "3 3 " ] && [ "$(grep -c '^{"gate":{"verdict":"INCONCLUSIVE",.*"awaits_merge":true' e[12].json | grep -c ':1$')" = 2 ] &&
        [ "$(jq -r '.summary // empty | .verdict' e1.json | sort | tr '\n' ' ')" = "INCONCLUSIVE PASS PASS " ]
    report $? "a gate whose parts pass awaits its merge; code and speed pass by themselves"
    merged 0 '^merge 2 of 2 shards, 2 GPUs' e1.json e2.json && grep -q '^PASS  ' out
    report $? "and its merge passes"
    edit e2.json slow.json '/^{"bench"/s/"verdict":"PASS"/"verdict":"FAIL"/; /^{"summary"/s/"verdict":"PASS"/"verdict":"FAIL"/'
    merged 1 '^FAIL .*slow.json' e1.json slow.json
    report $? "not if one of them is slow"
    edit e2.json early.json '/^{"gate"/s/"awaits_merge":true,//'
    merged 3 'INCONCLUSIVE shard 2, host .*, early.json: bits: shard 2 of 2' e1.json early.json
    report $? "or ended for a reason of its own"
else
    skip "gates of an emulated GPU" "this build has no machine code to load"
fi

# Thousands of records, in the memory of a few.
jq -c 'if .record then .shards = 2000 elif .cases then .cases.finished = [] elif .bits then .bits.passed = 0 else . end' s1.json >template
python3 - template <<'EOF'
import re, sys
text = open(sys.argv[1]).read()
for number in range(1, 2001):
    open('n%d.json' % number, 'w').write(re.sub('"shard":1', '"shard":%d' % number, text, 1))
EOF
printf 'n%d.json\n' $(seq 1 2000) >list
xargs "$record_end" <list
began=$(milliseconds)
(ulimit -v 400000 -n 32; xargs "$assay" merge <list >out 2>err)
got=$?
echo "# 2,000 records of $(wc -c <n1.json) bytes in $(($(milliseconds) - began)) ms"
[ $got = 123 ] && grep -q '^merge *2,000 of 2,000 shards' out && grep -q '^INCONCLUSIVE  0 of [0-9]* cases, .*not checked by any shard: aat/naive through host and 3 more rows' out
report $? "two thousand files"
"$assay" merge @list >listed 2>err; [ $? = 3 ] && cmp out listed
report $? "or a list of them"
mkdir folder && cp s1.json s2.json s3.json folder
merged 0 '^PASS ' folder
report $? "or a folder"
expect "a folder that is empty" 2 "many.corpus" "$assay" merge many.corpus
finish
