#!/bin/sh
# Images files from end to end, without a GPU: their code paths in codegen, and in a run on a driver that
# computes nothing; what is damaged, missing or there twice; and, where there is an nvcc, that it makes
# of a kernel what the build made of it.
# Clauses: driver.images.paths, driver.images.recorded, driver.images.hostile, driver.images.sources, driver.images.options, driver.images.refused,
# report.html.environment,
# codegen.images.read, codegen.cubin.read, codegen.cubin.unread, codegen.against.read, codegen.against.shown, codegen.budget.spill.
#     images.sh path/to/assay path/to/write_cubin stand-in path/to/cuda [nvcc]
assay=$1 write_cubin=$2 stand_in=$3 cuda=$4 nvcc=$5
images_py=$cuda/../tools/images.py
sources=$(python3 "$images_py" sources "$cuda" "$cuda/kernels.def" "$cuda/mutants/mutants.def")
. "$(dirname "$0")/tap.sh"
make() { # make FILE NAME REGISTERS LOCAL_BYTES [SOURCES [HOLDS]]: an images file with matmul/naive and the harness
    "$write_cubin" "$scratch/naive" 90 matmul_naive "$3" "$4" 0 2000 ${6:-} &&
        "$write_cubin" "$scratch/harness" 90 harness_scrub 16 0 0 256 &&
        printf '//\n.version 8.0\n.target sm_90\n' >"$scratch/ptx" &&
        python3 "$images_py" unit-file "$1" "$2" 12.6.20 90 -std=c++14 "${5:-$sources}" \
            unit matmul_naive "$scratch/naive" ptx 90 "$scratch/ptx" \
            unit harness_scrub "$scratch/harness" unit harness_range "$scratch/harness"
}
has() { # has NAME FILE PATTERN...: each is in some line of the file
    name=$1 file=$2 missing=0
    shift 2
    for pattern; do grep -q -- "$pattern" "$file" || missing=1; done
    report $missing "$name"
    [ $missing = 0 ] || sed 's/^/# /' "$file"
}

images="$scratch/it's.images"
make "$images" 12.6.20 32 0
report $? "an images file is made from a compiler's output"

"$assay" codegen --images "$images" --path sass-12.6.20 matmul/naive -o "$scratch/r.json" >"$scratch/out" 2>"$scratch/err"
report $? "its machine code is held to the budgets, by a build with CUDA code and by one without"
has "as a code path that has its name" "$scratch/out" '^matmul_naive *sass-12.6.20 sm_90 *32/' '^PASS  1 function'
has "and the record says which file that was" "$scratch/r.json" \
    '"images":\[{"file":"[^"]*it.s.images","name":"12.6.20","toolkit":"12.6.20","architectures":"90","options":"-std=c++14","digest":"0x[0-9a-f]\{16\}"}\]'

"$assay" report "$scratch/r.json" -o "$scratch/page.html" >"$scratch/out" 2>&1
has "so does a page made of it" "$scratch/page.html" \
    'images</th><td>.*s.images: name 12.6.20; toolkit 12.6.20; architectures 90; options -std=c++14; digest 0x'
"$assay" codegen --images "$images" --path sass-12.6.20 matmul/naive matmul/tiled >"$scratch/out" 2>"$scratch/err"
[ $? = 3 ]
report $? "a kernel that the file lacks is not passed"
has "but skipped, with the reason" "$scratch/out" 'SKIP: .*it.s.images has no machine code of module matmul_tiled' \
    '^INCONCLUSIVE  1 of 2 functions in .* s: 1 skipped: .*it.s.images has no machine code of module matmul_tiled'

make "$scratch/spills" spills 32 16
make "$scratch/other" 12.6.20 31 0
"$assay" codegen --images "$scratch/spills" --path sass-spills matmul/naive >"$scratch/out" 2>"$scratch/err"
[ $? = 1 ]
report $? "a candidate that spills fails without a GPU"
has "by what it spills, and with the command that says so again" "$scratch/out" 'got *16 bytes of local memory per thread, budget 0' \
    '^  function  matmul_naive$' '^FAIL  1 of 1 function failed, in ' \
    "assay codegen --cubins --path sass-spills --images '.*/spills' matmul/naive"
