#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks how include/upsweep and kernels are divided into folders.

    python3 tests/check_includes.py [root of the repository]

1. Headers include only headers of their own stage or of an earlier one; kernel files likewise. No header or kernel file
   includes itself through others. (x_inl.hpp has the definitions of what x.hpp declares; the two count as one.)
2. A folder has at most 14 files, but for include/upsweep itself: what users include is all there. (Definitions do not
   count.)
3. A file has at most 300 lines.
4. A kernel file defines kernels if and only if it is in kernels/launch.
5. With UPSWEEP_COMPILED, what users include brings none of the headers that only the library needs: they cost the
   compiler more than all others.
6. A header that names a type of the library's inside declares it, or includes, itself or through others, its header.
7. A function in include/upsweep/detail is UPSWEEP_INLINE and not `inline` (values/inline.hpp), but for those of MPI.
"""

import pathlib
import re
import sys

MOST_FILES = 14
MOST_LINES = 300

# Data goes from the first stage to the last. A stage is a folder of include/upsweep/detail; the public headers, which
# are all in include/upsweep, are entered here.
STAGES = [
    ("values", "error.hpp no_init.hpp options.hpp cache.hpp type.hpp operator.hpp identity.hpp bfloat16.hpp extremum.hpp reference.hpp version.hpp"),
    ("parts", ""),
    ("opencl", "device.hpp"),
    ("views", "span.hpp vector_types.hpp device_value.hpp"),
    ("tuning", "tuning.hpp tuning_file.hpp"),
    ("plan", ""),
    ("source", "work_group_source.hpp"),
    ("program", ""),
    ("run", ""),
    ("streamed", "release.hpp"),
    ("self_check", "self_check.hpp"),
    ("columns", ""),
    ("segments", ""),
    ("engine", ""),
    ("call", "scan.hpp reduce.hpp views.hpp transform_reduce.hpp extremes.hpp computed_plan.hpp first.hpp segmented_view.hpp segments.hpp segments_plan.hpp exclusive_scan.hpp accumulate_in.hpp"),
    ("selection", "choice.hpp select.hpp select_plan.hpp upsweep.hpp"),
    ("group", "device_group.hpp"),
    ("mpi", "mpi.hpp"),
]

# What UPSWEEP_COMPILED keeps from users, below include/upsweep/detail: all of a folder, or a file. MPI is not compiled.
COMPILED = ("program/", "run/", "streamed/", "self_check/", "columns/", "segments/", "engine/", "parts/parts_plan.hpp", "source/kernels.hpp",
            "source/segment_heads.hpp", "source/stage_parameters.hpp", "source/store_text.hpp", "source/transform_text.hpp",
            "values/text_memo.hpp")

CODE_FOLDERS = ["include", "kernels", "tests", "bench", "examples"]

# A program's text begins with the files that are in no folder.
KERNEL_FOLDERS = ["", "textbook", "tile", "single_pass", "sub_group", "rows", "sub_group_prefix", "sub_group_tile", "segments",
                  "columns", "work_group", "launch", "launch/segments"]

STAGE_OF_PUBLIC = {name: number for number, (_, names) in enumerate(STAGES) for name in names.split()}
STAGE_OF_FOLDER = {name: number for number, (name, _) in enumerate(STAGES)}


def stage_of(path):
    """The number of a header's stage; None if it has none. `path` begins behind include/."""
    parts = path.split("/")
    if len(parts) == 2:
        return STAGE_OF_PUBLIC.get(parts[1])
    return STAGE_OF_FOLDER.get(parts[2]) if len(parts) == 4 and parts[1] == "detail" else None


def folder_of(path):
    """The number of a kernel file's folder; None if it is not known. `path` begins behind kernels/."""
    folder = path.rpartition("/")[0]
    return KERNEL_FOLDERS.index(folder) if folder in KERNEL_FOLDERS else None


def includes_of(files, pattern):
    return {name: re.findall(pattern, text, re.MULTILINE) for name, text in files.items()}


def arrows_back(includes, number_of, generated=()):
    for name in includes:
        if number_of(name) is None:
            yield f"{name} is in no stage"
    for name, targets in includes.items():
        for target in targets:
            if target not in includes and target not in generated:
                yield f"{name} includes {target}, which does not exist"
            elif None not in (number_of(name), number_of(target)) and number_of(target) > number_of(name):
                yield f"{name} includes {target}, which is of a later stage"


def with_definitions(includes):
    """The same, where a header and the header of its definitions are one."""
    def whole(name):
        folder, _, file = name.rpartition("/")
        for declarations in ("upsweep/", folder + "/"):
            header = declarations + file.replace("_inl.hpp", ".hpp")
            if name in includes.get(header, ()):
                return header
        return name

    merged = {}
    for name, targets in includes.items():
        merged.setdefault(whole(name), []).extend(whole(target) for target in targets if whole(target) != whole(name))
    return merged


