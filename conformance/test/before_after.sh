#!/bin/sh
# `assay compare` from end to end: records of this machine before and after, statuses, formats and
# refusals.
# Clauses: compare.exit.status, compare.input.two, compare.output.whole, compare.verdict.whole,
# compare.record.cut, compare.record.unfinished, compare.record.several,
# compare.record.contradicted, compare.record.other, compare.record.hostile,
# compare.bits.verdict, compare.bits.digest, compare.bits.range, compare.bits.apart, compare.coverage.less,
# record.cases.exact, record.cases.ended,
# compare.coverage.more, compare.speed.lost, compare.speed.finds,
# compare.speed.apart, compare.speed.other, compare.device.missing, compare.environment.fields, report.verdict.scope.
#     before_after.sh path/to/assay path/to/examples
assay=$(realpath "$1")
examples=$2
. "$(dirname "$0")/tap.sh"
cd "$scratch" || exit 99

run() { # run FILE SEED [PATTERN...]
    file=$1 seed=$2
    shift 2
    "$assay" run --device host --cases 20 --seed "$seed" --corpus kept -o "$file" "$@" >/dev/null 2>&1
}

# becomes NAME STATUS WORDS BASE NEW: the status, and the words in the lines, whose breaks and
# blanks count as one blank.
becomes() {
    name=$1 status=$2 words=$3
    shift 3
    "$assay" compare "$@" >out 2>&1 && got=0 || got=$?
    [ $got = "$status" ] && tr -s ' \n' ' ' <out | grep -q "$words"
    report $? "$name"
    [ $got = "$status" ] || sed 's/^/# /' out
}

run before.json 1 matmul/naive mutant/tail_dropped
grep -q '^{"summary".*FAIL' before.json
report $? "a run that fails, to begin with"
run before.json 1 'matmul/[ns]*' aat/naive
run after.json 1 'matmul/[ns]*' aat/naive
run less.json 1 'matmul/[ns]*'
run other.json 2 'matmul/[ns]*' aat/naive
becomes "the same twice" 0 '^SAME after.json against before.json: .* digests, .* verdicts compared' \
    before.json after.json
becomes "a kernel is gone" 1 '^REGRESSED .*kernel missing: aat/naive on host' before.json less.json
run one.json 1 matmul/naive
becomes "a kernel is new" 0 '^SAME .*new kernel: matmul/simple on host' one.json less.json
becomes "other algorithms" 3 '^NOT COMPARABLE .*outputs not compared: the cases differ.*new kernel: aat/naive on host' \
    less.json before.json
becomes "other cases" 3 \
    '^NOT COMPARABLE .*outputs not compared: the cases differ: seed; .*changed: seed, 0x0*1 -> 0x0*2' \
    before.json other.json
head -n 5 after.json >cut.json
becomes "a record that was cut short" 3 '^NOT COMPARABLE .*NEW was cut short' before.json cut.json
becomes "a baseline that was" 3 '^NOT COMPARABLE .*BASE was cut short' cut.json after.json
grep -v '^{"cases"' after.json >bare.json
ended bare.json
becomes "a record without its line of cases" 1 'fewer cases' before.json bare.json
digest='"path":"host",[^}]*"xxh3_128":"'
sed "s/$digest./&@/; s/0@/1/; s/.@/0/" after.json >altered.json
ended altered.json
becomes "different bits for the same cases" 1 'different bits for the same cases: matmul/naive through host on host' \
    before.json altered.json
sed '/^{"summary"\|^{"bits"/s/"verdict":"PASS"/"verdict":"CRASH"/' after.json >crashed.json
ended crashed.json
# One other case of 9,000: its range alone differs, in every kernel.
few() { # few FILE SEED: the case of number 5,000 has that seed
    mkdir "$1.corpus"
    seq 0 8999 | sed "s/^5000\$/$2/; s/.*/offset_copy n=1 fill=uniform seed=&/" >"$1.corpus/x.case"
    "$assay" run offset_copy --device host --cases 1 --seed 1 --corpus "$1.corpus" -o "$1" >/dev/null 2>&1
}
few few.json 5000
few one_other.json 9000
ranges() { sed -n 's/^{"bits".*"ranges":"\([0-9a-f]*\)".*/\1/p' "$1" | sort -u | fold -w 4; }
[ "$(grep -c '"ranges"' few.json)" = 1 ] && [ "$(ranges few.json | wc -l)" = 3 ] && ranges few.json >some && ranges one_other.json >others &&
    [ "$(paste some others | awk '$1 != $2 { print NR }')" = 2 ]
report $? "one other case of 9,000: the digests of its range alone differ"
corpus=$(sed -n '1s/.*\("corpus":"[^"]*"\).*/\1/p' few.json)
sed "1s/\"corpus\":\"[^\"]*\"/$corpus/" one_other.json >claimed.json
ended claimed.json
becomes "and the cases of that range are named" 1 \
    'different bits for the same cases: offset_copy/vector through host on host, [0-9a-f]* -> [0-9a-f]*, in cases 4096 to 8191' \
    few.json claimed.json
