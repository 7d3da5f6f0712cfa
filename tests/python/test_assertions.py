"""Assertions on partitions, and the summary for CI."""

from __future__ import annotations

import os
from unittest import mock

import aotscope
from aotscope import pytest_plugin

from support import TestCase, model_and_input


class Assertions(TestCase):
    def setUp(self) -> None:
        super().setUp()
        self.model, self.x = model_and_input("mlp")

    def failure(self, **expected: object) -> str:
        with self.assertRaises(AssertionError) as caught:
            aotscope.assert_partition(self.model, (self.x,), **expected)
        return str(caught.exception)

    def test_as_expected(self) -> None:
        report = aotscope.assert_partition(
            self.model, (self.x,), saved_bytes_at_most=10_000, recomputed=["relu"], recompute=["relu"]
        )
        self.assertIn("relu", [row["name"] for row in report.recomputed])

    def test_too_large(self) -> None:
        said = self.failure(saved_bytes_at_most=1000)
        self.assertRegex(
            said, r"partition of Sequential:\n  saved for backward: [\d,]+ bytes, expected at most 1,000: "
        )
        self.assertRegex(said, r"\n +\d[\d,]*  %addmm \(aten.addmm.default\): cannot recompute")

    def test_not_recomputed(self) -> None:
        said = self.failure(recomputed=["gelu", "nothing"])
        self.assertRegex(said, "%gelu: saved; .*\n +%nothing: no such value")

    def test_baseline(self) -> None:
        file = self.folder / "baseline.json"
        self.assertIn("there is no baseline", self.failure(same_as=file))
        with mock.patch.dict(os.environ, {"AOTSCOPE_UPDATE": "1"}):
            aotscope.assert_partition(self.model, (self.x,), same_as=file)
        aotscope.assert_partition(self.model, (self.x,), same_as=file)
        said = self.failure(same_as=file, recompute=["relu"])
        self.assertIn(f"the partition is not that of {file}", said)
        self.assertRegex(said, r"- saved %relu .*\n +\+ saved %addmm_1 .*\n +\+ recomputed %relu")

    def test_baseline_of_graphs(self) -> None:
        """With another constant, the same values are saved and recomputed, but the graph differs."""
        import torch

        class Scaled(torch.nn.Module):
            def __init__(self, factor: float) -> None:
                super().__init__()
                self.factor = factor

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return x.sin() * self.factor

        file, x = self.folder / "scaled.json", torch.ones(3, requires_grad=True)
        with mock.patch.dict(os.environ, {"AOTSCOPE_UPDATE": "1"}):
            aotscope.assert_partition(Scaled(2.0), (x,), same_as=file)
        aotscope.assert_partition(Scaled(2.0), (x,), same_as=file)
        with self.assertRaisesRegex(AssertionError, r"joint: %mul changed: arguments \(%sin, 2.0\) -> \(%sin, 3.0\)"):
            aotscope.assert_partition(Scaled(3.0), (x,), same_as=file)
        aotscope.assert_partition(Scaled(3.0), (x,), same_as=file, ignore=["constants"])

    def test_summary(self) -> None:
        pytest_plugin._reports.clear()
        aotscope.assert_partition(self.model, (self.x,))
        file = self.folder / "summary.md"
        with mock.patch.dict(os.environ, {"GITHUB_STEP_SUMMARY": str(file)}):
            pytest_plugin.pytest_terminal_summary()
        self.assertIn("### aotscope: Sequential", file.read_text(encoding="utf-8"))
        self.assertEqual(pytest_plugin.summary(), "")
