"""Partitions joint graphs of Python's, as text that the program reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from torch.fx import GraphModule

from ._torch import torch
from .errors import Error
from .options import arguments
from .plan import Plan
from .program import call, temporary_folder

if TYPE_CHECKING:
    from .options import Value


def text_of(module: GraphModule) -> str:
    """A joint graph as the program reads it, with strides and devices."""
    text: str = module.print_readable(print_output=False, include_stride=True, include_device=True)
    return f"===== Joint graph 0 =====\n{text}\n"


def _has_symbols(module: GraphModule) -> bool:
    placeholders = module.graph.find_nodes(op="placeholder")
    tensors = [node.meta.get("val") for node in placeholders]
    sizes: list[Any] = [size for t in tensors if isinstance(t, torch.Tensor) for size in t.shape]
    return any(isinstance(value, torch.SymInt) for value in (*tensors, *sizes))


def _is_none(value: object) -> bool:
    return value is None


def plan_of_module(module: GraphModule, forward_outputs: int, options: Mapping[str, Value]) -> Plan:
    """The program's partition of a joint graph, with options of `aotscope partition`."""
    if _has_symbols(module):
        raise Error(
            "the joint graph has dynamic shapes, whose sizes are not in its text; partition with a plan of the "
            "exported model instead, or compile with dynamic=False"
        )
    inputs = [n for n in module.graph.find_nodes(op="placeholder") if "tangents" not in str(n.target)]
    returned = torch.utils._pytree.tree_leaves(next(iter(module.graph.find_nodes(op="output"))).args[0], _is_none)
    if len(returned) - len(inputs) != forward_outputs:
        raise Error(
            f"the joint graph returns {len(returned)} values for {len(inputs)} inputs, of which {forward_outputs} are "
            "outputs; expected one gradient for each input; partition with a plan of the exported model instead"
        )
    wanted = {"partition": "min-cut", **options}
    with temporary_folder() as folder:
        graph = folder / "joint.txt"
        graph.write_text(text_of(module), encoding="utf-8")
        report = folder / "report.json"
        call(["partition", str(graph), *arguments("partition", wanted), f"--report={report}"], folder=folder)
        return Plan.load(report)
