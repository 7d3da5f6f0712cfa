"""Compiles small models in many ways, and writes PyTorch's facts about each: trace_cases.py OUT BACKEND MODELS WAYS

Runs in a process of its own, in which TORCH_TRACE is set. OUT gets {case: {"compilations": ..., "graphs": [...]}}, with
every graph that is logged: its kind, and the names of its nodes as the graph itself has them.
"""

from __future__ import annotations

import collections
import importlib.util
import json
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn

WAYS = ("static", "dynamic", "breaks", "recompiles", "checkpoint", "again", "bypass", "inference", "ranks")
KINDS = {
    "aot_joint_graph": "joint",
    "aot_forward_graph": "forward",
    "aot_backward_graph": "backward",
    "aot_inference_graph": "inference",
}
BODIES = {
    "breaks": "y = model(x); torch._dynamo.graph_break(); return y * 2",
    "checkpoint": "return checkpoint(model, x, use_reentrant=False)",
    "bypass": "return Bypass.apply(model(x))",
    "ranks": "return all_reduce(model(x), 'sum', world) * 2",
}


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(16, 48), nn.Linear(16, 16)

    def forward(self, x: torch.Tensor) -> Any:
        q, k, v = self.qkv(x).chunk(3, -1)
        return self.out(nn.functional.scaled_dot_product_attention(q, k, v))


class Residual(nn.Module):
    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor) -> Any:
        return x + self.inner(x)


