"""Times by CUDA events: every step has one, and the steps do not add up to more than the whole."""

from check import Check, Failed
from command_line import fallbacks_of, report_of

SAMPLES = ("sample:mlp", "sample:resnet18", "sample:gpt2-tiny")
ITERATIONS = 20
LIMIT = 240
MOST = 1.25  # of the whole, for all steps together: each kernel of some microseconds has its own events


def problems_of(timing):
    for graph in timing["graphs"]:
        ratio = graph["steps_ratio"]["median"]
        if not 0 < ratio <= MOST:
            yield f"the steps of the {graph['graph']} graph take {ratio:.2f} of the whole"
    for step in timing["steps"]:
        if not 0 <= step["median_us"] < 1e6 * LIMIT:
            yield f"%{step['node']} takes {step['median_us']} us"
    if timing["steps"] and not any(step["median_us"] > 0 for step in timing["steps"]):
        yield "no step takes any time"


def times(machine, sample, compiler):
    arguments = ["run", sample, "--time", str(ITERATIONS), "--warm-up", "5", "--compiler", compiler]
    report = report_of(machine, arguments, LIMIT)
    timing = report["timing"]
    problems = [*problems_of(timing), *fallbacks_of(report)]
    shares = " and ".join(f"{graph['steps_ratio']['median']:.2f}" for graph in timing["graphs"])
    step = {who: timing[who].get("step_ms", timing[who]["forward_ms"])["median"] for who in ("eager", "compiled")}
    figure = f"{step['compiled']:.3g} ms, eager {step['eager']:.3g} ms; steps / graph {shares}"
    if problems:
        raise Failed(figure, *problems)
    return figure


def checks(machine, options):
    for sample in options.samples or SAMPLES:
        for compiler in machine.compilers:
            job = lambda sample=sample, compiler=compiler: times(machine, sample, compiler)
            yield Check(f"timing {sample} {compiler}", job, alone=True)
