#!/bin/sh
# Compilers that the user names as code paths of their own, on a driver that computes nothing: what
# loads must come out as FAIL. The compilers are programs that become a script beside them, since what a
# script makes is not kept: they answer as a ptxas does, count how often they are asked, and crash, hang,
# refuse or complain.
# Clauses: driver.candidate.found, driver.candidate.named, driver.candidate.refused,
# driver.candidate.alone, driver.candidate.cached, driver.candidate.probed, runner.device.path,
# verdicts.layer.named, codegen.budget.missing, codegen.cubin.unread, gate.parts.candidates,
# program_runs.compile.kept.
#     candidates.sh path/to/assay path/to/libcuda.so.1's-stand-in path/to/script_starter [the toolkit's ptxas]
assay=$1 stand_in=$2 starter=$3 real=${4:-}
. "$(dirname "$0")/tap.sh"
export XDG_CACHE_HOME="$scratch/cache"
asked="$scratch/asked"

compiler() { # compiler FILE VERSION COMMANDS: a program that answers as a ptxas of that version
    mkdir -p "$(dirname "$1")"
    cat "$starter" - >"$1" <<END
$2 $3
END
    chmod +x "$1"
    cat >"$1.sh" <<END
#!/bin/sh
if [ "\$1" = --version ]; then
    echo 'ptxas: NVIDIA (R) Ptx optimizing assembler'
    echo 'Cuda compilation tools, release ${2%.*}, V$2'
    exit 0
fi
words="\$*"
while [ "\$1" != -o ]; do shift; done
grep -q 'entry probe' "\$3" || echo "\$words" >>'$asked' # each run has it compile a probe
$3
END
    chmod +x "$1.sh"
}
good='echo "ELF $(wc -c <"$3")" >"$2"'
compiler "$scratch/good" 12.6.20 "$good"
compiler "$scratch/old" 12.0.140 "echo \"ptxas \$3, line 9; fatal   : Unsupported .version 9.0; current version is '8.0'\" >&2
kill -SEGV \$\$"
compiler "$scratch/older" 11.0.1 "echo \"ptxas fatal   : Value 'sm_90' is not defined for option 'gpu-name'\" >&2; exit 1"
compiler "$scratch/crash" 1.0.1 'echo "about to" >&2; kill -SEGV $$'
compiler "$scratch/hang" 1.0.2 'sleep 1000'
compiler "$scratch/error" 1.0.3 'echo "ptxas $3, line 12; error   : Arguments mismatch" >&2
echo "ptxas fatal   : Ptx assembly aborted due to errors" >&2; exit 255'
compiler "$scratch/empty" 1.0.4 'exit 0'
compiler "$scratch/wheel/nvidia/cuda_nvcc/bin/ptxas" 12.4.131 "$good"
compiler "$scratch/two/nvidia/cu12/bin/ptxas" 12.4.131 "$good"
compiler "$scratch/two/nvidia/cu13/bin/ptxas" 13.0.88 "$good"
printf '#!/bin/sh\necho hello\n' >"$scratch/mute"
printf '#!/bin/sh\nprintf "first\\nsecond\\n" >&2\nexit 3\n' >"$scratch/broken"
chmod +x "$scratch/mute" "$scratch/broken"
mkdir "$scratch/nothing"
: >"$scratch/no_program"

