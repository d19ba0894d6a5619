#!/bin/sh
# A deep run that is killed and resumed, again and again, finishes every case once and ends with the
# counts and digests of a run that was left alone; what cannot be resumed is refused.
# Clauses: verdicts.timeout.again, runner.resume.once, runner.resume.sound, runner.resume.refused, record.cases.exact, record.schema.complete.
#     resume.sh path/to/assay path/to/forms
assay=$1
. "$(dirname "$0")/tap.sh"
kernels='matmul/naive adjacent_difference'

# The rows of a record's summary, without what each process counts for itself (coverage); the numbers of all finished cases, one a line.
summary_rows() {
    tail -n 1 "$1" | sed -n 's/"launches":[0-9]*,"full_launches":[0-9]*\(,"sms":[0-9]*\)*//g
                             s/,"coverage":.*//; s/^{"summary".*"rows"://p'
}
numbers() {
    sed -n 's/^{"cases":\[\(.*\)\],"device".*/\1/p' "$1" | tr -d '[' | tr ']' '\n' |
        awk -F, 'NF { if ($1 == "") { a = $2; b = $3 } else { a = $1; b = $2 }
                   for (i = a; i <= b; i++) print i }'
}

# A run of $cases cases, killed in its first part and then twice while it is resumed: succeeds where at
# least half of it was left each time. A part is stopped for most of the second after which its record
# gets a line of finished cases: few cases are finished in that second.
under_way() { # a moment after the plan of $supervisor is known
    until grep -qs '^plan' "$scratch/out" || ! kill -0 $supervisor 2>/dev/null; do sleep 0.02; done
    sleep 0.05
}
kill_thrice() {
    rm -f "$scratch/r.json"
    setsid "$assay" run $kernels $deep --cases $cases -o "$scratch/r.json" >"$scratch/out" 2>&1 &
    for lines in 1 2; do
        supervisor=$!
        under_way
        all=$(of_session $supervisor)
        kill -STOP $all 2>/dev/null
        sleep 1
        kill -CONT $all 2>/dev/null
        for wait in $(seq 1000); do
            seen=$(grep -cs '^{"cases"' "$scratch/r.json") # nothing where there is no record yet
            [ "${seen:-0}" -lt "$lines" ] && kill -0 $supervisor 2>/dev/null || break
            sleep 0.01
        done
        kill -9 $supervisor 2>/dev/null
        wait $supervisor 2>/dev/null
        printf '{"cases":[[1,2' >>"$scratch/r.json" # as a kill in the middle of a line leaves it
        setsid "$assay" run --resume "$scratch/r.json" >"$scratch/out" 2>&1 &
    done
    supervisor=$!
    under_way
    kill -9 $supervisor 2>/dev/null
    wait $supervisor 2>/dev/null
    finished=$(numbers "$scratch/r.json" | wc -l)
    [ "$finished" -gt 0 ] && [ "$finished" -lt $((cases / 2)) ]
}

# How many cases that takes depends on the machine, and on what else it does: twice as many, until it succeeds.
deep="--device host --tier deep --seed 7"
cases=3000
until kill_thrice || [ $cases -gt 1000000 ]; do cases=$((cases * 2)); done
[ "$finished" -gt 0 ] && [ "$finished" -lt "$cases" ]
report $? "killed three times: $finished of $cases cases and the corpus had finished"

"$assay" run --resume "$scratch/r.json" --time 0.05 >"$scratch/out" 2>&1
status=$?
[ $status = 3 ] && grep -q -- '--time ended it after [0-9,]* of its plan of' "$scratch/out" && grep -q '^resumed ' "$scratch/out"
report $? "resumed with --time: it ends in time, and says so"

"$assay" run --resume "$scratch/r.json" >"$scratch/out" 2>&1
[ $? = 0 ] && grep -q '^PASS ' "$scratch/out"
report $? "resumed to its end: PASS"
tail -n 1 "$scratch/out" | sed 's/^/# /'

"$assay" run $kernels $deep --cases $cases -o "$scratch/whole.json" >"$scratch/out" 2>&1
planned=$(sed -n '1s/.*"cases_planned":\([0-9]*\).*/\1/p' "$scratch/whole.json")
[ "$(numbers "$scratch/r.json" | sort -n | tr '\n' ' ')" = "$(seq 0 $((planned - 1)) | tr '\n' ' ')" ]
report $? "every one of $planned cases finished once"
[ "$(numbers "$scratch/whole.json" | sort -nu | wc -l)" = "$planned" ] &&
    [ -n "$(summary_rows "$scratch/r.json")" ] && [ "$(summary_rows "$scratch/r.json")" = "$(summary_rows "$scratch/whole.json")" ]
