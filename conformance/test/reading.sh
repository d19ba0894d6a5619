#!/bin/sh
# Files that others wrote, and that do not end: one whose read hangs, as on a network file system; a
# compiler's output of any size; a record whose values take many times its bytes.
# Clauses: runner.input.bounded, driver.candidate.bounded, record.form.dense.
#     reading.sh path/to/assay path/to/the-library path/to/script_starter path/to/a-record
assay=$1 library=$2 starter=$3 record=$4
. "$(dirname "$0")/tap.sh"
export XDG_CACHE_HOME="$scratch/cache"
# AddressSanitizer refuses a process whose first library is another's.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
export ASAN_OPTIONS
mkdir "$scratch/folder"
scratch=$(realpath "$scratch")
blocked="$scratch/folder/blocked.case" # a corpus reads files of that name
cp "$record" "$blocked"
cp "$(command -v env)" "$scratch/program" # it answers --version, and then its bytes are read

# blocks CALL FILE ARGUMENTS...: the command ends with one line that has the wait and its limit.
blocks() {
    call=$1 file=$2
    shift 2
    timeout 120 env LD_PRELOAD="$library" ASSAY_BLOCKED="$file" ASSAY_BLOCKS="$call" "$assay" "$@" \
        >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    [ $status = 2 ] && [ "$(wc -l <"$scratch/err")" = 1 ] &&
        grep -q 'reading it does not end: 0 bytes in 3[0-9] s, the limit is 30 s' "$scratch/err"
    report $? "$call() of assay $*: status $status, $(tail -n 1 "$scratch/err")"
}
for call in open read; do
    aside blocks $call "$blocked" report "$blocked"
    aside blocks $call "$blocked" compare "$record" "$blocked"
    aside blocks $call "$blocked" floors "$blocked"
    aside blocks $call "$blocked" floors "$record" --floors "$blocked"
    aside blocks $call "$blocked" gate --quick offset_copy/scalar --device host --baseline "$blocked"
    aside blocks $call "$blocked" run --device host --programs 1 --known "$blocked"
    aside blocks $call "$blocked" run --device host --gpu "$blocked"
    aside blocks $call "$blocked" run --device host --images "$blocked"
    aside blocks $call "$blocked" run --device host --cases 1 --corpus "$scratch/folder"
    aside blocks $call "$blocked" bench --device host --floors "$blocked"
    aside blocks $call "$blocked" codegen --budgets "$blocked"
    aside blocks $call "$blocked" codegen --against "$blocked"
    aside blocks $call "$scratch/program" run --device host --programs 1 --ptxas "$scratch/program"
done

few=150 many=300 # MiB
! grep -q __asan_init "$assay" || few=1200 many=1200 # the sanitizer keeps what was freed
# memory COMMAND...: its output in $scratch/out, its messages in $scratch/err; $status, and $peak, the most MiB
# of any process of it.
memory() {
    python3 -c 'import resource, subprocess, sys
status = subprocess.call(sys.argv[1:])
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10, file=open(3, "w"))' \
        "$@" >"$scratch/out" 2>"$scratch/err" 3>"$scratch/peak" </dev/null
    read -r status peak <"$scratch/peak"
}
dense() { # dense NAME FIRST LAST: a file of 27 MB, 9 million empty objects between these
    python3 -c 'import sys
print(sys.argv[1] + "{}," * 9000000 + sys.argv[2])' "$2" "$3" >"$scratch/$1"
}
head=$(head -n 1 "$record")
dense header.json "${head%\}},\"x\":[" '{}]}'
memory "$assay" report "$scratch/header.json"
[ "$status" = 2 ] && [ "$peak" -lt $many ] && [ "$(wc -l <"$scratch/err")" = 1 ] &&
    grep -q 'header.json: line 1: too many values for its 27[0-9]* bytes: they would take much more memory' "$scratch/err"
report $? "a first line of empty objects: status $status, $peak MiB"
{
    echo "$head"
    echo '{"device":{}}'
    dense line.json '{"device":{"x":[' '{}]}}'
    cat "$scratch/line.json"
} >"$scratch/third.json"
memory "$assay" compare "$record" "$scratch/third.json"
[ "$status" = 2 ] && [ "$peak" -lt $many ] && grep -q 'third.json: line 3: too many values for its 27[0-9]* bytes' "$scratch/err"
report $? "a third line of empty objects: status $status, $peak MiB"
{
    echo "$head"
    yes '{}' | head -n 9000000
} >"$scratch/empty.json"
memory "$assay" report "$scratch/empty.json"
[ "$status" = 2 ] && [ "$peak" -lt $many ] && grep -q 'empty.json: line 2: not a line of a record' "$scratch/err"
report $? "lines of empty objects: status $status, $peak MiB"
{
    printf '{"floors": "assay", "x": ['
    yes '{},' | head -n 2000000
    echo '{}]}'
} >"$scratch/floors.json"
memory "$assay" bench --device host --floors "$scratch/floors.json"
[ "$status" = 2 ] && [ "$peak" -lt $few ] && grep -q 'floors.json: line 1, column 1: too many values for its ' "$scratch/err"
report $? "floors of empty objects: status $status, $peak MiB"
for file in "--floors 9" "--known 2" "--images 1025" "--gpu 9"; do
    truncate -s "${file#* }M" "$scratch/large"
    memory "$assay" run --device host --programs 1 "${file% *}" "$scratch/large"
    [ "${file% *}" != --floors ] || memory "$assay" bench --device host --floors "$scratch/large"
    [ "$status" = 2 ] && [ "$peak" -lt $few ] && [ "$(wc -l <"$scratch/err")" = 1 ] &&
        grep -q "too large: [0-9]* bytes; the limit of [a-z ]* is [0-9]* bytes" "$scratch/err"
    report $? "$(cat "$scratch/err"), $peak MiB"
done

# A compiler's file may become as large as the memory; it is a program, not a script (script_starter.c).
cp "$starter" "$scratch/ptxas"
cat >"$scratch/ptxas.sh" <<'END'
#!/bin/sh
if [ "$1" = --version ]; then
    echo 'ptxas: NVIDIA (R) Ptx optimizing assembler'
    echo 'Cuda compilation tools, release 12.6, V12.6.20'
    exit 0
fi
while [ "$1" != -o ]; do shift; done
head -c 600000000 /dev/zero >"$2"
exit 0
END
chmod +x "$scratch/ptxas.sh"
if command -v cc >/dev/null; then
    memory timeout 200 "$assay" run --device host --programs 1 --seed 1 --jobs 1 --ptxas "$scratch/ptxas" -o "$scratch/r.json"
    [ "$status" = 3 ] && [ "$peak" -lt $many ] && grep -q '"verdict":"INCONCLUSIVE".*"note":"too large: 268435457 bytes; the limit of a compiler.s output is 268435456 bytes' "$scratch/r.json"
    report $? "a compiler that writes 600 MB: status $status, $peak MiB"
else
    skip "a compiler that writes 600 MB" "there is no cc on this host"
fi
joined
finish
