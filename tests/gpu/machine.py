"""The machine to check: programs, GPUs, LibTorch."""

import json

from check import Failed, Skipped
from outcome import run

SKIPPED = 77  # exit code of gpu_checks


class Machine:
    """`device` is "cuda", or "cpu" to try the checks themselves where there is no GPU."""

    def __init__(self, build, device="cuda"):
        self.program = build / "aotscope"
        self.checks = build / "gpu_checks"
        self.device = device
        outcome = run([self.checks, "machine"], 120)
        if outcome.problem:
            self.facts, self.missing = {}, f"the GPU cannot be asked for: {outcome.problem}"
        else:
            self.facts = json.loads(outcome.stdout)
            self.missing = self.facts["missing"]
        if device == "cpu":
            self.missing = ""

    @property
    def gpus(self):
        return self.facts.get("gpus", []) if self.device == "cuda" and not self.missing else []

    @property
    def compilers(self):
        """The programs that can run here."""
        fused = self.device == "cpu" or self.missing or not self.facts.get("launch_missing")
        return ("interpreter", "torchscript") + (("fused",) if fused else ())

    def describe(self):
        """Programs and libraries in use, one line each."""
        lines = [f"LibTorch {self.facts.get('torch', 'of unknown version')} in {self.facts.get('torch_folder', '?')}"]
        for index, gpu in enumerate(self.gpus):
            lines.append(f"cuda:{index}: {gpu}")
        if capability := self.facts.get("compute_capability"):
            lines.append("compute capability of cuda:0: " + ".".join(map(str, capability)))
        if self.gpus and "fused" not in self.compilers:
            lines.append(f"no fused kernels: {self.facts['launch_missing']}")
        nvrtc = self.facts.get("nvrtc") or self.facts.get("nvrtc_missing")
        lines.append(f"NVRTC: {nvrtc}")
        return lines

    def below_command_line(self, check, limit=180):
        """The figure of one check of gpu_checks."""
        outcome = run([self.checks, check, "cuda:0" if self.device == "cuda" else "cpu"], limit)
        if outcome.status == SKIPPED:
            raise Skipped(outcome.stderr.strip())
        if outcome.problem:
            raise Failed(outcome.problem, outcome.stderr)
        return outcome.stdout.strip().splitlines()[-1]
