"""Code shared by the tests of packaging."""

import functools
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("AOTSCOPE_BUILD", ROOT / "build"))
sys.path.insert(0, str(ROOT / "app/packaging"))

import help_text


@functools.cache
def program_help():
    return help_text.read(BUILD / "aotscope")


def run(*command, **environment):
    """The output of the command; a failure shows stdout and stderr."""
    command = [str(word) for word in command]
    outcome = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)
    if outcome.returncode:
        raise AssertionError(f"{' '.join(command)} ended with {outcome.returncode}:\n{outcome.stdout}{outcome.stderr}")
    return outcome.stdout


def install(prefix, *components, **environment):
    for component in components:
        run("cmake", "--install", BUILD, "--prefix", prefix, "--component", component, **environment)


def libraries(program, **environment):
    """The paths found by the loader, by the names of the libraries."""
    lines = (line.strip().partition(" => ") for line in run("ldd", program, **environment).splitlines())
    return {name: Path(rest.rpartition(" (")[0]) for name, arrow, rest in lines if arrow}


def wrong_torch(folder):
    """A folder for LD_LIBRARY_PATH whose LibTorch cannot be loaded."""
    folder = Path(folder)
    folder.mkdir(parents=True)
    for name in ("libtorch_cpu.so", "libc10.so"):
        (folder / name).write_text("not a library")
    return folder


class ScratchTest(unittest.TestCase):
    """A class of tests with a shared folder, `scratch`."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.scratch = Path(folder.name)
