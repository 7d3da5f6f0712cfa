"""The debugger on the GPU: every value against eager's, and the first NaN where one was planted."""

from check import Check, Failed
from command_line import printed_of

SAMPLES = ("sample:mlp", "sample:resnet18", "sample:gpt2-tiny")
LIMIT = 180
FOUND = 3  # exit code


def debug(machine, sample, *options):
    """Where and why the run stopped."""
    return printed_of(machine, ["debug", sample, *options], LIMIT, accept=(0, FOUND))["stop"]


def against_eager(machine, sample):
    stop = debug(machine, sample, "--against-eager")
    if stop["reason"] != "ended":
        raise Failed(stop["text"])
    return "all values equal eager's"


def first_nan(machine):
    stop = debug(machine, "sample:mlp", "--set", "x=[0,1]=nan", "--first-nan")
    if "has a NaN" not in stop["text"]:
        raise Failed("the NaN is not found", stop["text"])
    return stop["text"].split(":")[0]


def checks(machine, options):
    for sample in options.samples or SAMPLES:
        yield Check(f"debugger {sample}", lambda sample=sample: against_eager(machine, sample))
    yield Check("first NaN", lambda: first_nan(machine))