sh -c "$(sed -n 's/^  replay *//p' "$scratch/out" | sed "s|^assay|$assay|")" >"$scratch/again" 2>&1
[ $? = 1 ] && grep -q '16 bytes of local memory per thread, budget 0' "$scratch/again"
report $? "which it does"
# Code that cannot be read proves nothing, whether it is read by itself or a driver accepts it.
alter() { # alter NAME FROM TO: an images file whose kernel's code has other bytes
    LC_ALL=C sed "s/$2/$3/g" "$scratch/naive" >"$scratch/altered"
    python3 "$images_py" unit-file "$scratch/$1" "$1" 12.6.20 90 -std=c++14 "$sources" \
        unit matmul_naive "$scratch/altered" ptx 90 "$scratch/ptx" \
        unit harness_scrub "$scratch/harness" unit harness_range "$scratch/harness"
}
make "$scratch/bare" bare 0 0
make "$images" 12.6.20 32 0
alter mute '\.nv\.info' '.nv.none'
alter formless '\x7fELF' '\x7fFLE'
alter nameless matmul_naive matmul_naivf
unread() { # unread NAME WORDS
    "$assay" codegen --images "$scratch/$1" --path "sass-$1" matmul/naive >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status = 3 ] && grep -q "INCONCLUSIVE: $2" "$scratch/out" && grep -q '^INCONCLUSIVE ' "$scratch/out"
    report $? "$3: $2: status $status"
}
unread_both() { # unread_both WHERE
    unread bare 'the code gives the function 0 registers, and every kernel has some' "$1"
    unread mute "not whole: the function's registers in .nv.info" "$1"
}
unread_both "read by itself"
unread formless 'not whole: no ELF' "read by itself"
cp "$(dirname "$0")/../../spec/codegen_budgets.json" "$scratch/it's.json"
"$assay" codegen --images "$scratch/spills" --path sass-spills --budgets "$scratch/it's.json" matmul/naive >"$scratch/out" 2>"$scratch/err"
sh -c "$(sed -n 's/^  replay *//p' "$scratch/out" | sed "s|^assay|$assay|")" >"$scratch/again" 2>&1
[ $? = 1 ] && grep -q '16 bytes of local memory per thread, budget 0' "$scratch/again"
report $? "with a file of budgets, too"

make "$scratch/older" older 32 0 "$sources" 75
"$assay" codegen --images "$scratch/older" --path sass-older matmul/naive >"$scratch/out" 2>"$scratch/err"
[ $? = 1 ]
report $? "code of sm_75 in the place of sm_90's fails"
has "in one line that names both" "$scratch/out" 'clause *codegen.cubin.read' 'the code for sm_90 is code of sm_75'
sed 's/\x7fELF/\x7fFLE/' "$scratch/older" >"$scratch/damaged"
expect "an images file that was changed is refused" 2 "damaged: " "$assay" codegen --images "$scratch/damaged"

make "$scratch/more" more 40 0
"$assay" codegen --images "$scratch/more" --path sass-more matmul/naive matmul/tiled --against "$images" >"$scratch/out" 2>"$scratch/err"
[ $? = 1 ]
report $? "a toolkit is compared with another, and the budgets judge"
has "the comparison's verdict, then what differs" "$scratch/out" \
    "^against   .*/it's.images, CUDA 12.6.20\$" "^SAME  this code against .*/it's.images: 1 function compared\$" \
    '^  different code: matmul/naive through sass-more on sm_90, matmul_naive, 32$'
"$assay" gate --quick --corpus "$scratch/gate" --seed 1 --images "$images" --images "$scratch/spills" --path sass-12.6.20,sass-spills \
    matmul/naive -o "$scratch/gate.json" >"$scratch/out" 2>"$scratch/err"
[ $? = 1 ] && [ "$(grep -c '^{"codegen".*"path":"sass-12.6.20"' "$scratch/gate.json")" = 1 ] &&
    [ "$(grep -c '^{"codegen".*"path":"sass-spills"' "$scratch/gate.json")" = 1 ]
report $? "a gate takes every path that --path names, and fails by the second"
"$assay" codegen --images "$scratch/more" --path sass-more matmul/naive --against "$scratch/r.json" --format json >"$scratch/out" 2>"$scratch/err"
has "a record can be compared with, and JSON has both sides" "$scratch/out" \
    '"registers":40,.*"against":{"registers":32,"local_bytes":0,"shared_bytes":0,"code_bytes":2000,"code_xxh3_64":"' \
    '"against":{"file":".*/r.json","toolkit":"[0-9.]*","compared":1,"differing":1,"differing_code":1,"absent":0}'
