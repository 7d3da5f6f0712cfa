"""Runs the program, and programs of Python, within limits."""

import importlib.util
import json
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(1, str(ROOT / "tests" / "gpu"))

from outcome import run  # noqa: E402


class Bench:
    def __init__(self, program, seconds, gigabytes):
        self.program, self.seconds, self.memory = program.resolve(), seconds, int(gigabytes * 1e9)
        if not self.program.exists():
            raise SystemExit(f"{program}: there is no such program; ./dev build makes it")
        self.has_torch = importlib.util.find_spec("torch") is not None
        state = self.program.stat()
        self.version = f"{state.st_size} {state.st_mtime_ns}"
        # Each has a core and caches of its own.
        self._cache = tempfile.TemporaryDirectory()
        self._environment = {
            "OMP_NUM_THREADS": "1",
            "QT_QPA_PLATFORM": "offscreen",
            "XDG_CACHE_HOME": self._cache.name,
            "XDG_DATA_HOME": self._cache.name,
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": os.pathsep.join([str(ROOT / "app" / "python"), str(ROOT / "tests" / "python")]),
            "AOTSCOPE_PROGRAM": str(self.program),
        }

    def aotscope(self, *arguments):
        return run([self.program, *arguments], self.seconds, self.memory, **self._environment)

    def report(self, *arguments):
        """The outcome of running `arguments`, and its report or None."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "report.json"
            outcome = self.aotscope(*arguments, "--report", file)
            return outcome, json.loads(file.read_text()) if file.exists() else None

    def python(self, script, *arguments, seconds=None):
        """A script of this folder, with torch and the Python package at hand."""
        limit = self.seconds if seconds is None else seconds
        return run([sys.executable, HERE / script, *arguments], limit, self.memory, **self._environment)