refused() { # refused NAME WORDS OPTIONS...
    name=$1 words=$2
    shift 2
    expect "$name" 2 "$words" "$assay" run offset_copy/vector --cases 5 --device cuda:0 "$@"
}
refused "a file that is not there" 'there is no such file' --ptxas "$scratch/none"
refused "a folder without one" "$scratch/nothing holds no ptxas" --ptxas "$scratch/nothing"
refused "a folder with two" "$scratch/two holds 2: $scratch/two/nvidia/cu12/bin/ptxas and" --ptxas "$scratch/two"
refused "a file that is no program" 'cannot be started: ' --ptxas "$scratch/no_program"
refused "one that does not say what it is" 'is not a ptxas: unexpected --version output' --ptxas "$scratch/mute"
refused "one that does not work" '--version: exit status 3: first | second' --ptxas "$scratch/broken"
refused "the same twice" 'there is a code path ptxas-12.6.20' --ptxas "$scratch/good" --ptxas "$scratch/good"
refused "an invalid level" '--opt takes levels from 0 to 3' --ptxas "$scratch/good" --opt 0,4
refused "levels of nothing" '--opt 0,1 needs --nvrtc or --ptxas' --opt 0,1
refused "paths without any of it" 'has no path of --ptxas' --ptxas "$scratch/good" --path sass
refused "a path of a level that was not asked for" '--path takes' --ptxas "$scratch/good" --path ptxas-12.6.20-O1
expect "the host device has none" 2 'needs a GPU and conflicts with --device host' \
    "$assay" run --device host --ptxas "$scratch/good"

programs() { # programs COMPILER SEED: three programs, compiled alone; how often that was asked
    : >"$asked"
    "$assay" run --device host --programs 3 --seed "$2" --ptxas "$scratch/$1" --path ptxas-12.6.20 \
        -o "$scratch/r.json" >"$scratch/out" 2>"$scratch/err"
    status=$?
    wc -l <"$asked"
}
compiler "$scratch/picky" 12.6.20 "grep -q 'entry p2' \"\$3\" && exit 1
$good"
[ "$(programs good 2)" = 1 ] && ! grep -q '"kept":' "$scratch/r.json" && ! grep -q '^kept' "$scratch/out" &&
    [ "$(programs good 2)" = 0 ] && grep -q '"passed":3,.*"kept":3,' "$scratch/r.json" &&
    grep -q '^kept      code of 3 programs, compiled by an earlier run$' "$scratch/out"
