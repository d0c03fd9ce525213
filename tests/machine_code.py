#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks for uniform registers that NVIDIA's compiler takes apart (GUARANTEES.md).

    UPSWEEP_CACHE=$PWD/cache build/test/examples/03_custom_operator  # on an NVIDIA device: its cache has PTX
    python3 tests/machine_code.py cache --arch sm_90  # anywhere with ptxas and nvdisasm of the device's CUDA

Prints for each kernel how many UPRMT instructions its machine code has. Of operators on numbers of 8 and 16 bits there
should be none: values that may be the same in all lanes are made a lane's own (UPSWEEP_OF_LANE in kernels/prelude.cl).
The exit status is 1 if there are any.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile


def ptx_of(path):
    """The PTX in a file, between what else a file of the cache has; none if there is none."""
    data = path.read_bytes()
    begin = data.find(b".version")
    return data[begin : data.rfind(b"}") + 1].replace(b"\0", b"") if begin >= 0 else b""


def uniform_moves(ptx, arch):
    """UPRMT instructions of each kernel in the machine code of a program."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder, "program.ptx"), pathlib.Path(folder, "program.cubin")
        source.write_bytes(ptx)
        subprocess.run(["ptxas", f"-arch={arch}", "-O3", source, "-o", binary], check=True)
        text = subprocess.run(["nvdisasm", "-c", binary], check=True, capture_output=True, text=True).stdout
    counts, kernel = collections.Counter(), ""
    for line in text.splitlines():
        section = re.match(r"\.text\.(\S+):", line)
        if section:
            kernel = section[1]
        elif "UPRMT" in line:
            counts[kernel] += 1
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="a folder with programs, as UPSWEEP_CACHE names it")
    parser.add_argument("--arch", default="sm_90", help="the device's architecture")
    arguments = parser.parse_args()
    programs = 0
    found = 0
    for path in sorted(arguments.folder.rglob("*")):
        ptx = ptx_of(path) if path.is_file() else b""
        if not ptx:
            continue
        programs += 1
        for kernel, count in uniform_moves(ptx, arguments.arch).items():
            found += 1
            print(f"{path.relative_to(arguments.folder)}: {kernel}: {count}")
    print(f"{programs} programs, {found} kernels with such instructions")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
