"""Autocast: forward and backward in lower precision, against eager under the same autocast."""

from check import Check
from check_compilers import check_one

SAMPLES = ("sample:mlp", "sample:resnet18", "sample:gpt2-tiny")
DTYPES = ("bfloat16", "float16")


def autocast(machine, sample):
    runs = [(dtype, compiler) for dtype in DTYPES for compiler in machine.compilers]
    errors = [
        check_one(machine, sample, "--autocast", f"{machine.device}:{dtype}", "--compiler", compiler)[0]
        for dtype, compiler in runs
    ]
    return f"{len(runs)} runs equal eager, largest error {max(errors):.1e}"


def checks(machine, options):
    for sample in options.samples or SAMPLES:
        yield Check(f"autocast {sample}", lambda sample=sample: autocast(machine, sample))
