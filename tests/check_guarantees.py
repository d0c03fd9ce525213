#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks tests/GUARANTEES.md: every file that it links exists, every test that a line names is in a file linked there.
Also checks that each test has a tag by which CMake runs it.

    python3 tests/check_guarantees.py
"""

import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent


def tests_in(path):
    """The names of Catch2's test cases in a file; strings of several lines are put together."""
    joined = re.sub(r'"\s*\n\s*"', "", path.read_text())
    return set(re.findall(r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"', joined))


def mistakes(page):
    lines = page.read_text().splitlines()
    rows = [line for line in lines if line.startswith("|") and "---" not in line and "| proved by |" not in line]
    if not rows:
        yield "no promise at all"
    for line in lines:
        for target in re.findall(r"\]\(([^)#]+)\)", line):
            if not (page.parent / target).exists():
                yield f"{target} does not exist: {line[:80]}"
    for row in rows:
        promise, proof = row.split("|")[1:3]
        files = [page.parent / target for target in re.findall(r"\]\(([^)#]+)\)", proof)]
        known = set().union(*(tests_in(file) for file in files if file.suffix == ".cpp" and file.exists()))
        if not files:
            yield f"nothing proves: {promise.strip()}"
        for name in re.findall(r'"([^"]+)"', proof):
            if name not in known:
                yield f'no test "{name}" for: {promise.strip()}'


def tests_that_never_run():
    """Names of tests that have none of the tags in CMakeLists.txt, and are not hidden on purpose."""
    run = set(re.search(r"^set\(tags (.*)\)", (TESTS / "CMakeLists.txt").read_text(), re.MULTILINE)[1].split())
    run.add("oclgrind") # oclgrind.cmake
    for path in sorted(TESTS.glob("test_*.cpp")):
        joined = re.sub(r'"\s*\n\s*"', "", path.read_text())
        for name, tags in re.findall(r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"(?:,\s*"([^"]*)")?', joined):
            found = set(re.findall(r"\[([^\]]+)\]", tags))
            if not found & run and not any(tag.startswith((".", "!")) for tag in found):
                yield f'{path.name}: no entry of ctest runs "{name}"'


def main():
    found = [*mistakes(TESTS / "GUARANTEES.md"), *tests_that_never_run()]
    print("\n".join(found) if found else "every promise names tests that exist")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
