"""Memory budgets: measured on the GPU, less memory than the whole, and more time."""

from check import Check, Failed
from command_line import printed_of

SAMPLES = ("sample:resnet18", "sample:gpt2-tiny")
POINTS = 5
LIMIT = 300
MOST = 1.15  # of the prediction, which knows no workspaces of cuDNN


def budgets(machine, sample):
    arguments = ["pareto", sample, "--points", str(POINTS), "--measure"]
    points = printed_of(machine, arguments, LIMIT)["points"]
    peaks = [point["measured"]["peak_bytes"] for point in points]
    ratios = [peak / point["predicted_peak_bytes"] for peak, point in zip(peaks, points)]
    times = [point["measured"]["forward_ms"] + point["measured"]["backward_ms"] for point in points]
    figure = (
        f"{len(points)} partitions, peak {min(peaks) / 1e6:.3f} to {max(peaks) / 1e6:.3f} MB, "
        f"{min(ratios):.3f} to {max(ratios):.3f} of the prediction; {min(times):.3g} to {max(times):.3g} ms"
    )
    if not all(0.9 <= ratio <= MOST for ratio in ratios):
        raise Failed(figure, *(f"{ratio:.3f} of the prediction at budget {p['budget']:g}" for ratio, p in zip(ratios, points)))
    return figure


def checks(machine, options):
    for sample in options.samples or SAMPLES:
        yield Check(f"budgets {sample}", lambda sample=sample: budgets(machine, sample), alone=True)
