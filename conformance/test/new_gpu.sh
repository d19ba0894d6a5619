#!/bin/bash
# A GPU that nobody has seen: the emulation pretends to be one (ASSAY_HOST_GPU). What assay lacks for it
# stands on one screen, in the same words from info, run, gate and the record.
# Clauses: runner.gaps.listed, runner.gaps.verdicts, driver.host.pretended, gpu_file.section.read,
# gpu_file.filter.used, gpu_file.filter.measured, gpu_file.gpus.accepted, gpu_file.limits.used,
# gpu_file.tool.made, gpu_file.option.checked, texture_fetch.filter.other.
#     new_gpu.sh path/to/assay
assay=$1
. "$(dirname "$0")/tap.sh"
case $assay in /*) ;; *) assay=$PWD/$assay ;; esac
root=$(realpath "$(dirname "$0")/../..")
page=$root/spec/guide/new_gpu.md
cd "$scratch" || exit 1
unset ASSAY_HOST_GPU
gaps() { sed -n '/^gaps /,/^ *gate /p' "$1"; } # of a text
pretended() { ASSAY_HOST_GPU=$number_of "$assay" "$@"; }
number_of=0

names=$(cd "$root" && grep -rnE --include=*.[ch] --include=*.inc '"[^"]*\<(GTX|RTX|Tesla|Quadro|[A-Z]{1,2}[0-9]{2,3}0S?)\>' \
    conformance cuda cpu_ref fuzz | grep -v '/test/\|/test_\|/targets/\|^[^"]*/\*')
[ -z "$names" ]
report $? "no table of the program names a GPU$names"

"$assay" info >info
"$assay" run offset_copy/vector --device host --cases 5 --seed 1 -o r.json >run 2>err
! grep -q '^gaps ' info run && ! grep -q '"gaps"' r.json
report $? "the CPU is no GPU, and nothing is said of it"

pretended info >info
gaps info >screen
[ "$(grep -c '^gaps ' info)" = 1 ] && [ -s screen ] && [ "$(wc -l <screen)" -le 50 ] &&
    [ -z "$(awk 'length > 80' screen)" ]
report $? "what is lacking for a GPU is one screen of at most 80 columns"
[ "$(sed -n 's/^\([a-z0-9]*\)  *no .*/\1/p' screen | tr '\n' ' ')" = \
    "sass limits filter known budgets floors l2 calls ratios clock peak launch sensors " ] &&
    [ "$(grep -c '^step [24567]    [$w]' screen)" = 9 ] && grep -q 'Dgpu_archs=137 ' screen &&
    for row in $(sed -n 's/^\([a-z0-9]*\)  *no .*/\1/p' screen); do grep -q "^| .*\`$row\`.* |" "$page" || echo "$row"; done >unnamed &&
    [ ! -s unnamed ]
