#!/usr/bin/env python3
"""Runs everything that needs a GPU, and prints one table. Exit code 1 if anything failed.

Without a GPU, says what is missing and runs the checks that need none.
"""

import argparse
import dataclasses
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

sys.dont_write_bytecode = True  # leaves nothing in the source tree

import check_attention
import check_autocast
import check_below
import check_budgets
import check_compilers
import check_cuda_graphs
import check_debugger
import check_devices
import check_itself
import check_memory
import check_random
import check_ranks
import check_timing
import check_traces
import check_training
from check import perform
from machine import Machine
from table import Table, below

PARTS = {
    "itself": check_itself,
    "below": check_below,
    "compilers": check_compilers,
    "attention": check_attention,
    "autocast": check_autocast,
    "debugger": check_debugger,
    "devices": check_devices,
    "cuda-graphs": check_cuda_graphs,
    "random": check_random,
    "ranks": check_ranks,
    "traces": check_traces,
    "memory": check_memory,
    "training": check_training,
    "budgets": check_budgets,
    "timing": check_timing,
}


def parse_arguments():
    parser = argparse.ArgumentParser(prog="./dev gpu", description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this one; may be repeated")
    parser.add_argument("--sample", action="append", dest="samples", help="only this one, as sample:mlp; may be repeated")
    parser.add_argument("--steps", type=int, default=1000, help="training steps (1000)")
    parser.add_argument("--jobs", type=int, help="programs at once, where nothing is timed (half of the CPU's cores)")
    parser.add_argument("--json", type=Path, help="write the results there, too")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda", help="cpu: try the checks without a GPU")
    return parser.parse_args()


def collect(machine, options):
    """All checks; those that may run in parallel come first."""
    checks = [check for part in options.part or PARTS for check in PARTS[part].checks(machine, options)]
    return sorted(checks, key=lambda check: check.alone)


def results_of(checks, machine, jobs):
    """Immediately: printed results survive if the machine is taken away."""
    beside = [check for check in checks if not check.alone]
    with ThreadPoolExecutor(jobs) as pool:
        for done in as_completed([pool.submit(perform, check, machine) for check in beside]):
            yield done.result()
    for check in checks[len(beside) :]:
        yield perform(check, machine)


def main():
    options = parse_arguments()
    machine = Machine(options.build, options.device)
    print("\n".join(machine.describe()))
    if machine.missing:
        print(f"{machine.missing.split(';')[0]}; only what needs no GPU is checked")
    print()
    checks = collect(machine, options)
    table, results = Table([check.name for check in checks]), []
    cores = len(os.sched_getaffinity(0))
    jobs = options.jobs or max(1, cores // 2)
    # Programs that share the cores wait for each other's threads for much longer than they compute.
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, cores // jobs)))
    for result in results_of(checks, machine, jobs):
        table.add(result)
        results.append(result)
        if options.json:
            document = {"machine": machine.facts, "results": [dataclasses.asdict(each) for each in results]}
            options.json.write_text(json.dumps(document, indent=1) + "\n")
    print(below(results))
    return 1 if any(result.state == "FAILED" for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
