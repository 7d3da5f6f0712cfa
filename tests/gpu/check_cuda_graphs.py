"""--cuda-graphs: training replays the graphs with another batch and changed parameters at every step."""

from check import Check, Failed, Skipped
from command_line import report_of

SAMPLES = ("sample:mlp", "sample:resnet18", "sample:gpt2-tiny")
STEPS = 20
LIMIT = 180
TOLERANCE = 1e-3


def losses_while_replaying(machine, sample):
    if machine.device == "cuda" and (why := machine.facts.get("capture_missing")):
        raise Skipped(why)
    flags = ["--cuda-graphs"] if machine.device == "cuda" else []
    worst = 0
    for compiler in machine.compilers:
        arguments = ["train", sample, "--steps", str(STEPS), "--lr", "0.001", "--compiler", compiler, *flags]
        report = report_of(machine, arguments, LIMIT, option="--json", TORCH_CPP_LOG_LEVEL="WARNING")
        warnings = [line for line in report["stderr"].splitlines() if "cannot be captured" in line]
        if warnings:
            raise Failed(f"{compiler}: {warnings[0]}")
        worst = max(worst, report["training"]["largest_difference"]["relative"])
        if not worst <= TOLERANCE:
            raise Failed(f"{compiler}: losses differ from eager's by {worst:.1e}")
    return f"{STEPS} steps by {len(machine.compilers)} compilers, losses differ by {worst:.1e} at most"


def checks(machine, options):
    for sample in options.samples or SAMPLES:
        yield Check(f"CUDA graphs {sample}", lambda sample=sample: losses_while_replaying(machine, sample))
