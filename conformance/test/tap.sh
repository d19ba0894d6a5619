# What the shell tests share: numbered TAP lines, and a check of one command's status and words.
# Source it with $assay set; call `finish` last.
number=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

report() { # report RESULT NAME
    number=$((number + 1))
    if [ "$1" = 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; fi
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

# Processes that are not zombies, a line each: pid, parent, session.
processes() {
    cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^\([0-9]*\) (.*) /\1 /' |
        awk '$2 != "Z" { print $1, $3, $5 }'
}
of_session() { # of_session SESSION: its processes
    processes | awk -v session="$1" '$3 == session { print $1 }'
}

finish() { echo "1..$number"; }
