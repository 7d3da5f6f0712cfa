"""Reports and the commands that make them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import aotscope
import torch
from torch import nn

from support import TestCase, mlp, model_and_input


class Infinite(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (self.linear(x) * 0).log().sum()


class Reports(TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        torch.manual_seed(0)
        cls.report = aotscope.run(mlp(), torch.randn(5, 8), check=True, recompute=["gelu"])

    def test_fields(self) -> None:
        report = self.report
        self.assertEqual((report.name, report.how, report.error), ("Sequential", "torch.export (strict=False)", ""))
        self.assertIs(report.check_ok, True)
        self.assertEqual(report.graphs, ["source", "forward-traced", "functional", "joint", "forward", "backward"])
        self.assertIn("%gelu : f32[5, 16] = aten.gelu.default(%addmm)", report.graph("joint"))
        self.assertIn("gelu", [row["name"] for row in report.recomputed])
        own = sum(
            row["bytes"] for row in report.saved if row["kind"] == "activation" and not row["name"].startswith("t")
        )
        self.assertEqual(report.saved_bytes, own)
        self.assertGreater(report.peak_bytes or 0, report.saved_bytes)
        self.assertEqual(report.plan.saved_bytes, sum(row["bytes"] for row in report.saved))
        self.assertEqual(report.json["schema"], 1)

    def test_tables(self) -> None:
        self.assertEqual(len(self.report.rows("saved")), len(self.report.saved))
        self.assertEqual(self.report.rows("inputs")[0]["role"], "parameter")
        with self.assertRaisesRegex(aotscope.Error, "no table 'nothing'"):
            self.report.rows("nothing")
        with mock.patch.dict(sys.modules, {"pandas": None}), self.assertRaisesRegex(aotscope.Error, "pandas is not"):
            self.report.frame("saved")
        with mock.patch.dict(sys.modules, {"pandas": SimpleNamespace(DataFrame=list)}):
            self.assertEqual(self.report.frame("saved"), self.report.saved)

    def test_texts(self) -> None:
        text = self.report.markdown()
        self.assertIn("| check against eager | equal |", text)
        self.assertRegex(text, r"\| addmm \| f32\[5, 16\] \| 320 \| aten.addmm.default \|")
        self.assertTrue(all(line.startswith(("|", "#", "*", "")) for line in text.splitlines()))
        self.assertIn("saved for backward: ", repr(self.report))

    def test_pictures(self) -> None:
        try:
            svg = self.report.svg("joint")
        except aotscope.Error as e:
            self.skipTest(str(e))  # a build without Qt
        self.assertTrue(svg.lstrip().startswith("<?xml") or svg.lstrip().startswith("<svg"))
        self.assertIn("</svg>", svg)
        page = self.report._repr_html_()
        self.assertIn("<iframe", page)
        self.assertIn("Saved for backward", page)
        self.assertIn("<html", self.report.html())

    def test_files(self) -> None:
        for name in ("a.json", "a.aotscope"):
            self.report.save(self.folder / name)
        again = aotscope.Report.load(self.folder / "a.json")
        self.assertEqual(again.saved, self.report.saved)
        with self.assertRaisesRegex(aotscope.Error, "has no graphs to draw"):
            again.svg()
        self.assertEqual(aotscope.partition(self.folder / "a.aotscope").saved, self.report.saved)
        self.assertEqual(aotscope.run(self.report).saved, self.report.saved)
        with self.assertRaisesRegex(aotscope.Error, "expected .json"):
            self.report.save(self.folder / "a.txt")

    def test_graphs_that_there_are_not(self) -> None:
        with self.assertRaisesRegex(aotscope.Error, "no graph 'inference'; it has source"):
            self.report.graph("inference")


class Commands(TestCase):
    def test_samples_and_files(self) -> None:
        self.assertEqual(aotscope.run("sample:sincos").name, "sincos")
        model, x = model_and_input("mlp")
        file = self.folder / "mine.pt2"
        torch.export.save(torch.export.export(model, (x,)), file)
        self.assertEqual(aotscope.run(file).name, "mine")
        with self.assertRaisesRegex(aotscope.Error, "a file brings its own inputs"):
            aotscope.run(file, x)
        self.assertEqual(aotscope.run(torch.export.export(model, (x,))).how, "torch.export")

    def test_files_that_are_asked_for(self) -> None:
        report, session = self.folder / "mine.json", self.folder / "mine.aotscope"
        found = aotscope.run("sample:mlp", report=report, save=[session, "relu"])
        self.assertEqual(found.json["options"]["partitioning"]["save"], ["relu"])
        self.assertEqual(aotscope.Report.load(report).saved, found.saved)
        self.assertEqual(aotscope.partition(session).saved, found.saved)

    def test_what_there_is_before_an_error(self) -> None:
        with self.assertRaisesRegex(aotscope.Error, "nothing") as caught:
            aotscope.run("sample:mlp", recompute=["nothing"])
        report = caught.exception.report
        assert report is not None
        self.assertIn("functional", report.graphs)
        self.assertIn("nothing", report.error)

    def test_a_difference_is_no_error(self) -> None:
        class Data(nn.Module):
            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return x.sin() * torch.rand_like(x)

        report = aotscope.run(Data(), torch.randn(3, requires_grad=True), check=True)
        self.assertIn(report.check_ok, (True, False))

    def test_diff(self) -> None:
        model, x = model_and_input("mlp")
        first, second = aotscope.run(model, x), aotscope.run(model, x, recompute=["relu"])
        found = aotscope.diff(first, second)
        self.assertTrue(found["changed"])
        self.assertIn("relu", [row["name"] for row in found["recomputed"]["added"]])
        self.assertFalse(aotscope.diff(first, first)["changed"])
        self.assertFalse(aotscope.diff(first, (model, x))["changed"])
        self.assertTrue(aotscope.diff("sample:sincos", "sample:mlp")["changed"])

    def test_ranks(self) -> None:
        data = Path(__file__).parents[1] / "data" / "distributed"
        alike = aotscope.ranks(data / "mlp_stages.{rank}.pt2", ranks=2)
        self.assertEqual((alike["ranks"], alike["equal"]["collectives"]), (["rank 0", "rank 1"], True))
        model, x = model_and_input("mlp")
        found = aotscope.ranks(aotscope.run(model, x), (model, x), aotscope.run(model, x, recompute=["relu"]))
        self.assertEqual(found["equal"]["graphs"], False)
        self.assertEqual(len(found["differences"][0]["each"]), 3)
        with self.assertRaisesRegex(aotscope.Error, "is one rank"):
            aotscope.ranks("sample:mlp")

    def test_pareto(self) -> None:
        model, x = model_and_input("attention")
        points = aotscope.pareto(model, x, points=4)
        self.assertEqual(len(points), 4)
        self.assertLess(points[0]["saved_bytes"], points[-1]["saved_bytes"])

    def test_first_nan(self) -> None:
        found = aotscope.debug_first_nan(Infinite(), torch.randn(2, 3))
        assert found is not None
        self.assertEqual(found["stop"]["node"], "log")
        model, x = model_and_input("mlp")
        self.assertIsNone(aotscope.debug_first_nan(model, x))

    def test_json_is_what_the_program_writes(self) -> None:
        report = aotscope.partition("sample:sincos", partition="default")
        self.assertEqual(report.json["partition"]["algorithm"], "default")
        json.dumps(report.json)
