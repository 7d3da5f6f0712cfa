"""Runs tests of the Python package: run.py MODULE... Exit code 77: skipped, since torch cannot be imported."""

import importlib.util
import os
import sys
import unittest
from pathlib import Path

SKIPPED = 77
HERE = Path(__file__).resolve().parent


def main() -> int:
    sys.path[:0] = [str(HERE), str(HERE.parent.parent / "app" / "python")]
    beside = os.environ.get("AOTSCOPE_TEST_TORCH", "")  # where the program's LibTorch is
    if importlib.util.find_spec("torch") is None and beside:
        sys.path.append(beside)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), beside]))
    try:
        import torch
    except ImportError as e:
        print(f"SKIPPED: the Python package is not tested, because {sys.executable} cannot import torch: {e}")
        return SKIPPED
    print(f"{sys.executable}, torch {torch.__version__}, {os.environ.get('AOTSCOPE_PROGRAM', 'aotscope')}")
    names = sys.argv[1:] or sorted(path.stem for path in HERE.glob("test_*.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
