# What the shell tests share: numbered TAP lines, and a check of one command's status and words.
# Source it with $assay set; call `finish` last.
number=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_STATE_HOME="$scratch/state" # failing cases without --corpus

# ended FILE...: rewrites the `end` lines of records that the test has edited.
record_end=$PWD/conformance/record_end
[ -x "$record_end" ] || record_end=$PWD/$(dirname "$assay")/conformance/record_end
ended() { "$record_end" "$@"; }

report() { # report RESULT NAME
    number=$((number + 1))
    if [ "$1" = 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; fi
}

skip() { # skip NAME REASON: a check that cannot run here
    report 0 "$1 # SKIP $2"
}

# expect NAME STATUS WORDS COMMAND...: exit status STATUS, WORDS somewhere in one line of stderr, and
# no more lines than that there.
expect() {
    name=$1 status=$2 words=$3
    shift 3
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null && got=0 || got=$?
    lines=$(wc -l <"$scratch/err")
    if [ "$got" = "$status" ] && [ "$lines" -le 1 ] &&
        { [ -z "$words" ] || grep -qF -- "$words" "$scratch/err"; }; then
        report 0 "$name"
    else
        report 1 "$name"
        echo "# expected status $status and '$words', got status $got and $lines lines:"
        sed 's/^/# /' "$scratch/err"
    fi
}

# on_terminal COMMAND...: runs it on a pseudo terminal. Status 77 if this machine has none, as without /dev/pts,
# and the reason on stderr.
on_terminal() {
    python3 -c 'import os, pty, sys
try:
    for end in pty.openpty():
        os.close(end)
except OSError as error:
    print("no pseudo terminal: %s" % error, file=sys.stderr)
    sys.exit(77)
pty.spawn(sys.argv[1:])' "$@"
}

# Processes that are not zombies, a line each: pid, parent, session.
processes() {
    cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^\([0-9]*\) (.*) /\1 /' |
        awk '$2 != "Z" { print $1, $3, $5 }'
}
of_session() { # of_session SESSION: its processes
    processes | awk -v session="$1" '$3 == session { print $1 }'
}

handles_signals() { grep -qs '^SigCgt:.*4...$' "/proc/$1/status"; } # SIGTERM among them
has_no_process() { [ -z "$(of_session "$1")" ]; }                   # of that session
has_child() { processes | awk -v parent="$1" '$2 == parent { found = 1 } END { exit !found }'; }

# until_holds COMMAND...: polls until the command succeeds, for a minute at most; false if it never does.
until_holds() {
    polls=0
    until "$@"; do
        polls=$((polls + 1))
        [ $polls -lt 1200 ] || return 1
        sleep 0.05
    done
}

# unwrapped FILE: with the lines joined that were broken at 80 columns.
unwrapped() { sed -e ':next' -e 'N' -e '$!b next' -e 's/\n          \([^ ]\)/ \1/g' "$1"; }

finish() { echo "1..$number"; }

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# with_driver LIBRARY: from here on it is libcuda; its folder is $scratch/lib.
with_driver() {
    mkdir -p "$scratch/lib"
    ln -s "$1" "$scratch/lib/libcuda.so.1"
    export LD_LIBRARY_PATH="$scratch/lib"
}
# rows PATH WORDS: how many kernels in the GPU's table in $scratch/out have both, in that order; the
# driver's copies are no kernels.
rows() { grep "cuda:0 *$1 .*$2" "$scratch/out" | grep -vc '^host_copy'; }

# What waits for most of its time goes aside: aside COMMAND... runs it in the background, in a folder of
# its own, which is $scratch there; `joined` waits for all of those and reports what they reported.
asides=
aside() {
    folder=$(mktemp -d "$scratch/aside.XXXXXX")
    (
        scratch=$folder number=0
        "$@"
        finish
    ) >"$folder.tap" &
    asides="$asides $!:$folder.tap"
}
joined() {
    for each in $asides; do
        wait "${each%%:*}"
        ended=1
        while IFS= read -r line; do
            case $line in
            "ok "*) report 0 "${line#ok * - }" ;;
            "not ok "*) report 1 "${line#not ok * - }" ;;
            1..*) ended=0 ;;
            *) echo "$line" ;;
            esac
        done <"${each#*:}"
        [ $ended = 0 ] || report 1 "what was begun aside did not end by itself"
    done
    asides=
}
