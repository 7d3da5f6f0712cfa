"""Models in Python become files for the program."""

from __future__ import annotations

import warnings

import aotscope
import torch
from aotscope.export import export
from torch import nn

from support import TestCase, model_and_input


class Branching(nn.Module):
    """Reads data, which torch.export refuses."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x) if x.sum().item() < 1e9 else x


class Mixed(Branching):
    """And returns a value that torch.jit.trace refuses."""

    def forward(self, x: torch.Tensor) -> dict[object, torch.Tensor]:
        y = super().forward(x)
        return {1: y, "a": y * 2}


class Exports(TestCase):
    def how(self, model: object, *args: object, **kwargs: object) -> str:
        with warnings.catch_warnings(record=True) as self.warnings:
            warnings.simplefilter("always")
            exported = export(model, args, kwargs, self.folder)
        return exported.how

    def test_modules_and_functions(self) -> None:
        model, x = model_and_input("mlp")
        self.assertEqual(self.how(model, x), "torch.export (strict=False)")
        self.assertEqual(self.warnings, [])
        self.assertEqual(self.how(lambda x, scale=1: x * scale, x, scale=2), "torch.export (strict=False)")
        self.assertEqual(self.how(torch.jit.script(nn.Linear(8, 8)), x), "TorchScript")
        self.assertEqual(self.how(torch.export.export(model, (x,))), "torch.export")
        self.assertEqual(self.how("sample:mlp"), "")

    def test_falls_back_and_says_so(self) -> None:
        x = torch.randn(2, 3)
        self.assertEqual(self.how(Branching(), x), "torch.jit.trace")
        said = str(self.warnings[0].message)
        self.assertRegex(said, r"torch.export \(strict=False\): .*data-dependent.*Made by torch.jit.trace instead")
        self.assertEqual(self.warnings[0].filename, __file__)
        report = aotscope.run(Branching(), x, check=True)
        self.assertEqual((report.how, report.name, report.check_ok), ("torch.jit.trace", "Branching", True))
        self.assertEqual(self.how(Mixed(), x), "torch.compile, as printed graphs")

    def test_gradients_of_inputs(self) -> None:
        report = aotscope.run(lambda x: x.sin().cos(), torch.randn(4, 5, requires_grad=True))
        self.assertIn("joint", report.graphs)
        self.assertNotIn("joint", aotscope.run(lambda x: x.sin().cos(), torch.randn(4, 5)).graphs)

    def test_wrong_arguments(self) -> None:
        with self.assertRaisesRegex(
            aotscope.Error, "Branching.forward.*missing a required argument: 'x'; give the example"
        ):
            aotscope.run(Branching())
        with self.assertRaisesRegex(aotscope.Error, "expected a module, a function, .*found int"):
            aotscope.run(3)
        with self.assertRaisesRegex(aotscope.Error, "nowhere"):
            aotscope.run("nowhere.pt2")

    def test_what_nothing_can_export(self) -> None:
        with self.assertRaises(aotscope.Error) as caught:
            aotscope.run(Branching(), torch.randn(2, 99))
        said = str(caught.exception)
        for part in ("Branching cannot be exported", "torch.jit.trace: mat1 and mat2", "Does the model run in eager"):
            self.assertIn(part, said)
        self.assertNotIn("\n", said)
