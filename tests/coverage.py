#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs tests that were compiled with `g++ --coverage` and shows which lines of include/ they executed.

    cmake --workflow --preset coverage                                                    # builds and runs this
    python3 tests/coverage.py <test executable> --objects <build folder> --markdown coverage.md

Uses gcov of GCC 9 or newer and nothing else. A line counts as covered when any instance of its template, in any object
file, ran it. Templates that no test instantiates do not count at all: gcov does not see them. The exit status is 1
below the required percentage, or when a test fails.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

import matrix_discover
import matrix_run

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executable", help="the test executable")
    parser.add_argument("--objects", required=True, help="the folder that holds its object files")
    parser.add_argument("--gcov", default="gcov", help="the gcov of the compiler that was used")
    parser.add_argument("--at-least", type=float, default=95.0, help="required percentage of lines")
    parser.add_argument("--markdown", help="write the table there")
    parser.add_argument("--filter", default="", help="run test cases whose name or file contains this text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=1200, help="seconds per test case")
    parser.add_argument("--keep", action="store_true", help="run no tests; show what the last run executed")
    return parser.parse_args()


def run_tests(options):
    """The test cases that did not pass."""
    executable = matrix_run.Executable(pathlib.Path(options.executable).resolve())
    cases = [case for case in executable.test_cases() if not case.hidden and options.filter in case.name + case.file]

    def show(done, total, result):
        if result["outcome"] not in ("passed", "skipped") or done % 10 == 0 or done == total:
            text = f"{done}/{total} {result['outcome']}: {result['test']} {result['detail']}"
            print(text, file=sys.stderr, flush=True)

    here = matrix_discover.Implementation("default device")
    results = matrix_run.run_all(here, cases, options.jobs, options.timeout, show)
    return [result for result in results if result["outcome"] not in ("passed", "skipped")]


def gcov_files(gcov, counts):
    """What gcov says about one file of counts: its source files, each with lines."""
    done = subprocess.run([gcov, "--json-format", "--stdout", counts], capture_output=True, text=True,
                          cwd=counts.parent, check=True)
    return [file for line in done.stdout.splitlines() if line for file in json.loads(line)["files"]]


def executed_lines(options):
    """For every header, line number -> whether some instance of it ran."""
    lines = {path: {} for path in sorted(INCLUDE.rglob("*.hpp"))}
    every = sorted(pathlib.Path(options.objects).resolve().rglob("*.gcda"))
    if not every:
        sys.exit(f"no counts under {options.objects}: was it compiled with --coverage, and has it run?")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for files in pool.map(lambda counts: gcov_files(options.gcov, counts), every):
            for file in files:
                of_file = lines.get(pathlib.Path(os.path.normpath(file["file"])))
                if of_file is None:
                    continue
                for line in file["lines"]:
                    number = line["line_number"]
                    of_file[number] = of_file.get(number, False) or line["count"] > 0
    return lines


def ranges(numbers):
    """12-14, 20"""
    parts = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in parts)


def table(lines):
    """Markdown, and the percentage of all lines."""
    rows = ["| file | lines | executed | | not executed |", "|---|--:|--:|--:|---|"]
    total = covered = 0
    for path, of_file in lines.items():
        if not of_file:
            continue
        ran = sum(of_file.values())
        total, covered = total + len(of_file), covered + ran
        missed = ranges(number for number, executed in of_file.items() if not executed)
        share = f"{100 * ran / len(of_file):.1f} %"
        rows.append(f"| {path.relative_to(ROOT)} | {len(of_file)} | {ran} | {share} | {missed} |")
    percent = 100 * covered / total if total else 0.0
    rows.append(f"| **all of include/** | {total} | {covered} | **{percent:.1f} %** | |")
    return "\n".join(rows), percent


def main():
    options = arguments()
    failed = []
    if not options.keep:
        for counts in pathlib.Path(options.objects).rglob("*.gcda"):
            counts.unlink()
        failed = run_tests(options)
    text, percent = table(executed_lines(options))
    print(text)
    if options.markdown:
        heading = "# Lines of include/ that the tests execute\n\nWritten by `cmake --workflow --preset coverage`.\n\n"
        pathlib.Path(options.markdown).write_text(heading + text + "\n")
    if failed:
        print(f"{len(failed)} test cases did not pass", file=sys.stderr)
    if percent < options.at_least:
        print(f"{percent:.1f} % of lines, below the required {options.at_least} %", file=sys.stderr)
    return 1 if failed or percent < options.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
