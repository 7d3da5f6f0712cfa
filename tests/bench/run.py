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
PARTITIONED = ("gpt2", "gpt2-deep")  # samples whose joint graph is partitioned again
MEMORY = ("1000", "10000", "100000", *PARTITIONED)  # nodes of a picture, or samples that are opened
EXPORTED = ("gpt2", "bert")  # read from files of torch.export without weights
STEPS = ("resnet18", "resnet50", "gpt2", "bert", "mobilenet", "mlp", "chain", "layer-norm", "gelu", "softmax")
CHOICES = tuple(dict.fromkeys(MODELS + PARTITIONED + STEPS))
SECTIONS = ("compile", "dynamic", "exported", "step", "answer", "border", "layout", "canvas")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, help="folder in which aotscope_bench was built")
    parser.add_argument("--model", action="append", choices=CHOICES, help="only this one; may be repeated")
    parser.add_argument("--section", action="append", choices=SECTIONS, help="only this one; may be repeated")
    parser.add_argument("--file", action="append", type=Path, default=[],
                        help="also compile this file of torch.export, and Python the program in it; may be repeated")
    parser.add_argument("--compiler", action="append", help="training steps with this back end only; may be repeated")
    parser.add_argument("--rounds", type=int, default=2, help="how often both programs run, in turn (2)")
    parser.add_argument("--repetitions", type=int, default=10, help="compilations and layouts per round (10)")
    parser.add_argument("--iterations", type=int, default=10, help="training steps per round, at least (10)")
    parser.add_argument("--threads", type=int, help="threads of both; else LibTorch's default")
    parser.add_argument("--quick", action="store_true", help="everything once: shows that it runs, no more")
    parser.add_argument("--no-python", action="store_true", help="without the comparison")
    parser.add_argument("--json", type=Path, help="write the figures there, too")
    options = parser.parse_args()
    if options.quick:
        options.rounds = options.repetitions = options.iterations = 1
    options.files = {file.stem: file for file in options.file}
    named = options.model or ([] if options.files else CHOICES)
    options.models = (*named, *options.files)
    options.sections = options.section or SECTIONS
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
    """The reason why benchmarks cannot run; empty if they can."""
    probe = [sys.executable, "-c", "import torch"]
    result = subprocess.run(probe, env=environment(None), capture_output=True, text=True)
    return "" if result.returncode == 0 else last_line(result.stderr)


def why_no_python(options):
    """Empty if there is a torch to compare with, otherwise the reason."""
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
    files = dict(options.files)
    for model in options.models:
        if model in files or model not in EXPORTED or "exported" not in options.sections:
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


def filter_of(options, model):
    """A regular expression of the benchmarks of a model, as aotscope_bench names them."""
    one_of = lambda names: "(" + "|".join(names) + ")"
    parts = [f"{section}/{model}/" for section in options.sections if section not in ("step", "canvas")]
    if "step" in options.sections:
        parts.append(f"step/{model}/" + (one_of(options.compiler) + "/" if options.compiler else ""))
    return f"^{one_of(parts)}"


def run_ours(options, model, file, samples):
    """Returns the context that aotscope_bench reports, or None if it failed."""
    more = [f"--iterations={options.iterations}", *([f"--exported={model}={file}"] if file else [])]
    return run_bench(options, filter_of(options, model), options.repetitions, more, model, samples)


