#!/bin/bash
# What bash offers for the word under the cursor, by `assay help --completion`.
# Clauses: runner.options.table.
#     completion.sh path/to/assay
assay=$(realpath "$1")
. "$(dirname "$0")/tap.sh"
case $assay in /*) ;; *) assay=$PWD/$assay ;; esac
. <("$assay" help --completion)

offers() { # offers WANTED WORD...: the words that complete the last one
    wanted=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _assay
    [ "${COMPREPLY[*]}" = "$wanted" ]
    report $? "$*: ${COMPREPLY[*]}"
}
offers "report" assay repo
offers "--format" assay run --fo
offers "" assay mutants --cas
offers "text tap json markdown page junit line prometheus gcm" assay mutants --format ""
offers "smoke standard" assay run --tier s
offers "ptx-lowest" assay run --path ptx-l
offers "" assay run --seed ""
offers "matmul/tiled matmul/tiled_dynamic" assay run matmul/til
offers "mutant/tail_dropped" assay mutants mutant/tail_d
offers "bench" assay help be
"$assay" help --man >"$scratch/assay.1"
cd "$scratch" && touch one.json && mkdir folder
offers "one.json" assay report on
offers "one.json" assay bench -o one
offers "folder" assay run --corpus ""
if man --warnings -l assay.1 >page 2>warnings; then
    [ -s page ] && [ ! -s warnings ]
    report $? "man shows the manual page without a warning"
    sed 's/^/# /' warnings
else
    skip "man shows the manual page without a warning" "man is not installed, or shows no file"
fi
finish
