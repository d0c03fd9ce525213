#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Takes the library's protections away, one at a time, and sees that a test notices each.

    python3 tests/mutations.py -j 4                  # all, four at once; exit status 1 if one goes unnoticed
    python3 tests/mutations.py --only "cache on disk" --markdown table.md
    python3 tests/mutations.py --check               # builds nothing: whether each text to replace is there, once

Works on copies of the sources in a temporary folder, one for each that is tried at once; ccache, where there is one,
compiles once what they have in common. tests/mutations.json names each protection, the text that makes it,
what stands there without it, and the test that must fail then. The same test must pass with the protection in place, so
that nothing is noticed for another reason.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = ("CMakeLists.txt", "bench", "cmake", "examples", "include", "kernels", "tests", "README.md", "CHANGELOG.md", "LICENSE")
NOTICED = ("failed", "crashed", "timed out")


def run(command, seconds, environment=None):
    """Exit status, None when time ran out, and the output."""
    try:
        done = subprocess.run(command, env={**os.environ, **(environment or {})}, capture_output=True, text=True,
                              errors="replace", timeout=seconds)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return None, ""


def mistake(entry, text):
    """What is wrong with an entry whose file has that text; empty: nothing."""
    times = text.count(entry["replace"])
    return "" if times == 1 else f"the text to replace is there {times} times"


def check(entries):
    """Whether each entry can be tried."""
    wrong = []
    for entry in entries:
        path = ROOT / entry["file"]
        what = mistake(entry, path.read_text(encoding="utf-8")) if path.is_file() else "no such file"
        if what:
            wrong.append(f"{entry['file']}: {what}: {entry['replace']}")
    print("\n".join(wrong) if wrong else f"the texts of all {len(entries)} entries are where they should be")
    return 1 if wrong or not entries else 0


class Workshop:
    """A copy of the sources with a build folder."""

    def __init__(self, folder, jobs, neighbours):
        self.source, self.build, self.jobs = folder / "source", folder / "build", str(jobs)
        self.source.mkdir(parents=True)
        self.limit_factor = neighbours  # tests that run beside others take longer
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, self.source / part)
        command = ["cmake", "-S", self.source, "-B", self.build, "-DCMAKE_BUILD_TYPE=Release", "-DUPSWEEP_WARNINGS=OFF",
                   "-DCMAKE_CXX_FLAGS_RELEASE=-DNDEBUG",  # not optimised, as in the preset `test`
                   "-DUPSWEEP_BUILD_TESTS=ON", "-DUPSWEEP_BUILD_EXAMPLES=OFF", "-DUPSWEEP_BUILD_BENCHMARKS=OFF",
                   # A change of a header would only have them compiled, too.
                   "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON"]
        self.settings = {"CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1"}
        if shutil.which("ccache"):
            command += ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]
        if shutil.which("ninja"):
            command += ["-G", "Ninja"]
        status, output = run(command, 600)
        if status != 0:
            sys.exit(f"cannot configure: {output[-2000:]}")

    def outcome(self, entry):
        """What the entry's test says of the sources as they are."""
        status, output = run(["cmake", "--build", self.build, "--target", entry["program"], "-j", self.jobs], 3600,
                             self.settings)
        if status != 0:
            return "does not compile: " + output[-300:]
        settings = {"POCL_WORK_GROUP_METHOD": "loopvec"}  # as ctest: others refuse work-groups of two work-items
        if not entry.get("self_check"):
            settings["UPSWEEP_SELF_CHECK"] = "off"
        if not entry.get("cache"):
            settings["UPSWEEP_CACHE"] = "off"
        program = next(path for path in self.build.rglob(entry["program"]) if path.is_file())
        selection = re.sub(r"([\\,\[\"~])", r"\\\1", entry["test"])  # but for the wildcard
        status, output = run([program, selection], (60 if entry.get("hangs") else 400) * self.limit_factor, settings)
        if status is None:
            return "timed out"
        if "No test cases matched" in output or "No tests ran" in output:
            return "no such test"
        return "passed" if status == 0 else "crashed" if status < 0 else "failed"

    def without(self, entry):
        """The same with the protection taken away."""
        path = self.source / entry["file"]
        text = path.read_text(encoding="utf-8")
        if wrong := mistake(entry, text):
            return wrong
        path.write_text(text.replace(entry["replace"], entry["by"]), encoding="utf-8")
        try:
            return self.outcome(entry)
        finally:
            path.write_text(text, encoding="utf-8")


def report(rows):
    lines = ["| group | protection that was taken away | test | without it |", "|---|---|---|---|"]
    lines += [f"| {e['group']} | {e['protection']} ({e['file']}) | {e['test'].rstrip('*')} | {what} |"
              for e, what in rows]
    return "\n".join(lines)


def try_all(entries, folder, jobs):
    """Each entry with what its test says when the protection is gone, in their order."""
    free = queue.Queue()
    for i in range(jobs):
        free.put(Workshop(folder / str(i), max(1, (os.cpu_count() or 2) // jobs), jobs))

    def in_a_workshop(work):
        workshop = free.get()
        try:
            return work(workshop)
        finally:
            free.put(workshop)

    def try_one(entry):
        begin = time.monotonic()
        before = right[(entry["program"], entry["test"])]
        what = in_a_workshop(lambda w: w.without(entry)) if before == "passed" else f"not tried: with it the test {before}"
        print(f"{what}: {entry['protection']} ({time.monotonic() - begin:.0f} s)", file=sys.stderr, flush=True)
        return entry, what

    # All programs with all protections first: builds what each has in common once.
    tests = {(entry["program"], entry["test"]): entry for entry in entries}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        outcomes = pool.map(lambda entry: in_a_workshop(lambda w: w.outcome(entry)), tests.values())
        right = dict(zip(tests.keys(), outcomes))
        return list(pool.map(try_one, entries))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="groups, protections or tests that contain this text")
    parser.add_argument("--markdown", help="write the table there")
    parser.add_argument("--check", action="store_true", help="only look for the texts to replace")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="how many to try at once (1)")
    options = parser.parse_args()
    entries = json.loads((ROOT / "tests" / "mutations.json").read_text(encoding="utf-8"))
    entries = [e for e in entries if options.only in f"{e['group']} {e['protection']} {e['test']}"]
    if options.check:
        return check(entries)
    rows, bad = [], 0
    with tempfile.TemporaryDirectory(prefix="upsweep_mutations_") as folder:
        for entry, what in try_all(entries, pathlib.Path(folder), max(1, min(options.jobs, len(entries)))):
            unnoticed = what not in NOTICED
            bad += unnoticed
            rows.append((entry, f"**{what}**" if unnoticed else what))
    print(report(rows))
    if options.markdown:
        pathlib.Path(options.markdown).write_text(report(rows) + "\n", encoding="utf-8")
    return 1 if bad or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
