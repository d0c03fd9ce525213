#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs all benchmarks on one device and writes one results file, bench/results/<device>.json.

    python3 bench/run.py --compile --quick        # configures, builds, measures in about four minutes
    python3 bench/run.py --build /tmp/build       # everything, with programs that are built already

Steps come in the order of their importance; once the time budget is spent, the rest are left out and named.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time

from results import Samples, load_partial

BENCH = pathlib.Path(__file__).resolve().parent
ROOT = BENCH.parent
CHOICES = r"upsweep/[a-z_]+\.[a-z_]+"
OURS = "(upsweep/automatic|upsweep/any_order|copy|cub)/"
DEVICE_SIDE = "(upsweep/automatic|upsweep/any_order|copy|cuda_copy|boost_compute|cub)/"
HOST_SIDE = "(host_copy|std|tbb)/"
ALL_SIDES = "(upsweep/automatic|upsweep/any_order|copy|boost_compute|host_copy|std|tbb)/"


class Step:
    """Programs that take turns, with a filter on their rows, and how often each row is measured."""

    def __init__(self, programs, rows="", rounds=1, repetitions=1, largest=None, longer=1, limit=None, mixed=False):
        self.programs = (programs,) if isinstance(programs, str) else programs
        self.rows, self.rounds, self.repetitions = rows, rounds, repetitions
        self.largest, self.longer = largest, longer
        self.limit = limit  # seconds for one process
        self.mixed = mixed  # repetitions of all rows in random order

    def named(self, *programs):
        return f"{', '.join(programs or self.programs)} {self.rows}".strip()


def sizes(exponents):
    return "/n:(" + "|".join(str(1 << e) for e in exponents) + ")/"


def cpu_steps(quick):
    """Several processes, so that a busy moment of a shared machine does not hit one side only. First what decides, also
    mixed within each process: neighbours slow memory down by a half from one second to the next."""
    rounds = 3 if quick else 5
    steps, largest, close = [], 26 if quick else 27, 26
    every = [e for e in range(10, largest + 1, 2 if quick else 1) if e != close]
    for program, operation in (("bench_scan", "scan"), ("bench_reduce", "reduce")):
        rows = f"^{operation}/{ALL_SIDES}.*int32{sizes([close])}"
        steps.append(Step(program, rows, rounds, 5, largest=largest, mixed=True))
        steps.append(Step(program, f"^{operation}/{ALL_SIDES}.*int32{sizes(every)}", rounds, largest=largest))
    others = (16, 22) if quick else (16, 20, 24, 26)
    types = "(uint8|uint16|float|int64|double|affine)"
    for program, operation in (("bench_scan", "scan"), ("bench_reduce", "reduce")):
        rows = f"^({operation}/{ALL_SIDES}.*{types}|{operation}_maximum/.*){sizes(others)}"
        steps.append(Step(program, rows, 1 if quick else rounds, 3 if quick else 1, largest=others[-1]))
    few = (10, 16, 20) if quick else (10, 16, 20, 24)
    for program, operation in (("bench_scan", "scan"), ("bench_reduce", "reduce")):
        steps.append(Step(program, f"^{operation}/{CHOICES}.*{sizes(few)}", largest=few[-1]))
    off_the_path = ("bench_cliffs", "bench_family", "bench_types")
    steps += [Step(program, repetitions=3, largest=20 if quick else 22) for program in off_the_path]
    return [*steps, Step("bench_tree_reduce", sizes(few)), Step("bench_bank_conflicts")]


