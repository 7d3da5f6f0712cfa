"""Partitions joint graphs of Python's, as text that the program reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from torch.fx import GraphModule

from ._torch import torch
from .errors import Error
from .options import arguments
from .plan import Plan
from .program import call, temporary_folder

if TYPE_CHECKING:
    from .options import Value


def _symbols(module: GraphModule) -> dict[str, int | None]:
    """The symbols of its sizes, at the example inputs; None: the size follows from data."""
    found: dict[str, int | None] = {}
    for node in module.graph.nodes:
        value = node.meta.get("val")
        sizes = (*value.shape, *value.stride()) if isinstance(value, torch.Tensor) else (value,)
        for size in sizes:
            if isinstance(size, torch.SymInt) and hasattr(size.node, "expr"):
                known = size.node.shape_env.backed_var_to_val
                found |= {str(s): int(known[s]) if s in known else None for s in size.node.expr.free_symbols}
    return dict(sorted(found.items()))


def text_of(module: GraphModule) -> str:
    """A joint graph as the program reads it, with strides, devices and the values of symbols."""
    text: str = module.print_readable(print_output=False, include_stride=True, include_device=True)
    values = "".join(f"{name} = {value}\n" for name, value in _symbols(module).items() if value is not None)
    return f"{values}===== Joint graph 0 =====\n{text}\n"


def _is_none(value: object) -> bool:
    return value is None


def plan_of_module(module: GraphModule, forward_outputs: int, options: Mapping[str, Value]) -> Plan:
    """The program's partition of a joint graph, with options of `aotscope partition`."""
    unknown = [name for name, value in _symbols(module).items() if value is None]
    if unknown:
        raise Error(
            f"sizes of the joint graph follow from data ({', '.join(unknown)}), and nothing here says how large they "
            "are; partition with a plan of the exported model instead"
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
