#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the pages of this repository: links and their anchors, and the README's size.

    python3 tests/check_documents.py                      # prints what is wrong
    python3 tests/check_documents.py --programs FOLDER    # writes the pages' C++ blocks as programs

A block with `main` is a program. The other blocks of a page become one: types and includes before `main`, calls in it,
after the page's own declarations (tests/documents/). So do the calls in a table's last column, where its head is
`upsweep`.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("bench", "cmake", "examples", "include", "kernels", "tests")
PAGES = ["README.md", "CHANGELOG.md", "tests/GUARANTEES.md",
         *sorted(page.relative_to(ROOT).as_posix() for folder in FOLDERS for page in (ROOT / folder).rglob("README.md"))]
README_BYTES = 12288


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", re.sub(r"```.*?```", "", text, flags=re.S))


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.*)$", re.sub(r"```.*?```", "", page.read_text(), flags=re.S), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", h).lower()).replace(" ", "-")
            for h in headings}


def wrong_links(page):
    for label, target in re.findall(r"\[([^\]]*)\]\(([^)\s]+)\)", without_code(page.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            yield f"[{label}]: {target} does not exist"
        elif anchor and (file.suffix != ".md" or anchor not in anchors(file)):
            yield f"[{label}]: {target} has no such heading"


def mistakes():
    for page in PAGES:
        for mistake in wrong_links(ROOT / page):
            yield f"{page}: {mistake}"
    size = (ROOT / "README.md").stat().st_size
    if size > README_BYTES:
        yield f"README.md: {size} bytes, more than {README_BYTES}"


def at_file_scope(block):
    return re.match(r"\s*(#include|struct|template|extern)\b", block) is not None


def calls_in_tables(text):
    """The code in the last column of each table whose head is `upsweep`, once each."""
    calls = {}
    for table in re.findall(r"^\|[^|\n]*\| upsweep \|\n\|[-|]*\n((?:\|.*\n)+)", text, flags=re.M):
        for cell in re.findall(r"\| *([^|]*)\|$", table, flags=re.M):
            calls.update(dict.fromkeys(re.findall(r"`([^`]+)`", cell)))
    return [f"{{ {call}; }}" for call in calls]


def programs():
    """(name, text) of each program; the name tells page and number."""
    for page in PAGES:
        text = (ROOT / page).read_text()
        blocks = re.findall(r"```cpp\n(.*?)```", text, flags=re.S) + calls_in_tables(text)
        name = "document_" + re.sub(r"\W+", "_", page.removesuffix(".md")).lower()
        rest = [block for block in blocks if "int main" not in block]
        for number, block in enumerate(block for block in blocks if "int main" in block):
            yield f"{name}_main_{number + 1}", block
        if rest:
            own = ROOT / "tests" / "documents" / (name.removeprefix("document_") + ".hpp")
            types = "\n".join(block for block in rest if at_file_scope(block))
            calls = "\n".join(block for block in rest if not at_file_scope(block))
            yield name, (f"#include <upsweep/upsweep.hpp>\n\n#include <iostream>\n#include <vector>\n\n{types}\n"
                         f"int main() {{\n#include \"{own.as_posix()}\"\n{calls}\nreturn check_results();\n}}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, help="write programs here, and print their names")
    folder = parser.parse_args().programs
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in programs():
            file = folder / f"{name}.cpp"
            if not file.exists() or file.read_text() != text:
                file.write_text(text)
            print(name)
        return 0
    found = list(mistakes())
    print("\n".join(found) or f"{len(PAGES)} pages: every link leads somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