def gpu_steps(quick):
    """First what decides, in processes that take turns: where a process's arrays happen to lie moves its times by two
    percent. Then, a step per type, everything else; a process that does not come back costs no more than its limit."""
    rounds, repetitions, limit = (3, 3, 30) if quick else (5, 5, 300)
    scans, reductions = ("bench_scan", "bench_cub"), ("bench_reduce", "bench_cub")
    every, close = [*range(10, 29), 30], {"scan": [*range(20, 27), 28], "reduce": [28, 30]}
    steps = []

    def add(programs, rows, **counts):
        steps.append(Step(programs, rows, **{"repetitions": repetitions, "largest": 30, "limit": limit, **counts}))

    add(scans, f"^scan/{OURS}.*int32{sizes(close['scan'])}", rounds=rounds)
    add(reductions, f"^reduce/{OURS}.*(int32|float){sizes(close['reduce'])}", rounds=rounds + 2)

    others = [("", kind) for kind in ("int64", "double", "affine", "float")] + [("_maximum", "int32")]
    others += [("", kind) for kind in ("uint16", "uint8")]
    largest = sizes([27, 28] if quick else every)
    for suffix, kind in others:
        add("bench_scan", f"^scan{suffix}/{OURS}.*{kind}{largest}", rounds=rounds)
    for programs, operation in ((scans, "scan"), (reductions, "reduce")):
        rest = sizes([e for e in every if e not in close[operation]])
        peers = f"(boost_compute|cuda_copy)/.*int32{sizes(close[operation])}"
        add(programs, f"^{operation}/({DEVICE_SIDE}.*int32{rest}|{peers})", repetitions=repetitions + 2)
    for suffix, kind in others:
        add("bench_cub", f"^scan{suffix}/cub/.*{kind}{largest}", rounds=rounds)
    for suffix, kind in others:
        # Those of `close` are measured already.
        exponents = [e for e in ([27, 28] if quick else every) if kind != "float" or e not in close["reduce"]]
        add(reductions, f"^reduce{suffix}/{OURS}.*{kind}{sizes(exponents)}", rounds=rounds)

    for program, operation in (("bench_scan", "scan"), ("bench_reduce", "reduce")):
        add(program, f"^{operation}/{HOST_SIDE}.*int32{sizes((16, 20, 24))}", largest=24)
    for program, operation in (("bench_scan", "scan"), ("bench_reduce", "reduce")):
        add(program, f"^{operation}/{CHOICES}.*{sizes((10, 16, 20, 24, 28))}", largest=28)
    for program in ("cliffs", "family", "types"):
        add((f"bench_{program}", f"bench_cub_{program}"), "", repetitions=3, limit=max(limit, 120))
    add("bench_bank_conflicts", "")
    add("bench_tree_reduce", "")
    return steps


