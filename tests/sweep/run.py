#!/usr/bin/env python3
"""Asks one question about every model in many ways, and prints where the answers differ. Called by ./dev sweep.

`run --check` says whether the compiled model computes what eager does. Bisection, debugger, minify, training, plans and
every option that keeps the values must agree; exports, reports and the other commands must work. Exit code 3 if any
does not, 1 if nothing could be asked.
"""

import argparse
import os
import signal
import sys
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path

sys.dont_write_bytecode = True  # leaves nothing in the source tree

from answers import agrees
from bench import Bench
from results import Results
from subjects import subjects_in
from table import disagreements, summary
from trials import CHECK, trials_for

DIFFERENCE = 3


def parse_arguments():
    parser = argparse.ArgumentParser(prog="./dev sweep", description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=Path("build/aotscope"), help=argparse.SUPPRESS)
    parser.add_argument("places", nargs="+", metavar="PLACE", help="a folder of models, a model, or sample:NAME")
    parser.add_argument("--reference", action="store_true", help="also the models of the folder AOTSCOPE_REFERENCE")
    parser.add_argument("--only", default="", help="only models with one of these in their names, separated by commas")
    parser.add_argument("--trials", default="", help="only trials with one of these in their names, by commas")
    parser.add_argument("--without", default="", help="no trials with one of these in their names, by commas")
    parser.add_argument("--json", type=Path, help="keep the answers there, and ask only for what it does not have yet")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="programs at once (a core each)")
    parser.add_argument("--seconds", type=float, default=120, help="limit of one trial (120)")
    parser.add_argument("--gigabytes", type=float, default=8, help="memory limit of one program (8)")
    return parser.parse_args()


def parts_of(text):
    return [part for part in text.split(",") if part]


def reference():
    folder = os.environ.get("AOTSCOPE_REFERENCE")
    if not folder:
        print("SKIPPED: real models; point AOTSCOPE_REFERENCE to a folder with real/, real2/ and zoo/")
        return []
    return [str(path) for path in (Path(folder, name) for name in ("real", "real2", "zoo")) if path.exists()]


def ask_all(subjects, bench, results, wanted, unwanted, jobs):
    """The check comes first: further questions depend on the graphs of the model."""
    pool = ThreadPoolExecutor(jobs)
    try:
        waiting = {}

        def ask(subject, trial):
            known = results.find(subject, trial.name)
            waiting[pool.submit((lambda: known) if known else (lambda: trial.ask(bench, subject)))] = (subject, trial)

        for subject in subjects:
            ask(subject, CHECK)
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                subject, trial = waiting.pop(future)
                answer = results.add(subject, trial.name, future.result())
                if trial is CHECK:
                    subject = replace(subject, graphs=tuple(answer.facts["graphs"]))
                    for other in trials_for(subject, answer, wanted, unwanted, bench):
                        ask(subject, other)
    finally:
        pool.shutdown(cancel_futures=True)


def main():
    options = parse_arguments()
    subjects = subjects_in(options.places + (reference() if options.reference else []), parts_of(options.only))
    if not subjects:
        print("there is no model in " + ", ".join(options.places))
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended early"))  # with the table of known differences
    bench = Bench(options.program, options.seconds, options.gigabytes)
    results = Results(options.json, bench.version)
    try:
        ask_all(subjects, bench, results, parts_of(options.trials), parts_of(options.without), options.jobs)
    finally:
        results.save()
        rows = results.rows(subjects)
        print(disagreements(rows))
        print(summary(rows, bench))
    return DIFFERENCE if any(not agrees(row) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
