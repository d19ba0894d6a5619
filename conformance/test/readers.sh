#!/bin/sh
# The only reader of files that others wrote is base/input_file.c: each other place that opens a file is in
# the list below, with the number of its calls and the reason.
# Clauses: runner.input.bounded.
#     readers.sh path/to/the/sources
root=$1
. "$(dirname "$0")/tap.sh"
cat >"$scratch/permitted" <<'END'
base/file.c 5         opens files to write, folders, and the lock of a file that it replaces
base/host.c 1         opens no file: counts free descriptors (O_PATH)
base/cache.c 2        opens a folder, and a file to write
base/input_file.c 1   the reader
base/process.c 2      /dev/null; and /proc/PID/stat, in a tool's keeper, where no thread can be started
main.c 1              /dev/null
supervise/probe.c 1   numbers in sysfs, relative to an open folder
work/opened_device.c 1 the version of a kernel module, in a worker, which has a time limit
work/stream.c 2       limits of memory in /proc and sysfs, in a worker
worker/nvrtc_tool.c 1 opens a file to write
END
# calls FOLDER: the files below it that open files, and how many calls each has.
calls() {
    (cd "$1" && find . -name '*.[ch]' -o -name '*.inc' | sed 's|^\./||' | grep -v '^test/\|/test/' | while read -r file; do
        count=$(grep -v '^ *\*\|^ */\*' "$file" | grep -oE '(^|[^A-Za-z0-9_.>])(open|openat|open64|creat|fopen|fdopen|freopen|fopen64|openat2|ifstream)\(' | wc -l)
        [ "$count" = 0 ] || echo "$file $count"
    done | sort)
}
calls "$root/conformance" >"$scratch/found"
awk '{ print $1, $2 }' "$scratch/permitted" | sort | diff - "$scratch/found" >"$scratch/differs"
report $? "no file is opened but by the reader, or for a reason"
sed -n 's/^</# permitted:/p; s/^>/# found:/p' "$scratch/differs"
! awk 'NF < 3' "$scratch/permitted" | grep -q .
report $? "each has a reason"
mkdir -p "$scratch/tree/room/test"
printf 'FILE *file = fopen(path, "r");\nint fd = open(path, O_RDONLY);\n/* fopen(x) */\nmeasure->open(state);\nfile_open(x);\n' \
    >"$scratch/tree/room/a.c"
cp "$scratch/tree/room/a.c" "$scratch/tree/room/test/b.c"
[ "$(calls "$scratch/tree")" = "room/a.c 2" ]
report $? "a file that opens two is found, and a test is not"
finish