def run_once(folder, program, step, minimum, timeout):
    """One process of a step. Returns Google Benchmark's output, of a stopped process as far as it got, and whether it
    ended well."""
    ended = True
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [str(folder / program), f"--benchmark_out={out.name}", "--benchmark_out_format=json",
                   f"--benchmark_filter={step.rows or '.'}", f"--benchmark_min_time={minimum * step.longer}",
                   f"--benchmark_repetitions={step.repetitions}"]
        if step.mixed:
            command.append("--benchmark_enable_random_interleaving=true")
        environment = dict(os.environ)
        if step.largest:
            environment["UPSWEEP_BENCH_MAX_LOG2"] = str(step.largest)
        try:
            done = subprocess.run(command, env=environment, timeout=timeout, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode != 0:
                ended = False
                print(f"    {program} ended with status {done.returncode}: {done.stderr[-400:].strip()}")
        except subprocess.TimeoutExpired:
            ended = False
            print(f"    {program} stopped after {timeout:.0f} s")
        return load_partial(pathlib.Path(out.name).read_text(encoding="utf-8")), ended


def compile_programs(folder):
    configure = ["cmake", "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release",
                 "-DUPSWEEP_BUILD_TESTS=OFF", "-DUPSWEEP_BUILD_EXAMPLES=OFF", "-DUPSWEEP_BUILD_BENCHMARKS=ON"]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    jobs = str(os.cpu_count() or 2)
    subprocess.run(["cmake", "--build", str(folder), "-j", jobs], check=True, stdout=subprocess.DEVNULL)
    cache = (folder / "CMakeCache.txt").read_text(encoding="utf-8")
    if re.search(r"^CMAKE_CUDA_COMPILER:\w+=/", cache, re.MULTILINE):
        peers = ("bench_cub", "bench_cub_cliffs", "bench_cub_family", "bench_cub_types")
        subprocess.run(["cmake", "--build", str(folder), "-j", jobs, "--target", *peers], check=False)


def short_name(context):
    if "Portable Computing Language" in context.get("opencl_platform", ""):
        return "pocl"
    return re.sub(r"[^a-z0-9]+", "-", context.get("opencl_device", "unknown").lower()).strip("-")


def git_commit():
    try:
        return subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True,
                              text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def host_processor():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
        return re.search(r"model name\s*:\s*(.*)", text).group(1)
    except (OSError, AttributeError):
        return platform.processor()


def write_results(samples, skipped, minutes, path):
    context = samples.context
    facts = {key: context[key] for key in ("opencl_device", "opencl_platform", "opencl_driver", "cuda_device",
                                           "cuda_driver_api", "cub_version", "upsweep_version") if key in context}
    facts.update(
        commit=git_commit(), date=datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        host=f"{host_processor()}, {os.cpu_count()} cores", minutes=round(minutes, 1), left_out=skipped,
        clock="medians; below 2^27 elements the host's clock over 20 calls and one finish, per call; from there on "
              "device time stamps around one call (host algorithms: the host's clock); latency: one call and its "
              "finish; bench_cliffs, bench_family and bench_types: the host's clock; programs that are compared take "
              "turns, in rounds")
    lines = ",\n".join("    " + json.dumps(row) for row in samples.rows())
    head = json.dumps(facts, indent=2)[:-2]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{head},\n  "rows": [\n{lines}\n  ]\n}}\n', encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "bench", help="build folder")
    parser.add_argument("--compile", action="store_true", help="configure and build first (not in the budget)")
    parser.add_argument("--quick", action="store_true", help="fewer sizes and repetitions, in about four minutes")
    parser.add_argument("--budget", type=float, help="seconds; 230 with --quick, else none")
    parser.add_argument("--output", type=pathlib.Path, help="results file; bench/results/<device>.json")
    arguments = parser.parse_args()
    if arguments.compile:
        compile_programs(arguments.build)
    folder = arguments.build / "bench"
    budget = arguments.budget or (230.0 if arguments.quick else float("inf"))
    # Google Benchmark adds up the time per call, and most samples are of 20 calls: each row runs 20 times as long.
    minimum = 0.002 if arguments.quick else 0.01

    start = time.monotonic()
    samples, skipped = Samples(), []

    def seconds_left():
        return budget - (time.monotonic() - start)

    def perform(step):
        programs = [name for name in step.programs if (folder / name).exists()]
        missing = [name for name in step.programs if name not in programs]
        if seconds_left() < 5:
            programs, missing = [], step.programs
        if missing:
            skipped.append(step.named(*missing))
            print(f"left out: {step.named(*missing)}")
        if not programs:
            return
        print(f"[{time.monotonic() - start:5.0f} s] {step.named(*programs)}", flush=True)
        for done in range(step.rounds):
            for program in list(programs):
                left = min(seconds_left(), step.limit or float("inf"))
                if left > 5:
                    output, ended = run_once(folder, program, step, minimum, None if left == float("inf") else left)
                    samples.add(output)
                if left <= 5 or not ended:
                    skipped.append(f"{step.named(program)}, from round {done + 1} of {step.rounds} on")
                    programs.remove(program)

    # Many rounds: so short a call depends on the host's mood, which changes from process to process.
    rounds, repetitions = (7, 2) if (folder / "bench_cub").exists() else (3, 3)
    sides = "(upsweep|cub|opencl|cuda)/"
    perform(Step(("bench_latency", "bench_cub"), f"^latency/[a-z_]+/{sides}", rounds, repetitions, longer=10))
    perform(Step("bench_latency", "^latency/[a-z_]+/boost_compute/", repetitions=3, longer=10))
    perform(Step("bench_first_call", longer=10))
    if not samples.context:
        sys.exit(f"no benchmark ran; are the programs in {folder}?")
    for step in (cpu_steps if samples.context.get("opencl_is_cpu") == "1" else gpu_steps)(arguments.quick):
        perform(step)

    output = arguments.output or BENCH / "results" / (short_name(samples.context) + ".json")
    write_results(samples, skipped, (time.monotonic() - start) / 60, output)
    failed = [row for row in samples.rows() if "error" in row]
    for row in failed:
        print(f"failed: {row['operation']}/{row['library']}/{row['variant']}/{row['type']}/n:{row['n']}: {row['error']}")
    print(f"{output}: {len(samples.rows())} rows, {len(failed)} failed")
    return 1 if any(row["library"] == "upsweep" for row in failed) else 0


if __name__ == "__main__":
    sys.exit(main())
