#!/bin/sh
# `assay report` from end to end: pages of a run and of a bench of this machine, and of the records
# that are kept as examples, hold what must be true of a page; statuses and refusals.
# Clauses: report.html.whole, report.html.rows, report.exit.status, report.output.whole,
# report.verdict.no_gpu, report.verdict.cut, report.digest.compared, report.digest.complete,
# report.figure.narrow, report.figure.finite, report.figure.floor,
# report.figure.order, report.figure.element, report.figure.blank, report.figure.model,
# report.figure.documents, report.figure.roofline, report.figure.latency, report.figure.relation,
# report.html.environment, report.terminal.lines, report.terminal.columns, report.terminal.ascii,
# report.failure.told, runner.output.columns, report.html.causes, report.html.parts, report.figure.height,
# report.html.counts, record.end.damaged, record.end.missing.
#     report.sh path/to/assay path/to/check_page path/to/examples
assay=$1
check_page=$2
examples=$3
. "$(dirname "$0")/tap.sh"

counts_agree() { # counts_agree PAGE: what it counts twice
    python3 "$(dirname "$0")/page_counts.py" "$1" >"$scratch/counts"
    [ $? = 0 ] && grep -q '^# [1-9][0-9]* numbers compared$' "$scratch/counts" && [ "$(wc -l <"$scratch/counts")" = 1 ] &&
        return 0
    cat "$scratch/counts" >>"$scratch/out"
    return 1
}

page() { # page NAME STATUS RECORD...: a page of records, checked
    name=$1 wanted=$2
    shift 2
    rm -f "$scratch/p.html"
    "$assay" report "$@" -o "$scratch/p.html" >"$scratch/out" 2>&1
    got=$?
    [ $got = "$wanted" ] && "$check_page" "$scratch/p.html" "$@" >>"$scratch/out" 2>&1 &&
        counts_agree "$scratch/p.html"
    report $? "$name"
    [ $got = "$wanted" ] || echo "# status $got"
    sed 's/^/# /' "$scratch/out"
}

cases() { # cases SEED NAME: a run of all kernels but those whose large cases take a second
    "$assay" run '[!m]*' 'matmul/[ns]*' --device host --cases 40 --seed "$1" -o "$scratch/$2.json" >"$scratch/$2.out" 2>&1
}
cases 1 run
tr -s '\n ' ' ' <"$scratch/run.out" | grep -q ' time seconds of all threads: .*driver and device [0-9.]* s'
report $? "a run says what its time went into"
"$assay" run --device host --cases 40 --seed 1 --corpus "$scratch/corpus" mutant/gap_written \
    mutant/trap -o "$scratch/bad.json" >/dev/null 2>&1
"$assay" bench --device host --samples 2 --seed 3 -o "$scratch/bench.json" adjacent_difference \
    'aat/*' '*/vector' >/dev/null 2>&1
