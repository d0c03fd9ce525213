# SPDX-License-Identifier: MIT
"""The table of tests/matrix.py: results beside the known failures, as Markdown."""

import json
import re

# The columns, in this order: title, and the files whose tests they count. A file that no column names has its own.
GROUPS = (
    ("every size and edge", ("test_matrix", "test_defects", "test_incumbent_defects", "test_sizes")),
    ("types and operators", ("test_operators", "test_neighbours", "test_special_values")),
    ("calls, plans, queues", ("test_api", "test_plans_and_queues", "test_threads")),
    ("the same bits", ("test_canonical", "test_canonical_tiles")),
    ("look-back, delays", ("test_look_back", "test_adversity")),
    ("errors", ("test_errors", "test_errors_options", "test_errors_text", "test_errors_hostile")),
    ("injected faults", ("test_injection", "test_recovery", "test_calls")),
    ("cache on disk", ("test_binary_cache", "test_binary_file")),
    ("self-check", ("test_self_check", "test_self_check_parts")),
    ("traces", ("test_trace",)),
    ("host side", ("test_plan", "test_source", "test_tuning", "test_lanes", "test_names", "test_tuning_entries",
                   "test_tuning_file", "test_tuning_loaded")),
    ("past 2^32", ("test_large",)),
)
ORDER = ("passed", "skipped", "failed", "crashed", "timed out")
BAD = ("failed", "crashed", "timed out")


def group_of(result):
    for title, files in GROUPS:
        if result["file"] in files:
            return title
    return result["file"].removeprefix("test_").replace("_", " ")


class KnownFailures:
    """Failures that are an implementation's own, from one file: each with a reason and a reproducer."""

    def __init__(self, path):
        self.entries = json.loads(path.read_text())

    def of(self, row, result):
        """The number (from 1) of the entry that speaks of this test on this implementation, or 0."""
        for number, entry in enumerate(self.entries, 1):
            if (re.search(entry["implementation"], row["name"]) and re.search(entry["version"], row["version"])
                    and re.search(entry["tests"], f"{result['file']}: {result['test']}")):
                return number
        return 0

    def explains(self, row, result):
        number = self.of(row, result)
        return number if number and result["outcome"] in self.entries[number - 1]["outcomes"] else 0


def joined(earlier, later):
    """The later run of an implementation; with the earlier one where both are parts of one (matrix.py --part)."""
    def tests(row):
        return {(result["file"], result["test"]) for result in row["results"]}

    if earlier is None or earlier["commit"] != later["commit"] or tests(earlier) & tests(later):
        return later
    not_ended = earlier.get("not_ended", []) + later.get("not_ended", [])
    return dict(later, results=earlier["results"] + later["results"], not_ended=not_ended)


def merged(lists):
    """Rows of several results files. Of the same implementation the latest run counts, all parts of it; a row that one
    machine lacks and another has is shown as the latter has it."""
    rows = {}
    for row in sorted((row for rows_of_file in lists for row in rows_of_file), key=lambda row: row["date"]):
        key = (row["name"], row["version"], row["device"])
        rows[key] = joined(rows.get(key), row)
    present = [row for row in rows.values() if not row["missing"]]
    absent = {row["name"]: row for row in rows.values() if row["missing"]}
    kept = [row for name, row in absent.items() if not any(other["name"].startswith(name) for other in present)]
    return sorted(present, key=lambda row: (row["name"], row["version"])) + kept


def unexpected(rows, known):
    return [(row, result) for row in rows for result in row["results"]
            if result["outcome"] in BAD and not known.explains(row, result)]


def cell(row, results, known):
    if not results:
        return "–"
    count = {}
    for result in results:
        number = known.explains(row, result) if result["outcome"] in BAD else 0
        kind = (ORDER.index(result["outcome"]), number)
        count[kind] = count.get(kind, 0) + 1
    parts = []
    for (place, number), tests in sorted(count.items()):
        text = f"{tests} {ORDER[place]}"
        if number:
            text = f"*{text}, known [{number}]*"
        elif ORDER[place] in BAD:
            text = f"**{text}**"
        parts.append(text)
    return "; ".join(parts)


def table(rows, known):
    titles = [title for title, _ in GROUPS]
    present = dict.fromkeys(group_of(result) for row in rows for result in row["results"])
    titles = [title for title in titles if title in present] + [title for title in present if title not in titles]
    yield "| implementation | " + " | ".join(titles) + " |"
    yield "|---" * (len(titles) + 1) + "|"
    for row in rows:
        name = f"{row['name']} {row['version']}".strip()
        if row["missing"]:
            yield f"| {name} | " + " | ".join(["not available"] + [""] * (len(titles) - 1)) + " |"
            continue
        cells = [cell(row, [one for one in row["results"] if group_of(one) == title], known) for title in titles]
        yield f"| {name}, {row['device']} | " + " | ".join(cells) + " |"


def markdown(rows, known):
    """The table, what failed, what is known, and where it ran."""
    lines = ["# Tests on every implementation", "",
             "Test cases per implementation and group; written by `tests/matrix.py`. **Bold**: failures of upsweep, or",
             "not yet explained. *Slanted*: an implementation's own failure, explained below, with a reproducer.", ""]
    lines += table(rows, known)
    red = unexpected(rows, known)
    if red:
        lines += ["", "## Failures", ""]
        lines += [f"- {row['name']} {row['version']}: {result['file']}: {result['test']}: {result['outcome']}: "
                  f"`{result['detail'].replace('`', chr(39))}`" for row, result in red]
    lines += known_lines(rows, known)
    lines += ["", "## Runs", ""]
    for row in rows:
        name = f"{row['name']} {row['version']}".strip()
        if row["missing"]:
            lines.append(f"- {name}: {row['missing']}")
        else:
            seconds = sum(result["seconds"] for result in row["results"])
            lines.append(f"- {name}: {row['date']}, commit {row['commit']}, {row['host']}, {seconds:.0f} s of tests")
            left = [f"hidden tests ({len(row['left_out'])})"] if row.get("left_out") else []
            left += [f"what had not ended in time ({len(row['not_ended'])})"] if row.get("not_ended") else []
            left += sorted({one["detail"] for one in row["results"] if one["outcome"] == "passed" and one["detail"]})
            lines += [f"  - left out: {'; '.join(left)}"] if left else []
            why = sorted({one["detail"] for one in row["results"] if one["outcome"] == "skipped"})
            lines += [f"  - skipped: {'; '.join(why)}"] if why else []
    return "\n".join(lines)


def known_lines(rows, known):
    lines = []
    for number, entry in enumerate(known.entries, 1):
        touched = [(row, result) for row in rows for result in row["results"] if known.of(row, result) == number]
        if not touched:
            continue
        lines += ["", f"[{number}] **{entry['title']}** {entry['reason']} Reproducer: `{entry['reproducer']}`."]
        if not any(result["outcome"] in BAD for _, result in touched):
            lines.append("**No test fails of it any more: this entry can go.**")
        else:
            passed = sorted({result["test"] for _, result in touched if result["outcome"] == "passed"})
            if passed:
                lines.append(f"Passed this time: {', '.join(passed)}.")
    return ["", "## Known failures of implementations", *lines] if lines else []
