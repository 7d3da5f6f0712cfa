"""Partitions of real models, made in PyTorch: python3 tests/python/run.py real_models

Every model of architectures.py is partitioned by the program in several ways, and each partition is made in Python by
aot_module and by Inductor. A table says what was saved there, and how far the gradients are from eager's. This takes
minutes, and is not part of ./dev test.

AOTSCOPE_REAL_MODELS=FOLDER adds exported programs (.pt2), AOTSCOPE_REAL_ONLY=bert,resnet picks models by parts of their
names, AOTSCOPE_REAL_INDUCTOR=0 leaves Inductor out. AOTSCOPE_REAL_DEVICE=cuda makes the models of architectures.py, and
all partitions, there.
"""

from __future__ import annotations

import copy
import os
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import aotscope
import torch
from aotscope.forward_calls import is_view
from torch import nn

from architectures import Example, examples
from support import Halves, TestCase

CHOICES: dict[str, dict[str, Any]] = {
    "default": {"partition": "default"},
    "min-cut": {},
    "budget 0.6": {"budget": 0.6},
    "budget 0.3": {"budget": 0.3},
    "peak 0.6": {"peak": "0.6", "plan_seconds": 0},
}
OF_INDUCTOR = ("min-cut", "budget 0.3", "overrides")
OVERRIDES = 5
DEVICE = os.environ.get("AOTSCOPE_REAL_DEVICE", "cpu")
torch.backends.cudnn.allow_tf32 = False  # its errors change signs in front of ReLUs: half of a gradient
TOLERANCE = 1e-4  # of a gradient's largest element
REWRITTEN = "of this graph is not in that of the plan"


Gradients = dict[str, torch.Tensor]  # by the names of the parameters, those of tied ones among them


def differentiate(function: Callable[..., Any], module: nn.Module, example: Example) -> Gradients:
    """Gradients of a loss in which elements count differently, however many there are."""
    torch.manual_seed(3)
    loss = torch.zeros((), device=DEVICE)
    for leaf in torch.utils._pytree.tree_leaves(function(*example.args, **(example.kwargs or {}))):
        if isinstance(leaf, torch.Tensor) and leaf.requires_grad:
            weights = torch.linspace(-1, 1.5, leaf.numel(), dtype=leaf.dtype, device=leaf.device).view(leaf.shape)
            loss = loss + (leaf * weights).sum()
    loss.backward()
    named = module.named_parameters(remove_duplicate=False)
    return {name: torch.zeros_like(p) if p.grad is None else p.grad.clone() for name, p in named}


def moved(example: Example) -> Example:
    """The example on the device of the table."""

    def there(values: Any) -> Any:
        return torch.utils._pytree.tree_map_only(torch.Tensor, lambda tensor: tensor.to(DEVICE), values)

    kwargs = there(example.kwargs) if example.kwargs else None
    return replace(example, module=example.module.to(DEVICE), args=there(example.args), kwargs=kwargs)


def furthest(found: Gradients, expected: Gradients) -> float:
    """The largest difference, of the largest element of its tensor; where that is tiny, of the largest of all."""
    largest = {name: float(gradient.abs().max()) for name, gradient in expected.items() if gradient.numel()}
    least = 1e-3 * max(largest.values(), default=0.0) or 1.0  # where all is zero, the difference itself
    distances = (
        float((gradient - expected[name]).abs().max()) / max(largest[name], least)
        for name, gradient in found.items()
        if gradient.numel()
    )
    return max(distances, default=0.0)


def overrides(default: aotscope.Report, minimal: aotscope.Report) -> dict[str, Any]:
    """Five custom choices: the largest values that only the default partition saves, and the minimum cut's."""

    def largest(report: aotscope.Report) -> list[str]:
        rows = [row for row in report.saved if row["kind"] == "activation" and not is_view(row["op"])]
        return [str(row["name"]) for row in sorted(rows, key=lambda row: -int(row["bytes"]))]

    saved, joint = {row["name"] for row in minimal.saved}, minimal.graph("joint")
    save = [name for name in largest(default) if name not in saved and f"%{name} :" in joint][:2]
    return {"save": save, "recompute": largest(minimal)[: OVERRIDES - len(save)]}


