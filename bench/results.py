# SPDX-License-Identifier: MIT
"""Results files of the benchmarks: how they are made from Google Benchmark's output, and how they are read."""

import json
import re
import statistics

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def parse_name(name):
    """'scan/upsweep/automatic/int32/n:1024/manual_time' -> its fields; None for any other name."""
    match = re.match(r"(?P<operation>.+)/(?P<library>\w+)/(?P<variant>[\w.]+)/(?P<type>\w+)/n:(?P<n>\d+)(/|$)", name)
    if not match:
        return None
    fields = match.groupdict()
    fields["n"] = int(fields["n"])
    return fields


def load_partial(text):
    """Google Benchmark's JSON; of a run that was stopped, the rows that were complete."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        end = text.rfind("},")
        if end < 0 or '"benchmarks"' not in text[:end]:
            return {"context": {}, "benchmarks": []}
        return json.loads(text[: end + 1] + "]}")


class Samples:
    """Collects repetitions, of one process or of several, and gives one row per name."""

    def __init__(self):
        self.context = {}
        self._rows = {}

    def add(self, output):
        self.context.update(output["context"])
        for entry in output["benchmarks"]:
            fields = parse_name(entry["name"])
            if fields is None or entry.get("run_type") == "aggregate":
                continue
            key = tuple(fields.values())
            row = self._rows.setdefault(key, {**fields, "seconds": [], "bytes": None, "error": None})
            if entry.get("error_occurred"):
                row["error"] = entry.get("error_message", "failed")
                continue
            seconds = entry["real_time"] * SECONDS[entry["time_unit"]]
            row["seconds"].append(seconds)
            if "bytes_per_second" in entry:
                row["bytes"] = round(entry["bytes_per_second"] * seconds)

    def rows(self):
        finished = []
        for row in self._rows.values():
            out = {key: row[key] for key in ("operation", "library", "variant", "type", "n")}
            if row["error"] is not None:
                out["error"] = row["error"]
            elif row["seconds"]:
                median = statistics.median(row["seconds"])
                out.update(seconds=float(f"{median:.4g}"), fastest=float(f"{min(row['seconds']):.4g}"),
                           slowest=float(f"{max(row['seconds']):.4g}"), samples=len(row["seconds"]))
                if row["bytes"]:
                    out["bytes_per_second"] = float(f"{row['bytes'] / median:.4g}")
            finished.append(out)
        return finished


class Results:
    """A results file, for reading."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.facts = json.load(file)
        self.rows = self.facts.pop("rows")

    def find(self, operation, library, variant=None, element=None):
        """{n: row} of the rows that succeeded."""
        return {
            row["n"]: row
            for row in self.rows
            if row["operation"] == operation and row["library"] == library and "error" not in row
            and variant in (None, row["variant"]) and element in (None, row["type"])
        }

    def errors(self):
        return [row for row in self.rows if "error" in row]
