"""Many training steps, eagerly and compiled, with equal batches and random numbers."""

from check import Check, Failed
from command_line import report_of

# Kernels of some backwards add in any order, so losses of eager runs drift apart, too, more so in deeper models.
RUNS = (
    ("sample:mlp", "interpreter", 1e-3),
    ("sample:mlp", "torchscript", 1e-3),
    ("sample:mlp", "fused", 1e-3),
    ("sample:gpt2-tiny", "fused", 1e-2),
    ("sample:resnet18", "interpreter", 5e-2),
)
LIMIT = 400
GROWTH = 1e6  # bytes on the GPU per 100 steps


def train(machine, sample, compiler, tolerance, steps):
    arguments = ["train", sample, "--steps", str(steps), "--lr", "0.001", "--compiler", compiler]
    training = report_of(machine, arguments, LIMIT, option="--json")["training"]
    difference, growth = training["largest_difference"], training["compiled"]["growth_bytes_per_100_steps"]
    figure = (
        f"{steps} steps, losses differ by {difference['relative']:.1e} at most; "
        f"{training['compiled']['steps_per_second']:.0f} steps/s"
    )
    if not difference["relative"] <= tolerance:
        raise Failed(figure, f"{difference['relative']:.2e} at step {difference['step']}, allowed are {tolerance:g}")
    if growth > GROWTH:
        raise Failed(figure, f"memory grows by {growth:,.0f} bytes per 100 steps")
    return figure


def checks(machine, options):
    for sample, compiler, tolerance in RUNS:
        if compiler not in machine.compilers or (options.samples and sample not in options.samples):
            continue
        job = lambda s=sample, c=compiler, t=tolerance: train(machine, s, c, t, options.steps)
        yield Check(f"training {sample} {compiler}", job)
