#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that kernels read the caller's elements and write the caller's results through the hooks only.

    python3 tests/check_hooks.py [root of the repository]

The hooks are kernels/tile/load.cl, load_packs.cl, store.cl and store_packs.cl, kernels/store_total.cl, kernels/rows/row_packs.cl, and
what prefetches, kernels/single_pass/prefetch.cl. In every other kernel file:

1. A variable or member of type upsweep_input or upsweep_output is only passed on whole: to a function of the library, to
   a macro of the hooks, into a struct or another variable. It is not indexed, added to, dereferenced, cast, compared, or
   given to a built-in function, another macro or assembly.
2. The same goes for what UPSWEEP_INPUT, UPSWEEP_INPUT_AT and the two for the output yield.
3. The names that the hooks give their kernel parameters do not occur.
4. Other pointers to global memory are those that the library itself has: state, sums and the initial value.
"""

import pathlib
import re
import sys

HOOKS = {"tile/load.cl", "tile/load_packs.cl", "tile/store.cl", "tile/store_packs.cl", "store_total.cl",
         "rows/row_packs.cl", "single_pass/prefetch.cl"}

# These run on arrays of a test's or a call's own: no scan or reduction of a caller's has them.
OTHER_KERNELS = {"launch/fold.cl", "launch/self_check.cl", "launch/trace.cl", "trace_hooks.cl"}

# Pointers to global memory that are the library's own: their type, and the name where the type could be the caller's.
OWN_POINTERS = [
    r"volatile __global (?:uint|ulong|uchar) ?\*",
    r"__global const upsweep_value\* ?(?:sums|end|upsweep_init)\b",
    r"__global const upsweep_value \*upsweep_init_at\b",
    r"__global upsweep_value\* ?sums\b",
    r"__global (?:const )?upsweep_(?:index|carry)\* ?(?:starts|carries)\b",
]

# Hooks that yield a view: what they yield is the caller's array, as a variable of these types is.
VIEW_TYPES = ("upsweep_input", "upsweep_output")
VIEW_MACROS = ("UPSWEEP_INPUT", "UPSWEEP_OUTPUT", "UPSWEEP_INPUT_AT", "UPSWEEP_OUTPUT_AT")

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|\d\w*|->|[-+*/&|<>=!]=|[-+]{2}|&&|\|\||\S')


def code_of(text):
    """Without comments; the lines keep their numbers."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.DOTALL)
    return re.sub(r"//[^\n]*", "", text)


def tokens_of(code):
    """(token, line) of a text; a backslash at the end of a line is nothing."""
    return [(match.group(0), code.count("\n", 0, match.start()) + 1)
            for match in TOKEN.finditer(code.replace("\\\n", " \n"))]


def units_of(tokens):
    """A file's functions, structs and other declarations, each as its tokens."""
    unit, depth = [], 0
    for word, line in tokens:
        unit.append((word, line))
        depth += (word == "{") - (word == "}")
        if depth == 0 and word in (";", "}"):
            yield unit
            unit = []
    yield unit


def is_struct(words):
    return "{" in words and "struct" in words[max(words.index("{") - 2, 0):words.index("{")]


def declared_in(unit):
    """The names of the views that a unit declares."""
    return {unit[i + 1][0] for i in range(len(unit) - 1) if unit[i][0] in VIEW_TYPES}


def opening(words, at):
    """The position of the bracket that encloses words[at]; -1: none."""
    depth = 0
    for i in range(at - 1, -1, -1):
        if words[i] in ")]}":
            depth += 1
        elif words[i] in "([{":
            if depth == 0:
                return i
            depth -= 1
    return -1


