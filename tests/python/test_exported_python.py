"""Graphs exported as Python have the same results in PyTorch as in the program."""

from __future__ import annotations

import contextlib
import io
import json
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
DATA = Path(__file__).resolve().parent.parent / "data"
REFERENCE = os.environ.get("AOTSCOPE_REFERENCE", "")

DIFFERENTIABLE = {"requires_grad": True}
# Programs whose graphs take only some values, and their inputs.
PARTICULAR = [
    (
        "a mask, and a value for each element that it selects",
        "def f(x, mask, source):\n    return x.masked_scatter(mask, source * 2)\n",
        [
            {"shape": [8, 8], **DIFFERENTIABLE},
            {"shape": [8, 8], "dtype": "bool", "fill": {"randint": [0, 2]}},
            {"shape": [64], **DIFFERENTIABLE},
        ],
    ),
    (
        "bytes that a kernel keeps for its backward",
        "def f(x, h, c, w, v, b, d):\n"
        "    return torch.lstm(x, [h, c], [w, v, b, d], True, 1, 0.0, True, False, False)[0]\n",
        [
            {"shape": shape, **DIFFERENTIABLE}
            for shape in ([3, 5, 8], [1, 5, 16], [1, 5, 16], [64, 8], [64, 16], [64], [64])
        ],
    ),
    (
        "matrices that have an inverse",
        "def f(x):\n    return torch.linalg_cholesky(x @ x.transpose(0, 1) + 9.0 * torch.eye(8))\n",
        [{"shape": [8, 8], **DIFFERENTIABLE}],
    ),
    (
        "conjugates",
        "def f(x):\n    z = torch.view_as_complex(x)\n    return torch.view_as_real(z.conj() * z.exp())\n",
        [{"shape": [8, 8, 2], **DIFFERENTIABLE}],
    ),
    (
        "a dtype that Python has no storage class for",
        "def f(x, n):\n    return x * n.to(torch.float32)\n",
        [{"shape": [64], **DIFFERENTIABLE}, {"shape": [64], "dtype": "uint16", "fill": {"randint": [0, 9]}}],
    ),
    (
        "indices that share their memory",
        "def f(x, scores):\n    rows, columns = torch.unbind((scores > 0).nonzero(), 1)\n    return x[rows, columns] * 2\n",
        [{"shape": [7, 2, 4], **DIFFERENTIABLE}, {"shape": [7, 2]}],
    ),
    (
        "offsets that grow",
        "def f(weight, indices, offsets):\n    return torch.embedding_bag(weight, indices, offsets)[0]\n",
        [
            {"shape": [50, 8], **DIFFERENTIABLE},
            {"shape": [80], "dtype": "int64", "fill": {"randint": [0, 50]}},
            {"shape": [40], "dtype": "int64", "pattern": [2, 1000, 0, 1]},
        ],
    ),
]


def run_script(path: Path) -> tuple[bool, str]:
    """Its output, and whether all values equal those written beside it."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), mock.patch.object(sys, "argv", [str(path)]):
        try:
            runpy.run_path(str(path), run_name="__main__")
        except SystemExit as e:
            if "which this Python does not have" in str(e.code):
                raise unittest.SkipTest(str(e.code)) from e
            return not e.code, said.getvalue()
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

    def run_all(self, model: str) -> int:
        """Runs all graphs with the inputs that the program makes; the number of them."""
        ran = 0
        for graph in GRAPHS:
            with self.subTest(model=model, graph=graph):
                path = self.exported(model, graph)
                if path is not None:
                    fine, said = run_script(path)
                    self.assertTrue(fine, said)
                    ran += 1
        return ran

    def test_inputs_without_values(self) -> None:
        """A file of values is beside the program only if it cannot make some of them."""
        path = self.exported("sample:mlp", "joint")
        assert path is not None
        fine, said = run_script(path)
        self.assertTrue(fine, said)
        self.assertIn("float32 [", said)
        self.assertNotIn("NaN", said)
        self.assertFalse(path.with_suffix(".values.pt").exists())
        self.exported("sample:mlp", "backward")
        self.assertTrue(path.with_suffix(".values.pt").exists())
        self.assertIn("kept[", path.read_text())

    def test_inputs_fit(self) -> None:
        """Every graph of every available model, including subgraphs of operators."""
        for folder in ("exported", "higher_order"):
            models = sorted((DATA / folder).glob("*.pt2"))
            self.assertTrue(models, folder)
            for model in models:
                self.assertGreater(self.run_all(str(model)), 0)
        for sample in ("sample:gpt2-tiny", "sample:bert-tiny", "sample:resnet18"):
            self.run_all(sample)

    def test_inputs_that_random_numbers_do_not_fit(self) -> None:
        for what, code, inputs in PARTICULAR:
            with self.subTest(what):
                model = self.folder / "model.py"
                model.write_text(code)
                spec = self.folder / "inputs.json"
                spec.write_text(json.dumps(inputs))
                for graph in ("joint", "forward", "backward"):
                    for values in ([], ["--values", str(self.folder / "repro.pt")]):
                        path = self.exported(str(model), graph, "--inputs", str(spec), *values)
                        assert path is not None
                        fine, said = run_script(path)
                        self.assertTrue(fine, said)

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
