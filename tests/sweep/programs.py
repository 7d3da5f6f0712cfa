"""Runs programs of Python one after another, each in a process of its own that has torch: programs.py FILE...

Exit code 2: those that failed say which library they need.
"""

import contextlib
import faulthandler
import io
import os
import runpy
import signal
import sys
import traceback
from pathlib import Path

import torch  # noqa: F401, once for all of them

NEEDS = "which this Python does not have"  # a program says which library


def run(path):
    """In the child: never returns."""
    faulthandler.disable()
    sys.argv = [path]
    status, said = 1, ""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(path, run_name="__main__")
        status = 0
    except SystemExit as e:
        status, said = (e.code or 0, "") if isinstance(e.code, (int, type(None))) else (1, e.code)
    except BaseException as e:
        said = traceback.format_exception_only(e)[-1]
    if status:
        os.write(2, (" ".join(said.split()) + "\n").encode())
    os._exit(int(status))


def said_by(path):
    """Why the program failed; empty if it did not."""
    end, start = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(start, 2)
        os.close(end)
        run(path)
    os.close(start)
    with os.fdopen(end, errors="replace") as pipe:
        lines = pipe.read().strip().splitlines()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status < 0:
        return signal.Signals(-status).name
    return (lines[-1] if lines else f"exit code {status}") if status else ""


def main():
    failures = [(path, why) for path in sys.argv[1:] if (why := said_by(path))]
    for path, why in failures:
        print(f"{Path(path).name}: {why}")
    if all(NEEDS in why for _, why in failures):
        return 2 if failures else 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