report $? "a module that each run has is compiled once, and the output says so"
for entry in "$XDG_CACHE_HOME"/assay/*; do printf x >>"$entry"; done
[ "$(programs good 2)" = 1 ] && ! grep -q '"kept":' "$scratch/r.json"
report $? "but where its entry is damaged"
[ "$(programs good 3)" = 1 ] && [ "$(programs good 3)" = 1 ]
report $? "programs of another seed are not kept"
[ "$(programs picky 2)" = 3 ] && [ "$(programs picky 2)" = 1 ] &&
    grep -q '"passed":2,"inconclusive":1,.*"kept":3,' "$scratch/r.json"
report $? "nor is a refusal: of what is refused as a whole, the parts are"
[ "$(XDG_CACHE_HOME=/dev/null programs good 2)" = 1 ]
report $? "and where nothing can be kept, each run compiles"
# The program is the same, and what it runs is another one: only what it makes tells.
tells="^assay: --ptxas $scratch/good: it compiles to other code than in an earlier run: output cached then is not used\$"
cp "$scratch/good.sh" "$scratch/good.sh.before"
[ "$(programs good 2)" = 0 ] && ! grep -q "$tells" "$scratch/err"
report $? "a compiler that makes the same as before says nothing"
sed -i 's/"ELF /"ELF of another /' "$scratch/good.sh"
[ "$(programs good 2)" = 1 ] && ! grep -q '"kept":' "$scratch/r.json" && [ "$(grep -c "$tells" "$scratch/err")" = 1 ]
report $? "nothing is used that was kept of another compiler behind the same program, and a line says so"
sed 's/^/# /' "$scratch/err"
[ "$(programs good 2)" = 0 ] && ! grep -q "$tells" "$scratch/err"
report $? "what it makes itself is kept"
sed -i 's/|| echo "\$words"/\&\& exit 1; echo "$words"/' "$scratch/good.sh"
[ "$(programs good 2)" = 1 ] && [ "$(programs good 2)" = 1 ] && ! grep -q '"kept":' "$scratch/r.json"
report $? "nothing is kept of a compiler that does not compile the probe"
mv "$scratch/good.sh.before" "$scratch/good.sh"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$scratch/good" >"$scratch/wrapper"
chmod +x "$scratch/wrapper"
[ "$(programs wrapper 2)" = 1 ] && [ "$(programs wrapper 2)" = 1 ] && ! grep -q '"kept":' "$scratch/r.json"
report $? "nothing is kept of a script, which may run anything"
"$assay" run --device host --programs 3 --seed 2 --ptxas "$scratch/good" --ptxas "$scratch/wheel" \
    --path ptxas-12.6.20,ptxas-12.4.131 -o "$scratch/r.json" >"$scratch/out" 2>"$scratch/err"
[ "$(grep -c '^ptxas-12.6.20 .* 3 .*PASS$' "$scratch/out")" = 1 ] && [ "$(grep -c '^ptxas-12.4.131 .* 3 .*PASS$' "$scratch/out")" = 1 ]
report $? "programs go through every path that --path names"
rm -r "$XDG_CACHE_HOME"

LD_LIBRARY_PATH='' "$assay" run offset_copy/vector --cases 5 --ptxas "$scratch/good" >"$scratch/out" 2>"$scratch/err"
status=$?
if ! grep -q '^device *1 GPU' "$scratch/out"; then
    [ "$status" = 77 ] && grep -q -- "--ptxas $scratch/good needs a GPU, so nothing runs" "$scratch/err"
    report $? "without a GPU nothing is run, and a line says why"
else
    skip "without a GPU nothing is run, and a line says why" "this machine has a GPU"
fi
if ! "$assay" info | grep -q '^toolkit *CUDA'; then
    skip "kernels through a compiler" "this build has no PTX to assemble"
    finish
    exit 0
fi
with_driver "$stand_in"
export ASSAY_STAND_IN=compute-nothing

run() { # run OPTIONS...: a short run; sets $status
    : >"$asked"
    "$assay" run --cases 5 --seed 1 --jobs 2 --corpus "$scratch/corpus" -o "$scratch/r.json" "$@" \
        >"$scratch/out" 2>"$scratch/err"
    status=$?
}
asked_times() { wc -l <"$asked"; }

run offset_copy/vector offset_copy/scalar --ptxas "$scratch/good" --ptxas "$scratch/wheel" --opt 0,3
[ "$status" = 1 ] && [ "$(rows sass FAIL)" = 2 ] && [ "$(rows ptxas-12.6.20-O0 FAIL)" = 2 ] &&
    [ "$(rows ptxas-12.6.20-O3 FAIL)" = 2 ] && [ "$(rows ptxas-12.4.131-O0 FAIL)" = 2 ] &&
    [ "$(rows ptxas-12.4.131-O3 FAIL)" = 2 ] && [ "$(asked_times)" = 8 ]
report $? "each compiler and each level is a path beside the others; each unit is assembled once for each"
[ "$(grep -c -- '-arch=sm_90 -fmad=true -O0 -o ' "$asked")" = 4 ]
report $? "with its level and every other option named"
grep -q '"paths":\["sass","ptx","ptx-lowest","ptxas-12.6.20-O0","ptxas-12.6.20-O3",' "$scratch/r.json" &&
    grep -q '^{"device":.*"path":"ptxas-12.6.20-O0","ptx":"compute_90"' "$scratch/r.json" &&
    grep -q '"path":"ptxas-12.4.131-O3"' "$scratch/r.json"
report $? "the record has their names"
layer='the kernel, the hardware, or what all paths share: wrong through sass, ptx, ptx-lowest, ptxas-12.6.20-O0'
grep -q "^  layer     $layer" "$scratch/out" && grep -q "^{\"reduced\":.*\"layer\":\"$layer" "$scratch/r.json"
report $? "a failure that is tried again is tried through each of them, and names the layer"
run offset_copy/vector offset_copy/scalar --ptxas "$scratch/good" --ptxas "$scratch/wheel" --opt 0,3
grep -q '^{"summary".*"name":"compiling modules"' "$scratch/r.json" &&
    grep -q '^FAIL .*; 8 modules: 0 compiled, 8 from the cache$' "$scratch/out" &&
    grep -q '^{"summary".*"compiled":8,"compiled_cached":8' "$scratch/r.json" &&
    [ "$(asked_times)" = 0 ] && [ "$(rows ptxas-12.6.20-O0 FAIL)" = 2 ] && [ "$(rows ptxas-12.4.131-O3 FAIL)" = 2 ]
report $? "what was made before is not made again"
for entry in "$XDG_CACHE_HOME"/assay/*; do
    printf x >>"$entry"
    break
done
run offset_copy/vector offset_copy/scalar --ptxas "$scratch/good" --ptxas "$scratch/wheel" --opt 0,3
[ "$(asked_times)" = 1 ] && [ "$(rows ptxas-12.6.20-O0 FAIL)" = 2 ]
report $? "but where its entry is damaged"
echo >>"$scratch/good"
run offset_copy/vector --ptxas "$scratch/good" --opt 0
[ "$(asked_times)" = 1 ]
report $? "or the compiler is another"
for times in first second; do
    run offset_copy/vector --ptxas "$scratch/wrapper" --opt 0
    [ "$(asked_times)" = 1 ] && grep -q '^FAIL .*; 1 module: 1 compiled, 0 from the cache$' "$scratch/out"
    report $? "nothing is kept of a script, which may run anything: the $times time"
done
XDG_CACHE_HOME=/dev/null
run offset_copy/vector --ptxas "$scratch/good" --opt 0
[ "$(asked_times)" = 1 ] && [ "$(rows ptxas-12.6.20-O0 FAIL)" = 1 ]
report $? "and where nothing can be kept"
XDG_CACHE_HOME="$scratch/cache"

run offset_copy/vector --path ptxas-12.6.20 --ptxas "$scratch/good"
[ "$(rows sass .)" = 0 ] && [ "$(rows ptxas-12.6.20 FAIL)" = 1 ]
report $? "a path of its own level is named without one, and alone where --path names it"
mkdir "$scratch/it's here"
cp "$scratch/good" "$scratch/it's here/ptxas"
cp "$scratch/good.sh" "$scratch/it's here/ptxas.sh"
run offset_copy/vector --ptxas "$scratch/it's here" --opt 1 --path ptxas-12.6.20-O1
again=$(sed -n 's|^ *replay  *\(assay replay .*--ptxas .*\)$|\1|p' "$scratch/out" | head -n 1)
mkdir "$scratch/bin"
ln -s "$(realpath "$assay")" "$scratch/bin/assay"
(PATH="$scratch/bin:$PATH" && eval "$again") >"$scratch/again" 2>&1
[ $? = 1 ] && grep -q '^offset_copy/vector *cuda:0 *ptxas-12.6.20-O1 .*FAIL' "$scratch/again"
report $? "a replay command brings it back: $(echo "$again" | sed 's/--ptxas .*--opt/... --opt/; s/ .matmul .*//')"