[ "$(stat -c %s few.json)" -lt 4096 ] && [ "$(wc -l <few.json)" -le 8 ]
report $? "a record does not grow with its cases: $(stat -c %s few.json) bytes, $(wc -l <few.json) lines"
becomes "a crash" 1 'fails now: matmul/naive through host on host, PASS -> CRASH' before.json crashed.json
becomes "and back" 0 '^BETTER .*passes now: matmul/naive' crashed.json before.json
expect "three files are a fleet" 2 "it compares two files; for more: assay fleet --baseline BASE NEW..." \
    "$assay" compare before.json after.json less.json
becomes "a run and a bench" 3 '^NOT COMPARABLE .*records of different kinds' \
    "$examples/run.json" "$examples/bench.json"
becomes "a GPU and then a host" 3 'no device in common: BASE is of NVIDIA H200, NEW of host' "$examples/run.json" after.json
becomes "a gate and a bench" 3 '^NOT COMPARABLE .*records of different kinds: BASE is a gate, NEW has speeds' \
    "$examples/../../gate/example/before.json" "$examples/bench.json"
becomes "a GPU against a host" 3 'no device in common' before.json "$examples/run.json"
becomes "a bench twice" 0 '^SAME .* speeds, 7 host calls, .*detects a 1.5 % slowdown in' \
    "$examples/bench.json" "$examples/bench.json"
sed '/"kernel":"offset_copy.vector".*"shape":"offset=0","regime":"dram"/s/\(\[4[0-9.]*,\)4/\13/g' \
    "$examples/bench.json" >slow.json
ended slow.json
becomes "a kernel that lost speed" 1 'slower: offset_copy/vector through sass on cuda:0, offset=0 dram' \
    "$examples/bench.json" slow.json
small() { # small FILE BYTES
    "$assay" bench --device host --bytes "$2" --samples 2 --seed "$1" 'offset_copy/*' -o "$1.json" >/dev/null 2>&1
}
small 1 65536
small 2 65536
small 3 32768
becomes "benches of another footprint" 3 '^NOT COMPARABLE 3.json .*not compared: another case, footprint or number of buffers: memcpy, dram footprint bytes [0-9]* on host, measured -> no such footprint' \
    1.json 3.json
becomes "and of the same one, with other data" 0 '^SAME 2.json ' 1.json 2.json
# The rule for speeds was made without the example's GPU.
speeds=0 changed=0
for measured in "$examples"/../../../spec/measured/h200-*.json; do
    "$assay" compare --format json "$measured" "$examples/bench.json" >held_out.json
    speeds=$((speeds + $(grep -o '"unit":"GB/s"' held_out.json | wc -l)))
    changed=$((changed + $(grep -oE '"kind":"speed_(lost|gained|disturbed)"' held_out.json | wc -l)))
done
[ $speeds -ge 500 ] && [ $changed = 0 ]
report $? "a GPU of that name that was held out: $changed of $speeds speeds changed"

cat "$examples/run.json" "$examples/bench.json" >whole.json
cat "$examples/run.json" slow.json >slowed.json
head -n 300 whole.json >torn.json
becomes "files of several records" 0 \
    '^SAME whole.json against whole.json, bits: .* digests, .*SAME whole.json against whole.json, speeds: .* SAME 2 parts together' \
    whole.json whole.json
"$assay" report whole.json >out
grep -q '^PASS  *whole.json, [0-9,]* cases$' out && grep -q '^PASS  *whole.json, 855 measurements$' out
report $? "the report says which part each verdict is of"
becomes "each against its own" 1 \
    '^SAME slowed.json .*REGRESSED slowed.json .*slower: offset_copy/vector.* REGRESSED 2 parts together' whole.json slowed.json
becomes "a measure that is gone" 1 \
    '^SAME .*REGRESSED .*/run.json against whole.json, speeds: measure missing .*measure missing: speeds' \
    whole.json "$examples/run.json"
becomes "the last of several was cut short" 3 'NOT COMPARABLE torn.json .*NEW was cut short' \
    whole.json torn.json
for format in text json markdown; do
    "$assay" compare before.json less.json --format $format -o written >out 2>&1
    [ $? = 1 ] && [ ! -s out ] && [ -s written ] &&
        "$assay" compare before.json less.json --format $format | cmp -s - written
    report $? "$format in a file is what is printed"
done
expect "one record" 2 "missing argument" "$assay" compare before.json
expect "no file" 2 "none.json" "$assay" compare before.json none.json
sed '3s/.*/{"cases":7/' after.json >broken.json
expect "a damaged line" 2 "line 3" "$assay" compare before.json broken.json
expect "a file that is read" 2 "the command reads that file" \
    "$assay" compare before.json after.json -o after.json
expect "an invalid folder" 2 "cannot be written" \
    "$assay" compare before.json after.json -o /no/such/folder/c
expect "a full disk" 99 "No space left on device" \
    "$assay" compare before.json after.json -o /dev/full
expect "a full standard output" 99 "cannot write standard output" \
    sh -c "\"$assay\" compare before.json after.json >/dev/full"
finish
