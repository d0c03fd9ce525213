#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints rows of upsweep beside those of CUB, and what both take as a multiple of a copy of as many bytes.

    python3 bench/side_by_side.py bench_cliffs.json bench_cub_cliffs.json      # of programs with --benchmark_out
    python3 bench/side_by_side.py bench/results/h200.json                      # of bench/run.py
    python3 bench/side_by_side.py new.json --before bench/results/h200_family.json

A row's bytes are those that must move; the copy is the one that moves the number of bytes next to it. With --before,
the last column says how long a row of upsweep takes as a multiple of what it took, and the exit status is 1 if that is
more than 1.05 for any.
"""

import argparse
import json
import math
import sys

from results import Samples

# What bench_cliffs, bench_family and bench_types measure.
OPERATIONS = ("scan_shifted", "reduce_shifted", "scan_converted", "scan_struct", "reduce_struct", "scan_operator",
              "reduce_operator", "scan_size", "reduce_size", "plain_scan", "plain_reduce", "copy_if", "partition",
              "unique", "run_length_encode", "reduce_by_key", "scan_by_key", "segmented_reduce", "reduce_rows",
              "scan_rows", "reduce_columns", "scan_columns", "min_element", "sum_of_squares", "dot_product")


def load(paths):
    """The rows of all files, of either kind."""
    samples, rows = Samples(), []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        if "benchmarks" in content:
            samples.add(content)
        else:
            rows += content["rows"]
    return rows + samples.rows()


def bytes_moved(row):
    return row["bytes_per_second"] * row["seconds"]


def name_of(row):
    return row["operation"], row["library"], row["variant"], row["type"], row["n"]


def copies_of(rows):
    return [row for row in rows if row["operation"] == "copy" and row["library"] == "copy" and "seconds" in row]


def copy_seconds(copies, moved):
    """How long a copy takes that moves so many bytes; None where there is no copy."""
    if not copies:
        return None
    nearest = min(copies, key=lambda row: abs(math.log(bytes_moved(row) / moved)))
    return moved / nearest["bytes_per_second"]


def slowed_down(row, before):
    """How long a row takes as a multiple of what it took; None where it is in one of both only."""
    old = before.get(name_of(row), {})
    return row["seconds"] / old["seconds"] if "seconds" in row and "seconds" in old else None


def lines_of(rows, before):
    copies = copies_of(rows)
    sides = {}
    for row in rows:
        if row["operation"] in OPERATIONS:
            key = (row["operation"], row["variant"], row["type"], row["n"])
            sides.setdefault(key, {})[row["library"]] = row
    for (operation, variant, kind, n), side in sorted(sides.items(), key=lambda item: OPERATIONS.index(item[0][0])):
        cells = []
        for library in ("upsweep", "cub"):
            row = side.get(library, {})
            took = row.get("seconds")
            cells.append(row.get("error", "") if took is None else f"{took * 1e6:.1f}")
        ours, theirs = side.get("upsweep", {}), side.get("cub", {})
        both = "seconds" in ours and "seconds" in theirs
        cells.append(f"{theirs['seconds'] / ours['seconds']:.2f}" if both else "")
        for row in (ours, theirs):
            copy = copy_seconds(copies, bytes_moved(row)) if "seconds" in row else None
            cells.append(f"{row['seconds'] / copy:.2f}" if copy else "")
        if before:
            slower = slowed_down(ours, before) if ours else None
            cells.append(f"{slower:.2f}" if slower else "")
        size = f"2^{math.log2(n):g}"
        yield f"| {operation} {variant} | {kind} | {size} | " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="JSON of Google Benchmark or of bench/run.py")
    parser.add_argument("--before", action="append", default=[], help="likewise, of an earlier run on such a device")
    arguments = parser.parse_args()
    rows = load(arguments.files)
    before = {name_of(row): row for row in load(arguments.before)}
    headings = ["work", "type", "n", "upsweep, µs", "CUB, µs", "CUB ÷ upsweep", "upsweep ÷ copy", "CUB ÷ copy"]
    if before:
        headings.append("now ÷ before")
    print("| " + " | ".join(headings) + " |")
    print("|---|---|---|" + "--:|" * (len(headings) - 3))
    for line in lines_of(rows, before):
        print(line)
    ours = [row for row in rows if row["library"] == "upsweep"]
    return 1 if any((slowed_down(row, before) or 0) > 1.05 for row in ours) else 0


if __name__ == "__main__":
    sys.exit(main())
