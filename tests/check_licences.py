#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that each source file names its licence in its first line, or in the second after a line of #!.

    python3 tests/check_licences.py [root of the repository]
"""

import pathlib
import sys

LINE = "SPDX-License-Identifier: MIT"
FOLDERS = (".ci", ".github", "bench", "cmake", "debian", "examples", "include", "kernels", "tests")
SUFFIXES = {"//": (".c", ".cl", ".cpp", ".cu", ".h", ".hpp"), "#": (".cmake", ".in", ".py", ".sh", ".yaml", ".yml")}
# Their names say what they are.
NAMES = {"CMakeLists.txt": "#", "rules": "#", "control": "#", "run": "#"}


def mark_of(path):
    """How comments begin in a source file; None for any other file."""
    for mark, suffixes in SUFFIXES.items():
        if path.suffix in suffixes:
            return mark
    return NAMES.get(path.name)


def sources(root):
    yield from (path for path in root.iterdir() if path.is_file())
    for folder in FOLDERS:
        yield from (path for path in sorted((root / folder).rglob("*")) if path.is_file())


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    root = root if root.is_dir() else root.parent.parent
    wrong = []
    count = 0
    for path in sources(root):
        mark = mark_of(path)
        if mark is None or "__pycache__" in path.parts:
            continue
        count += 1
        lines = path.read_text().splitlines()[:2]
        first = lines[1:] if lines and lines[0].startswith("#!") else lines
        if not first or first[0] != f"{mark} {LINE}":
            wrong.append(f"{path.relative_to(root)}: its first line is not: {mark} {LINE}")
    if not count:
        wrong.append(f"no source file in {root}")
    print("\n".join(wrong) if wrong else f"{count} source files name their licence")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