report $? "it has each kind of row that the guide has, with the step that fills it"
sed -n '/^expect/,$p' screen | tr -s ' \n' ' ' >expected
# A build without a toolkit has no code at all, which holds its parts back.
own='launch; and without sass'
[ -n "$("$assay" info | grep '^toolkit *CUDA')" ] || own='sass (step 2), launch; and without'
held=${own%launch*} left=${own#*without}
without() { echo "$left, $1" | sed 's/^, / /'; }
code="can PASS, without$(without 'limits, budgets')"
[ -z "$held" ] || code='INCONCLUSIVE until filled: sass (step 2); and without limits, budgets'
printf '%s ' "expect bits INCONCLUSIVE until filled: ${held}launch; and without$(without filter)" \
    "code $code programs can PASS" \
    "speed INCONCLUSIVE until filled: ${held}launch; and without$(without 'filter, floors, l2, calls, ratios, clock, peak, sensors')" \
    'gate INCONCLUSIVE until each part can PASS' | cmp -s - expected
report $? "and ends with the verdict of each part, and what it waits for"

pretended run offset_copy texture_fetch --device host --cases 40 --seed 1 -o r.json >run 2>err
status=$?
gaps run | cmp -s - screen && [ "$(grep -c '^gaps ' run)" = 1 ] && [ "$(grep -c '^{"gaps"' r.json)" = 1 ]
report $? "a run prints it once, and records it"
[ "$status" = 0 ] && awk '$1 == "texture_fetch/array" && $7 > 0 && $NF == "PASS" { found = 1 } END { exit !found }' run &&
    grep -q '^offset_copy/vector .* PASS$' run
report $? "and has the verdict that it expects: what is lacking is left out, the rest is checked"
"$assay" report r.json >report
gaps report | cmp -s - screen
report $? "report prints the same of the record"
"$assay" report -o r.html r.json >/dev/null; [ "$(sed -n '/^<pre>gaps /,/^<.pre>/p' r.html | wc -l)" = $(($(wc -l <screen) + 1)) ]
report $? "and so does the page"
pretended run offset_copy/vector --device host --cases 5 --seed 1 --format tap >tap 2>err
sed -n 's/^# //p' tap >untapped
gaps untapped | cmp -s - screen
report $? "TAP has it in comments"

pretended gate offset_copy texture_fetch --device host --quick --seed 1 -o g.json --corpus corpus >gate 2>err
[ $? = 3 ] && gaps gate | cmp -s - screen && [ "$(grep -c '^gaps ' gate)" = 1 ] &&
    [ "$(grep -c '^{"gaps"' g.json)" = 1 ]
report $? "a gate prints it once"
"$assay" report g.json >report
gaps report | cmp -s - screen && [ "$(grep -c '^gaps ' report)" = 1 ]
report $? "and report prints it once of the gate's file"
pretended gate offset_copy texture_fetch --device host --quick --baseline g.json --corpus corpus >gate 2>err
grep -q '^SAME' gate
report $? "a second gate is the SAME as the first"

# A file of one GPU supplies what it has a member for.
number_of=0
write() { # write FILE MEMBERS
    printf '{\n"gpu_file": "assay", "version": 1,\n"gpu": "Pretended 0", "compute_capability": 137%s}\n' "$2" >"$1"
}
filter() { echo ",\"filter\": {\"coordinate_bits\": $1, \"weight_bits\": $2, \"sum_bits\": $3, \"halves_down\": $4}"; }
write gpu.json "$(filter 23 9 26 true)"
write of_90.json "$(filter 21 8 28 false)"
pretended run texture_fetch --device host --cases 100 --seed 1 --corpus corpus --gpu gpu.json >run 2>err
[ $? = 0 ] && grep -q '^texture_fetch/array .* PASS$' run && ! grep -q '^filter ' run &&
    grep -qF "INCONCLUSIVE until filled: ${held}launch${left:+; and without$left}" run
report $? "with the filter's row its cases run, and the gap is filled"
sed 's/137/138/' gpu.json >of_another.json
pretended run texture_fetch --device host --cases 40 --seed 1 --corpus corpus --gpu of_another.json >run 2>err
[ $? = 0 ] && grep -q '^filter ' run && sed 's/"Pretended 0"/"Pretended"/' gpu.json >of_a_model.json &&
    pretended run texture_fetch --device host --cases 40 --seed 1 --corpus corpus --gpu of_a_model.json >run 2>err &&
    grep -q '^filter ' run
report $? "the filter of another architecture or model leaves it open"
pretended run texture_fetch --device host --cases 100 --seed 1 --corpus corpus_90 --gpu of_90.json >run 2>err
[ $? = 1 ] && grep -q '^  clause    texture_fetch.value.fetched$' run
report $? "and a filter of other bits fails"

pretended run texture_fetch/array --device host --tier deep --time 0.05 --seed 1 --corpus corpus --gpu gpu.json -o deep.json >run 2>err
grep -q '"filter":"23, 9, 26, down"' deep.json
report $? "a record has the filter"

# Three GPUs, each with a filter of its own, are measured; one that rounds in no known way is not.
measure() { ASSAY_HOST_GPU=$number_of python3 "$root/tools/measure_filter.py" "$@" --device host; }
for number_of in 0 1 2; do
    capability=$(pretended info | sed -n 's/.*machine code for sm_\([0-9]*\):.*/\1/p')
    sed "s/137/$capability/; s/Pretended 0/Pretended $number_of/" of_90.json >measured.json
    measure measured.json "$assay" >>out 2>err &&
        pretended run texture_fetch --device host --cases 300 --seed 1 --corpus corpus --gpu measured.json >run 2>err &&
        grep -q '^PASS ' run && python3 -c 'import json; print(*json.load(open("measured.json"))["filter"].values())'
done >measured
printf '%s\n' '23 9 26 True' '17 7 30 False' '20 8 27 True' | cmp -s - measured
report $? "a command measures a filter's bits, and all cases have them"
number_of=0
cp of_90.json kept.json
printf '#!/bin/sh\necho "  clause    texture_fetch.value.fetched"\nexit 1\n' >wrong && chmod +x wrong
measure kept.json ./wrong >out 2>err
[ $? = 1 ] && grep -q '^none of 13 tried: texture_fetch ' out && cmp -s kept.json of_90.json
report $? "bits that no filter has are said to be none's, and the file stays as it is"
sed 's/100000/7/' "$root/tools/measure_filter.py" >few.py
ASSAY_HOST_GPU=0 python3 few.py kept.json "$assay" --device host >out 2>err
[ $? = 3 ] && grep -q 'coordinate_bits 23 or coordinate_bits 24 of 13' out && cmp -s kept.json of_90.json
report $? "and so do bits that several have"
! measure absent.json "$assay" 2>err && grep -q 'gpu_file.py begins such a file' err && ! measure run "$assay" 2>err
report $? "it needs the file of a GPU"
expect "and a program that runs" 2 "No such file or directory: './absent'" measure kept.json ./absent
printf '#!/bin/sh\nexit 1\n' >fails && chmod +x fails
expect "a failure of another kind is no measurement" 3 'no verdict' measure kept.json ./fails

accepted=0
for file in "$root"/spec/gpus/*.json; do
    "$assay" info --gpu "$file" >info 2>err && grep -q '"uuids"' "$file" && grep -q '"date"' "$file" || { accepted=1; echo "# $file: $(head -n 1 err)"; }
done
report $accepted "the files of spec/gpus are accepted, and say where they come from"
write floors.json ',
"floors": {"floors": "assay", "version": 1, "bandwidth_unit": "GB/s", "latency_unit": "us", "gpus": [],
"relations": 3}'
write unknown.json ',
"floor": {}'
echo '{"version": 1' >broken.json
echo '{"version": 1}' >empty.json
expect "a wrong entry is named with its line and its place in the file" 2 \
    'floors.json: line 4: floors: relations is of the wrong type' pretended bench --gpu floors.json
expect "and so is what no such file has" 2 'floor is an unknown name' pretended info --gpu unknown.json
expect "or lacks" 2 'has no gpu_file' pretended gate --quick --gpu empty.json -o none.json
expect "or what is not JSON" 2 'broken.json: line 2' pretended run --gpu broken.json
for option in --floors --gpu; do
    pretended bench adjacent_difference/shared --device host --samples 2 $option gpu.json >bench 2>err
    echo $?
done | sort | uniq -c | grep -qx ' *2 77'
report $? "a file of one GPU is one of floors, too, and what it lacks is the program's own"

# The limits of its SMs; and the tool that makes the file.
write limits.json ',
"limits": {"threads": 3456, "blocks": 48, "shared_bytes": 99008, "shared_unit": 64, "reserved": 1536}'
pretended info --occupancy --gpu limits.json >info
! grep -q '^limits ' info && ! grep -q 'unknown architecture' info && grep -q '^filter ' info
report $? "an architecture whose limits the file has is known"
write none.json ',
"limits": {"threads": 0, "blocks": 48, "shared_bytes": 99008, "shared_unit": 64, "reserved": 1536}'
expect "limits of nothing are refused" 2 'none.json: line 4: limits: threads is 0' pretended info --gpu none.json
tool() { python3 "$root/tools/gpu_file.py" "$@" 2>err; }
like_137() { sed 's/"NVIDIA [^"]*"/"Pretended 0"/; s/"compute_capability":"9.0"/"compute_capability":"13.7"/; s/sm_90/sm_137/' "$@"; }
! tool new.json && grep -q 'name a record' err && [ ! -e new.json ] && tool new.json r.json && grep -q '"uuids": ' new.json &&
    ! tool new.json "$root/spec/measured/h200-1208484a.json" && grep -q 'not of this one' err && ! tool new.json r.html &&
    ! tool new.json absent.json && [ "$(wc -l <err)" = 1 ] && echo '[1]' >list.json && ! tool new.json list.json &&
    [ "$(wc -l <err)" = 1 ] && "$assay" run offset_copy --device host --cases 1 -o cpu.json >out &&
    ! tool cpu_gpu.json cpu.json && grep -q 'a record of no GPU' err && [ ! -e cpu_gpu.json ]
report $? "the tool begins a GPU's file with a record of it, and refuses another's"
head -n 1 r.json >headless.json
sed '/^{"device"/s/"uuid":"[^"]*",//' r.json >nameless.json
sed '/^{"device"/s/"driver":""/"driver":"1.2"/; s/"uuid":"GPU-6/"uuid":"GPU-7/' r.json >second.json
for source in null '[]' '{"uuids": "GPU-1"}' '{"uuids": [1]}'; do
    write odd.json ",\"source\": $source"
    tool odd.json r.json || [ "$(wc -l <err)" != 1 ] || echo refused
done >refused
! tool new.json headless.json && ! tool new.json nameless.json && [ "$(wc -l <err)" = 1 ] &&
    ! tool new.json second.json && grep -q 'another driver or toolkit' err && [ "$(wc -l <refused)" = 4 ]
report $? "a damaged record or file is refused with one line, and so is one of another driver"
for record in 1208484a 0eb7b53f-l2; do like_137 "$root/spec/measured/h200-$record.json" >$record.json && ended $record.json; done
"$assay" floors 1208484a.json -o floors.json && "$assay" floors --floors floors.json 0eb7b53f-l2.json -o floors.json &&
    tool new.json floors.json && pretended info --gpu new.json >info &&
    ! grep -qE '^(floors|l2) ' info && grep -q '^budgets ' info
report $? "floors that a user makes fill their rows"
for cpu in '' another; do # as if its host calls were measured on this host, and on another
    python3 -c '
import json, sys
host, file = json.loads(open("r.json").readline()), json.load(open("new.json"))
known, own = (file["floors"]["gpus"][index] for index in (0, -1))
own["latencies"] = [dict(call, cpu=sys.argv[1] or host["cpu"], hypervisor=host["hypervisor"],
                         provenance=dict(call["provenance"], gpu=own["gpu"])) for call in known["latencies"]]
json.dump(file, sys.stdout)' "$cpu" >here.json
    pretended info --gpu here.json >info && ! grep -q '^floors ' info && grep -q '^budgets ' info || echo lost
    grep -c '^calls ' info
done >calls
[ "$(tr '\n' ' ' <calls)" = "0 1 " ]
report $? "and ceilings of host calls fill theirs on the CPU that they are of"
"$assay" codegen offset_copy --cubins -o code.json >/dev/null 2>&1
if grep -q sm_90 code.json; then
    like_137 code.json >137.json && python3 "$root/tools/make_budgets.py" 137.json >budgets.json && tool new.json budgets.json &&
        pretended info --gpu new.json >info && ! grep -qE '^(budgets|floors) ' info && grep -q '^limits ' info
    report $? "and so do budgets"
else
    skip "and so do budgets" "this build has no code for sm_90 to make them of"
fi

# A mistake of the new chip is found by the step that looks there.
found() { # found FAULT STATUS WORDS PATTERN...
    fault=$1 expected=$2 words=$3
    shift 3
    ASSAY_HOST_FAULT=$fault pretended run "$@" --device host --cases 60 --seed 1 --corpus c --gpu gpu.json \
        >run 2>err
    [ $? = "$expected" ] && cat run err | grep -q "$words"
    report $? "a mistake of the chip is found: $fault"
}
found lane 1 '^  place     element target.49.$' offset_copy
write gpu.json "$(filter 23 9 26 true)"
found filter 1 '^  clause    texture_fetch.value.fetched$' texture_fetch
grep -q '^  reduced   .*it failed 5 times out of 5$' run && ! grep -q '^  retried ' run &&
    ASSAY_HOST_FAULT=filter ASSAY_HOST_GPU=0 sh -c "$(sed -n "s|^  replay *assay|'$assay'|p" run | tail -n 1)" >again 2>err
[ $? = 1 ] && grep -q "^  replay .* --gpu 'gpu.json' " run && grep -q texture_fetch.value.fetched again
report $? "its smallest case and its command know the file, too"
found shared 99 'ERROR: the driver reports that a block can have [0-9]* bytes of shared memory, and refuses to launch one: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES$' shared_copy
found nothing 0 '^PASS ' offset_copy texture_fetch

# Limits that follow from a number: each run ends as it should, and fails nothing.
faults=
for number_of in 1 2 3; do
    pretended run --device host --cases 10 --seed 1 --corpus corpus >run 2>err
    status=$?
    case $status in 0 | 3) ;; *) faults="$faults $number_of:$status" ;; esac
    pretended gate offset_copy texture_fetch --device host --quick --seed 1 --corpus corpus -o g.json >gate 2>err
    [ $? = 3 ] || faults="$faults gate:$number_of"
    pretended bench offset_copy/vector --device host --samples 2 >bench 2>err
    [ $? = 77 ] || faults="$faults bench:$number_of"
    cat run gate bench | grep -qE '(^|  )(FAIL|CRASH|ERROR|TIMEOUT)' && faults="$faults $number_of"
done
[ -z "$faults" ]
report $? "limits that no GPU has are nobody's failure:$faults"
finish
