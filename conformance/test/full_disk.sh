#!/bin/sh
# A disk that fills up, a real one: records, kept cases and floors stop there, soon,
# with a line that says why and status 99, and what was written before loads.
# Clauses: record.disk.full, record.lines.whole, runner.output.watched, verdicts.error.host.
#     full_disk.sh path/to/assay
assay=$1

# A small disk of its own: as root, or in a namespace where the user may mount.
if [ -z "$FULL_DISK" ]; then
    disk=$(mktemp -d)
    trap 'rm -rf "$disk"' EXIT
    export FULL_DISK="$disk"
    for as in "unshare -m" "unshare -rm"; do
        if $as sh -c "mount -t tmpfs -o size=64k tmpfs '$disk'" 2>/dev/null; then
            $as sh -c "mount -t tmpfs -o size=64k tmpfs '$disk' && exec sh \"\$0\" \"\$@\"" "$0" "$@"
            exit
        fi
    done
    echo "1..0 # SKIP no small disk: this user may mount none, and unshare -rm is refused"
    exit 0
fi
. "$(dirname "$0")/tap.sh"

fill() { # so that $1 KiB are left
    head -c $((64 - $1))k /dev/zero >"$FULL_DISK/ballast" 2>/dev/null
}

# stops NAME RECORD COMMAND...: ends soon with status 99 and says why; the record loads, and its report has
# the status $judged
judged=3
stops() {
    name=$1 record=$2
    shift 2
    timeout 20 "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    "$assay" report "$record" >"$scratch/report" 2>&1
    loads=$?
    [ $status = 99 ] && [ "$(grep -c 'No space left on device' "$scratch/err")" = 1 ] &&
        [ $loads = $judged ] && [ "$(tail -c 1 "$record" | wc -l)" = 1 ]
    report $? "$name: status $status, $(wc -l <"$record") whole lines"
    sed 's/^/# /' "$scratch/err"
}

run="$assay run --device host --seed 1 --corpus $FULL_DISK/corpus"
mkdir "$FULL_DISK/corpus"
set -f
fill 4
stops "a run's record, at its end" "$FULL_DISK/r.json" $run [!m]* matmul/[ns]* --cases 100 -o "$FULL_DISK/r.json"
rm -f "$FULL_DISK/r.json"
judged=1
stops "a run that fails, while it runs" "$FULL_DISK/r.json" $run mutant/gap_written --tier deep -o "$FULL_DISK/r.json"
judged=3

rm -f "$FULL_DISK/r.json"
stops "a gate" "$FULL_DISK/r.json" "$assay" gate --device host --quick --corpus "$FULL_DISK/corpus" aat adjacent_difference offset_copy matmul/naive -o "$FULL_DISK/r.json"

rm -f "$FULL_DISK/r.json"
head -c 64k /dev/zero >"$FULL_DISK/ballast" 2>/dev/null
$run mutant/gap_written --cases 20 -o "$scratch/r.json" >"$scratch/out" 2>"$scratch/err"
[ $? = 1 ] && grep -q 'a failing case is not kept: .*: No space left on device' "$scratch/err" &&
    ! grep -q '^  kept' "$scratch/out" && [ -z "$(ls "$FULL_DISK/corpus")" ]
report $? "a case that cannot be kept is reported, no half file is left, and the verdict stays"

rm -f "$FULL_DISK/ballast"
fill 4
stops "a bench's record" "$FULL_DISK/r.json" "$assay" bench offset_copy --device host --samples 2 --seed 1 -o "$FULL_DISK/r.json"
tail -n 1 "$scratch/out" | grep -q ': ERROR, the output could not be written'
report $? "and its last line says that: $(tail -n 1 "$scratch/out")"

# A compiler that has no room for its temporary files says nothing of itself: the host is at fault, once.
# Where the folder is missing, compilers take another.
rm -f "$FULL_DISK/r.json"
head -c 64k /dev/zero >"$FULL_DISK/ballast" 2>/dev/null
for folder in "$FULL_DISK" "$scratch/missing"; do
    TMPDIR="$folder" "$assay" run --programs 4 --device host -o "$scratch/p.json" >"$scratch/out" 2>"$scratch/err"
    status=$?
    if [ "$folder" = "$FULL_DISK" ]; then
        [ $status = 99 ] && [ "$(grep -c '^{"program"' "$scratch/p.json")" = 0 ] &&
            grep -q '^ERROR  4 programs.*No space left on device' "$scratch/out"
    else
        [ $status = 0 ] && grep -q '^PASS  4 programs, 4 compared' "$scratch/out"
    fi
    report $? "programs with TMPDIR in ${folder##*/}: status $status, $(tail -n 1 "$scratch/out" | cut -c1-150)"
done
finish
