"""Graphs that the program exports as Python compute in PyTorch what they compute there."""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import subprocess
import sys
import unittest
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

from aotscope import program

from support import TestCase

GRAPHS = ("forward-traced", "functional", "joint", "forward", "backward", "inference")
REFERENCE = os.environ.get("AOTSCOPE_REFERENCE", "")


def run_script(path: Path) -> tuple[bool, str]:
    """What it says, and whether all values are those that were written beside it."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), mock.patch.object(sys, "argv", [str(path)]):
        try:
            runpy.run_path(str(path), run_name="__main__")
        except SystemExit as e:
            return not e.code, said.getvalue()
        except AttributeError as e:
            if "_OpNamespace" in str(e):
                raise unittest.SkipTest(f"an operator of a library that is not here: {e}") from e
            raise
    return False, said.getvalue()


class ExportedPython(TestCase):
    def exported(self, model: str, graph: str, *options: str) -> Path | None:
        """None for a graph that the model does not have."""
        path = self.folder / "repro.py"
        command = [str(program.find()), "export", model, "--graph", graph, "-o", str(path), *options]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if f"this run has no {graph} graph" in done.stderr or "which has no kernel here" in done.stderr:
            return None
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def check(self, model: str, *options: str, graphs: Sequence[str] = GRAPHS) -> int:
        """The number of graphs that were compared."""
        compared = 0
        for graph in graphs:
            with self.subTest(model=model, graph=graph):
                path = self.exported(model, graph, "--values", str(self.folder / "repro.pt"), *options)
                if path is None:
                    continue
                equal, said = run_script(path)
                self.assertTrue(equal, said)
                self.assertIn(", as in aotscope", said)
                compared += 1
        return compared

    def test_samples(self) -> None:
        listed = subprocess.run([str(program.find()), "samples"], capture_output=True, text=True, check=True).stdout
        samples = [line.split()[0] for line in listed.splitlines() if line.startswith("sample:")]
        self.assertGreater(len(samples), 10)
        for sample in samples:
            self.assertGreater(self.check(sample), 2)

    def test_dynamic_shapes_and_decompositions(self) -> None:
        self.check("sample:mlp", "--dynamic", "all")
        self.check("sample:gpt2-tiny", "--decompose", "prims")
        self.check("sample:bert-tiny", "--partition", "default")

    def test_inputs_without_values(self) -> None:
        path = self.exported("sample:mlp", "joint")
        assert path is not None
        equal, said = run_script(path)
        self.assertTrue(equal, said)
        self.assertIn("float32 [", said)
        self.assertNotIn("NaN", said)

    def test_both_sides_of_a_difference(self) -> None:
        path = self.folder / "both.py"
        command = [str(program.find()), "diff", "sample:gpt2-tiny", "--passes", "joint..common-subexpressions"]
        subprocess.run([*command, "-o", str(path)], capture_output=True, check=True)
        equal, said = run_script(path)
        self.assertTrue(equal, said)
        self.assertIn(": equal", said)

    @unittest.skipUnless(REFERENCE, "real models: set AOTSCOPE_REFERENCE to the folder of their .pt2 files")
    def test_real_models(self) -> None:
        for path in sorted(Path(REFERENCE, "real").glob("*.pt2")):
            self.check(str(path), graphs=("joint", "inference"))
