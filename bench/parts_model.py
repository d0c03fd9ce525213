#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the table of include/upsweep/detail/parts/README.md: the time of an inclusive scan of int32 on many ranks.

    python3 bench/parts_model.py [elements per rank]
"""

import math
import sys

# Measured on an NVIDIA H200 (bench/README.md): bytes/s of 2^28 int32, and an empty kernel with its finish.
REDUCE = 4425e9
SCAN = 3819e9
ROUND_TRIP = 7.9e-6
# Measured on one core of a Xeon (Skylake): plan_parts, for each part and for each sum.
PLAN_PART = 0.25e-6
PLAN_SUM = 0.27e-6
# Assumed: a link of 200 Gbit/s, and a step of the fold, which waits for the one before (two reads from a GPU's L2).
LATENCY = 2e-6
SECONDS_PER_BYTE = 1 / 25e9
FOLD_STEP = 0.5e-6


def all_gather(ranks, own_bytes):
    """Recursive doubling (Thakur, Rabenseifner and Gropp 2005)."""
    return LATENCY * math.ceil(math.log2(ranks)) + SECONDS_PER_BYTE * own_bytes * (ranks - 1)


def seconds(ranks, elements, sums, value=4):
    """Work on the devices, messages, plan on the host, and fold, each of the slowest rank."""
    work = (elements / REDUCE + 2 * elements / SCAN) * value + 2 * ROUND_TRIP
    messages = (all_gather(ranks, 48) + all_gather(ranks, (1 + sums) * value) +
                2 * LATENCY * math.ceil(math.log2(ranks)))
    plan = ranks * (PLAN_PART + PLAN_SUM * sums)
    fold = ROUND_TRIP + FOLD_STEP * ranks * sums
    return work, messages, plan, fold


def two_levels(ranks, elements):
    """Groups of sqrt(ranks) that scan their own sums, and one rank of each that scans the groups' sums."""
    group = math.ceil(math.sqrt(ranks))
    work, messages, plan, fold = seconds(group, elements, 1)
    return work + 2 * (messages + plan + fold) + LATENCY * math.ceil(math.log2(group))


def main():
    elements = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 28
    print("| ranks | work | messages | plan | fold | sum | efficiency | sum, odd parts | sum, two levels |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    alone = 2 * elements * 4 / SCAN + ROUND_TRIP
    for ranks in (2, 8, 64, 512, 4096, 32768, 100000):
        parts = seconds(ranks, elements, 1)
        odd = seconds(ranks, elements, 24)
        cells = [f"{1e3 * each:.2f}" for each in (*parts, sum(parts))]
        print(f"| {ranks} | {' | '.join(cells)} | {alone / sum(parts):.2f} | {1e3 * sum(odd):.2f} | "
              f"{1e3 * two_levels(ranks, elements):.2f} |")


if __name__ == "__main__":
    main()
