#!/usr/bin/env python3
"""Takes the library's protections away, one at a time, and sees that a test notices each.

    python3 tests/mutations.py                       # all, some twenty minutes; exit status 1 if one goes unnoticed
    python3 tests/mutations.py --only "cache on disk" --markdown table.md

Works on a copy of the sources in a temporary folder. tests/mutations.json names each protection, the text that makes it,
what stands there without it, and the test that must fail then. The same test must pass with the protection in place, so
that nothing is noticed for another reason.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = ("CMakeLists.txt", "bench", "cmake", "examples", "include", "kernels", "tests", "README.md", "LICENSE")
NOTICED = ("failed", "crashed", "timed out")


def run(command, seconds, environment=None):
    """Exit status, None when time ran out, and the output."""
    try:
        done = subprocess.run(command, env={**os.environ, **(environment or {})}, capture_output=True, text=True,
                              errors="replace", timeout=seconds)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return None, ""


class Workshop:
    """A copy of the sources with a build folder."""

    def __init__(self, folder):
        self.source, self.build = folder / "source", folder / "build"
        self.source.mkdir()
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, self.source / part)
        command = ["cmake", "-S", self.source, "-B", self.build, "-DCMAKE_BUILD_TYPE=Release", "-DUPSWEEP_WARNINGS=OFF",
                   "-DUPSWEEP_BUILD_TESTS=ON", "-DUPSWEEP_BUILD_EXAMPLES=OFF", "-DUPSWEEP_BUILD_BENCHMARKS=OFF"]
        if shutil.which("ninja"):
            command += ["-G", "Ninja"]
        status, output = run(command, 600)
        if status != 0:
            sys.exit(f"cannot configure: {output[-2000:]}")

    def outcome(self, entry):
        """What the entry's test says of the sources as they are."""
        jobs = str(os.cpu_count() or 2)
        status, output = run(["cmake", "--build", self.build, "--target", entry["program"], "-j", jobs], 1800)
        if status != 0:
            return "does not compile: " + output[-300:]
        settings = {} if entry.get("self_check") else {"UPSWEEP_SELF_CHECK": "off"}
        if not entry.get("cache"):
            settings["UPSWEEP_CACHE"] = "off"
        program = next(path for path in self.build.rglob(entry["program"]) if path.is_file())
        selection = re.sub(r"([\\,\[\"~])", r"\\\1", entry["test"])  # but for the wildcard
        status, output = run([program, selection], 60 if entry.get("hangs") else 400, settings)
        if status is None:
            return "timed out"
        if "No test cases matched" in output or "No tests ran" in output:
            return "no such test"
        return "passed" if status == 0 else "crashed" if status < 0 else "failed"

    def without(self, entry):
        """The same with the protection taken away."""
        path = self.source / entry["file"]
        text = path.read_text(encoding="utf-8")
        if text.count(entry["replace"]) != 1:
            return f"the text to replace is there {text.count(entry['replace'])} times"
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="groups, protections or tests that contain this text")
    parser.add_argument("--markdown", help="write the table there")
    options = parser.parse_args()
    entries = json.loads((ROOT / "tests" / "mutations.json").read_text(encoding="utf-8"))
    entries = [e for e in entries if options.only in f"{e['group']} {e['protection']} {e['test']}"]
    rows, bad, right = [], 0, {}
    with tempfile.TemporaryDirectory(prefix="upsweep_mutations_") as folder:
        workshop = Workshop(pathlib.Path(folder))
        # All programs with all protections first: builds what each has in common once.
        for entry in entries:
            key = (entry["program"], entry["test"])
            if key not in right:
                right[key] = workshop.outcome(entry)
        for number, entry in enumerate(entries, 1):
            begin = time.monotonic()
            before = right[(entry["program"], entry["test"])]
            what = workshop.without(entry) if before == "passed" else f"not tried: with it the test {before}"
            unnoticed = what not in NOTICED
            bad += unnoticed
            rows.append((entry, f"**{what}**" if unnoticed else what))
            print(f"{number}/{len(entries)} {what}: {entry['protection']} ({time.monotonic() - begin:.0f} s)",
                  file=sys.stderr, flush=True)
    print(report(rows))
    if options.markdown:
        pathlib.Path(options.markdown).write_text(report(rows) + "\n", encoding="utf-8")
    return 1 if bad or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