@dataclass
class Row:
    """One partition of one model."""

    model: str
    choice: str
    door: str
    planned: tuple[int, int]  # tensors and bytes
    made: tuple[int, int] = (0, 0)
    error: float = float("nan")
    seconds: float = 0.0

    @property
    def good(self) -> bool:
        return self.planned == self.made and self.error <= TOLERANCE

    def __str__(self) -> str:
        mark = "" if self.good else "  WRONG"
        return (
            f"{self.model:22} {self.choice:11} {self.door:17} {self.planned[0]:4} {self.planned[1]:9,} "
            f"{self.made[0]:4} {self.made[1]:9,}  {self.error:8.1e} {self.seconds:6.1f}{mark}"
        )


HEAD = f"{'model':22} {'choice':11} {'made by':17} {'plan':>4} {'bytes':>9} {'made':>4} {'bytes':>9}  gradients seconds"


def saved_by(function: Any) -> list[torch.Tensor]:
    """The values that the compiled functions of a loss keep at run time."""
    found: dict[int, torch.Tensor] = {}
    waiting, seen = [function], set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if "CompiledFunction" in type(node).__name__:
            found |= {id(tensor): tensor for tensor in node.saved_tensors}
        waiting.extend(parent for parent, _ in node.next_functions)
    return list(found.values())


@dataclass
class Model:
    """A model of the table: its file for the program, the exported program, and the gradients of both in eager."""

    name: str
    example: Example
    file: Path
    exported: nn.Module = field(init=False)
    expected: Gradients = field(init=False)
    expected_of_exported: Gradients = field(init=False)  # it does not tie parameters

    def __post_init__(self) -> None:
        own = copy.deepcopy(self.example.module)
        self.expected = differentiate(own, own, self.example)
        if self.example.file is None:
            torch.manual_seed(0)
            program = torch.export.export(
                self.example.module, self.example.args, self.example.kwargs or {}, strict=False
            )
            torch.export.save(program, self.file)
        self.exported = torch.export.load(self.file).module()
        own = copy.deepcopy(self.exported)
        self.expected_of_exported = differentiate(own, own, self.example)

    def plan(self, options: Mapping[str, Any]) -> aotscope.Report:
        return aotscope.partition(str(self.file), device=DEVICE, **options)