head -n 5 "$scratch/run.json" >"$scratch/cut.json"
narrow() { awk 'length > 80 { print "#", $0; long = 1 } END { exit long }' "$1"; }
narrow "$scratch/run.out"
report $? "no line of a run that passes is longer than 80 columns"
"$assay" run --device host --cases 5 --seed 1 --corpus "$scratch/corpus" mutant/gap_written >"$scratch/out" 2>&1
grep -vE '^  (case|replay|kept) ' "$scratch/out" >"$scratch/lines" # which are copied whole
grep -q '^FAIL  ' "$scratch/lines" && narrow "$scratch/lines"
report $? "nor of one that fails, but for what is to be copied"
page "a page of a run that passed and a bench without floors" 3 "$scratch/run.json" "$scratch/bench.json"
grep -q 'No GPU was checked' "$scratch/p.html"
report $? "it says that no GPU was checked"
page "a page of failures" 1 "$scratch/bad.json"
cp "$scratch/p.html" "$scratch/bad.html"
grep -q 'assay replay' "$scratch/p.html"
report $? "it has the commands to replay them"
page "a page of a run that was cut short" 3 "$scratch/cut.json"
grep -q 'INCONCLUSIVE' "$scratch/p.html"
report $? "it is inconclusive"
for record in "$examples"/*.json; do
    page "the example $(basename "$record")" 0 "$record"
done
# The first screen, the contents and the parts of a page.
first_screen() { sed -n '/<section id="verdict">/,/<\/div>/p' "$1"; }
links() { # every link of the page leads to a place in it, and every section of the page has data
    grep -o 'href="#[^"]*' "$1" | sort -u | sed 's/href="#/id="/' | while read -r id; do
        grep -q "$id\"" "$1" || echo "no $id"
    done
}
gates=$(dirname "$0")/../gate/example
"$assay" report "$gates/after.json" -o "$scratch/gate.html" >"$scratch/out" 2>&1
[ $? = 1 ] && "$check_page" "$scratch/gate.html" >>"$scratch/out" && counts_agree "$scratch/gate.html"
report $? "a page of a gate that failed"
sed 's/^/# /' "$scratch/out"
for spoil in 's/22 of 24 functions within the budget, for/21 of 24 functions within the budget, for/' \
    's/<p>2 failures/<p>3 failures/' 's/Declined: 210/Declined: 209/' 's/not run: \([0-9]*\)</not run: 1\1</' \
    's/Bits: 4,775 of 4,775/Bits: 4,775 of 4,776/' 's/Speed: 4 of 4/Speed: 3 of 4/'; do
    sed "$spoil" "$scratch/gate.html" >"$scratch/spoiled.html"
    ! cmp -s "$scratch/gate.html" "$scratch/spoiled.html" && ! counts_agree "$scratch/spoiled.html"
    report $? "a number that differs is found: $spoil"
done
first_screen "$scratch/gate.html" >"$scratch/out"
grep -q '<li>thread_array_local_16 through sass-cand for cuda:0: 288 local bytes a thread, budget 256' "$scratch/out"
report $? "the cause is beside the verdict"
[ "$(grep -o '[^/ >]*after.json' "$scratch/gate.html" | wc -l)" -le 2 ] &&
    sed -n '/<section id="verdict">/,/<h3>Checked/p' "$scratch/gate.html" | grep -o '</span> [a-z ]*' |
    tr '\n' ' ' | grep -q '> bits .*> machine code .*> speed'
report $? "the file is named once, and its parts by what they are about"
[ "$(grep -c 'class="missing"' "$scratch/gate.html")" -le 5 ] && [ -z "$(links "$scratch/gate.html")" ]
report $? "figures without data are one list, and no link of the contents leads nowhere"
first_screen "$scratch/bad.html" >"$scratch/out"
[ "$(grep -c '<li>' "$scratch/out")" = 2 ] && grep -q '<li>mutant/gap_written through host on host: gap of ' "$scratch/out" &&
    grep -q '<li>mutant/trap through host on host: CRASH' "$scratch/out"
report $? "of two kernels that fail each is named once beside the verdict"
# Places of markers, in the wide drawings of the record of a bench: half of them above the lowest tenth,
# and none over another in the roofline.
"$assay" report "$examples/bench.json" -o "$scratch/p.html" >"$scratch/out" 2>&1
awk '
    /<section id=/ { split($0, quoted, "\""); figure = quoted[2] }
    /<svg class="chart wide"/ { wide = 1; count = low = 0 }
    wide && match($0, /class="marker" transform="translate\([-0-9. ]*\)/) {
        split(substr($0, RSTART + 36, RLENGTH - 37), place, " ")
        x[count] = place[1]; y[count] = place[2]; low += place[2] > 348 - 31.2
        for (other = 0; figure == "roofline" && other < count; other++)
            if ((x[other] - place[1]) ^ 2 < 100 && (y[other] - place[2]) ^ 2 < 100)
                print figure ": a marker over another"
        count++
    }
    wide && /<\/svg>/ {
        wide = 0
        charts += count > 0
        if (count > 0 && 2 * low >= count) print figure ": " low " of " count " markers in the lowest tenth"
    }
    END { if (charts < 10) print charts " charts of markers" }' "$scratch/p.html" >"$scratch/out"
[ ! -s "$scratch/out" ]
report $? "markers use the height of their drawings, and hide none in the roofline"
sed 's/^/# /' "$scratch/out"
"$assay" report "$(dirname "$0")/../gate/example/before.json" | tr -s ' \n' ' ' |
    grep -q 'Coverage of cuda:0: .*27 MiB of 140 GiB of memory (0.02 %); 160 checks empty\.'
report $? "a coverage of more than 200 letters is whole"
# What a record with a line of every kind looks like is compared with one page and one summary that
# somebody has looked at. The kernels of this version, its number and the style are left out.
program=$(realpath "$assay")
golden=$(dirname "$0")/../report/test
is_golden() { # is_golden FILE: what was made is that file, which MAKE_GOLDEN=1 makes of it
    [ -z "$MAKE_GOLDEN" ] || cp "$scratch/golden" "$golden/$1"
    diff "$golden/$1" "$scratch/golden" >"$scratch/out"
}
sed -n 's/^\(BARE\|WRAPPED\)(\([a-z]*\), .*\(MEASURED\|most\|tally\).*/\2/p' "$golden/../../record/record_fields.def" >"$scratch/kinds"
while read -r kind; do grep -q "^{\"$kind\":" "$golden/golden.json" || echo "no $kind"; done <"$scratch/kinds" >"$scratch/out"
[ -s "$scratch/kinds" ] && [ ! -s "$scratch/out" ]
report $? "the golden page's record has a line of every kind"
sed 's/^/# /' "$scratch/out"
cp "$golden/golden.json" "$scratch" &&
    (cd "$scratch" && "$program" report golden.json -o golden.html) >/dev/null 2>&1
