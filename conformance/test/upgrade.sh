#!/bin/sh
# README's page on gating an upgrade: its first commands, as they are printed.
# Clauses: gate.verdict.whole, gate.baseline.made, gate.parts.gpu.
#     upgrade.sh path/to/assay path/to/README.md
assay=$(realpath "$1")
readme=$2
. "$(dirname "$0")/tap.sh"
if [ -e /dev/nvidiactl ]; then
    echo "1..0 # SKIP there is a GPU: what these commands come to is this machine's affair"
    exit 0
fi
mkdir "$scratch/build"
ln -s "$assay" "$scratch/build/assay"
sed -n '/^## Gating an upgrade/,/^## What/p' "$readme" | sed -n '/^```sh$/,/^```$/p' |
    grep '^build/assay gate' >"$scratch/commands"
cd "$scratch" || exit 99
[ "$(wc -l <commands)" = 2 ]
report $? "README has a command for before and one for after"
while read -r command; do
    sh -c "$command" >out 2>&1
    got=$?
    [ $got = 3 ] && tail -n 2 out | grep -q '^INCONCLUSIVE  [a-z]*: .*, in [0-9.]* s$'
    report $? "${command%% *#*}"
    [ $got = 3 ] || sed 's/^/# /' out
done <commands
grep -q '^SAME  this gate against before.json: .* digests' out
report $? "the second finds the same bits"
finish
