"""Checks below the command line: kernels, streams, captures."""

from check import Check

CHECKS = {
    "kernels launched": "launched-kernels",
    "kernels first met in a capture": "kernels-first-met-in-capture",
    "replays": "replays",
    "streams": "side-stream",
    "out of memory": "out-of-memory",
    "random state": "random-state",
}
EMULATION_LIMIT = 500


def checks(machine, options):
    yield Check(
        "kernels emulated on the CPU", lambda: machine.below_command_line("emulated-kernels", EMULATION_LIMIT), needs_gpu=False
    )
    for name, check in CHECKS.items():
        yield Check(name, lambda check=check: machine.below_command_line(check))