class RealModels(TestCase):
    rows: list[Row]

    @classmethod
    def setUpClass(cls) -> None:
        cls.rows = []
        warnings.filterwarnings("ignore", category=FutureWarning)

    @classmethod
    def tearDownClass(cls) -> None:
        wrong = [row for row in cls.rows if not row.good]
        print(f"\n{HEAD}")
        print(*cls.rows, sep="\n")
        print(f"{len({row.model for row in cls.rows})} models, {len(cls.rows)} partitions, {len(wrong)} wrong")

    def test_partitions(self) -> None:
        for name, make in examples(os.environ.get("AOTSCOPE_REAL_ONLY", "")):
            torch.manual_seed(0)
            try:
                example = moved(make())
            except (ImportError, RuntimeError) as e:  # a library, or one for this torch, is missing
                print(f"{name}: not here, since {e}")
                continue
            with self.subTest(model=name):
                self.check_model(Model(name, example, example.file or self.folder / f"{name}.pt2"))

    def check_model(self, model: Model) -> None:
        reports = {choice: model.plan(options) for choice, options in CHOICES.items()}
        choices = {**CHOICES, "overrides": overrides(reports["default"], reports["min-cut"])}
        for choice, options in choices.items():
            with self.subTest(model=model.name, choice=choice):
                self.by_aot_module(model, choice, reports.get(choice) or model.plan(options))
        if model.example.compiles and os.environ.get("AOTSCOPE_REAL_INDUCTOR") != "0":
            for choice in OF_INDUCTOR:
                with self.subTest(model=model.name, choice=choice, door="Inductor"):
                    self.by_inductor(model, choice, choices[choice])

    def add(self, row: Row) -> None:
        self.rows.append(row)
        print(row, flush=True)
        self.assertEqual(row.made, row.planned)
        self.assertLessEqual(row.error, TOLERANCE)

    def by_aot_module(self, model: Model, choice: str, report: aotscope.Report) -> None:
        from functorch.compile import aot_module

        start, own, halves = time.monotonic(), copy.deepcopy(model.exported), Halves()
        compiled = aot_module(
            own,
            fw_compiler=halves.keep("forward"),
            bw_compiler=halves.keep("backward"),
            partition_fn=aotscope.partitioner(report),
        )
        found = differentiate(compiled, own, model.example)
        row = Row(model.name, choice, "aot_module", (len(report.plan.tensors), report.plan.saved_bytes))
        row.made = len(halves.saved()), halves.saved_bytes()
        row.error, row.seconds = furthest(found, model.expected_of_exported), time.monotonic() - start
        self.add(row)

    def by_inductor(self, model: Model, choice: str, options: Mapping[str, Any]) -> None:
        """With a plan of the model; if Inductor rewrites its graph, with one of Inductor's graph."""
        report, door = None, "Inductor"
        if choice != "overrides":
            report = model.plan({**options, "decompose": "inductor"})
        try:
            made = self.compiled(model, aotscope.partitioner(report)) if report else None
        except Exception as e:
            if REWRITTEN not in str(e):
                raise
            made = None
        if made is None:
            report, door = self.plan_of_inductor_s_graph(model, options), "Inductor's graph"
            made = self.compiled(model, aotscope.partitioner(report))
        assert report is not None
        row = Row(model.name, choice, door, (len(report.plan.tensors), report.plan.saved_bytes), *made)
        self.add(row)

    def plan_of_inductor_s_graph(self, model: Model, options: Mapping[str, Any]) -> aotscope.Report:
        """As in the manual: its text is opened, a partition is chosen."""
        seen, graph = aotscope.partitioner(partition="default"), self.folder / "joint.txt"
        self.compiled(model, seen, only_partition=True)
        graph.write_text(seen.graphs[0], encoding="utf-8")
        if "save" in options:
            reports = [aotscope.partition(graph, partition=kind) for kind in ("default", "min-cut")]
            options = overrides(*reports)
        return aotscope.partition(graph, **{"partition": "min-cut", **options})

    def compiled(
        self, model: Model, chosen: aotscope.Partitioner, only_partition: bool = False
    ) -> tuple[tuple[int, int], float, float]:
        """The saved tensors of a model, the distance of its gradients from eager's, and seconds."""

        class Partitioned(Exception):
            pass

        halves: list[Any] = []

        class Watching(type(chosen)):  # type: ignore[misc]
            def __call__(self, *args: Any, **kwargs: Any) -> Any:
                halves.extend(super().__call__(*args, **kwargs))
                if only_partition:
                    raise Partitioned
                return halves[-2:]

        start, watching, own = time.monotonic(), copy.copy(chosen), copy.deepcopy(model.example.module)
        watching.__class__ = Watching
        torch.compiler.reset()
        patch = torch._inductor.config.patch(
            custom_partitioner_fn=watching, force_disable_caches=True, fallback_random=True
        )
        with patch:
            try:
                found = differentiate(torch.compile(own, fullgraph=True), own, model.example)
            except Exception:
                if only_partition and halves:
                    chosen.graphs = watching.graphs
                    return (0, 0), 0.0, 0.0
                raise
        saved = [n.meta["val"] for n in halves[1].graph.find_nodes(op="placeholder") if "tangents" not in n.name]
        tensors = [value for value in saved if isinstance(value, torch.Tensor)]
        size = sum(value.numel() * value.element_size() for value in tensors)
        return (len(tensors), size), furthest(found, model.expected), time.monotonic() - start
