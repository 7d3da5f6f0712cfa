"""Graphs printed by torch, run on Python's inputs, give Python's values."""

from __future__ import annotations

import subprocess
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aotscope
import torch
from functorch.compile import aot_module, make_boxed_func, min_cut_rematerialization_partition
from torch import nn
from torch.nn import functional as F

from support import MODELS, Overwriting, TestCase


class Classes(nn.Module):
    """A recurrent cell, step by step, and the loss of its classes."""

    def __init__(self) -> None:
        super().__init__()
        self.cell, self.linear = nn.GRUCell(6, 8), nn.Linear(8, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = x.new_zeros(x.shape[0], 8)
        for step in x.unbind(1):
            h = self.cell(step, h)
        return F.cross_entropy(self.linear(h), x[:, 0, :5].argmax(-1), reduction="none")


class Indexing(nn.Module):
    """Gathers, scatters, sorts and masks."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(7, 4))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        rows = self.weight[x % 7].sum(1)
        top, places = rows.topk(2)
        spread = torch.zeros_like(rows).scatter_add(1, places, top)
        return torch.where(spread > 0, spread, rows).cumsum(0), rows.gather(1, places).double()


class Half(nn.Module):
    """In bfloat16, with a group norm and a transposed convolution."""

    def __init__(self) -> None:
        super().__init__()
        self.up, self.norm = nn.ConvTranspose2d(4, 6, 2, stride=2), nn.GroupNorm(2, 6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.silu(self.norm(self.up(x))).mean((2, 3)).to(torch.bfloat16)


def attend(width: int = 8) -> nn.Module:
    return nn.TransformerEncoderLayer(width, 2, 16, dropout=0.0, batch_first=True, norm_first=True)


ALL: dict[str, tuple[Callable[[], nn.Module], Callable[[], torch.Tensor]]] = {
    **MODELS,
    "overwriting": (Overwriting, lambda: torch.randn(4, 8)),
    "classes": (Classes, lambda: torch.randn(3, 4, 6)),
    "indexing": (Indexing, lambda: torch.randint(0, 100, (3, 5))),
    "half": (Half, lambda: torch.randn(2, 4, 5, 5)),
    "transformer": (attend, lambda: torch.randn(2, 6, 8)),
}


def copies(values: Any) -> list[Any]:
    return [value.detach().clone() if isinstance(value, torch.Tensor) else value for value in values]


class Printed:
    """The graphs of one model, their arguments, and their results."""

    def __init__(self) -> None:
        self.text: dict[str, str] = {}
        self.inputs: dict[str, list[Any]] = {}
        self.outputs: dict[str, list[Any]] = {}
        self.joint: torch.fx.GraphModule | None = None

    def keep(self, kind: str) -> Callable[..., Any]:
        def compiler(module: torch.fx.GraphModule, _: Any) -> Any:
            self.text[kind] = printout(module)

            def run(*args: Any) -> Any:
                self.inputs[kind] = copies(args)
                result = module(*args)
                self.outputs[kind] = copies(result)
                return result

            return make_boxed_func(run)

        return compiler

    def partition(self, module: torch.fx.GraphModule, inputs: Any, **options: Any) -> Any:
        self.text["joint"] = printout(module)
        self.joint = torch.fx.GraphModule(module, module.graph)
        return min_cut_rematerialization_partition(module, inputs, **options)

    def run_joint(self) -> None:
        """As Python runs it: on the primals of the forward and the tangents of the backward."""
        assert self.joint is not None
        primals = self.inputs["forward"]
        names = [str(node.target) for node in self.joint.graph.find_nodes(op="placeholder")]
        tangents = self.inputs["backward"][-sum("tangents" in name for name in names) :]
        self.inputs["joint"] = [*primals, *tangents]
        with torch.no_grad():
            returned = torch.fx.Interpreter(self.joint).run(*copies(primals), *copies(tangents))
        self.outputs["joint"] = copies(torch.utils._pytree.tree_leaves(returned))


def printout(module: torch.fx.GraphModule) -> str:
    text: str = module.print_readable(print_output=False, include_stride=True, include_device=True)
    return text + "\n"


def printed(name: str) -> Printed:
    torch.manual_seed(0)
    make, example = ALL[name]
    result = Printed()
    compiled = aot_module(
        make(),
        fw_compiler=result.keep("forward"),
        bw_compiler=result.keep("backward"),
        partition_fn=result.partition,
    )
    leaves = torch.utils._pytree.tree_leaves(compiled(example()))
    torch.autograd.backward([leaf.float().sin().sum() for leaf in leaves if leaf.requires_grad])
    result.run_joint()
    return result


class Values(TestCase):
    def run_graph(self, text: str, inputs: list[Any], *options: str) -> tuple[Any, Any]:
        graph, given, values = (self.folder / name for name in ("graph.txt", "inputs.pt", "values.pt"))
        graph.write_text(text)
        torch.save(inputs, given)
        command = [str(aotscope.find_program()), "run", str(graph), "--inputs", str(given), "--values", str(values)]
        done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        outputs, gradients = torch.load(Path(values))
        return outputs, gradients

    def compare(self, name: str) -> None:
        graphs = printed(name)
        for kind in ("joint", "forward", "backward"):
            with self.subTest(model=name, graph=kind):
                outputs, _ = self.run_graph(graphs.text[kind], graphs.inputs[kind])
                self.assert_equal(outputs, graphs.outputs[kind])
        with self.subTest(model=name, graph="all three"):
            text = "".join(graphs.text[kind] for kind in ("joint", "forward", "backward"))
            outputs, gradients = self.run_graph(text, graphs.inputs["joint"], "--check")
            self.assert_equal(outputs, graphs.outputs["forward"][: len(outputs)])
            self.assert_equal(gradients, graphs.outputs["backward"])

    def assert_equal(self, ours: Any, python: list[Any]) -> None:
        self.assertEqual(len(ours), len(python))
        for mine, theirs in zip(ours, python, strict=True):
            if theirs is None or mine is None:
                self.assertTrue(theirs is None and mine is None, (mine, theirs))
            else:
                torch.testing.assert_close(mine, theirs)


def add(name: str) -> None:
    setattr(Values, f"test_{name}", lambda self: self.compare(name))


for each in ALL:
    add(each)

if __name__ == "__main__":
    unittest.main()