run offset_copy/vector --ptxas "$scratch/old" --ptxas "$scratch/older" --ptxas "$scratch/good"
[ "$(rows ptxas-12.0.140 "SKIP: .*sm_90: Unsupported .version 9.0; current version is '8.0'\$")" = 1 ] &&
    [ "$(rows ptxas-11.0.1 "SKIP: .*: Value 'sm_90' is not defined")" = 1 ] &&
    [ "$(rows ptxas-12.6.20 FAIL)" = 1 ]
report $? "a compiler that is older than the PTX or the GPU is a SKIP in its own words"
run offset_copy/vector --ptxas "$scratch/crash" --ptxas "$scratch/error" --ptxas "$scratch/empty" --ptxas "$scratch/good"
[ "$(rows ptxas-1.0.1 CRASH)" = 1 ] && [ "$(rows ptxas-1.0.3 CRASH)" = 1 ] && [ "$(rows ptxas-1.0.4 CRASH)" = 1 ] &&
    [ "$(rows ptxas-12.6.20 FAIL)" = 1 ] && [ "$(rows sass FAIL)" = 1 ] && [ "$status" = 1 ]
report $? "one that crashes, complains or writes nothing is a finding of its own path alone"
note() { grep -q "\"path\":\"$1\".*\"note\":\"[^\"]*$2" "$scratch/r.json"; }
note ptxas-1.0.1 'ptxas-1.0.1 on module offset_copy_vector for sm_90: signal 11 (Segmentation fault): about to' &&
    note ptxas-1.0.3 'exit status 255: line 12; error   : Arguments mismatch | ptxas fatal   : Ptx assembly aborted' &&
    note ptxas-1.0.4 'it wrote nothing'