def circles(includes):
    done, path = set(), []

    def visit(name):
        if name in path:
            yield "includes in a circle: " + " -> ".join(path[path.index(name):] + [name])
        elif name not in done:
            path.append(name)
            for target in includes.get(name, ()):
                yield from visit(target)
            path.pop()
            done.add(name)

    for name in includes:
        yield from visit(name)


def brought_by(name, includes, definitions=False):
    """The headers that come with one, itself too, with those of definitions or without."""
    found, left = set(), [name]
    while left:
        header = left.pop()
        if header not in found and (definitions or not header.endswith("_inl.hpp")):
            found.add(header)
            left.extend(includes.get(header, ()))
    return found


def code_of(text):
    """A header without comments, texts and includes."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|^#include[^\n]*', "", text, flags=re.MULTILINE | re.DOTALL)


def unknown_types(headers, includes):
    """Types that a header names and does not know: the compiler would take them from what came before by chance."""
    code = {name: code_of(text) for name, text in headers.items()}
    homes = {}
    for name, text in code.items():
        for found in re.findall(r"^(?:(?:struct|class|enum class) (\w+)\b(?!<)[^;{]*\{|using (\w+) =)", text, re.MULTILINE):
            homes.setdefault(found[0] or found[1], set()).add(name)
    for name, text in code.items():
        if name.endswith("_inl.hpp"):
            continue  # it comes at the end of a header that it does not include
        known = brought_by(name, includes, definitions=True)
        used = set(re.findall(r"(?<![.\w>])(\w+)(?=[&*]* \w+[,;(){=]|::|>)", text))  # T x; T& x, T::x; vector<T>
        for found in sorted(used & set(homes)):
            if not homes[found] & known and not re.search(rf"^(?:struct|class) {found};", text, re.MULTILINE):
                yield f"{name} names {found} and does not include {min(homes[found])}"


def not_compiled(includes):
    for header in sorted(brought_by("upsweep/upsweep.hpp", includes)):
        if header.startswith(tuple("upsweep/detail/" + each for each in COMPILED)):
            yield f"upsweep/upsweep.hpp brings {header} with UPSWEEP_COMPILED"


def too_large(root, files):
    for folder in sorted({(root / name).parent for name in files} - {root / "include/upsweep"}):
        count = sum(1 for path in folder.iterdir()
                    if path.is_file() and path.suffix != ".md" and not path.name.endswith("_inl.hpp"))
        if count > MOST_FILES:
            yield f"{folder.relative_to(root)} has {count} files; at most {MOST_FILES}"


def too_long(files):
    for name, text in files.items():
        lines = text.count("\n")
        if lines > MOST_LINES:
            yield f"{name} has {lines} lines; at most {MOST_LINES}"


def misplaced_kernels(kernels):
    for name, text in kernels.items():
        has_kernels = re.search(r"^(UPSWEEP_KERNEL|__kernel|kernel)\b", text, re.MULTILINE) is not None
        if has_kernels and not name.startswith("launch/"):
            yield f"kernels/{name} defines a kernel outside kernels/launch"
        if not has_kernels and name.startswith("launch/"):
            yield f"kernels/{name} defines no kernel, but is in kernels/launch"


def inline_functions(headers):
    for name, text in headers.items():
        if name.startswith("upsweep/detail/") and not name.startswith("upsweep/detail/mpi/"):
            for function in re.findall(r"^inline (?!constexpr|namespace)(.*)", text, re.MULTILINE):
                yield f"{name} has an inline function, which is to be UPSWEEP_INLINE: {function}"


def mistakes(root):
    def read(folder, suffix):
        return {path.relative_to(root / folder).as_posix(): path.read_text(encoding="utf-8")
                for path in sorted((root / folder).rglob(f"*{suffix}"))}

    headers, kernels = read("include", ".hpp"), read("kernels", ".cl")
    if not headers or not kernels:
        yield f"no headers or no kernels below {root}"
    header_includes = includes_of(headers, r"^#include <(upsweep/[^>]+\.hpp)>")
    kernel_includes = includes_of(kernels, r'^#include "([^"]+)"')
    yield from arrows_back(header_includes, stage_of, {"upsweep/detail/source/kernels.hpp"})
    yield from arrows_back(kernel_includes, folder_of)
    yield from circles(with_definitions(header_includes))
    yield from not_compiled(header_includes)
    yield from unknown_types(headers, header_includes)
    yield from circles(kernel_includes)
    yield from too_large(root, [f"include/{name}" for name in headers] + [f"kernels/{name}" for name in kernels])
    yield from too_long({f"{folder}/{name}": text for folder in CODE_FOLDERS for suffix in (".hpp", ".cpp", ".cl", ".cu")
                         for name, text in read(folder, suffix).items()})
    yield from misplaced_kernels(kernels)
    yield from inline_functions(headers)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    found = list(mistakes(root))
    print("\n".join(found) if found else "includes go one way, and every file is where it belongs")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