report $? "counts and digests are those of a run that was left alone"
[ "$(grep -c '^{"summary"' "$scratch/r.json")" = 1 ] && [ "$(grep -c '^{"device"' "$scratch/r.json")" = 1 ]
report $? "the record has one summary and has its device once"
"$2" "$scratch/r.json" >"$scratch/out" 2>&1
report $? "the record holds the schema"
sed 's/^/# /' "$scratch/out"

# A failure that was reported stays, even when the case passes later.
fail="mutant/input_negated --device host --tier deep --seed 3 --cases 300000 --corpus $scratch/kept" # never crashes: no case is skipped
"$assay" run $fail --time 0.5 -o "$scratch/f.json" >"$scratch/out" 2>&1
before=$(grep -c '^{"finding":"FAIL"' "$scratch/f.json")
sed -i '/^{"reduced"/d' "$scratch/f.json"
"$assay" run --resume "$scratch/f.json" --time 0.2 --corpus "$scratch/none" >"$scratch/out" 2>&1
status=$?
after=$(grep -c '^{"finding":"FAIL"' "$scratch/f.json")
[ $status = 1 ] && [ "$before" -gt 0 ] && [ "$after" -ge "$before" ] &&
    tail -n 1 "$scratch/f.json" | grep -q "\"fail\":$after," &&
    tr -d , <"$scratch/out" | grep -q "^only in the record (-o): $after more findings*\$"
report $? "failures of both parts count: $before, then $after"

# Killed with failures of cases that have not finished: each is in the record once, and counts once.
"$assay" run $fail -o "$scratch/k.json" >"$scratch/out" 2>&1 &
supervisor=$!
until_holds eval '[ "$(grep -cs "^{\"finding\"" "$scratch/k.json")" -gt 200 ]'
kill -9 $supervisor
wait $supervisor 2>/dev/null
before=$(grep -c '^{"finding":"FAIL"' "$scratch/k.json")
after=$before turns=0
until [ "$after" -gt "$before" ] || [ $turns = 10 ]; do # a busy machine may take longer to begin
    "$assay" run --resume "$scratch/k.json" --time 0.2 --corpus "$scratch/kept" >"$scratch/out" 2>&1
    after=$(grep -c '^{"finding":"FAIL"' "$scratch/k.json")
    turns=$((turns + 1))
done
twice=$(sed -n 's/^{"finding".*"index":\([0-9]*\).*/\1/p' "$scratch/k.json" | sort | uniq -d | wc -l)
[ "$after" -gt "$before" ] && [ "$twice" = 0 ] && tail -n 1 "$scratch/k.json" | grep -q "\"fail\":$after,"
report $? "killed after $before failures, $after in the end, $twice of them twice"

# A failure of a case that had not finished stays when the case passes later, in place of that pass; one of
# a case that had finished is in the line of finished cases, too.
"$assay" run matmul/naive $deep --cases 50 -o "$scratch/w.json" >"$scratch/out" 2>&1
last=$(sed -n '1s/.*"cases_planned":\([0-9]*\).*/\1 - 1/p' "$scratch/w.json" | xargs expr)
passed=$(sed -n 's/^{"summary".*"passed":\([0-9]*\),"fail":0,.*"rows".*/\1/p' "$scratch/w.json")
finding="{\"finding\":\"FAIL\",\"case\":\"matmul m=1 n=1 k=1 fill=uniform seed=1\",\"index\":$last,\"device\":\"host\",\"kernel\":\"matmul/naive\",\"path\":\"host\",\"clause\":\"matmul.order.ascending\",\"place\":\"\",\"note\":\"\",\"replay\":\"\"}"
{ grep -v '^{"cases"\|^{"summary"' "$scratch/w.json"; echo "$finding"; } >"$scratch/q.json"
sed "/^{\"summary\"/d; /^{\"cases\"/s/\[0,$last\]/[0,$((last - 1))]/; s/\"passed\":$passed,/\"passed\":$((passed - 2)),\"fail\":1,/" "$scratch/w.json" >"$scratch/v.json"
for record in q v; do
    "$assay" run --resume "$scratch/$record.json" >"$scratch/out" 2>&1
    [ $? = 1 ] && tail -n 1 "$scratch/$record.json" | grep -q "\"passed\":$((passed - 1)),\"fail\":1,"
    report $? "one failure of $((last + 1)) checks stays one ($record)"
    tail -n 1 "$scratch/out" | sed 's/^/# /'
