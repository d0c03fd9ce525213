#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the test-suite on every OpenCL implementation of this machine and prints implementation x test group.

    python3 tests/matrix.py build/test/tests/upsweep_tests --json here.json    # runs, prints, writes
    python3 tests/matrix.py --merge a.json b.json --markdown table.md          # one table of several machines
    python3 tests/matrix.py --list                                             # what would be run on

Every test case runs in a process of its own with a time limit, so that a driver that hangs or crashes costs one test.
Failures listed in tests/known_failures.json are an implementation's own; they are shown, and do not count as red. The
exit status is 1 when anything else failed.
"""

import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import matrix_discover
import matrix_report
import matrix_run

ROOT = pathlib.Path(__file__).resolve().parent.parent


def commit():
    try:
        done = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True)
        return done.stdout.strip() or "unknown"
    except OSError:
        return "unknown"


def progress(row):
    def show(done, total, result):
        bad = result["outcome"] not in ("passed", "skipped")
        if bad or done == total or done % 10 == 0:
            what = f": {result['outcome']}: {result['test']}: {result['detail'][:150]}" if bad else ""
            print(f"{row.name}: {done}/{total}{what}", file=sys.stderr, flush=True)

    return show


def run_row(executables, row, options):
    result = {"name": row.name, "version": row.version, "device": row.device, "missing": row.missing, "results": [],
              "commit": commit(), "date": f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
              "host": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"}
    if row.missing:
        return result
    cases = [case for each in executables for case in each.test_cases("[oclgrind]" if row.simulator else "")]
    wanted = [case for case in cases if not case.hidden or (options.large and case.large)]
    chosen = [case for case in wanted if options.filter in case.name + case.file]
    chosen = chosen[options.part[0] - 1::options.part[1]]
    limit = options.timeout * (3 if row.simulator else 1)
    before = matrix_run.seconds_before(ROOT / "tests" / "results")
    deadline = time.monotonic() + options.deadline
    result["results"] = matrix_run.run_all(row, chosen, options.jobs, limit, progress(row), before, deadline)
    ended = {(one["file"], one["test"]) for one in result["results"]}
    result["not_ended"] = [case.name for case in chosen if (case.file, case.name) not in ended]
    result["left_out"] = [case.name for case in cases if case not in wanted]
    return result


def part_of(text):
    part, parts = (int(number) for number in text.split("/"))
    if not 1 <= part <= parts:
        raise ValueError
    return part, parts


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executables", nargs="*", help="the test executables")
    parser.add_argument("--json", help="write the results there")
    parser.add_argument("--markdown", help="write the table there")
    parser.add_argument("--merge", nargs="+", metavar="FILE", help="run nothing; show these results files together")
    parser.add_argument("--list", action="store_true", help="run nothing; list the implementations")
    parser.add_argument("--only", default="", help="implementations whose name contains this text")
    parser.add_argument("--filter", default="", help="test cases whose name or file contains this text")
    parser.add_argument("--part", type=part_of, default=(1, 1), metavar="K/N",
                        help="every N-th test case, from the K-th on; --merge puts parts of one commit together")
    parser.add_argument("--vendors", help="a folder with .icd files of implementations that are not registered")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="test cases at a time (default: one per core)")
    parser.add_argument("--timeout", type=int, default=600, help="seconds per test case; three times that in Oclgrind")
    parser.add_argument("--deadline", type=float, default=math.inf, metavar="SECONDS",
                        help="of each implementation: test cases that have not ended by then have no result")
    parser.add_argument("--large", action="store_true", help="also the tests that need 13 GiB of device memory")
    options = parser.parse_args()
    if not (options.executables or options.merge or options.list):
        parser.error("the test executables are missing")
    return options


def collect(options):
    if options.merge:
        return matrix_report.merged([json.loads(pathlib.Path(name).read_text()) for name in options.merge])
    with tempfile.TemporaryDirectory(prefix="upsweep_matrix_") as caches:
        rows = [row for row in matrix_discover.discover(caches, options.vendors) if options.only in row.name]
        if options.list:
            for row in rows:
                print(f"{row.name} {row.version} ({row.device})" if not row.missing else f"{row.name}: {row.missing}")
            return None
        executables = [matrix_run.Executable(pathlib.Path(path).resolve()) for path in options.executables]
        return [run_row(executables, row, options) for row in rows]


def main():
    options = arguments()
    rows = collect(options)
    if rows is None:
        return 0
    known = matrix_report.KnownFailures(ROOT / "tests" / "known_failures.json")
    table = matrix_report.markdown(rows, known)
    print(table)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    if options.markdown:
        pathlib.Path(options.markdown).write_text(table + "\n")
    for row in rows:
        if row.get("not_ended"):
            print(f"{row['name']}: {len(row['not_ended'])} test cases had not ended in time", file=sys.stderr)
    if not any(row["results"] for row in rows):
        print("nothing was run", file=sys.stderr)
        return 1
    return 1 if matrix_report.unexpected(rows, known) else 0


if __name__ == "__main__":
    sys.exit(main())
