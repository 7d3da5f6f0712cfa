"""Traces on the simulated GPU against traces on the real one."""

import difflib

from check import Check, Failed
from command_line import report_of, samples_of

LIMIT = 120
VARIANTS = ((), ("--inference",), ("--decompose", "core-aten"))


def trace(machine, sample, options, **environment):
    """Texts of all graphs by name."""
    report = report_of(machine, ["run", sample, *options], LIMIT, **environment)
    if report["fallbacks"]:
        raise Failed("kernels ran while tracing: " + ", ".join(report["fallbacks"]))
    return {name: graph["text"] for name, graph in report["graphs"].items()}


def changes(name, simulated, real):
    names = f"{name} on the simulated GPU", f"{name} on the GPU"
    return list(difflib.unified_diff(simulated.splitlines(), real.splitlines(), *names, "", "", 0, ""))


def compare(machine, sample):
    graphs, lines, details = 0, 0, []
    for options in VARIANTS:
        # This hides all GPUs from the program.
        simulated = trace(machine, sample, options, CUDA_VISIBLE_DEVICES="")
        real = trace(machine, sample, options) if machine.gpus else simulated
        for name in sorted(simulated | real):
            difference = changes(name, simulated.get(name, ""), real.get(name, ""))
            details += [f"{' '.join((sample, *options))}:", *difference[:12]] if difference else []
        graphs += len(simulated)
        lines += sum(len(text.splitlines()) for text in simulated.values())
    figure = f"{graphs} graphs, {lines:,} lines"
    if details:
        raise Failed(f"{figure}: {sum(d.startswith('---') for d in details)} graphs differ", *details)
    return figure + (" equal on both" if machine.gpus else "; no GPU to compare with")


def checks(machine, options):
    for sample in options.samples or samples_of(machine):
        yield Check(f"traces {sample}", lambda sample=sample: compare(machine, sample), needs_gpu=False)
