"""Runs programs that may fail, crash or hang, and reports how they ended."""

import os
import resource
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass


@dataclass
class Outcome:
    status: int  # exit code; -N: killed by signal N
    timed_out: bool
    seconds: float
    limit: float
    stdout: str
    stderr: str

    @property
    def problem(self):
        """One clause; empty if the program ended with exit code 0."""
        if self.timed_out:
            return f"took longer than {self.limit:g} s"
        if self.status < 0:
            return f"crashed: {signal.Signals(-self.status).name}{self._said()}"
        return f"exit code {self.status}{self._said()}" if self.status else ""

    def _said(self):
        lines = self.stderr.strip().splitlines()
        return f", {lines[-1]}" if lines else ""


def run(command, limit, memory=resource.RLIM_INFINITY, **environment):
    """Ends the program and its child processes after `limit` seconds; limits it to `memory` bytes."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=dict(os.environ, **environment),
            start_new_session=True,
        )
        resource.prlimit(process.pid, resource.RLIMIT_DATA, (memory, memory))
        try:
            status, timed_out = process.wait(limit), False
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            status, timed_out = process.wait(), True
        seconds = time.monotonic() - start
        texts = [file.seek(0) or file.read().decode(errors="replace") for file in (out, err)]
    return Outcome(status, timed_out, seconds, limit, *texts)
