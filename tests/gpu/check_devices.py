"""All GPUs except the first, which all other checks use."""

from check import Check, Skipped
from check_compilers import LIMIT
from command_line import report_of

SAMPLES = ("sample:mlp", "sample:resnet18", "sample:gpt2-tiny")


def check_devices(machine):
    if len(machine.gpus) < 2:
        raise Skipped("there is only one GPU")
    runs = 0
    for index in range(1, len(machine.gpus)):
        for sample in SAMPLES:
            for compiler in machine.compilers:
                report_of(machine, ["run", sample, "--check", "--compiler", compiler], LIMIT, device=f"cuda:{index}")
                runs += 1
    return f"{runs} runs on {len(machine.gpus) - 1} further GPUs equal eager"


def checks(machine, options):
    yield Check("several devices", lambda: check_devices(machine))
