"""Logs of torch.compile are counted as PyTorch counts, and its joint graphs are partitioned as PyTorch does.

Here a few models; run.py all_trace_logs has all of them, in more ways and with more versions of PyTorch.
"""

from __future__ import annotations

import json
import unittest
from typing import Any

from support import TestCase
from trace_told import Case, asked, compare, nodes_in, printed_report, traced

ALWAYS = ("static", "dynamic", "breaks", "recompiles", "checkpoint", "inference", "ranks")


class TraceLogs(TestCase):
    def cases(self, backend: str, models: list[str], ways: list[str]) -> list[Case]:
        log, python = traced(self.folder / backend, backend, models, ways)
        found = compare(log, python, self.temporary)
        self.assertEqual(len(found), len(models) * len(ways))
        self.assertEqual([str(each) for case in found for each in case.differences], [])
        return found

    def test_aot_eager(self) -> None:
        found = self.cases("aot_eager", ["mlp", "batch_norm"], list(ALWAYS))
        explained = {reason for case in found for reason in case.explained}
        self.assertGreater(sum(case.equal for case in found), 5)
        # Batch norm saves values that its backward does not read, and overwrites saved ones.
        self.assertTrue(any("running statistics" in reason for reason in explained), explained)
        self.assertTrue(any("overwrites afterwards" in reason for reason in explained), explained)

    def test_inductor(self) -> None:
        """Both runs of "again" find the entry of "static" in the cache."""
        found = self.cases("inductor", ["mlp"], ["static", "again", "bypass"])
        self.assertEqual([case.ours["hits"] for case in found], [0, 2, 0])
        self.assertEqual([case.ours["bypasses"] for case in found], [0, 0, 1])

    def test_ranks(self) -> None:
        """They compile the same functions, so nothing differs."""
        logs = [traced(self.folder / f"rank_{rank}", "aot_eager", ["mlp"], ["ranks"], rank)[0] for rank in (0, 1)]
        report = json.loads(asked("compiles", *map(str, logs), "--json"))
        self.assertEqual([len(each["compilations"]) for each in report["logs"]], [1, 1])
        self.assertEqual(report["differences"], [])

    def test_names_of_nodes(self) -> None:
        """The basis of the comparisons above."""
        log, python = traced(self.folder / "one", "aot_eager", ["mlp"], ["static"])
        (joint,) = (graph for graph in python["mlp_static"]["graphs"] if graph["kind"] == "joint")
        report: Any = printed_report(log, "0/0", self.temporary)
        nodes = nodes_in(report["graphs"]["joint"]["text"])
        self.assertIn("addmm", nodes["operations"])
        self.assertEqual(nodes["placeholders"], joint["placeholders"])


if __name__ == "__main__":
    unittest.main()
