#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tests/matrix.py makes of a test case's report, for Catch2 of version 2 and of version 3."""

import sys

import matrix_run

VERSION_2 = "<Catch name=\"t\">{inside}<OverallResultsCases successes=\"{passed}\" failures=\"{failed}\"/></Catch>"
VERSION_3 = ("<Catch2TestRun name=\"t\">{inside}<OverallResultsCases successes=\"{passed}\" failures=\"{failed}\" "
             "skips=\"0\"/></Catch2TestRun>")
# Version 3 says where a warning comes from.
WARNINGS = {VERSION_2: "<Warning>\n {text}\n</Warning>",
            VERSION_3: "<Warning filename=\"t.cpp\" line=\"2\">\n {text}\n</Warning>"}
FAILURE = ("<Expression success=\"false\" type=\"CHECK\" filename=\"t.cpp\" line=\"3\"><Original>a</Original>"
           "<Expanded>1 == 2</Expanded></Expression>")


def wrong_judgements():
    for frame, warning in WARNINGS.items():
        skipped = warning.format(text="skipped: no CPU")
        left_out = warning.format(text="left out: sub-groups")
        passed = frame.format(inside="", passed=1, failed=0)
        for status, report, expected in [
                (0, passed, ("passed", "")),
                (0, frame.format(inside=skipped, passed=1, failed=0), ("skipped", "no CPU")),
                (0, frame.format(inside=left_out, passed=1, failed=0), ("passed", "sub-groups")),
                (1, frame.format(inside=FAILURE, passed=0, failed=1), ("failed", "t.cpp:3: 1 == 2")),
                (0, frame.format(inside="", passed=0, failed=0), ("failed", "exit status 0, and no check ran")),
                (-11, passed[:40], ("crashed", "SIGSEGV")),
                (None, "", ("timed out", "no end after 9 s"))]:
            judged = matrix_run.judge(status, report, "", 9)
            if judged != expected:
                yield f"{report}\n  is {judged}, not {expected}"


if __name__ == "__main__":
    wrong = list(wrong_judgements())
    print("\n".join(wrong) if wrong else "reports of both versions are judged rightly")
    sys.exit(1 if wrong else 0)