done
grep -v '^{"summary"' "$scratch/w.json" >"$scratch/q.json"
"$assay" run --resume "$scratch/q.json" >"$scratch/out" 2>&1
[ $? = 0 ] && [ -n "$(summary_rows "$scratch/q.json")" ] && # of which no kernel was launched again
    [ "$(summary_rows "$scratch/q.json")" = "$(summary_rows "$scratch/w.json" | tr -s ,)" ]
report $? "killed when all its cases had finished, it is resumed to its summary"
{ grep -v '^{"cases"\|^{"summary"' "$scratch/w.json"; echo "$finding"; echo "$finding"; } >"$scratch/q.json"
expect "a record with two results of one check" 2 "not a record of a deep run of this version of assay" "$assay" run --resume "$scratch/q.json"

expect "a record that is complete" 2 "nothing is left to run" "$assay" run --resume "$scratch/r.json"
"$assay" run $kernels $deep --cases 300000 --time 0.3 -o "$scratch/p.json" >"$scratch/out" 2>&1
expect "another seed" 2 "\`seed\` differs: leave that option out" "$assay" run --resume "$scratch/p.json" --seed 8
expect "another tier" 2 '`tier`' "$assay" run --resume "$scratch/p.json" --tier standard
expect "other kernels" 2 "\`kernels\` differs: leave the patterns out" "$assay" run matmul --resume "$scratch/p.json"
expect "another number of cases" 2 '`cases_planned`' "$assay" run --resume "$scratch/p.json" --cases 10
expect "another file to write" 2 "conflicts with -o" "$assay" run --resume "$scratch/p.json" -o "$scratch/q.json"
sed '1s/"assay":"[^"]*"/"assay":"0.0.1"/' "$scratch/p.json" >"$scratch/q.json"
expect "another version's record" 2 "\`assay\` differs: run again without --resume, or resume with that version" "$assay" run --resume "$scratch/q.json"
sed 's/"name":"[^"]*"/"name":"another"/' "$scratch/p.json" >"$scratch/q.json"
expect "another device's record" 2 "or resume on that device" "$assay" run --resume "$scratch/q.json"
sed 's/"name":/"vbios":"another","name":/' "$scratch/p.json" >"$scratch/q.json"
expect "a record of a device with another VBIOS" 2 "its vbios is 'another', not ''" "$assay" run --resume "$scratch/q.json"
expect "a record of other variables" 2 "\`environment\` differs: set the same variables" env CUDA_HOME=elsewhere "$assay" run --resume "$scratch/p.json"
sed '1s/"environment":\[/&"CUDA_VISIBLE_DEVICES=7",/; 1s/"environment":\[\([^]]*\),\]/"environment":[\1]/' "$scratch/p.json" >"$scratch/q.json"
env NVIDIA_VISIBLE_DEVICES=all "$assay" run --resume "$scratch/q.json" --time 0.2 >"$scratch/out" 2>&1
[ $? = 3 ]
report $? "but which GPUs a variable shows may differ"
sed '1s/"corpus":"0x[^"]*"/"corpus":"0x0000000000000000"/' "$scratch/p.json" >"$scratch/q.json"
expect "another corpus's record" 2 "\`corpus\` differs: run again" "$assay" run --resume "$scratch/q.json"
sed 's/"passed"/"past"/; s/"xxh3_128":"...../"xxh3_128":"-----/' "$scratch/p.json" >"$scratch/q.json"
expect "a record with a wrong digest" 2 "not a record of a deep run of this version of assay" "$assay" run --resume "$scratch/q.json"
sed '/^{"device"/d' "$scratch/p.json" >"$scratch/q.json"
expect "a record of a device that it does not describe" 2 "not a record of a deep run of this version of assay" "$assay" run --resume "$scratch/q.json"
for devices in '["x"]' '[""]' '["cuda:"]' '["cuda:1x"]' '["cuda:-1"]' '["cuda:01"]' '["host","host"]' '[["host"]]' '[]' '"host"' 7; do
    sed "1s/\"devices\":\[[^]]*\]/\"devices\":$devices/" "$scratch/p.json" >"$scratch/q.json"
    expect "a record of devices $devices" 2 "not a record of a deep run of this version of assay" "$assay" run --resume "$scratch/q.json"