cat "$scratch/r.json" "$scratch/r.json" >"$scratch/gate.json"
"$assay" codegen --images "$scratch/more" --path sass-more matmul/naive --against "$scratch/gate.json" >"$scratch/out" 2>"$scratch/err"
has "and so can a file of several" "$scratch/out" '^SAME  this code against .*/gate.json: 1 function compared$'
"$assay" codegen --images "$images" --path sass-12.6.20 matmul/naive --against "$images" --format tap >"$scratch/out" 2>"$scratch/err"
[ $? = 0 ] && grep -q '^# against: SAME  this code against .*: 1 function compared$' "$scratch/out"
report $? "and TAP has the verdict: a file is the same as itself"
sed '/{"codegen"/d' "$scratch/r.json" >"$scratch/none.json"
ended "$scratch/none.json"
expect "a record without machine code is refused" 2 "none.json: a record without figures" \
    "$assay" codegen --cubins --against "$scratch/none.json"
expect "and an invalid file" 2 "--against $scratch/ptx: " "$assay" codegen --cubins --against "$scratch/ptx"
head -c 200 "$images" >"$scratch/cut"
expect "and an images file that is cut short" 2 "cut: byte 16: it says" "$assay" codegen --cubins --against "$scratch/cut"

expect "two files of one name" 2 "there is a code path sass-12.6.20" \
    "$assay" codegen --images "$images" --images "$scratch/../$(basename "$scratch")/it's.images"
head -c 300 "$images" >"$scratch/cut"
expect "a file that is cut short is refused with the place" 2 "cut: byte 16: it says that it has" \
    "$assay" codegen --images "$scratch/cut"
make "$scratch/strange" strange 32 0 0x0123456789abcdef
expect "a file of other sources is refused" 2 "strange: it was made from other kernel sources than this assay's" \
    "$assay" codegen --images "$scratch/strange"
expect "and so is an invalid file" 2 "r.json: byte 0: it is no images file" "$assay" run --images "$scratch/r.json"
expect "and one that is not there" 2 "--images $scratch/none: No such file" "$assay" bench --images "$scratch/none"
truncate -s 1025M "$scratch/large"
expect "and one that is larger than any" 2 "--images $scratch/large: too large" "$assay" run --images "$scratch/large"
expect "and a folder" 2 "--images $scratch: " "$assay" replay --images "$scratch" "matmul m=1 n=1 k=1 seed=1"
expect "the host device has no path of a file" 2 "needs a GPU and conflicts with --device host" \
    "$assay" run --device host --images "$images"
expect "and stands in for no GPU" 77 "needs a GPU, so nothing runs; device: host" "$assay" run --images "$images"

with_driver "$stand_in"
unread_both "of a driver that accepts it"
unread nameless 'the cubin has no function matmul_naive' "of a driver that accepts it"
ASSAY_STAND_IN=compute-nothing "$assay" run --images "$images" --path sass-12.6.20,ptx-12.6.20,ptx-12.6.20-O1 --cases 40 --seed 1 \
    matmul/naive matmul/tiled -o "$scratch/r.json" --corpus "$scratch/corpus" >"$scratch/out" 2>"$scratch/err"
[ $? = 1 ]
report $? "workers have the file's paths"
has "each with what it came to" "$scratch/out" 'matmul/naive *cuda:0 *sass-12.6.20 .*FAIL' 'matmul/naive *cuda:0 *ptx-12.6.20 .*FAIL' \
    'matmul/naive *cuda:0 *ptx-12.6.20-O1 .*FAIL' 'matmul/tiled .*SKIP: .*no code of module matmul_tiled'
has "and replay commands that name it" "$scratch/r.json" \
    "assay replay --device cuda:0 --path ptx-12.6.20 --images '.*/it'..''s.images' 'matmul " '"path":"ptx-12.6.20","ptx":"compute_90"'
ASSAY_STAND_IN=compute-nothing sh -c "$(sed -n 's/^  replay *\(.*sass-12.6.20.*\)/\1/p' "$scratch/out" | head -n 1 | sed "s|^assay|$assay|")" >"$scratch/again" 2>&1
[ $? = 1 ] && grep -q '^FAIL' "$scratch/again"
report $? "which run the check again"
# Code that the driver refuses is the fault of the compiler that made it, whichever unit it is of and
# however it came: the harness's own kernels are taken from another path.
damage() { # damage NAME UNIT: an images file in which this unit is no machine code
    code() { [ "$1" = "$2" ] && echo "$3.damaged" || echo "$3"; }
    for code in naive harness; do
        LC_ALL=C sed 's/\x7fELF/\x7fFLE/' "$scratch/$code" >"$scratch/$code.damaged"
    done
    python3 "$images_py" unit-file "$scratch/$1" "$1" 12.6.20 90 -std=c++14 "$sources" \
        unit matmul_naive "$(code "$2" matmul_naive "$scratch/naive")" ptx 90 "$scratch/ptx" \
        unit harness_scrub "$(code "$2" harness_scrub "$scratch/harness")" ptx 90 "$scratch/ptx" \
        unit harness_range "$(code "$2" harness_scrub "$scratch/harness")" ptx 90 "$scratch/ptx"
}
damage damaged-kernel matmul_naive
damage damaged-harness harness_scrub
for name in damaged-kernel damaged-harness; do
    ASSAY_STAND_IN=compute-nothing "$assay" run --images "$scratch/$name" --path "sass-$name,ptx-$name" --cases 20 \
        --seed 1 matmul/naive --corpus "$scratch/corpus" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status = 1 ] && grep -q "matmul/naive *cuda:0 *ptx-$name .*FAIL" "$scratch/out"
    report $? "$name: status $status"
