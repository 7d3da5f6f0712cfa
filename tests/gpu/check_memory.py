"""Peak memory, predicted and measured."""

from check import Check, Failed
from command_line import report_of, samples_of

LIMIT = 240
PART = 0.12  # allowed relative difference, for workspaces of cuDNN: 0.08 to 0.11 on an H100
ROUNDED_TO = 512  # bytes of each piece, by the GPU's allocator


def peak(machine, sample):
    report = report_of(machine, ["run", sample, "--time", "2", "--compiler", "interpreter"], LIMIT)
    peaks = report["timing"]["peak_bytes"]
    if not peaks.get("predicted"):
        raise Failed("no peak is predicted")
    values = sum(report["graphs"][name]["calls"] for name in ("forward", "backward") if name in report["graphs"])
    allowed = PART * peaks["predicted"] + ROUNDED_TO * values
    ratio = peaks["compiled"] / peaks["predicted"]
    figure = f"measured {peaks['compiled'] / 1e6:.3f} MB, predicted {peaks['predicted'] / 1e6:.3f} MB ({ratio:.3f})"
    if abs(peaks["compiled"] - peaks["predicted"]) > allowed:
        raise Failed(figure, f"may differ by {allowed / 1e6:.3f} MB")
    return figure


def checks(machine, options):
    for sample in options.samples or samples_of(machine):
        yield Check(f"peak memory {sample}", lambda sample=sample: peak(machine, sample))