done
planned=$(sed -n '1s/.*"cases_planned":\([0-9]*\).*/\1/p' "$scratch/p.json")
row='{"device":"host","kernel":"matmul/naive","path":"host","verdict":"PASS","passed":1,"declined":0,"skip":0,"inconclusive":0,"xxh3_128":"00000000000000000000000000000000"}'
last=$((planned - 1))
while read -r line; do
    { cat "$scratch/p.json" | sed '$d'; echo "$line"; } >"$scratch/q.json"
    expect "a record with $(echo "$line" | cut -c1-60)" 2 "not a record of a deep run of this version of assay" "$assay" run --resume "$scratch/q.json"
done <<END
{"cases":[[$planned,$planned]],"device":"host","rows":[]}
{"cases":[[$last,9223372036854775807]],"device":"host","rows":[]}
{"cases":[[$last,$last],[$last,$last]],"device":"host","rows":[]}
{"cases":[[-1,$last]],"device":"host","rows":[]}
{"cases":[[$last,$last]],"device":"x","rows":[]}
{"cases":[[$last,$last]],"device":"host","rows":[$(echo "$row" | sed 's/"passed":1/"passed":2/')]}
{"cases":[[$last,$last]],"device":"host","rows":[$(echo "$row" | sed 's/"skip":0/"skip":-1/')]}
{"cases":[[$last,$last]],"device":"host","rows":[$(echo "$row" | sed 's/"skip":0/"skip":1/')]}
{"cases":[[$last,$last]],"device":"host","rows":[7]}
{"finding":"FAIL","case":"matmul m=1 n=1 k=1 fill=uniform seed=1","index":$planned,"device":"host","kernel":"matmul/naive","path":"host"}
{"finding":"FINE","case":"matmul m=1 n=1 k=1 fill=uniform seed=1","index":1,"device":"host","kernel":"matmul/naive","path":"host"}
END
{ sed '$d' "$scratch/p.json"; echo "{\"cases\":[[$last,$last]],\"device\":\"host\",\"rows\":[$row]}"; } >"$scratch/q.json"
"$assay" run --resume "$scratch/q.json" --time 0.2 >"$scratch/out" 2>&1
[ $? != 2 ] && tail -n 1 "$scratch/q.json" | grep -q '^{"summary"'
report $? "and one whose lines are sound goes on"
"$assay" run $kernels --device host --cases 20 --seed 1 -o "$scratch/s.json" >"$scratch/out" 2>&1
expect "a record of tier standard" 2 "only tier deep" "$assay" run --resume "$scratch/s.json"
expect "a record that is not there" 2 "cannot be read: No such file" "$assay" run --resume "$scratch/missing.json"
"$assay" run --resume "$scratch/p.json" --time 0.2 >"$scratch/out" 2>&1
[ $? = 3 ] && grep -q '^resumed ' "$scratch/out"
report $? "refusals left the record as it was"

# A hang of a case that has not finished, tried again only now, or with a try that the record has.
finding='{"finding":"TIMEOUT","case":"matmul m=1 n=1 k=1 fill=uniform seed=1","index":'$((planned - 1))',"device":"host","kernel":"matmul/naive","path":"host","clause":"verdicts.timeout.reported","place":"","note":"","replay":""}'
reduced='{"reduced":"matmul m=1 n=1 k=1 fill=uniform seed=1","from":"matmul m=1 n=1 k=1 fill=uniform seed=1","device":"host","kernel":"matmul/naive","path":"host","repeats":5,"failures":0,"tried":0,"complete":false,"replay":"","verdict":"INCONCLUSIVE"}'
for passing in "" "$reduced"; do
    { head -n 2 "$scratch/p.json"; echo "$finding"; [ -z "$passing" ] || echo "$passing"; sed 1,2d "$scratch/p.json"; } >"$scratch/q.json"
    "$assay" run --resume "$scratch/q.json" --time 0.2 >"$scratch/out" 2>&1
    echo "$? $(tail -n 1 "$scratch/q.json" | sed 's/"rows":.*//; s/.*"timeout":\([0-9]*\),.*"inconclusive":\([0-9]*\),.*/\1 \2/')"
done >"$scratch/statuses"
[ "$(tr '\n' ' ' <"$scratch/statuses")" = "3 0 1 3 0 1 " ]
report $? "a hang of the record that does not come back is INCONCLUSIVE, whichever run tried it again"
finish