done
ASSAY_STAND_IN=compute-nothing "$assay" codegen --images "$scratch/damaged-kernel" --path sass-damaged-kernel \
    matmul/naive >"$scratch/out" 2>"$scratch/err"
[ $? = 1 ] && grep -q 'loading module matmul_naive through sass-damaged-kernel: ' "$scratch/out"
report $? "codegen gives it the same verdict"
# Code of another architecture, which its file says is for this one, is refused by every command, the
# same way, whatever the driver makes of it.
make "$scratch/foreign" foreign 32 0 "" 75
for command in "run --cases 20 --seed 1 --corpus $scratch/corpus" "bench --repeats 3 --samples 2 --bytes 1000000" codegen; do
    ASSAY_STAND_IN=compute-nothing "$assay" $command --images "$scratch/foreign" --path sass-foreign \
        matmul/naive >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status = 1 ] && grep -q 'loading module .* through sass-foreign: the code for sm_90 is code of sm_75' \
        "$scratch/out"
    report $? "${command%% *} refuses code of another architecture: status $status"
done
ASSAY_STAND_IN=compute-nothing "$assay" run --images "$images" --cases 20 --seed 1 matmul/tiled --corpus "$scratch/corpus" \
    -o "$scratch/all.json" >"$scratch/out" 2>"$scratch/err"
has "a file that lacks a kernel has a row that says so" "$scratch/out" 'matmul/tiled *cuda:0 *sass-12.6.20 .*SKIP: '
if ! "$assay" info | grep -q '^toolkit *CUDA'; then
    grep -q '^{"record".*"paths":\["sass-12.6.20","ptx-12.6.20"\]' "$scratch/all.json"
    report $? "in a build without CUDA code the file's paths take the place of its own"
    "$assay" codegen --images "$images" --cubins matmul/naive >"$scratch/out" 2>"$scratch/err"
    report $? "of machine code, too"
else
    skip "in a build without CUDA code the file's paths take the place of its own" "this build has CUDA code"
fi
unset LD_LIBRARY_PATH

expect "a toolkit older than its wheels' nvcc" 2 "the wheels of CUDA 12.9.86 hold no nvcc" \
    "$cuda/toolkit_of_wheels" 12.9.86 "$scratch/toolkit"
