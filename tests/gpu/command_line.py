"""Runs subcommands of aotscope and reads their JSON."""

import json
import tempfile
from pathlib import Path

from check import Failed
from outcome import run


def report_of(machine, arguments, limit, option="--report", device=None, accept=(0,), **environment):
    """What the program wrote as JSON. `accept`: exit codes with a report; any other is Failed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.json"
        command = [machine.program, *arguments, "--device", device or machine.device, option, file]
        outcome = run(command, limit, **environment)
        said = f"aotscope {' '.join(arguments)}: {outcome.problem}"
        if outcome.timed_out or outcome.status not in accept or not file.exists():
            raise Failed(outcome.problem or "no report was written", said)
        report = json.loads(file.read_text())
    report["stderr"] = outcome.stderr
    return report


def printed_of(machine, arguments, limit, accept=(0,)):
    """What the program printed as JSON."""
    outcome = run([machine.program, *arguments, "--device", machine.device, "--json"], limit)
    if outcome.timed_out or outcome.status not in accept:
        raise Failed(outcome.problem, f"aotscope {' '.join(arguments)}: {outcome.problem}")
    return json.loads(outcome.stdout)


def samples_of(machine):
    """The names that 'aotscope samples' lists, such as sample:mlp."""
    outcome = run([machine.program, "samples"], 60)
    if outcome.problem:
        raise Failed(f"aotscope samples: {outcome.problem}")
    return [line.split()[0] for line in outcome.stdout.splitlines() if line.startswith("sample:")]


def fallbacks_of(report):
    """Messages for graphs that ran with another compiler than requested, or could not be compiled as requested."""
    return [
        f"{use['graph']} graph: {use['note'] or 'run by ' + use['used']}"
        for use in report["compilers"]
        if use["note"] or use["used"] != use["chosen"]
    ]
