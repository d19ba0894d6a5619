#!/bin/sh
# setup.sh says what it is doing, and about how long that takes, before it does it; and its status is
# that of what failed. The tools are stand-ins: nothing is installed or built.
# Clauses: runner.setup.told, runner.setup.toolkit, runner.setup.writable.
#     setup.sh path/to/setup.sh
setup=$1
. "$(dirname "$0")/tap.sh"

cp "$setup" "$scratch/setup.sh"
mkdir "$scratch/bin"
stub() { printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1" && chmod +x "$scratch/bin/$1"; }
for tool in cc c++; do stub $tool 'exit 0'; done
stub nvcc 'echo "Cuda compilation tools, release 13, V${TOOLKIT:-13.0.88}"'
stub pkg-config '[ "$MISSING" != "${2##* }" ]'
stub apt-get '[ "$APT" = works ]'
stub sudo 'exec "$@"'
stub meson 'echo "meson $*" >&2; mkdir -p build; : >build/build.ninja; : >build/stale; exit ${MESON:-0}'
# Whatever it is asked to build, it first configures again what is stale.
stub ninja 'case "$*" in *-n*) echo "[1/321] a"; echo "[321/321] b"; exit ;; esac
[ ! -e build/stale ] || { rm build/stale; echo "Cleaning... 0 files."; exit ${AGAIN:-0}; }
case "$*" in *build.ninja*) ;; *) echo ninja >&2; exit ${NINJA:-0} ;; esac'
PATH=$scratch/bin:$PATH
export PATH

# order NAME STATUS WORDS...: the words come in this order
order() {
    name=$1 wanted=$2
    shift 2
    [ "${KEEP:-}" ] || rm -rf "$scratch/build"
    sh "$scratch/setup.sh" >"$scratch/out" 2>&1
    status=$?
    from=1 good=0
    for words in "$@"; do
        at=$(tail -n "+$from" "$scratch/out" | grep -n -m 1 -F -- "$words" | cut -d: -f1)
        [ -n "$at" ] || good=1
        from=$((from + ${at:-0}))
    done
    [ $status = "$wanted" ] && [ $good = 0 ]
    report $? "$name"
    [ $status = "$wanted" ] && [ $good = 0 ] || sed 's/^/# /' "$scratch/out"
}

order "it reports configuring and building before it does them" 0 "setup: configuring (seconds)" meson \
    "setup: building, 321 steps (all of them" ninja "setup: built build/assay"
! grep -q Cleaning "$scratch/out"
report $? "and what ninja and meson have to say is not shown"
AGAIN=1 order "sources that cannot be configured again are reported" 1 "configuring" "meson failed: see"
export MISSING=jansson
APT=works order "what is missing is reported before it is installed, and what still is, after it" 1 \
    "setup: installing libjansson-dev (a minute or two" "not found: jansson (package libjansson-dev): nothing can be built"
export MISSING=check
order "what can be done without is left out" 0 "installing check" "could not install: check" \
    "not found: check (package check): the unit tests are left out" "setup: built build/assay"
unset MISSING
MESON=1 order "a failed configuration is reported" 1 "configuring" meson "meson setup failed"
NINJA=1 order "a failed build is its status" 1 "building" ninja
order "a toolkit is found" 0 "setup: configuring"
KEEP=1
mkdir -p "$scratch/build/cuda"
echo 'const char *const image_architectures = "80 90";' >"$scratch/build/cuda/images.c"
order "which architectures have machine code is reported" 0 "setup: built build/assay with machine code for sm: 80 90;"
order "the same toolkit is no reason to configure" 0 "setup: built build/assay"
! grep -q configuring "$scratch/out"
report $? "and it does not"
TOOLKIT=13.1.5 order "another toolkit of the same path is" 0 \
    "setup: the CUDA toolkit is 13.1.5 now, and was 13.0.88: configuring again" \
    "meson setup --reconfigure build" "setup: built build/assay"
order "and back" 0 "the CUDA toolkit is 13.0.88 now" "setup: built build/assay"
MISSING=check order "so is another set of packages" 0 "other packages are installed" "--reconfigure" \
    "setup: built"
rm "$scratch/build/made_with"
order "a build folder that does not say its toolkit is configured again" 0 "and was unknown" \
    "meson setup --reconfigure build" "setup: built build/assay"
KEEP=
rm -rf "$scratch/build"
: >"$scratch/build"
mkdir "$scratch/nowhere"
mv "$scratch/build" "$scratch/setup.sh" "$scratch/nowhere"
sh "$scratch/nowhere/setup.sh" >"$scratch/out" 2>&1
[ $? = 1 ] && grep -q "cannot write to .*/build" "$scratch/out" && [ "$(wc -l <"$scratch/out")" = 1 ]
report $? "a build folder that cannot be written is reported in one line"
finish
