#!/bin/sh
# Installs what is missing, configures and builds: build/assay. Safe to run again, and quick then.
#     sh setup.sh && build/assay run
set -eu
cd "$(dirname "$0")"

say() { printf 'setup: %s\n' "$*" >&2; }

# What the build needs: how it is looked for, the Debian package, what its lack costs.
needs() {
    cat <<'TABLE'
command meson|meson|nothing can be built
command ninja|ninja-build|nothing can be built
command cc|gcc|nothing can be built
command pkg-config|pkg-config|nothing can be built
module jansson|libjansson-dev|nothing can be built: records need it
module libxxhash|libxxhash-dev|nothing can be built: digests need it
module check|check|the unit tests are left out
module mpfr|libmpfr-dev|the golden model is not tested against MPFR
command c++|g++|nvcc cannot compile the kernels: the host device alone runs
TABLE
}

found() {
    case $1 in
    command\ *) command -v "${1#command }" >/dev/null 2>&1 ;;
    module\ *) command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "${1#module }" ;;
    esac
}

missing() {
    needs | while IFS='|' read -r what package cost; do
        found "$what" || printf '%s\n' "$package"
    done
}

install_packages() {
    as_root=
    [ "$(id -u)" = 0 ] || as_root=sudo
    if ! command -v apt-get >/dev/null 2>&1; then
        say "no apt-get here: please install by hand: $*"
        return
    fi
    if [ -n "$as_root" ] && ! command -v sudo >/dev/null 2>&1; then
        say "neither root nor sudo: please ask for: apt-get install $*"
        return
    fi
    say "installing $* (a minute or two, for the downloads)"
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" \
        >/dev/null 2>&1 ||
        { $as_root apt-get update -qq >/dev/null 2>&1 &&
          $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
              --no-install-recommends "$@" >/dev/null; } ||
        say "apt-get could not install: $*"
}

packages=$(missing)
if [ -n "$packages" ]; then
    # shellcheck disable=SC2086
    install_packages $packages
fi
fatal=0
while IFS='|' read -r what package cost; do
    found "$what" && continue
    say "not found: ${what#* } (package $package): $cost"
    case $cost in nothing*) fatal=1 ;; esac
done <<TABLE
$(needs)
TABLE
[ $fatal = 0 ] || exit 1

if ! command -v nvcc >/dev/null 2>&1; then
    if [ -x /usr/local/cuda/bin/nvcc ]; then
        PATH=$PATH:/usr/local/cuda/bin
        export PATH
    else
        say "no nvcc on PATH or in /usr/local/cuda: built without CUDA code, the host device alone runs"
    fi
fi

if ! { mkdir -p build && [ -w build ]; } 2>/dev/null; then
    say "cannot write to $PWD/build: it is another user's, or the disk is read-only; build in a copy of your own"
    exit 1
fi

# What a build folder was configured with: a toolkit or a package that came later is not looked for
# again, and of another toolkit in the same place nothing would be compiled again. The gate of an
# upgrade must not run the old one's code.
toolkit=$(nvcc --version 2>/dev/null | sed -n 's/.*, V\([0-9.]*\).*/\1/p') || toolkit=
lacking=$(missing | tr '\n' ' ')
remember() { printf '%s\n%s\n' "$toolkit" "$lacking" >build/made_with; }
reconfigure() {
    say "$1: configuring again"
    meson setup --reconfigure build >/dev/null || { say "meson failed: see build/meson-logs/meson-log.txt"; exit 1; }
    remember
}

if [ -f build/build.ninja ]; then
    toolkit_then=$(sed -n 1p build/made_with 2>/dev/null) || toolkit_then=unknown
    if [ "$toolkit" != "$toolkit_then" ]; then
        ninja -C build -t clean >/dev/null
        reconfigure "the CUDA toolkit is ${toolkit:-none} now, and was ${toolkit_then:-none}"
    elif [ "$lacking" != "$(sed -n 2p build/made_with)" ]; then
        reconfigure "other packages are installed than before"
    fi
fi
if [ ! -f build/build.ninja ]; then
    say "configuring (seconds)"
    rm -rf build
    # A newer compiler's new warning must not stop a user; .ci/run has them as errors.
    meson setup build -Dwerror=false >/dev/null || { say "meson setup failed: see build/meson-logs/meson-log.txt"; exit 1; }
    remember
fi
# A build folder of other sources is configured again here, so that the count of steps is of these.
ninja -C build --quiet build.ninja >/dev/null || { say "meson failed: see build/meson-logs/meson-log.txt"; exit 1; }
steps=$(ninja -C build -n assay | sed -n 's|^\[[0-9]*/\([0-9]*\)\].*|\1|p' | tail -n 1)
if [ "${steps:-0}" -gt 50 ]; then
    say "building, $steps steps (all of them take a minute or two on two cores)"
fi
ninja -C build --quiet assay
# A GPU of another architecture runs PTX alone, so the choice is printed.
archs=$(sed -n 's/^const char \*const image_architectures = "\(.*\)";$/\1/p' build/cuda/images.c 2>/dev/null) || archs=
if [ -n "$archs" ]; then
    say "built build/assay with machine code for sm: $archs; for others run meson configure build -Dgpu_archs=80,90 (or all) and setup.sh again"
else
    say "built build/assay"
fi
