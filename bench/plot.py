#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws results files and prints their tables.

    python3 bench/plot.py bench/results/pocl.json   # <device>_scan.svg, _reduce.svg, _scan_time.svg; the tables
    python3 bench/plot.py --write bench/results/h200.json bench/results/pocl.json
        # also rewrites the tables of bench/README.md, and the short one of README.md, of the rows in SHORT
"""

import argparse
import math
import os
import pathlib

from chart import draw
from results import Results

BENCH = pathlib.Path(__file__).resolve().parent
BEGIN, END = "<!-- performance: begin -->", "<!-- performance: end -->"

# library, variant, label, colour, dashes; the order of the legend
SIDES = [
    ("upsweep", "automatic", "upsweep", "red", ""),
    ("cub", None, "CUB", "green", ""),
    ("copy", None, "device copy", "grey", "6 4"),
    ("boost_compute", None, "Boost.Compute", "brown", ""),
    ("tbb", None, "TBB (host)", "blue", ""),
    ("std", "par_unseq", "std, par_unseq (host)", "violet", ""),
    ("std", "sequential", "std, serial (host)", "pink", "2 3"),
]
PEERS = [("copy", "device copy"), ("cub", "CUB"), ("boost_compute", "Boost.Compute"), ("std", "std (best policy)"),
         ("tbb", "TBB")]
TABLE_SIZES = [1 << e for e in (16, 20, 22, 24, 26, 27, 28, 30)]
TYPES = ["int32", "float", "int64", "double", "uint16", "uint8", "affine"]
WORK = {"scan": "exclusive scan, plus", "scan_maximum": "inclusive scan, maximum", "reduce": "reduce, plus",
        "reduce_maximum": "reduce, maximum"}


# file, operation, type, log2 n: the README's table; the last is the worst of all rows
SHORT = [("h200", "scan", "int32", 20), ("h200", "scan", "int32", 24), ("h200", "scan", "int32", 28),
         ("h200", "scan", "float", 28), ("h200", "scan", "uint8", 28), ("h200", "scan", "affine", 28),
         ("h200", "reduce", "int32", 28), ("h200", "reduce", "int64", 28),
         ("pocl", "scan", "int32", 24), ("pocl", "reduce", "int32", 16)]


# name of the picture: operation, title, label, the quantity of a row, whether its axis is logarithmic
PICTURES = {
    "scan": ("scan", "Exclusive scan of int32", "GB/s (2n elements)", lambda row: row["bytes_per_second"] / 1e9, False),
    "reduce": ("reduce", "Sum of int32", "GB/s (n elements; copy: 2n)", lambda row: row["bytes_per_second"] / 1e9, False),
    "scan_time": ("scan", "Exclusive scan of int32", "ps per byte", lambda row: 1e12 / row["bytes_per_second"], True),
}


def draw_picture(results, name, path):
    operation, title, y_label, quantity, logarithmic = PICTURES[name]
    series = []
    for library, variant, label, colour, dashes in SIDES:
        rows = results.find(operation, library, variant, "int32")
        if rows:
            points = sorted((n, quantity(row)) for n, row in rows.items())
            series.append((label, colour, dashes, 3 if library == "upsweep" else 1.8, points))
    if not series:
        return False
    facts = results.facts
    draw(path, title, f"{facts['opencl_device']}, {facts['date'][:10]}", y_label, series, logarithmic)
    return True


def best(results, operation, library, element, n):
    """The best throughput of a library's variants; None where it has no such row."""
    rates = [row["bytes_per_second"] for row in results.rows
             if row["operation"] == operation and row["library"] == library and row["type"] == element
             and row["n"] == n and "bytes_per_second" in row
             and (library != "upsweep" or row["variant"] == "automatic")]
    return max(rates, default=None)


def power(n):
    return f"2^{int(math.log2(n))}" if n & (n - 1) == 0 else str(n)


