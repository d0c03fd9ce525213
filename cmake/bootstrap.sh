#!/bin/sh
# SPDX-License-Identifier: MIT
# sh cmake/bootstrap.sh [demo]
# Installs what building, testing and running upsweep on a CPU needs, on Debian and Ubuntu; with "demo" only what the demo
# and programs of one's own need, in a third of the time.
# Asks apt only for what is missing, so a second run does nothing and needs neither network nor root.
set -eu

required="cmake ninja-build make g++ opencl-headers opencl-clhpp-headers ocl-icd-opencl-dev pocl-opencl-icd"
# These widen the tests and benchmarks; without them the entries that need them are left out.
optional="clang oclgrind libbenchmark-dev libtbb-dev libboost-dev clang-format clang-tidy doxygen
libopenmpi-dev openmpi-bin pkg-config"
case "${1:-all}" in
    all) required="$required catch2" ;;
    demo) optional="" ;;
    *) printf 'usage: sh cmake/bootstrap.sh [demo]\n' >&2 && exit 2 ;;
esac

say() { printf 'bootstrap: %s\n' "$*"; }

if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
    say "no apt on this system; nothing was installed. Needed:"
    say "  CMake 3.25 or newer, Ninja (and Make, CMake's default), a C++17 compiler,"
    say "  OpenCL headers with the C++ bindings (CL/opencl.hpp), an OpenCL loader and a driver (PoCL for CPUs),"
    say "  Catch2 2.13 or 3; optional: clang, oclgrind, Google Benchmark, oneTBB, Boost, Doxygen, Open MPI"
    exit 0
fi

installed() {
    case "$(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null)" in
        ?i*) return 0 ;;
        *) return 1 ;;
    esac
}

# A tool that was put there by other means than apt (pip, a container image) counts as well.
present() {
    installed "$1" && return 0
    case "$1" in
        cmake) command -v cmake >/dev/null 2>&1 && cmake --help 2>/dev/null | grep -q -- '--workflow' ;;
        ninja-build) command -v ninja >/dev/null 2>&1 ;;
        make | g++ | clang | oclgrind | clang-format | clang-tidy | doxygen | pkg-config) command -v "$1" >/dev/null 2>&1 ;;
        *) return 1 ;;
    esac
}

missing() {
    for package in "$@"; do
        present "$package" || printf '%s ' "$package"
    done
}

# shellcheck disable=SC2086  # the lists are meant to be split into words
need=$(missing $required)
# shellcheck disable=SC2086
want=$(missing $optional)

if [ -z "$need$want" ]; then
    say "everything is present"
    exit 0
fi

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null 2>&1; then
        as_root="sudo"
    elif [ -z "$need" ]; then
        say "not root and no sudo: going on without the optional $want"
        exit 0
    else
        say "not root and no sudo; please install: $need$want"
        exit 1
    fi
fi

apt() {
    # env, because sudo would not pass the variable on by itself
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@"
}

say "apt-get update"
apt update || say "apt-get update failed; trying with the package lists that are there"

if [ -n "$need" ]; then
    say "installing $need"
    # shellcheck disable=SC2086
    apt install -y --no-install-recommends $need >/dev/null
fi

# One by one: a release that lacks one of them must not cost the others.
for package in $want; do
    say "installing $package (optional)"
    apt install -y --no-install-recommends "$package" >/dev/null || say "could not install $package; going on without"
done
say "done"
