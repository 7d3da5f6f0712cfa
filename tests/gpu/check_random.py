"""Dropout draws the same random numbers eagerly and compiled, for any seed."""

from check import Check, Failed
from check_compilers import check_one
from command_line import report_of

SAMPLES = ("sample:gpt2-tiny", "sample:bert-tiny")
SEEDS = (1, 2, 3)
LIMIT = 120


def same_numbers(machine, sample):
    for seed in SEEDS:
        for compiler in machine.compilers:
            check_one(machine, sample, "--compiler", compiler, "--seed", str(seed))
    return f"{len(SEEDS)} seeds by {len(machine.compilers)} compilers equal eager"


def losses(machine, seed):
    arguments = ["train", "sample:gpt2-tiny", "--steps", "3", "--seed", str(seed)]
    report = report_of(machine, arguments, LIMIT, option="--json")
    return [step["eager"]["loss"] for step in report["training"]["curve"]]


def seeds_decide(machine):
    first, again, other = losses(machine, 7), losses(machine, 7), losses(machine, 8)
    if any(abs(a - b) > 1e-5 * abs(a) for a, b in zip(first, again)):
        raise Failed("the same seed gives other losses", f"{first}", f"{again}")
    if first == other:
        raise Failed("another seed gives the same losses", f"{first}")
    return f"seed 7 gives {first[-1]:.6g} twice, seed 8 {other[-1]:.6g}"


def checks(machine, options):
    for sample in SAMPLES:
        yield Check(f"dropout {sample}", lambda sample=sample: same_numbers(machine, sample))
    yield Check("seeds", lambda: seeds_decide(machine))
