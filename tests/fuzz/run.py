#!/usr/bin/env python3
"""Runs the fuzzer on one target after another and prints a table. Called by ./dev fuzz, which builds it before."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SEEDS = FOLDER.parent / "data" / "fuzz"
MOST_CRASHES = 10  # of one target and run; more are left to a developer
LARGEST_CORPUS = 64_000  # bytes of one target in tests/data/fuzz
LIMITS = ["-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=512", "-reload=0", "-print_final_stats=1"]


class Target:
    def __init__(self, build, name, largest):
        self.program, self.name, self.largest = build / "tests" / "fuzz" / "fuzz_readers", name, largest
        self.seeds, self.corpus = SEEDS / name, build / "corpus" / name
        self.crashes, self.log = build / "crashes", build / "logs" / f"{name}.log"
        for folder in (self.seeds, self.corpus, self.crashes, self.log.parent):
            folder.mkdir(parents=True, exist_ok=True)

    def call(self, *arguments):
        """The fuzzer's output; it is kept in the log, too."""
        environment = dict(
            os.environ,
            AOTSCOPE_FUZZ_TARGET=self.name,
            # LibTorch is built without sanitizers and does not free all memory at exit.
            ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=32:detect_odr_violation=0",
            UBSAN_OPTIONS="print_stacktrace=1",
            OMP_NUM_THREADS="1",
        )
        command = [self.program, f"-max_len={self.largest}", f"-artifact_prefix={self.crashes}/{self.name}-", *LIMITS]
        run = subprocess.run([*command, *arguments], env=environment, capture_output=True, check=False)
        text = run.stderr.decode(errors="replace")
        with self.log.open("a") as log:
            log.write(text)
        return text

    def edges(self, *folders):
        covered = re.findall(r"cov: (\d+)", self.call("-runs=0", *folders))
        return int(covered[-1]) if covered else 0

    def fuzz(self, seconds):
        dictionary = FOLDER / "dictionaries" / f"{self.name}.dict"
        options = [f"-dict={dictionary}"] if dictionary.exists() else []
        before, executions, crashes = self.edges(self.seeds), 0, []
        end = time.monotonic() + seconds
        while time.monotonic() < end and len(crashes) < MOST_CRASHES:
            left = max(1, int(end - time.monotonic()))
            text = self.call(f"-max_total_time={left}", *options, self.corpus, self.seeds)
            executions += sum(map(int, re.findall(r"number_of_executed_units: (\d+)", text)))
            found = re.findall(r"Test unit written to (\S+)", text)
            crashes += found
            if not found and "Done " not in text:
                crashes.append(f"the fuzzer itself ended; see {self.log}")
                break
        return before, self.edges(self.seeds, self.corpus), executions, crashes

    def keep(self):
        """Reduces tests/data/fuzz to the smallest set of files with the same coverage."""
        with tempfile.TemporaryDirectory() as folder:
            self.call("-merge=1", folder, self.seeds, self.corpus)
            kept = sorted((f for f in Path(folder).iterdir()), key=lambda f: f.stat().st_size)
            for old in self.seeds.iterdir():
                if not old.name.startswith("crash-"):
                    old.unlink()
            total = 0
            for file in kept:
                total += file.stat().st_size
                if total > LARGEST_CORPUS:
                    break
                shutil.copy(file, self.seeds / file.name[:12])


def targets_of(build):
    listed = subprocess.run([build / "tests" / "fuzz" / "fuzz_readers"], capture_output=True, text=True, check=True)
    return {name: Target(build, name, int(largest)) for name, largest in map(str.split, listed.stdout.splitlines())}


def print_table(rows):
    rows = [("target", "seconds", "executions", "edges before", "after", "crashes")] + rows
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(str(c).ljust(w) if i == 0 else str(c).rjust(w) for i, (c, w) in enumerate(zip(row, widths))))


def main():
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__)
    parser.add_argument("build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("target", nargs="?", help="one of those that are listed without it, or all")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    parser.add_argument("--keep", action="store_true", help="minimise what was found into tests/data/fuzz at the end")
    arguments = parser.parse_args()
    targets = targets_of(arguments.build.resolve())
    if not arguments.target:
        print("\n".join(targets))
        return 0
    if arguments.target != "all" and arguments.target not in targets:
        parser.error(f"there is no target '{arguments.target}'; there are {', '.join(targets)}, and all")
    chosen = targets.values() if arguments.target == "all" else [targets[arguments.target]]
    rows, found = [], []
    for target in chosen:
        start = time.monotonic()
        before, after, executions, crashes = target.fuzz(arguments.seconds)
        rows.append((target.name, round(time.monotonic() - start), executions, before, after, len(crashes)))
        found += crashes
        if arguments.keep:
            target.keep()
    print_table(rows)
    for crash in found:
        print(crash)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