[ $? = 1 ] &&
    sed '/<style>/,/<\/style>/d; /of this version not run\|of a GPU not run/d; /name="generator"/d' "$scratch/golden.html" >"$scratch/golden" &&
    is_golden golden.html
report $? "a page looks as the golden page: where the change is meant, MAKE_GOLDEN=1 writes it again"
head -n 20 "$scratch/out" | sed 's/^/# /'
counts_agree "$scratch/golden.html"
report $? "its counts agree"
(cd "$scratch" && LC_ALL=C "$program" report golden.json) 2>/dev/null |
    sed '/of this version not run\|of a GPU not run/,/^$/d' >"$scratch/golden"
is_golden golden.txt
report $? "so does a summary in a terminal without UTF-8, as golden.txt"
head -n 20 "$scratch/out" | sed 's/^/# /'
sed -n '/^cuda:0 *Generated/,/^checked/p' "$scratch/golden" | awk 'length > 80 || /[^ -~]/ { exit 1 }'
report $? "whose figures keep to 80 columns of ASCII"
"$assay" report "$scratch/run.json" >"$scratch/out" 2>&1 && grep -q '^PASS.*no GPU was checked' "$scratch/out"
report $? "a record of a run that passed is a PASS"
"$assay" report "$scratch/run.json" "$scratch/bench.json" >"$scratch/out" 2>&1
[ $? = 3 ] && grep -q 'no GPU was checked' "$scratch/out" && grep -q 'XXH3-128' "$scratch/out"
report $? "the summary in a terminal"
LC_ALL=C "$assay" report "$scratch/bench.json" >"$scratch/out"
[ $? = 77 ] &&
    grep -q 'Adjacent\|adjacent' "$scratch/out"
report $? "the summary of a bench"
cases 1 again
cases 2 other
"$assay" report "$scratch/run.json" "$scratch/again.json" "$scratch/other.json" |
    tr -s ' \n' ' ' >"$scratch/out"
"$assay" report "$scratch/run.json" "$scratch/again.json" >"$scratch/same" &&
    grep -q "again.json compared with .*run.json: SAME: [1-9][0-9]* digests, .* compared" "$scratch/out" &&
    grep -q "checked [^ ]*again.json compared with" "$scratch/out" &&
    grep -q "unchecked [^ ]*other.json compared with" "$scratch/out" &&
    grep -q "other.json compared with .*run.json: NOT COMPARABLE: outputs not compared: the cases differ" "$scratch/out"
report $? "runs of the same cases are compared, and count as checked; others are not"
"$assay" report "$scratch/run.json" "$scratch/other.json" >"$scratch/out"
[ $? = 3 ] && tr -s ' \n' ' ' <"$scratch/out" |
    grep -q "INCONCLUSIVE .*other.json compared with .*run.json is NOT COMPARABLE: "