def ratio_rows(results):
    """(operation, type, n, our rate, {library: our rate / theirs}) for the sizes that the table shows."""
    for operation in WORK:
        for element in TYPES:
            sizes = results.find(operation, "upsweep", "automatic", element)
            shown = [n for n in TABLE_SIZES if n in sizes]
            if element != "int32" or operation.endswith("maximum"):
                shown = [n for n in shown if n <= 1 << 28][-1:]
            for n in shown:
                ours = best(results, operation, "upsweep", element, n)
                theirs = {library: best(results, operation, library, element, n) for library, _ in PEERS}
                yield operation, element, n, ours, {k: ours / v for k, v in theirs.items() if v}


def work_name(operation, element):
    if element == "affine":
        return WORK[operation].split(",")[0] + ", user's operator on 8-byte structs"
    return f"{WORK[operation]}, {element}"


def ratio_cell(library, ratios):
    """The ratio, bold where a peer is faster (the copy is a limit, no peer)."""
    if library not in ratios:
        return ""
    shown = f"{ratios[library]:.2f}"
    return f"**{shown}**" if ratios[library] < 1 and library != "copy" else shown


def ratio_table(results):
    rows = list(ratio_rows(results))
    if not rows:
        return []
    peers = [(library, label) for library, label in PEERS if any(library in ratios for *_, ratios in rows)]
    lines = ["| work | n | GB/s | " + " | ".join("÷ " + label for _, label in peers) + " |",
             "|---|---|--:|" + "--:|" * len(peers)]
    for operation, element, n, ours, ratios in rows:
        cells = [ratio_cell(library, ratios) for library, _ in peers]
        lines.append(f"| {work_name(operation, element)} | {power(n)} | {ours / 1e9:.1f} | " + " | ".join(cells) + " |")
    return lines


def latency_cell(library, seconds, plan):
    """Microseconds, bold where a peer takes less time than a plan of ours."""
    shown = f"{seconds * 1e6:.1f}"
    return f"**{shown}**" if library != "upsweep" and seconds < plan else shown


def latency_table(results):
    empty = {name: row["seconds"] for name in ("opencl", "cuda")
             for row in results.find("latency/empty_kernel", name).values()}
    columns = [("upsweep", "plan", "upsweep, plan"), ("upsweep", "function", "upsweep, function"),
               ("cub", None, "CUB"), ("boost_compute", None, "Boost.Compute")]
    columns = [c for c in columns if results.find("latency/scan", c[0], c[1])]
    lines = ["| one call and its finish, int32, µs | n | " + " | ".join(c[2] for c in columns) + " |",
             "|---|---|" + "--:|" * len(columns)]
    for operation in ("scan", "reduce"):
        found = [results.find("latency/" + operation, library, variant) for library, variant, _ in columns]
        for n in sorted(set().union(*found)):
            plan = found[0][n]["seconds"] if n in found[0] else 0
            cells = [latency_cell(library, rows[n]["seconds"], plan) if n in rows else ""
                     for (library, _, _), rows in zip(columns, found)]
            lines.append(f"| {operation} | {power(n)} | " + " | ".join(cells) + " |")
    for name, label in (("opencl", "OpenCL"), ("cuda", "CUDA")):
        if name in empty:
            lines.append(f"| an empty {label} kernel | | {empty[name] * 1e6:.1f} |" + " |" * (len(columns) - 1))
    return lines


def first_call_line(results):
    def milliseconds(operation):
        return {row["variant"]: row["seconds"] * 1e3 for row in results.rows
                if row["operation"] == operation and "seconds" in row}

    times, builds = milliseconds("first_call"), milliseconds("build")
    if len(times) < 4:
        return []
    line = (f"First call: {times['process']:.0f} ms in a process whose kernels may be cached on disk, "
            f"{times['new_text']:.0f} ms with an operator never built before; warm: {times['warm']:.3f} ms.")
    if "large" in times:
        line += f" Of 2^24 elements, with such an operator: {times['large']:.0f} ms."
    if "one_kernel" in times:
        line += (f" A kernel of one line that was never built before, its build and launch: "
                 f"{times['one_kernel']:.0f} ms.")
    if len(builds) == 3:
        line += (f" Building its program: {builds['source']:.0f} ms from source, {builds['store']:.0f} ms when the "
                 f"binary is kept as well, {builds['binary']:.1f} ms from the binary.")
    return [line]