report $? "with how it ended and its last words"
"$assay" codegen --cubins --ptxas "$scratch/crash" --path ptxas-1.0.1 offset_copy/vector >"$scratch/out" 2>"$scratch/err"
[ $? = 1 ] && grep -q "replay *assay codegen --cubins --path ptxas-1.0.1 --ptxas '$scratch/crash' offset_copy/vector" "$scratch/out"
report $? "codegen fails with it, and says how to see it again"
compiler "$scratch/random" 1.0.5 'head -c 5000 /dev/urandom >"$2"'
for device in "--device cuda:0" --cubins; do
    # shellcheck disable=SC2086
    "$assay" codegen $device --ptxas "$scratch/random" --path ptxas-1.0.5 offset_copy/vector >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status = 3 ] && grep -q 'INCONCLUSIVE: not whole: no ELF' "$scratch/out" && ! grep -q PASS "$scratch/out"
    report $? "one that writes random bytes proves nothing, codegen $device: status $status"
done
if [ -x "$real" ]; then
    version=$("$real" --version | sed -n 's/.*, V//p')
    run offset_copy/vector --ptxas "$real"
    [ "$(rows "ptxas-$version" FAIL)" = 1 ] && grep -q '"path":"ptxas-'"$version"'".*"unwritten":true' "$scratch/r.json"
    report $? "what the toolkit's own makes is loaded and launched"
    "$assay" codegen --cubins --ptxas "$real" --opt 0,3 offset_copy/vector >"$scratch/out" 2>"$scratch/err"
    [ $? = 3 ] && [ "$(grep -c "ptxas-$version-O3 .*PASS" "$scratch/out")" -ge 1 ] &&
        [ "$(grep -c "ptxas-$version-O0 .*SKIP: budgets hold for the compiler's highest level" "$scratch/out")" -ge 1 ] &&
        ! grep -q FAIL "$scratch/out"
    report $? "and read without a GPU: its highest level keeps the budgets, a lower one is not held to them"
    gate() { "$assay" gate --device host --quick --corpus kept --seed 1 offset_copy/vector "$@" >"$scratch/out" 2>"$scratch/err"; }
    gate -o "$scratch/base.json"
    gate --baseline "$scratch/base.json" --ptxas "$real"
    [ $? = 3 ] && [ "$(grep -c '^SAME ' "$scratch/out")" = 2 ] && grep -q "ptxas-$version" "$scratch/out" &&
        grep -q "^assay run: --ptxas $real needs a GPU: skipped on host" "$scratch/err"
    report $? "a gate without a GPU leaves it out of bits, which a baseline has, and looks at its code"
else
    skip "the toolkit's own compiler" "there is no ptxas of a toolkit"
fi
run offset_copy/vector --timeout 0.05 --ptxas "$scratch/hang" --path ptxas-1.0.2
[ "$(rows ptxas-1.0.2 CRASH)" = 1 ] && note ptxas-1.0.2 'no end within 0.3 s'
report $? "and one that comes to no end is killed"
finish
