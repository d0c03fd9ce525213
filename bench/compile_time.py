#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what the library costs a compiler, and writes bench/results/compile_time.json.

    python3 bench/compile_time.py --include build/demo/include --rounds 7

The programs take turns. A time is that of the compiler's processes, user and system, so that other work on the machine
counts little; a row is the median over the rounds, `ratio` its multiple of the row `bindings` of the same options.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSIONS = ["-DCL_HPP_TARGET_OPENCL_VERSION=120", "-DCL_HPP_MINIMUM_OPENCL_VERSION=120"]

BINDINGS = """#include <CL/opencl.hpp>
int main() {
    cl_uint count = 0;
    return clGetPlatformIDs(0, nullptr, &count);
}
"""
INCLUDE = "#include <upsweep/upsweep.hpp>\nint main() {}\n"


def readme_program():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.search(r"```cpp\n(.*?)```", text, re.DOTALL).group(1)


def programs():
    """(name, source, flags) of each row."""
    compiled = ["-DUPSWEEP_COMPILED"]
    return [
        ("bindings", BINDINGS, []),
        ("include, compiled", INCLUDE, compiled),
        ("README's program, compiled", readme_program(), compiled),
        ("include, header-only", INCLUDE, []),
        ("README's program, header-only", readme_program(), []),
    ]


def seconds_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL, env={**os.environ, "CCACHE_DISABLE": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(compiler, include, levels, rounds):
    rows = [(level, *program) for level in levels for program in programs()]
    samples = [[] for _ in rows]
    with tempfile.TemporaryDirectory() as folder:
        source, output = pathlib.Path(folder) / "program.cpp", pathlib.Path(folder) / "program.o"
        for _ in range(rounds):
            for (level, _, text, flags), times in zip(rows, samples):
                source.write_text(text, encoding="utf-8")
                times.append(seconds_of([compiler, "-std=c++17", level, *VERSIONS, *flags, f"-I{ROOT}/include",
                                         f"-I{include}", "-c", str(source), "-o", str(output)]))
    bindings = {row[0]: statistics.median(times) for row, times in zip(rows, samples) if row[1] == "bindings"}
    return [{"options": level, "program": name, "seconds": round(statistics.median(times), 3),
             "ratio": round(statistics.median(times) / bindings[level], 2), "fastest": round(min(times), 3),
             "slowest": round(max(times), 3), "samples": rounds}
            for (level, name, _, _), times in zip(rows, samples)]


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", type=pathlib.Path, default=ROOT / "build/demo/include",
                        help="where CMake put the header with the kernels")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--levels", default="-O0", help="comma-separated")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "bench/results/compile_time.json")
    arguments = parser.parse_args()
    include = arguments.include.resolve()
    if not (include / "upsweep/detail/source/kernels.hpp").exists():
        parser.error(f"no kernels.hpp below {include}: configure a build, and name its include folder")
    rows = measure(arguments.compiler, include, arguments.levels.split(","), arguments.rounds)
    changed = output_of("git", "status", "--porcelain", "include", "kernels")
    result = {
        "compiler": output_of(arguments.compiler, "--version").splitlines()[0],
        "commit": output_of("git", "rev-parse", "--short", "HEAD") + ("-dirty" if changed else ""),
        "clock": "user and system time of the compiler; medians; the programs take turns, in rounds",
    }
    lines = ",\n".join("    " + json.dumps(row) for row in rows)
    head = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in result.items())
    arguments.output.write_text("{\n" + head + '  "rows": [\n' + lines + "\n  ]\n}\n", encoding="utf-8")
    for row in rows:
        print(f"{row['options']:>4} {row['program']:32} {row['seconds']:7.2f} s  {row['ratio']:5.2f}")


if __name__ == "__main__":
    main()
