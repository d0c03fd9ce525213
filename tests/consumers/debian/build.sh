#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh SOURCE_DIR WORK_DIR
# Builds the Debian packages from a copy of the sources, as files in WORK_DIR. Not optimised: that takes longest.
set -eu
source=$1
work=$2
rm -rf "$work"
mkdir -p "$work/upsweep/tests"
for part in CMakeLists.txt LICENSE cmake debian include kernels; do cp -R "$source/$part" "$work/upsweep"; done
cp -R "$source/tests/compile" "$source/tests/consumers" "$work/upsweep/tests" # for debian/tests
cd "$work/upsweep"
DEB_BUILD_OPTIONS='noopt nostrip noautodbgsym' dpkg-buildpackage --build=binary --unsigned-source --unsigned-changes
