#!/usr/bin/env python3
"""Runs aotscope_bench and, where torch can be imported, Python's AOTAutograd in turn; prints one table.

Benchmarks are not tests: a missed goal is marked in the table, the exit code tells only whether everything ran.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # leaves nothing in the source tree

from other_load import OtherLoad
from results import Samples, summarize
from table import render

HERE = Path(__file__).resolve().parent
MODELS = ("resnet18", "resnet50", "gpt2")  # samples of aotscope
LABORATORY = ("gpt2", "gpt2-deep")  # samples whose joint graph is partitioned again
MEMORY = ("1000", "10000", "50000", *LABORATORY)  # nodes of a picture, or samples that are opened
EXPORTED = ("gpt2", "bert_base")  # read from files of torch.export without weights
CHOICES = tuple(dict.fromkeys(MODELS + LABORATORY + EXPORTED))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, help="folder in which aotscope_bench was built")
    parser.add_argument("--model", action="append", choices=CHOICES, help="only this one; may be repeated")
    parser.add_argument("--only-exported", action="store_true", help="only the files of torch.export, no samples")
    parser.add_argument("--rounds", type=int, default=2, help="how often both programs run, in turn (2)")
    parser.add_argument("--repetitions", type=int, default=10, help="compilations and layouts per round (10)")
    parser.add_argument("--laps", type=int, default=10, help="training steps per round (10)")
    parser.add_argument("--threads", type=int, help="threads of both; else LibTorch's default")
    parser.add_argument("--quick", action="store_true", help="everything once: shows that it runs, no more")
    parser.add_argument("--no-python", action="store_true", help="without the comparison")
    parser.add_argument("--no-canvas", action="store_true", help="without the figures of the canvas")
    parser.add_argument("--json", type=Path, help="write the figures there, too")
    options = parser.parse_args()
    if options.quick:
        options.rounds = options.repetitions = options.laps = 1
    options.models = options.model or (EXPORTED if options.only_exported else CHOICES)
    return options


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "it said nothing"


def environment(threads):
    changed = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    if threads:
        changed.update(OMP_NUM_THREADS=str(threads), MKL_NUM_THREADS=str(threads))
    return changed


def import_torch():
    """What stands in the way; empty if nothing does."""
    probe = [sys.executable, "-c", "import torch"]
    result = subprocess.run(probe, env=environment(None), capture_output=True, text=True)
    return "" if result.returncode == 0 else last_line(result.stderr)


def why_no_python(options):
    """Empty if there is a torch to compare with, else the reason."""
    if options.no_python:
        return "--no-python was given"
    problem = import_torch()
    if problem:
        # CMake puts a torch there when python3 has none.
        os.environ["PYTHONPATH"] = str(HERE.parent.parent / ".deps" / "python")
        problem = import_torch()
    return f"{sys.executable} cannot import torch ({problem})" if problem else ""


def export_models(options, folder, samples):
    """Writes the files of exported models; returns them by model."""
    files = {}
    for model in options.models:
        if model not in EXPORTED:
            continue
        print(f"exporting {model} ...", file=sys.stderr, flush=True)
        file = Path(folder) / f"{model}.pt2"
        command = [sys.executable, HERE / "export_model.py", model, file]
        result = subprocess.run(command, env=environment(options.threads), capture_output=True, text=True)
        if result.returncode == 0:
            files[model] = file
        else:
            samples.fail(f"export_model.py on {model}: exit code {result.returncode}, {last_line(result.stderr)}")
    return files


def run_ours(options, model, file, samples):
    """Returns the context that aotscope_bench reports, or None if it failed."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        command = [
            options.build / "aotscope_bench",
            f"--benchmark_filter=^{'exported' if options.only_exported else '[a-z]+'}/{model}/",
            f"--benchmark_repetitions={options.repetitions}",
            f"--benchmark_out={out}",
            "--benchmark_out_format=json",
            f"--laps={options.laps}",
        ]
        if file:
            command.append(f"--exported={model}={file}")
        result = subprocess.run(command, env=environment(options.threads), capture_output=True, text=True)
        if result.returncode != 0:
            samples.fail(f"aotscope_bench on {model}: exit code {result.returncode}, {last_line(result.stderr)}")
            return None
        report = json.loads(out.read_text())
    samples.add_ours(report["benchmarks"])
    return report["context"]


def run_once(options, what, repetitions, samples):
    """A process for what needs no Python; `what` is a regular expression of names."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        command = [
            options.build / "aotscope_bench",
            f"--benchmark_filter=^{what}",
            f"--benchmark_repetitions={repetitions}",
            f"--benchmark_out={out}",
            "--benchmark_out_format=json",
        ]
        result = subprocess.run(command, env=environment(options.threads), capture_output=True, text=True)
        if result.returncode != 0:
            samples.fail(f"aotscope_bench, {what}: exit code {result.returncode}, {last_line(result.stderr)}")
            return
        samples.add_ours(json.loads(out.read_text())["benchmarks"])


def run_canvas(options, samples):
    """Figures of the canvas, Graphviz alone, and memory, which takes a fresh process for each figure."""
    run_once(options, "(canvas|stock)/", min(3, options.repetitions), samples)
    for what in MEMORY:
        run_once(options, f"memory/{what}/", 1, samples)


def run_peer(options, model, threads, samples):
    """Returns what peer.py printed, or None if it failed."""
    compiles = min(3, options.repetitions)  # a compilation takes Python a second
    laps = options.laps if model in MODELS and not options.only_exported else 0
    command = [sys.executable, HERE / "peer.py", model, f"--compiles={compiles}", f"--laps={laps}"]
    result = subprocess.run(command, env=environment(threads), capture_output=True, text=True)
    if result.returncode != 0:
        samples.fail(f"peer.py on {model}: exit code {result.returncode}, {last_line(result.stderr)}")
        return None
    report = json.loads(last_line(result.stdout))
    samples.add_python(model, report)
    return report


def measure(options, context, files, samples):
    for round_number in range(options.rounds):
        for model in options.models:
            print(f"round {round_number + 1} of {options.rounds}: {model} ...", file=sys.stderr, flush=True)
            if model not in MODELS + LABORATORY and model not in files:
                continue
            ours = run_ours(options, model, files.get(model), samples)
            if ours:
                context.update(torch=ours["torch"], threads=int(ours["threads"]))
            if context["python_missing"] or model not in MODELS + EXPORTED:
                continue
            # The threads that LibTorch chose, so that both have the same number.
            peer = run_peer(options, model, context.get("threads", options.threads), samples)
            if peer:
                context.update(python_torch=peer["torch"], python_threads=peer["threads"])


def main():
    options = parse_arguments()
    if not (options.build / "aotscope_bench").exists():
        sys.exit(f"run.py: {options.build} holds no aotscope_bench; configure with -DAOTSCOPE_BENCH=ON and build it")
    context = {
        "rounds": options.rounds,
        "repetitions": options.repetitions,
        "laps": options.laps,
        "python_missing": why_no_python(options),
    }
    samples = Samples()
    others = OtherLoad()
    with tempfile.TemporaryDirectory() as folder:
        files = {} if context["python_missing"] else export_models(options, folder, samples)
        measure(options, context, files, samples)
    if not options.only_exported and not options.no_canvas:
        print("canvas ...", file=sys.stderr, flush=True)
        run_canvas(options, samples)
    context["other_load"] = round(others.processors(), 2)
    results = summarize(samples, context, options.models)
    print(render(results))
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")
    return 1 if results["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