def reproducible_line(results):
    costs = []
    for element in ("float", "double"):
        ours = results.find("scan", "upsweep", "automatic", element)
        others = results.find("scan", "upsweep", "any_order", element)
        shared = [n for n in sorted(set(ours) & set(others)) if "seconds" in ours[n] and "seconds" in others[n]]
        if shared:
            n = shared[-1]
            costs.append(f"{element}, {power(n)}: {100 * (ours[n]['seconds'] / others[n]['seconds'] - 1):+.0f} %")
    if not costs:
        return []
    return ["What the canonical order costs a scan, against `options::reproducible = false` in the same run: "
            + "; ".join(costs) + "."]


def short_table(results_of):
    """The rows of SHORT, each with the fastest peer; `results_of`: results by the names of their files."""
    labels = dict(PEERS)
    lines = ["| device | work | n | GB/s | ÷ device copy | ÷ fastest peer |", "|---|---|---|--:|--:|--:|"]
    for name, operation, element, exponent in SHORT:
        found = {(o, e, n): (ours, ratios) for o, e, n, ours, ratios in ratio_rows(results_of[name])}
        ours, ratios = found[operation, element, 1 << exponent]
        peers = {library: ratio for library, ratio in ratios.items() if library != "copy"}
        fastest = min(peers, key=peers.get)
        device = results_of[name].facts["opencl_device"]
        lines.append(f"| {device} | {work_name(operation, element)} | 2^{exponent} | {ours / 1e9:.1f} | "
                     f"{ratio_cell('copy', ratios)} | {ratio_cell(fastest, ratios)} ({labels[fastest]}) |")
    return "\n".join(lines)


def slower_line(results):
    labels, counts = dict(PEERS), {}
    for *_, ratios in ratio_rows(results):
        for library, ratio in ratios.items():
            if library != "copy":
                slower, total = counts.get(library, (0, 0))
                counts[library] = (slower + (ratio < 1), total + 1)
    if not counts:
        return []
    told = ", ".join(f"{labels[library]} in {slower} of {total}" for library, (slower, total) in counts.items())
    return [f"Above 1, upsweep is faster; **bold**, the peer is faster: {told} rows. The device's copy counts one "
            "read and one write per element and is a limit rather than a peer."]


def section(results, images, base):
    facts = results.facts
    version = f"upsweep {facts['upsweep_version']} ({facts['commit']})"
    lines = [f"## {facts['opencl_device']}", "",
             f"{facts['opencl_platform']}, driver {facts['opencl_driver']}; host {facts['host']}; {version}; "
             f"{facts['date']}. {facts['clock'][0].upper()}{facts['clock'][1:]}. Every result was checked.", ""]
    for name, image in images.items():
        relative = os.path.relpath(image, base).replace(os.sep, "/")
        _, title, y_label, _, _ = PICTURES[name]
        lines += [f"![{title}: {y_label} against n]({relative})", ""]
    lines += [*ratio_table(results), "", *slower_line(results), ""]
    return lines + latency_table(results) + ["", *first_call_line(results), "", *reproducible_line(results)]


def update_readme(path, text):
    readme = path.read_text(encoding="utf-8")
    if BEGIN not in readme or END not in readme:
        raise SystemExit(f"{path} lacks the lines {BEGIN} and {END}")
    before, rest = readme.split(BEGIN, 1)
    behind = rest.split(END, 1)[1]
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{behind}", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="rewrite the tables between the performance markers")
    arguments = parser.parse_args()
    parts, results_of = [], {}
    for path in arguments.results:
        results = results_of[path.stem] = Results(path)
        images = {name: path.with_name(f"{path.stem}_{name}.svg") for name in PICTURES}
        drawn = {name: image for name, image in images.items() if draw_picture(results, name, image)}
        parts.append("\n".join(section(results, drawn, BENCH)))
        for row in results.errors():
            parts.append(f"Failed: {row['library']}/{row['variant']}, {row['operation']} of {row['type']}, "
                         f"n = {row['n']}: {row['error']}")
    text = "\n\n".join(part.strip() for part in parts)
    print(text)
    if arguments.write:
        update_readme(BENCH / "README.md", text)
        update_readme(BENCH.parent / "README.md", short_table(results_of))


if __name__ == "__main__":
    main()
