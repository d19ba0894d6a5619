#!/bin/sh
# README's page on gating an upgrade: its first commands, as they are printed.
# Clauses: gate.verdict.whole, gate.baseline.made, gate.parts.gpu, compare.exit.status,
# compare.environment.images.
#     upgrade.sh path/to/assay path/to/README.md
assay=$(realpath "$1")
readme=$2
. "$(dirname "$0")/tap.sh"
mkdir "$scratch/build"
ln -s "$assay" "$scratch/build/assay"
ln -s "$(realpath "$(dirname "$readme")")/conformance" "$scratch/conformance"
sed -n '/^## Gating an upgrade/,/^## What/p' "$readme" | sed -n '/^```sh$/,/^```$/p' |
    grep '^build/assay' >"$scratch/all"
cd "$scratch" || exit 99
grep '^build/assay gate' all >commands

# The records that are kept: what README says of them.
grep '^build/assay compare' all >compares
[ "$(wc -l <compares)" = 2 ]
report $? "README has a command for the same stack and one for another"
sh -c "$(sed -n 1p compares)" >out 2>&1
[ $? = 0 ] && [ "$(grep -c '^SAME  ' out)" = 4 ] && tail -n 1 out | grep -q '^SAME  3 parts together$' && ! grep -qE '^(REGRESSED|BETTER|NOT)' out
report $? "the same stack again is the SAME in bits, code and speed"
sh -c "$(sed -n 2p compares)" >out 2>&1
[ $? = 1 ] && tr -s ' \n' ' ' <out | grep -q 'more local memory: thread_array/local through sass-cand .* 288 bytes' &&
    [ "$(grep -c '^SAME  ' out)" = 1 ] && grep -q '^NOT COMPARABLE .*, bits: outputs not compared: the cases differ' out && tail -n 1 out | grep -q '^REGRESSED  3 parts together$' && grep -q 'toolkit of images cand, 13.0.88 -> 13.5.37' out
report $? "the other toolkit is REGRESSED in code alone, and is named"
for record in conformance/gate/example/*.json; do
    [ "$(wc -c <"$record")" -lt 204800 ]
    report $? "$record is small"
done
if [ -e /dev/nvidiactl ]; then # what the others come to is this machine's affair
    finish
    exit 0
fi
[ "$(wc -l <commands)" = 2 ]
report $? "README has a command for before and one for after"
while read -r command; do
    sh -c "$command" >out 2>&1
    got=$?
    [ $got = 3 ] && tail -n 2 out | grep -q '^INCONCLUSIVE  [a-z]*: .*, in [0-9.]* s$'
    report $? "${command%% *#*}"
    [ $got = 3 ] || sed 's/^/# /' out
done <commands
grep -q '^SAME  this gate against before.json[a-z, ]*: .* digests' out
report $? "the second finds the same bits"
finish
