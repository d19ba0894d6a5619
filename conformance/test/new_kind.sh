#!/bin/sh
# A kind of record line with two figures, added to a copy of this source as spec/guide/adding.md says: two
# files are enough to write it, judge it, compare it, and show it on a terminal, in TAP and on a page.
# Clauses: record.kind.one_row, report.figure.other.
#     new_kind.sh path/to/source
. "$(dirname "$0")/tap.sh"
source=$(realpath "$1")
tree=$scratch/tree
mkdir "$tree"
tar -C "$source" --exclude='./build*' --exclude=./.git -cf - . | tar -C "$tree" -xf - && cd "$tree" || exit 99

# The row.
cat >"$scratch/kind" <<'END'
KIND(pulse, "How steadily a kernel runs.")
PART(pulse, subject)
KEY(pulse, shape, TEXT, text, NULL)
KEY(pulse, regime, TEXT, regime, NULL)
FIGURE(pulse, beats, SPREAD, intervals, REQUIRED, "1/s", HIGHER, NULL)
FIGURE(pulse, pause, SPREAD, intervals, REQUIRED, "us", LOWER, NULL)
JUDGED(pulse, verdict, VERDICT, verdict, REQUIRED, NULL)
FIELD(pulse, clause, TEXT, clause, REQUIRED, NULL)
FIELD(pulse, note, TEXT, text, REQUIRED, NULL)
END(pulse)

END
fields=conformance/record/record_fields.def
sed -e "/^END(sweep)/r $scratch/kind" -e 's/^WRAPPED(summary,/WRAPPED(pulse, MEASURED)\n&/' "$source/$fields" >$fields

# Whoever measures makes the line, and judges it.
cat >"$scratch/maker" <<'END'
#include <stdlib.h>
static void write_pulse(struct bench *bench, int row)
{
    struct zone *zone = &bench->session->zone;
    const struct line_bench *speed = LINE_AS(bench, bench_line_row(bench, row, zone));
    const char *times = getenv("PULSE");
    struct interval *beats = zone_take(zone, 3 * sizeof *beats);
    struct interval *pauses = zone_take(zone, 3 * sizeof *pauses);
    for (int index = 0; index < 3; index++) {
        const double beat = atof(times) * (100 + 0.1 * index);
        beats[index] = (struct interval){0.99 * beat, beat, 1.01 * beat};
        pauses[index] = (struct interval){0.99e6 / beat, 1e6 / beat, 1.01e6 / beat};
    }
    const enum verdict verdict = beats[0].median < 40 ? VERDICT_FAIL : VERDICT_PASS;
    bench->verdicts[verdict]++;
    session_write_line(bench->session,
                       LINE(zone, pulse, .subject = speed->subject, .shape = speed->shaped.shape,
                            .regime = speed->shaped.regime, .beats = {beats, 3},
                            .pause = {pauses, 3}, .verdict = verdict,
                            .note = verdict == VERDICT_FAIL ? "below 40 a second" : ""));
}

END
speed=conformance/speed/speed.c
sed -e "/^#include \"conformance\/work\/windows.h\"/r $scratch/maker" \
    -e 's/^\( *\)session_write_line(bench->session, bench_line_row(.*/&\n\1write_pulse(bench, row);/' "$source/$speed" >$speed
grep -q 'write_pulse(bench, row);' $speed && grep -q '^WRAPPED(pulse' $fields && grep -q '^KIND(pulse' $fields
report $? "a kind is a row, and a line that whoever measures makes"

meson setup build -Dcuda=disabled -Doptimization=0 -Ddebug=false -Dwerror=false >"$scratch/log" 2>&1 &&
    ninja -C build assay >>"$scratch/log" 2>&1
built=$?
report $built "two files are all that changed"
[ $built = 0 ] || { tail -n 30 "$scratch/log" | sed 's/^/# /'; finish; exit 0; }

bench() { # bench TIMES NAME: a record of a bench, and what it showed
    PULSE=$1 build/assay bench --device host aat/naive --samples 8 --repeats 3 -o "$scratch/$2.json" >"$scratch/$2" 2>&1
}
bench 1 before
bench 1 again
bench 0.5 slower
bench 0.1 failed
grep -q '^pulse of aat/naive host, k=32 dram: beats 100.1 1/s, pause 9,990 us: PASS$' "$scratch/before"
report $? "live: its figures with their units, and its verdict"
grep -q '"pulse":{"device":"host","kernel":"aat/naive","path":"host","shape":"k=32","regime":"dram","beats":\[\[99' "$scratch/before.json"
report $? "in the record"
build/assay report "$scratch/failed.json" >"$scratch/out" 2>&1
[ $? = 1 ] && grep -q '^FAIL      pulse of aat/naive host, k=32 dram: beats 10.01 1/s, pause 99,900 us$' "$scratch/out" &&
    grep -q '^note      below 40 a second$' "$scratch/out"
report $? "a failure of it is one of the record"
build/assay report "$scratch/before.json" -o "$scratch/page.html" >/dev/null 2>&1
grep -q '<td>pulse</td><td>aat/<wbr/>naive</td><td>host</td><td>k=32 dram</td><td>beats</td><td[^>]*>100.1</td><td>1/s</td><td>.*PASS' "$scratch/page.html"
report $? "a page has its figures in a table"
build/assay compare "$scratch/before.json" "$scratch/again.json" >"$scratch/out" 2>&1 && grep -q '^SAME' "$scratch/out"
report $? "two records are compared by its keys"
build/assay compare "$scratch/before.json" "$scratch/slower.json" >"$scratch/out" 2>&1
tr -s ' \n' ' ' <"$scratch/out" | grep -q 'slower: aat/naive through host on host, k=32 dram: beats, 100.1 1/s -> 50.05 1/s'
report $? "a figure that got worse is named, with its unit"
sed '/"pulse"/d' "$scratch/before.json" >"$scratch/less.json"
"$record_end" "$scratch/less.json"
build/assay compare "$scratch/before.json" "$scratch/less.json" >"$scratch/out" 2>&1
tr -s ' \n' ' ' <"$scratch/out" | grep -q 'measure missing: pulse'
report $? "and so is what is no longer measured"
finish
