# SPDX-License-Identifier: MIT
"""Runs the test cases of the test executable one by one, each in a process of its own with a time limit."""

import concurrent.futures
import dataclasses
import json
import math
import os
import re
import signal
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ElementTree


# Files whose tests compare everything anyway; the self-check of each of their kernels would double their time. As the
# tags in CMakeLists.txt.
EXHAUSTIVE = ("test_matrix", "test_operators", "test_defects", "test_sizes", "test_adversity", "test_special_values")


@dataclasses.dataclass
class TestCase:
    name: str
    file: str  # test_api, say
    hidden: bool
    large: bool  # hidden because it needs much memory
    command: list


class Executable:
    """A Catch2 program of version 2 or 3, whose listings and options differ."""

    def __init__(self, path):
        self.path = str(path)
        help_text = subprocess.run([self.path, "--help"], capture_output=True, text=True, check=True).stdout
        self.version_2 = bool(re.search(r"Catch2? v2", help_text))

    def names(self, selection):
        if self.version_2:
            listing = ["--list-test-names-only"]
        else:
            listing = ["--list-tests", "--verbosity", "quiet"]
        done = subprocess.run([self.path, "--filenames-as-tags", *listing, selection], capture_output=True, text=True)
        # Version 2 puts names that begin with '#' into quotes.
        return [line.strip().strip('"') for line in done.stdout.splitlines() if line.strip()]

    def test_cases(self, tag=""):
        """Every test case, hidden ones too, with the file it is in; with a tag, those that have it."""
        tags = subprocess.run([self.path, "--filenames-as-tags", "--list-tags", "[.],~[.]"], capture_output=True,
                              text=True).stdout
        found = []
        for file in sorted(set(re.findall(r"\[#([^\]]+)\]", tags))):
            shown = set(self.names(f"[#{file}]{tag}~[.]"))
            large = set(self.names(f"[#{file}]{tag}[large]"))
            found += [TestCase(name, file, name not in shown, name in large, self.command(name))
                      for name in self.names(f"[#{file}]{tag}")]
        return found

    def command(self, name):
        # What has a meaning in a selection is written with a backslash.
        selection = re.sub(r"([\\,\[\"*~])", r"\\\1", name)
        return [self.path, selection, "--reporter", "xml", *(["--warn", "NoTests"] if self.version_2 else [])]


def first_failure(report):
    """Place and text of the first thing that went wrong, from a report that may be cut off."""
    parser = ElementTree.XMLPullParser(["end"])
    info = ""
    try:
        parser.feed(report)
        for _, element in parser.read_events():
            if element.tag == "Info":
                info = (element.text or "").strip()
            elif element.tag == "Expression" and element.get("success") == "false":
                place = f"{os.path.basename(element.get('filename', ''))}:{element.get('line')}"
                inside = element.find("Exception")
                text = element.findtext("Expanded") if inside is None else inside.text
                return " ".join(f"{place}: {text} {info}".split())[:400]
            elif element.tag in ("Failure", "Exception", "FatalErrorCondition"):
                place = f"{os.path.basename(element.get('filename', ''))}:{element.get('line')}"
                return " ".join(f"{place}: {element.text} {info}".split())[:400]
    except ElementTree.ParseError:
        pass
    return ""


def run_process(command, environment, seconds):
    """Exit status (None: it ran out of time), standard output, and the end of standard error."""
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=out, stderr=err,
                                   stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            status = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            # The whole group: a wrapper's child would go on running.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            status = None
        out.seek(0)
        err.seek(0)
        return status, out.read(), err.read()[-400:].strip()


def signal_name(status):
    number = -status if status < 0 else status - 128
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"exit status {status}"


def judge(status, report, errors, seconds):
    """passed, skipped, failed, crashed or timed out; and what there is to say about it."""
    if status is None:
        return "timed out", f"no end after {seconds} s"
    complete = re.search(r"</Catch2?(TestRun)?>\s*$", report)
    # Catch2's own status counts failures, up to 255, so a large one alone says nothing.
    if status < 0 or not complete or "<FatalErrorCondition" in report:
        where = first_failure(report) or ("after the last check" if complete else "")
        return "crashed", " ".join(f"{signal_name(status)} {where} {errors}".split())[:400]
    results = re.findall(r"<OverallResultsCases ([^>]*)>", report) or re.findall(r"<OverallResults ([^>]*)>", report)
    counts = {name: int(value) for name, value in re.findall(r"(\w+)=\"(\d+)\"", results[-1] if results else "")}
    skipped, left_out = (" ".join(sorted(set(re.findall(rf"<Warning\b[^>]*>\s*{word}: (.*?)\s*</Warning>", report))))
                         for word in ("skipped", "left out"))  # as tests/catch.hpp writes them
    if status == 0 and skipped:
        return "skipped", skipped
    if status == 0 and counts.get("successes", 0) + counts.get("expectedFailures", 0) > 0:
        return "passed", left_out
    return "failed", first_failure(report) or errors or f"exit status {status}, and no check ran"


def run_case(implementation, case, seconds):
    command, log = case.command, None
    if implementation.simulator:
        handle, log = tempfile.mkstemp(prefix="oclgrind_", suffix=".log")
        os.close(handle)
        checks = ["--data-races", "--uninitialized", "--num-threads", "1", "--max-errors", "20"]  # see run_oclgrind.cmake
        command = ["oclgrind", *checks, "--log", log, *command]
    unchecked = {"UPSWEEP_SELF_CHECK": "off"} if case.file in EXHAUSTIVE else {}
    begin = time.monotonic()
    status, report, errors = run_process(command, {**implementation.environment, **unchecked}, seconds)
    outcome, detail = judge(status, report, errors, seconds)
    if log:
        with open(log, errors="replace") as lines:
            complaints = lines.read().split("\n\n")[0]
        os.unlink(log)
        # Whatever the simulator writes is a mistake in a kernel, even where the results are right.
        if complaints.strip() and outcome == "passed":
            outcome, detail = "failed", " ".join(complaints.split())[:400]
    return {"test": case.name, "file": case.file, "outcome": outcome, "detail": detail,
            "seconds": round(time.monotonic() - begin, 1)}


def seconds_before(folder):
    """What each test case took in the runs whose results a folder has, at most, by its name."""
    seconds = {}
    for path in folder.glob("*.json"):
        for row in json.loads(path.read_text()):
            for result in row["results"]:
                seconds[result["test"]] = max(seconds.get(result["test"], 0), result["seconds"])
    return seconds


def run_until(implementation, case, seconds, deadline):
    """The result of a case, None if it has not ended at the deadline, a time of time.monotonic()."""
    left = deadline - time.monotonic()
    if left < 1:
        return None
    result = run_case(implementation, case, min(seconds, left))
    return None if result["outcome"] == "timed out" and left < seconds else result


def run_all(implementation, cases, jobs, seconds, report, before=None, deadline=math.inf):
    """Results in the order of `cases`; `report(done, total, result)` is called as they come in.

    Those that took longest before begin first, so that none of them is left alone at the end. What has not ended at the
    deadline has no result."""
    done = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        longest_first = sorted(range(len(cases)), key=lambda i: -(before or {}).get(cases[i].name, 0))
        futures = {i: pool.submit(run_until, implementation, cases[i], seconds, deadline) for i in longest_first}
        for future in concurrent.futures.as_completed(futures.values()):
            done += 1
            if future.result():
                report(done, len(cases), future.result())
    return [futures[i].result() for i in range(len(cases)) if futures[i].result()]