def closing(words, at):
    """The position of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(words)):
        depth += (words[i] in "([{") - (words[i] in ")]}")
        if depth == 0:
            return i
    return len(words) - 1


def misuse(words, begin, end, hooks):
    """What is wrong with the use of a view that words[begin..end] name; None: nothing."""
    before = words[begin - 1] if begin > 0 else ""
    behind = words[end + 1] if end + 1 < len(words) else ""
    if before in VIEW_TYPES:
        return None if behind in (";", ",", ")", "=") else f"is followed by '{behind}'"
    if before not in ("(", ",", "=", "{", "return") or behind not in (")", ",", ";", "}"):
        return f"stands between '{before}' and '{behind}'"
    bracket = opening(words, begin)
    if before in ("(", ",") and words[bracket] == "(":
        function = words[bracket - 1]
        if not function.startswith("upsweep_") and function not in hooks:
            return f"is handed to '{function}'"
    return None


def mistakes_in(name, text, hooks):
    code = code_of(text)
    for match in re.finditer(r"[^\n;({,]*\b__global\b[^\n;),=]*", code):
        if not any(re.search(own, match.group(0)) for own in OWN_POINTERS):
            line = code.count("\n", 0, match.start()) + 1
            yield f"kernels/{name}:{line}: '{match.group(0).strip()}' is no pointer of the library's own"
    units = list(units_of(tokens_of(code)))
    members = set().union(*(declared_in(unit) for unit in units if is_struct([word for word, _ in unit])))
    for unit in units:
        words = [word for word, _ in unit]
        views = declared_in(unit)
        for i, (word, line) in enumerate(unit):
            if word in ("upsweep_in", "upsweep_out"):
                yield f"kernels/{name}:{line}: '{word}' is a parameter that belongs to the hooks"
            begin, end = i, i
            if i > 0 and words[i - 1] in (".", "->"):
                begin = i - 2
                if word not in members:
                    continue
            elif word in VIEW_MACROS:
                end = closing(words, i + 1)
            elif word not in views:
                continue
            what = misuse(words, begin, end, hooks)
            if what:
                yield f"kernels/{name}:{line}: '{word}' {what}"


def mistakes(root):
    files = {path.relative_to(root / "kernels").as_posix(): path.read_text(encoding="utf-8")
             for path in sorted((root / "kernels").rglob("*.cl"))}
    for name in sorted((HOOKS | OTHER_KERNELS) - set(files)):
        yield f"kernels/{name} does not exist"
    hooks = set(re.findall(r"^#define (\w+)\(", "\n".join(files.get(name, "") for name in HOOKS), re.MULTILINE))
    # Of texts that the host writes (tile/store.cl, sub_group_tile/mark_tiles.cl, sub_group_tile/segment_tiles.cl).
    hooks |= {"UPSWEEP_READ_FOR_STORE", "UPSWEEP_STORE_WITH", "UPSWEEP_STORES_AT", "UPSWEEP_STORE_CHOSEN",
              "UPSWEEP_READ_MARKED", "UPSWEEP_STORE_MARKED", "UPSWEEP_STORE_END", "UPSWEEP_PLACE",
              "UPSWEEP_LOAD_LISTED", "UPSWEEP_LISTED_OTHERS", "UPSWEEP_LISTED_ROOM", "UPSWEEP_STORE_LISTED",
              "UPSWEEP_IS_INNER", "UPSWEEP_PLACE_IN_ROW", "UPSWEEP_LOAD_INNER", "UPSWEEP_BEGIN_VALUE",
              "UPSWEEP_LOAD_SEGMENT_KEY", "UPSWEEP_LOAD_KEY_AT_END", "UPSWEEP_LOAD_ALONE", "UPSWEEP_IS_END_OF_SEGMENTS", "UPSWEEP_MARKS_OF_RUN", "UPSWEEP_HAS_HEAD_INNER",
              "UPSWEEP_INNER_SHIFT", "UPSWEEP_LOAD_INNER_WORD", "UPSWEEP_SEGMENT_SHIFT", "UPSWEEP_STORE_SEGMENT_WORD",
              "UPSWEEP_STORE_SEGMENT_BYTES",
              "UPSWEEP_STORE_SEGMENT", "UPSWEEP_SEGMENT_BEGIN", "UPSWEEP_STORE_KEY", "UPSWEEP_STORE_RESULT",
              "UPSWEEP_FIRST_OF_ROW", "UPSWEEP_ROW_HAS_GAPS", "UPSWEEP_END_OF_SEGMENTS",
              "UPSWEEP_SEGMENT_HAS_ELEMENTS", "UPSWEEP_NEXT_WITH_ELEMENTS", "UPSWEEP_BEGINS_ANEW"}
    for name, text in files.items():
        if name not in HOOKS | OTHER_KERNELS:
            yield from mistakes_in(name, text, hooks)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    found = list(mistakes(root))
    print("\n".join(found) if found else "kernels reach the caller's arrays through the hooks only")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
