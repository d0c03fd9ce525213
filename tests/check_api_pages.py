#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the API pages with Doxygen, and checks that they say what they must.

    python3 tests/check_api_pages.py build/test/docs        # the folder with the configured Doxyfile

1. Doxygen warns of nothing.
2. Every public symbol has a text: classes, members, functions, enumerators, types, macros. Every public header has some.
3. Every function that takes a queue says what it throws, how many launches it makes and what they move, and where its
   algorithm is from, or refers to one that does.
4. Every table is one: a line that is too long is wrapped by clang-format, and the table is text then.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

PUBLIC = pathlib.Path(__file__).resolve().parent.parent / "include" / "upsweep"
COMPOUNDS = ("class", "struct", "namespace")
# They hold declarations of namespaces only, or include the others.
WITHOUT_SYMBOLS = {"upsweep.hpp", "vector_types.hpp"}
LAUNCHES = "Launches and elements moved"
# What they enqueue, if anything, is no work on the caller's elements.
NO_LAUNCHES = {"default_queue"}


def text_of(element):
    return " ".join("".join(part.itertext()) for kind in ("briefdescription", "detaileddescription")
                    for part in element.findall(kind)).strip()


def symbols(folder):
    """(name, element) of every public symbol."""
    for path in sorted(folder.glob("*.xml")):
        compound = xml.parse(path).getroot().find("compounddef")
        # Macros of other headers do not outlive them.
        if compound is not None and compound.findtext("compoundname") == "version.hpp":
            yield from ((macro.findtext("name"), macro) for macro in compound.iterfind(".//memberdef[@kind='define']"))
        if compound is None or compound.get("kind") not in COMPOUNDS or compound.get("prot", "public") != "public":
            continue
        name = compound.findtext("compoundname")
        if not name.startswith("upsweep"):
            continue
        yield name, compound
        for member in compound.iter("memberdef"):
            if member.get("prot") != "public":
                continue
            yield f"{name}::{member.findtext('name')}", member
            for value in member.iter("enumvalue"):
                yield f"{name}::{member.findtext('name')}::{value.findtext('name')}", value


def undocumented(found):
    for name, element in found:
        if not text_of(element):
            yield f"{name} has no text"


def broken_tables(found):
    for name, element in (pair for pair in found if pair[1].tag == "memberdef"):
        if any("| |" in (text or "") for para in element.iter("para") for text in (para.text, *(c.tail for c in para))):
            yield f"{name}: a table is no table"


def headers_without_symbols(found):
    seen = {pathlib.PurePath(location.get("file")).name
            for _, element in found for location in element.findall("location")}
    for header in sorted(PUBLIC.glob("*.hpp")):
        if header.name not in seen | WITHOUT_SYMBOLS:
            yield f"{header.name}: no symbol of it is in the pages"


def calls_without_costs(found):
    """Functions with a queue, by name: some overload has the facts, or refers to a function that has."""
    texts = {}
    for name, element in found:
        takes_queue = any("queue_handle" in "".join(p.itertext()) for p in element.findall("param/type"))
        is_member = element.get("kind") == "function" and not name.endswith("::queue_handle")
        if takes_queue and is_member and element.findtext("name") not in NO_LAUNCHES:
            texts.setdefault(element.findtext("name"), []).append(element)

    def says(element, wanted):
        if wanted == "throws":
            return element.find(".//parameterlist[@kind='exception']") is not None
        return any(title.text == wanted for title in element.iter("title"))

    for wanted in ("throws", LAUNCHES, "Source"):
        known = {name for name, overloads in texts.items() if any(says(o, wanted) for o in overloads)}
        refers = {name for name, overloads in texts.items()
                  if any(re.search(rf"\b{other}\b", text_of(o)) for o in overloads for other in known - {name})}
        # A plan is made, not run: its calls say the rest.
        made = {name for name in texts if name.endswith("_plan")} if wanted != "throws" else set()
        for name in sorted(set(texts) - known - refers - made):
            yield f"{name}: no text says: {wanted}"
    if not texts:
        yield "no function takes a queue"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--doxygen", default="doxygen")
    arguments = parser.parse_args()
    for old in arguments.folder.glob("xml/*.xml"):
        old.unlink()
    doxygen = subprocess.run([arguments.doxygen, arguments.folder / "Doxyfile"], capture_output=True, text=True)
    found = list(symbols(arguments.folder / "xml"))
    wrong = doxygen.stderr.splitlines() if doxygen.returncode != 0 or doxygen.stderr else []
    wrong += [*undocumented(found), *broken_tables(found), *headers_without_symbols(found), *calls_without_costs(found)]
    print("\n".join(line for line in wrong if line) or f"{len(found)} public symbols, each with its text; no warning")
    return 1 if wrong or doxygen.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
