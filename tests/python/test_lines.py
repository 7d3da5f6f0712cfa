"""Lines of Python copied by the window: they reproduce the program's values."""

from __future__ import annotations

import contextlib
import copy
import io
import json
from pathlib import Path
from typing import Any

import aotscope
import torch
from aotscope.program import call, torch_version
from functorch.compile import aot_module
from torch import nn

from support import Halves, TestCase, eager, gradients, model_and_input

TESTS = Path(__file__).resolve().parent.parent
GOLDEN, DATA = TESTS / "golden" / "python", TESTS / "data" / "python"


def executed(lines: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(lines, "lines", "exec"), names)
    return names


class Several(nn.Module):
    """Takes the inputs of inputs.json, and returns all of them."""

    def forward(
        self,
        tokens: torch.Tensor,
        mask: torch.Tensor,
        hidden: torch.Tensor,
        pair: tuple[torch.Tensor, torch.Tensor],
        one: torch.Tensor,
        x: torch.Tensor,
        scale: float,
    ) -> list[torch.Tensor]:
        first, second = pair
        return [tokens + 1, mask.logical_not(), hidden.float() * scale, first * 1, second * 1, one * 1, x * 1]


class Inputs(TestCase):
    def test_are_those_of_the_program(self) -> None:
        model, names = self.folder / "several.pt", ["tokens", "mask", "hidden", "one", "x"]
        torch.jit.save(torch.jit.script(Several()), str(model))
        spec = DATA / "inputs.json"
        words = [f"--watch={name}" for name in names]
        outcome = call(["debug", str(model), f"--inputs={spec}", "--seed=3", "--inference", "--json", *words])
        values = {value["node"]: value for value in json.loads(outcome.output)["values"]}
        args = executed((GOLDEN / "inputs.py").read_text(encoding="utf-8"))["args"]
        self.assertEqual(len(values), len(names))
        for value, index in zip(values.values(), (0, 1, 2, 4, 5)):
            found = args[index].detach().double().flatten()[: len(value["first"])]
            torch.testing.assert_close(found, torch.tensor(value["first"], dtype=torch.float64), rtol=1e-6, atol=0)
        self.assertEqual([tuple(tensor.shape) for tensor in args[3]], [(2, 3), (3, 2)])
        self.assertTrue(args[2].requires_grad)

    def test_dynamic_shapes(self) -> None:
        class Model(Several):
            def forward(self, tokens, mask, hidden, pair, one, x, scale):  # type: ignore[no-untyped-def]
                return hidden.sum() + tokens.sum() + mask.sum() + pair[0].sum() + one + x.sum() * scale

        names = executed((GOLDEN / "inputs.py").read_text(encoding="utf-8"))
        program = torch.export.export(Model(), names["args"], dynamic_shapes=names["dynamic_shapes"], strict=False)
        self.assertEqual(len(program.range_constraints), 2)


class Decompositions(TestCase):
    def test_are_those_of_the_program(self) -> None:
        """Python's joint graph with the table is that of the program: its plan fits."""
        for table in ("none", "core-aten", "inductor", "custom"):
            for name in ("attention", "mlp"):
                with self.subTest(table=table, model=name):
                    self.check(table, name)

    def check(self, table: str, name: str) -> None:
        model, x = model_and_input(name)
        names = executed((GOLDEN / f"decompositions_{table}.py").read_text(encoding="utf-8"))
        given = str(DATA / "decompositions.json") if table == "custom" else table
        report, halves, own = aotscope.partition(model, x, decompose=given), Halves(), copy.deepcopy(model)
        compiled = aot_module(
            own,
            fw_compiler=halves.keep("forward"),
            bw_compiler=halves.keep("backward"),
            partition_fn=aotscope.partitioner(report),
            decompositions=names["decompositions"],
        )
        try:
            found = gradients(compiled, list(own.parameters()), x)
        except aotscope.Error:
            if torch_version() == (2, 13):  # whose decompositions the program has
                raise
            return
        self.assertEqual(halves.saved_bytes(), report.plan.saved_bytes)
        self.assert_close(found, eager(model, x), tolerance=1e-3)  # decomposed operations round differently

    def test_prims(self) -> None:
        names = executed((GOLDEN / "decompositions_prims.py").read_text(encoding="utf-8"))
        model, x = model_and_input("mlp")
        halves, own = Halves(), copy.deepcopy(model)
        compiled = aot_module(
            own,
            fw_compiler=halves.keep("forward"),
            bw_compiler=halves.keep("backward"),
            decompositions=names["decompositions"],
        )
        self.assert_close(gradients(compiled, list(own.parameters()), x), eager(model, x))
        theirs = {str(n.target) for n in halves.graphs["forward"].graph.nodes if n.op == "call_function"}
        self.assertIn("prims.mul.default", theirs)


class Findings(TestCase):
    def test_the_operation_by_itself(self) -> None:
        class Model(nn.Module):
            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return (x - 42).abs().log().exp()

        x = torch.arange(64, dtype=torch.float32).view(8, 8)
        found = aotscope.debug_first_nan(Model(), x)
        assert found is not None
        self.assertIn("torch.tensor([0.0], dtype=torch.float32).view((1, 1))", found["python"])
        written = io.StringIO()
        with contextlib.redirect_stdout(written):
            executed(found["python"])
        self.assertIn("tensor([[-inf]])", written.getvalue())

    def test_large_operands(self) -> None:
        """A product is cut to one row and one column; what cannot be cut has other elements from the same range."""

        class Model(nn.Module):
            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return (x @ x.t() * 1e30) @ x

        found = aotscope.debug_first_nan(Model(), torch.rand(24, 24) * 1e10)
        assert found is not None
        self.assertIn("the parts of its operands that matter", found["python"])
        written = io.StringIO()
        with contextlib.redirect_stdout(written):
            executed(found["python"])
        self.assertIn("inf", written.getvalue())
