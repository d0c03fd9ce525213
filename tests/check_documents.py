#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the pages of this repository: links and their anchors, what commands name (presets, targets, scripts, options),
and the README's size.

    python3 tests/check_documents.py                      # prints what is wrong
    python3 tests/check_documents.py --programs FOLDER    # writes the pages' C++ blocks as programs
    python3 tests/check_documents.py --projects FOLDER    # writes the pages' CMake blocks as projects
    python3 tests/check_documents.py --python FOLDER      # writes the pages' Python blocks, and the C++ that they load

A block with `main` is a program. The other blocks of a page become one: types and includes before `main`, calls in it,
after the page's own declarations (tests/documents/). So do the calls in a table's last column, where its head is
`upsweep`.
"""

import argparse
import json
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


class Names:
    """What commands in the pages may name."""

    def __init__(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        cmake = "\n".join(file.read_text() for folder in (".", *FOLDERS) for pattern in ("CMakeLists.txt", "*.cmake")
                          for file in (ROOT / folder).glob(pattern if folder == "." else f"**/{pattern}"))
        self.presets = {preset["name"] for presets_of in presets.values() if isinstance(presets_of, list)
                        for preset in presets_of}
        self.targets = set(re.findall(r"add_(?:custom_target|executable|library)\((\w+)", cmake)) | {"all", "install"}
        self.targets |= {f"only_{test.stem}" for test in (ROOT / "tests").glob("test_*.cpp")}
        self.options = set(re.findall(r"option\((\w+)|set\((UPSWEEP_\w+) [^)]*CACHE", cmake))
        self.options = {name for pair in self.options for name in pair if name}


def wrong_commands(text, names):
    """What the code of a page names and there is not."""
    code = "\n".join(re.findall(r"```sh\n(.*?)```", text, flags=re.S) + re.findall(r"`([^`\n]+)`", text))
    for preset in re.findall(r"--preset[ =](\w+)", code):
        if preset not in names.presets:
            yield f"no preset is called {preset}"
    for target in re.findall(r"--target[ =](\w+)", code):
        if target not in names.targets:
            yield f"no target is called {target}"
    for script in re.findall(r"(?:python3|sh) ([\w/.]+\.(?:py|sh))", code):
        if not (ROOT / script).exists():
            yield f"{script} does not exist"
    for option in re.findall(r"-D(UPSWEEP_\w+)=", code):
        if option not in names.options:
            yield f"no option is called {option}"


def mistakes():
    names = Names()
    for page in PAGES:
        for mistake in (*wrong_links(ROOT / page), *wrong_commands((ROOT / page).read_text(), names)):
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
            yield name, (f"#include <upsweep/device_group.hpp>\n#include <upsweep/upsweep.hpp>\n\n#include <iostream>\n"
                         f"#include <vector>\n\n{types}\n"
                         f"int main() {{\n#include \"{own.as_posix()}\"\n{calls}\nreturn check_results();\n}}\n")


def python_programs():
    """(name, Python, C++) of each page with Python, which loads what the page declares as extern "C"."""
    for page in PAGES:
        text = (ROOT / page).read_text()
        python = "\n".join(re.findall(r"```python\n(.*?)```", text, flags=re.S))
        library = "\n".join(re.findall(r'```cpp\n(extern "C".*?)```', text, flags=re.S))
        if python:
            yield ("document_python_" + re.sub(r"\W+", "_", page.removesuffix(".md")).lower(), python,
                   f"#include <upsweep/upsweep.hpp>\n\n#include <iostream>\n\n{library}")


def projects():
    """(name, text) of a project for each CMake block; what stands on two pages is one."""
    blocks = {block: page for page in PAGES
              for block in re.findall(r"```cmake\n(.*?)```", (ROOT / page).read_text(), flags=re.S)}
    for number, block in enumerate(blocks):
        links = block.index("target_link_libraries")
        yield f"document_cmake_{number + 1}", (
            "cmake_minimum_required(VERSION 3.21)\nproject(document LANGUAGES CXX)\n"
            f"{block[:links]}add_executable(app ../app.cpp)\n{block[links:]}")


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, help="write programs here, and print their names")
    parser.add_argument("--projects", type=pathlib.Path, help="write projects here, and print their names")
    parser.add_argument("--python", type=pathlib.Path, help="write Python here, with libraries, and print the names")
    arguments = parser.parse_args()
    if arguments.programs:
        for name, text in programs():
            write(arguments.programs / f"{name}.cpp", text)
            print(name)
    if arguments.projects:
        write(arguments.projects / "app.cpp", "#include <upsweep/version.hpp>\nint main() {}\n")
        for name, text in projects():
            write(arguments.projects / name / "CMakeLists.txt", text)
            print(name)
    if arguments.python:
        for name, python, library in python_programs():
            write(arguments.python / f"{name}.py", python)
            write(arguments.python / f"{name}.cpp", library)
            print(name)
    if arguments.programs or arguments.projects or arguments.python:
        return 0
    found = list(mistakes())
    print("\n".join(found) or f"{len(PAGES)} pages: every link leads somewhere, every command names what there is")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