class Rms(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(16))

    def forward(self, x: torch.Tensor) -> Any:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class Gated(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b, self.c = nn.Linear(16, 32), nn.Linear(16, 32), nn.Linear(32, 16)

    def forward(self, x: torch.Tensor) -> Any:
        return self.c(nn.functional.silu(self.a(x)) * self.b(x))


class Tokens(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table, self.head = nn.Embedding(10, 16), nn.Linear(16, 10)

    def forward(self, x: torch.Tensor) -> Any:
        return self.head(self.table(x.abs().long() % 10).sum(-2))


class Bypass(torch.autograd.Function):
    """A graph that AOTAutograd does not cache."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        return g * 1


def rows(count: int) -> torch.Tensor:
    return torch.randn(count, 6, 16)


def images(count: int) -> torch.Tensor:
    return torch.randn(count, 3, 8, 8)


def models() -> dict[str, tuple[nn.Module, Callable[[int], torch.Tensor]]]:
    conv = nn.Sequential(nn.Conv2d(3, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU())
    return {
        "mlp": (nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)), rows),
        "deep": (nn.Sequential(*[nn.Sequential(nn.Linear(16, 16), nn.Tanh()) for _ in range(6)]), rows),
        "gelu": (nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16)), rows),
        "norm": (nn.Sequential(nn.LayerNorm(16), nn.Linear(16, 16)), rows),
        "rms": (Rms(), rows),
        "gated": (Gated(), rows),
        "attention": (Attention(), rows),
        "block": (nn.Sequential(Residual(Attention()), nn.LayerNorm(16), Residual(Gated())), rows),
        "tokens": (Tokens(), rows),
        "softmax": (nn.Sequential(nn.Linear(16, 16), nn.Softmax(-1), nn.Linear(16, 2)), rows),
        "conv": (nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 2)), images),
        "batch_norm": (nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU()), images),
        "residual": (Residual(conv), images),
        "pool": (nn.Sequential(nn.Conv2d(3, 4, 3), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 3)), images),
        "dropout": (nn.Sequential(nn.Linear(16, 16), nn.Dropout(0.1), nn.Linear(16, 16)), rows),
    }


def replaces(later: list[Any], earlier: list[Any]) -> bool:
    return bool(later[:2] == earlier[:2] and later[2] > earlier[2])


class Printed(logging.Handler):
    """The graphs that are logged, as they are in memory: a graph is found by the text that it was printed as."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.known: dict[str, dict[str, Any]] = {}
        self.graphs: list[dict[str, Any]] = []
        original = torch.fx.GraphModule.print_readable

        def print_readable(module: torch.fx.GraphModule, *args: Any, **kwargs: Any) -> str:
            text = original(module, *args, **kwargs)
            self.known[text] = self._describe(module.graph)
            return text

        torch.fx.GraphModule.print_readable = print_readable  # type: ignore[method-assign,assignment]
        logging.getLogger("torch.__trace").addHandler(self)

    @staticmethod
    def _describe(graph: torch.fx.Graph) -> dict[str, Any]:
        (output,) = graph.find_nodes(op="output")
        leaves = torch.utils._pytree.tree_leaves(output.args[0], is_leaf=lambda leaf: leaf is None)
        return {
            "operations": [node.name for node in graph.nodes if node.op.startswith("call_")],
            "placeholders": [node.name for node in graph.nodes if node.op == "placeholder"],
            "outputs": [leaf.name if isinstance(leaf, torch.fx.Node) else str(leaf) for leaf in leaves],
        }

    def emit(self, record: logging.LogRecord) -> None:
        metadata, payload = getattr(record, "metadata", {}), getattr(record, "payload", None)
        compilation = [metadata.get(key) for key in ("frame_id", "frame_compile_id", "attempt")]
        for name, kind in KINDS.items():
            if name not in metadata or not payload:
                continue
            # Dynamo starts again: earlier results are not reused.
            self.graphs = [each for each in self.graphs if not replaces(compilation, each["compilation"])]
            self.graphs.append({"kind": kind, "compilation": compilation, **self.known[payload]})


def case_function(name: str, way: str, model: nn.Module, folder: Path) -> Callable[..., Any]:
    """In a file of its own: Dynamo treats code without one as its own."""
    case = f"case_{name}_{way}"
    path = folder / f"{case}.py"
    path.write_text(f"def {case}(x):\n    {BODIES.get(way, 'return model(x)')}\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location(case, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    from torch.utils.checkpoint import checkpoint

    vars(module).update(torch=torch, model=model, checkpoint=checkpoint, Bypass=Bypass)
    if way == "ranks":
        import torch.distributed as dist
        from torch.distributed._functional_collectives import all_reduce

        vars(module).update(all_reduce=all_reduce, world=dist.group.WORLD)
    spec.loader.exec_module(module)
    function: Callable[..., Any] = getattr(module, case)
    return function


def compile_case(function: Callable[..., Any], way: str, model: nn.Module, backend: str, inputs: Any) -> None:
    compiled: Callable[..., Any] | None = None
    for size in {"recompiles": (3, 4, 5), "again": (3, 3)}.get(way, (3,)):
        if compiled is None or way == "again":
            torch._dynamo.reset()
            compiled = torch.compile(
                function, backend=backend, dynamic={"dynamic": True, "again": False, "ranks": False}.get(way)
            )
        model.zero_grad()
        with torch.set_grad_enabled(way != "inference"):
            loss = compiled(inputs(size)).float().sum()
        if way != "inference":
            loss.backward()


def cases(chosen: list[str], ways: list[str]) -> Iterator[tuple[str, str]]:
    for name in models():
        for way in WAYS:
            if (not chosen or name in chosen) and way in ways:
                yield name, way


def compile_all(out: Path, backend: str, chosen: list[str], ways: list[str]) -> None:
    import torch._inductor.config
    from torch._dynamo.utils import clear_compilation_metrics, counters, get_compilation_metrics

    torch.manual_seed(0)
    # Kernels of PyTorch in place of C++ that takes seconds to compile: only graphs are compared.
    torch._inductor.config.fallback_by_default = True
    if "ranks" in ways:
        import torch.distributed as dist
        from torch.testing._internal.distributed.fake_pg import FakeStore

        dist.init_process_group("fake", rank=int(os.environ["RANK"]), world_size=2, store=FakeStore())
    printed, all_models = Printed(), models()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, way in cases(chosen, ways):
            counters.clear()
            clear_compilation_metrics()
            printed.graphs = []
            model, inputs = all_models[name]
            compile_case(case_function(name, way, model, Path(folder)), way, model, backend, inputs)
            metrics = [each for each in get_compilation_metrics() if each.co_name is not None]
            caches = counters.get("aot_autograd", collections.Counter())
            found[f"{name}_{way}"] = {
                "compilations": len(metrics),
                "recompilations": sum(int(str(each.compile_id).split("/")[-1]) > 0 for each in metrics),
                "breaks": sum(counters["graph_break"].values()),
                "guards": sum(each.guard_count or 0 for each in metrics),
                "dynamo": sum(each.graph_op_count or 0 for each in metrics),
                "hits": caches["autograd_cache_hit"],
                "misses": caches["autograd_cache_miss"],
                "bypasses": caches["autograd_cache_bypass"],
                "graphs": printed.graphs,
            }
    out.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    out, used, of_models, of_ways = sys.argv[1:5]
    compile_all(Path(out), used, [name for name in of_models.split(",") if name], of_ways.split(","))