def run_bench(options, names, repetitions, more, what, samples):
    """Runs the benchmarks that the regular expression `names` finds; returns the context that is reported with them."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        command = [
            options.build / "aotscope_bench",
            f"--benchmark_filter={names}",
            f"--benchmark_repetitions={repetitions}",
            f"--benchmark_out={out}",
            "--benchmark_out_format=json",
            *more,
        ]
        result = subprocess.run(command, env=environment(options.threads), capture_output=True, text=True)
        if result.returncode != 0:
            samples.fail(f"aotscope_bench, {what}: exit code {result.returncode}, {last_line(result.stderr)}")
            return None
        text = out.read_text()
    if not text:
        return None  # no benchmark has such a name
    report = json.loads(text)
    samples.add_ours(report["benchmarks"])
    return report["context"]


def run_canvas(options, samples):
    """Figures of the canvas, Graphviz alone, and memory, which takes a fresh process for each figure."""
    run_bench(options, "^(canvas|stock|block)/", min(3, options.repetitions), [], "canvas", samples)
    for what in MEMORY:
        run_bench(options, f"^memory/{what}/", 1, [], f"memory of {what}", samples)


def run_python(command, what, threads, changes, samples):
    """Returns what a script printed, or None if it failed."""
    changed = dict(environment(threads), **changes)
    result = subprocess.run([sys.executable, *command], env=changed, capture_output=True, text=True)
    if result.returncode != 0:
        samples.fail(f"{what}: exit code {result.returncode}, {last_line(result.stderr)}")
        return None
    return json.loads(last_line(result.stdout))


def run_peer(options, model, threads, samples):
    compiles = min(3, options.repetitions)  # a compilation takes Python a second
    report = run_python(
        [HERE / "peer.py", options.files.get(model, model), f"--compiles={compiles}"],
        f"peer.py on {model}", threads, {}, samples
    )
    if report:
        samples.add_python(model, report)
    return report


def run_peer_steps(options, model, threads, folder, samples):
    """Inductor caches its code below `folder`: empty in the first round, it saves minutes in later ones."""
    cache = Path(folder) / f"inductor-{model}"
    first = not cache.exists()
    changes = {"TORCHINDUCTOR_CACHE_DIR": str(cache), "TORCHINDUCTOR_FX_GRAPH_CACHE": "1"}
    report = run_python(
        [HERE / "peer_step.py", model, f"--iterations={options.iterations}"],
        f"peer_step.py on {model}", threads, changes, samples
    )
    if report:
        samples.add_python_steps(model, report, first)
    return report


def measure_model(options, context, model, file, folder, samples):
    ours = run_ours(options, model, file, samples)
    if ours:
        context.update(torch=ours["torch"], threads=int(ours["threads"]))
    if context["python_missing"]:
        return
    # The threads that LibTorch chose, so that both have the same number.
    threads = context.get("threads", options.threads)
    reports = []
    if model in (*MODELS, *EXPORTED, *options.files) and {"compile", "exported"} & set(options.sections):
        reports.append(run_peer(options, model, threads, samples))
    if model in STEPS and "step" in options.sections:
        reports.append(run_peer_steps(options, model, threads, folder, samples))
    for report in filter(None, reports):
        context.update(python_torch=report["torch"], python_threads=report["threads"])


def measure_calls(options, context, folder, samples):
    run_bench(options, "^call/", 1, [], "calls", samples)
    if not context["python_missing"]:
        run_peer_steps(options, "calls", context.get("threads", options.threads), folder, samples)


def measure(options, context, files, folder, samples):
    sections = set(options.sections) - {"canvas"}  # which needs no rounds
    for round_number in range(options.rounds if sections else 0):
        of = f"round {round_number + 1} of {options.rounds}"
        for model in options.models:
            print(f"{of}: {model} ...", file=sys.stderr, flush=True)
            measure_model(options, context, model, files.get(model), folder, samples)
        if "step" in options.sections:
            print(f"{of}: calls ...", file=sys.stderr, flush=True)
            measure_calls(options, context, folder, samples)


def main():
    options = parse_arguments()
    if not (options.build / "aotscope_bench").exists():
        sys.exit(f"run.py: {options.build} holds no aotscope_bench; build that target, which needs Google Benchmark")
    context = {
        "rounds": options.rounds,
        "repetitions": options.repetitions,
        "iterations": options.iterations,
        "sections": options.sections,
        "python_missing": why_no_python(options),
    }
    samples = Samples()
    others = OtherLoad()
    with tempfile.TemporaryDirectory() as folder:
        files = options.files if context["python_missing"] else export_models(options, folder, samples)
        measure(options, context, files, folder, samples)
    if "canvas" in options.sections:
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
