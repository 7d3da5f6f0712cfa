"""This script notices programs that crash, hang or fail."""

from check import Check, Failed, perform
from outcome import run


class NoMachine:
    missing = "no GPU"


def fail():
    raise Failed("figure", "detail")


EXPECTED = {
    "kill -SEGV $$": "crashed: SIGSEGV",
    "sleep 60": "took longer than 0.5 s",
    "echo no >&2; exit 3": "exit code 3, no",
    "true": "",
}
STATES = {
    "FAILED": Check("", fail, needs_gpu=False),
    "ok": Check("", lambda: "", needs_gpu=False),
    "needs a GPU": Check("", fail),
}


def check_itself():
    for command, problem in EXPECTED.items():
        found = run(["sh", "-c", command], 0.5).problem
        if found != problem:
            raise Failed(f"'{command}' is reported as '{found}'")
    for state, check in STATES.items():
        found = perform(check, NoMachine()).state
        if found != state:
            raise Failed(f"{found} in place of {state}")
    return "crash, time limit, exit code, states"


def checks(machine, options):
    yield Check("this script", check_itself, needs_gpu=False)
