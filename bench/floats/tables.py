#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of README.md from what upsweep_floats printed.

    build/bench/bench/upsweep_floats > bench/results/floats.json
    python3 bench/floats/tables.py --write      # rewrites the tables; without it, checks that they are these
"""

import argparse
import json
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parent / "README.md"
RESULTS = PAGE.parent.parent / "results" / "floats.json"
WORK = {"uniform": "uniform in (0, 1)", "dot product": "dot product of two such", "both signs": "uniform in (-1, 1)",
        "all 0.1": "0.1, n times"}
WAYS = [("upsweep", "upsweep"), ("serial", "one after the other"), ("std::reduce", "`std::reduce`"),
        ("boost", "Boost.Compute"), ("upsweep, double", "upsweep, in `double`")]
POSITIVE = ("uniform", "dot product", "all 0.1")


def number(value):
    """2.7e-8; 0 where there is no error at all."""
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def falls_cell(row):
    falls, n = row["falls"], row["n"]
    if not falls:
        return "0"
    share = f"{100 * falls / (n - 1):.2g} %" if falls > 1e-5 * n else f"{falls} in all"
    return f"{share}, by {number(row['worst_fall'])}"


def table(rows, works, ways, cell):
    ways = [way for way in WAYS if way[0] in ways and any(key[2] == way[0] for key in rows)]
    lines = ["| elements | n | " + " | ".join(label for _, label in ways) + " |", "|---|--:|" + "--:|" * len(ways)]
    for n in sorted({n for _, n, _ in rows}):
        for work in works:
            cells = [cell(rows[work, n, way]) for way, _ in ways]
            lines.append(f"| {WORK[work]} | {n // 1000000} · 10⁶ | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def tables(results):
    """The text between the markers, by their names."""
    rows = {(row["work"], row["n"], row["way"]): row for row in results["rows"]}
    every = [way for way, _ in WAYS]
    scans = [way for way in every if way != "std::reduce"]
    return {
        "sums": table(rows, WORK, every, lambda row: number(row["total"])),
        "prefixes": table(rows, WORK, scans, lambda row: number(row["worst"])),
        "falls": table(rows, POSITIVE, scans, falls_cell),
        "run": f"{results['device']}, driver {results['driver']}; {results['compiler']} with its standard library; "
               f"Boost {results['boost'].replace('_', '.')}.",
    }


def with_tables(page, texts):
    for name, text in texts.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        if begin not in page or end not in page:
            raise SystemExit(f"{PAGE.name} lacks {begin} or {end}")
        page = re.sub(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}\n\n{text}\n\n{end}", page, flags=re.S)
    return page


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    page = PAGE.read_text(encoding="utf-8")
    new = with_tables(page, tables(json.loads(RESULTS.read_text(encoding="utf-8"))))
    if parser.parse_args().write:
        PAGE.write_text(new, encoding="utf-8")
    elif new != page:
        print(f"the tables of {PAGE} are not those of {RESULTS}; tables.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