python3=$(command -v python3)
mkdir "$scratch/bin"
# pip, without an index or with wheels that hold as little as the script takes.
cat >"$scratch/bin/python3" <<END
#!/bin/sh
[ "\$2" != zipfile ] || exec $python3 "\$@"
echo "\$@" >$scratch/asked
[ -e $scratch/wheels ] || { echo "ERROR: No matching distribution found"; exit 1; }
while [ "\$1" != --dest ]; do shift; done
cp $scratch/wheels/* "\$2"
END
chmod +x "$scratch/bin/python3"
expect "without an index" 2 "it needs a package index, or wheels in a folder (PIP_FIND_LINKS): ERROR: No matching" \
    env PATH="$scratch/bin:$PATH" "$cuda/toolkit_of_wheels" 13.9.1 "$scratch/toolkit"
grep -q ' nvidia-cuda-nvcc==13.9.1 nvidia-nvvm==13.9.1 nvidia-cuda-crt==13.9.1 nvidia-cuda-runtime==13.9.\*$' "$scratch/asked"
report $? "it asks for the four wheels of that version"
mkdir "$scratch/wheels"
"$python3" - "$scratch/wheels" <<'END'
import sys, zipfile
for name, file in ("nvcc", "bin/nvcc"), ("nvvm", "nvvm/bin/cicc"), ("runtime", "include/cuda_runtime.h"):
    with zipfile.ZipFile(f"{sys.argv[1]}/{name}.whl", "w") as wheel:
        wheel.writestr("nvidia/cu13/" + file, "#!/bin/sh\n")
END
PATH="$scratch/bin:$PATH" "$cuda/toolkit_of_wheels" 13.9.1 "$scratch/toolkit" >"$scratch/out" 2>"$scratch/err" &&
    [ -x "$scratch/toolkit/bin/nvcc" ] && [ -x "$scratch/toolkit/nvvm/bin/cicc" ] &&
    [ -e "$scratch/toolkit/include/cuda_runtime.h" ]
report $? "a toolkit is put together of wheels"
sed 's/^/# /' "$scratch/err"

expect "make_images says what it lacks" 2 "make_images: $scratch/none: no such nvcc" \
    "$cuda/make_images" --nvcc "$scratch/none" "$scratch/made"
expect "or what a name must be" 2 "a/b cannot be a name" "$cuda/make_images" --nvcc "$scratch/none" --name a/b "$scratch/made"
# An nvcc that is deaf to signals, with a process in a session of its own.
seconds=$((2000000 + $$))
mkdir "$scratch/deaf" "$scratch/a folder"
cat >"$scratch/deaf/nvcc" <<END
#!/bin/sh
case \$1 in
--version) echo 'Cuda compilation tools, release 12.6, V12.6.20'; exit ;;
--list-gpu-code) echo sm_90; exit ;;
esac
trap '' INT TERM HUP QUIT
: >'$scratch/begun'
sleep $seconds &
wait
END
chmod +x "$scratch/deaf/nvcc"
for output in /dev/null "$scratch" "$scratch/dangling"; do
    ln -sf nowhere "$scratch/dangling"
    rm -f "$scratch/begun"
    expect "make_images into $(stat -c %F "$output")" 2 "$output is not a regular file" \
        timeout 10 "$cuda/make_images" --nvcc "$scratch/deaf/nvcc" "$output"
    [ ! -e "$scratch/begun" ] && [ -L "$scratch/dangling" ] && [ -c /dev/null ]
    report $? "before anything is compiled"
done
expect "make_images into no folder" 2 "cannot write to its folder" \
    timeout 10 "$cuda/make_images" --nvcc "$scratch/deaf/nvcc" "$scratch/none/made"
none_sleeps() { ! grep -qsa "[s]leep.$seconds" /proc/[0-9]*/cmdline; }
for signal in TERM HUP INT; do
    rm -f "$scratch/begun"
    TMPDIR="$scratch/a folder" env --default-signal "$cuda/make_images" --nvcc "$scratch/deaf/nvcc" \
        "$scratch/made" >"$scratch/out" 2>"$scratch/err" &
    made=$!
    until_holds [ -e "$scratch/begun" ]
    began=$(milliseconds)
    kill -$signal $made
    wait $made
    status=$?
    took=$(($(milliseconds) - began))
    until_holds none_sleeps
    left=$(grep -lsa "[s]leep.$seconds" /proc/[0-9]*/cmdline | tr -dc '0-9\n')
    [ $status -gt 128 ] && [ $took -lt 2000 ] && [ -z "$left" ] && [ -z "$(ls "$scratch/a folder")" ] &&
        [ -e "$scratch/begun" ]
    report $? "make_images and SIG$signal: status $status after $took ms, left: "$left
    [ -z "$left" ] || kill -9 $left
done
if [ -n "$nvcc" ]; then
    # Of one toolkit the same code: an option that the build has and make_images has not would show.
    TMPDIR="$scratch/a folder" "$cuda/make_images" --nvcc "$nvcc" --name again --only matmul_naive "$scratch/made" 90 >"$scratch/out" 2>"$scratch/err" &&
        "$assay" codegen --cubins --images "$scratch/made" --path sass,sass-again matmul/naive \
            -o "$scratch/r.json" >>"$scratch/out" 2>>"$scratch/err"
    hashes=$(sed -n 's/.*"device":"sm_90".*"code_xxh3_64":"\([^"]*\)".*/\1/p' "$scratch/r.json" | sort | uniq -c)
    [ "$(echo "$hashes" | awk '{print $1}')" = 2 ]
    report $? "make_images compiles as the build does"
    cat "$scratch/out" "$scratch/err" | sed 's/^/# /'
    expect "and names a unit that it lacks" 2 "no unit tiled" \
        "$cuda/make_images" --nvcc "$nvcc" --only tiled "$scratch/made" 90
else
    skip "make_images compiles as the build does" "there is no nvcc"
fi
finish