report $? "which is no PASS"
digest='"path":"host",[^}]*"xxh3_128":"'
sed "/\"matmul.naive\"/s/$digest./&@/; s/0@/1/; s/.@/0/" \
    "$scratch/again.json" >"$scratch/altered.json"
ended "$scratch/altered.json"
"$assay" report "$scratch/run.json" "$scratch/altered.json" >"$scratch/out"
[ $? = 1 ] &&
    grep -q "^FAIL .*altered.json compared with .*run.json is REGRESSED: different bits for the same cases (1)" "$scratch/out"
report $? "other bits after the same cases are a FAIL"
"$assay" run matmul/naive matmul/simple --device host --cases 40 --seed 1 -o "$scratch/all.json" >/dev/null 2>&1
"$assay" run matmul/naive --device host --cases 40 --seed 1 -o "$scratch/less.json" >/dev/null 2>&1
"$assay" report "$scratch/all.json" "$scratch/less.json" >"$scratch/out"
[ $? = 1 ] && tr -s ' \n' ' ' <"$scratch/out" | grep -q "FAIL .*less.json compared with .*all.json is REGRESSED: kernel missing (1)"
report $? "an upgrade after which a kernel is missing fails"
"$assay" report "$scratch/less.json" "$scratch/all.json" >"$scratch/out"
report $? "one after which there is more is one"
# A file that was damaged on its way, as every command says.
what="copy the record again, or make a new one"
sed '17s/"passed":/&1/' "$scratch/run.json" >"$scratch/altered.json"
for command in report "compare $scratch/run.json" "gate --device host --baseline" floors; do
    expect "a line that was changed: ${command%% *}" 2 "altered.json: line 17: damaged: changed since it was written: $what" \
        "$assay" $command "$scratch/altered.json"
done
sed 17d "$scratch/run.json" >"$scratch/altered.json"
expect "a line that was lost" 2 "altered.json: line 17: damaged: 1 line missing from here on: $what" \
    "$assay" report "$scratch/altered.json"
sed '17p; 18p' "$scratch/run.json" >"$scratch/altered.json"
expect "lines that were added" 2 "altered.json: line 18: damaged: 2 lines too many from here on: $what" \
    "$assay" report "$scratch/altered.json"
rows=$(wc -l <"$scratch/run.json")
sed '$s/"lines":/&1/' "$scratch/run.json" >"$scratch/altered.json"
expect "the end itself" 2 "altered.json: line $rows: damaged: it is not the end of the lines before it: $what" \
    "$assay" report "$scratch/altered.json"
cat "$scratch/run.json" "$scratch/altered.json" >"$scratch/both.json"
expect "that of a second record in the file" 2 "both.json: line $((2 * rows)): damaged: it is not the end" \
    "$assay" report "$scratch/both.json"
cat "$scratch/run.json" "$scratch/again.json" >"$scratch/both.json"
"$assay" report "$scratch/both.json" >"$scratch/out"
report $? "each of several records has its own end"
head -n -1 "$scratch/run.json" >"$scratch/cut.json"
"$assay" report "$scratch/cut.json" >"$scratch/out"
[ $? = 3 ] && tr -s ' \n' ' ' <"$scratch/out" | grep -q 'INCONCLUSIVE the record was cut short: its summary is there, its end is not'
report $? "a record without its end was cut short"
expect "a page in no folder" 2 "cannot be written" \
    "$assay" report "$scratch/run.json" -o /no/such/folder/p.html
expect "a page that is a folder" 2 "cannot be written" "$assay" report "$scratch/run.json" -o /
expect "a full disk" 99 "No space left on device" \
    "$assay" report "$scratch/run.json" -o /dev/full
cp "$scratch/run.json" "$scratch/record.html"
expect "a page in a record's place" 2 "the command reads that file" \
    "$assay" report "$scratch/record.html" -o "$scratch/record.html"
expect "a full standard output" 99 "cannot write standard output" \
    sh -c "\"$assay\" report \"$scratch/run.json\" >/dev/full"
finish
