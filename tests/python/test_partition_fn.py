"""Custom partition functions: their arguments, the effect of their results, and refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import aotscope
import torch

from support import MODELS, TestCase, eager, model_and_input, partitioned


def inputs_only(joint: Any) -> list[Any]:
    return [node for node in joint.nodes if node.op == "placeholder" and node.role != "tangent"]


class PartitionFunctions(TestCase):
    def test_get_the_joint_graph(self) -> None:
        model, x = model_and_input("mlp")
        seen = []

        def save(joint: Any) -> list[str]:
            seen.append(joint)
            return aotscope.partition(model, x).plan.names()

        report = aotscope.partition(model, x, partition_fn=save)
        self.assertEqual(report.partition["algorithm"], "plan")
        self.assertEqual(report.plan.names(), aotscope.partition(model, x).plan.names())
        relu = next(node for node in seen[0].nodes if node.op == "aten.relu.default")
        self.assertEqual(relu.type.split("[")[0], "f32")
        self.assertTrue(any(output.role == "gradient" for output in seen[0].outputs))

    def test_are_applied_and_checked(self) -> None:
        for name in MODELS:
            with self.subTest(model=name):
                model, x = model_and_input(name)
                report = aotscope.run(model, x, check=True, partition_fn=inputs_only)
                self.assertTrue(report.check_ok)
                self.assertTrue(all(row["op"] == "placeholder" for row in report.saved if row["kind"] == "input"))

    def test_plans_fit_python_s_graph(self) -> None:
        model, x = model_and_input("mlp")
        report = aotscope.partition(model, x, partition_fn=inputs_only)
        halves, found = partitioned(model, aotscope.partitioner(report), x)
        self.assertEqual(len(halves.saved()), len(report.plan.tensors))
        self.assert_close(found, eager(model, x))

    def refused(self, partition_fn: Callable[[Any], Any], pattern: str, **options: Any) -> None:
        model, x = model_and_input("mlp")
        with self.assertRaisesRegex(aotscope.Error, pattern):
            aotscope.partition(model, x, partition_fn=partition_fn, **options)

    def test_wrong_answers_are_named(self) -> None:
        self.refused(lambda _: ["relo"], "no node 'relo'; did you mean 'relu'")
        self.refused(lambda _: ["tangents_1"], "%tangents_1 cannot be saved: it belongs to the backward")
        self.refused(lambda _: [], "the plan does not save %primals_.*which the backward needs for")
        self.refused(lambda _: "relu", "expected the values to save, a list of nodes or names, found 'relu'")
        self.refused(lambda _: [3], "expected nodes of the joint graph, or their names, found 3")
        self.refused(lambda _: None, "a list of nodes or names, found None")
        self.refused(inputs_only, "only for the min-cut", budget=0.3)

    def test_what_it_raises_is_passed_on(self) -> None:
        model, x = model_and_input("mlp")
        with self.assertRaises(ZeroDivisionError):
            aotscope.partition(model, x, partition_fn=lambda _: [str(1 // 0)])

    def test_without_a_backward(self) -> None:
        with self.assertRaisesRegex(aotscope.Error, "has no partition|nothing to partition"):
            aotscope.run(torch.nn.Linear(3, 3), torch.randn(2, 3), inference=True, partition_fn=inputs_only)
