"""The joint graph of Python's AOTAutograd, in the form of joint_graph."""

from __future__ import annotations

import operator
from typing import Any

from torch.fx import GraphModule, Node
from torch.utils._dtype_abbrs import dtype_abbrs

from ._torch import torch
from .joint_graph import (
    BATCH_NORM_BACKWARD,
    LOOKED_THROUGH,
    RUNNING_STATISTICS,
    TRAINING,
    WRITTEN_BACK,
    Canonical,
    JointGraph,
    Value,
    bound,
    constant,
    subgraph,
)


def _hint(value: Any) -> Canonical:
    """A symbolic number at the example inputs."""
    node = getattr(value, "node", None)
    if node is not None:
        value = node.hint if getattr(node, "hint", None) is not None else float("nan")
    return constant(value)


def _type_of_value(value: Any) -> Canonical:
    if not isinstance(value, torch.Tensor):
        return None
    hints = [_hint(size) for size in value.shape]
    return dtype_abbrs.get(value.dtype, str(value.dtype)), tuple(None if h == "nan" else int(h[1]) for h in hints)


def drop_unread(module: GraphModule) -> None:
    """Takes arguments away that batch norm's backward does not read while training: they would have to be saved."""
    for node in module.graph.nodes:
        if str(node.target) == BATCH_NORM_BACKWARD and node.args[TRAINING] is True:
            for index in RUNNING_STATISTICS:
                node.update_arg(index, None)


def _name(target: object) -> str:
    """An operator as the program calls it."""
    if target is operator.getitem:
        return "operator.getitem"
    prefix = "higher_order." if isinstance(target, torch._ops.HigherOrderOperator) else ""
    return f"{prefix}{target}"


def _live_operators(body: GraphModule) -> list[str]:
    live: set[Node] = set()
    for node in reversed(body.graph.nodes):
        if node.op == "output" or node in live:
            live |= {node, *node.all_input_nodes}
    return [_name(node.target) for node in live if node.op == "call_function"]


def is_number(node: Node) -> bool:
    return isinstance(node.meta.get("val"), (torch.SymInt, torch.SymFloat, torch.SymBool, int, float, bool))


class _FromModule:
    def __init__(self, module: GraphModule, forward_outputs: int) -> None:
        self.module, self.forward_outputs = module, forward_outputs
        self.graph = JointGraph()
        self.numbers: dict[Node, Canonical] = {}
        self.counts = {"primal": 0, "tangent": 0}
        self.written: list[int] = []

    def argument(self, value: Any) -> Canonical:
        if isinstance(value, Node):
            return self.numbers[value] if value in self.numbers else ("ref", self.graph.by_name[value.name])
        if isinstance(value, (list, tuple)):
            return ("list", *[self.argument(element) for element in value])
        return constant(value)

    def add(self, node: Node) -> None:
        value = node.meta.get("val")
        if node.op == "placeholder":
            kind = "tangent" if "tangents" in str(node.target) else "primal"
            self.counts[kind] += 1
            if is_number(node):
                self.numbers[node] = _hint(value)
            else:
                self.graph.add(Value(node.name, kind, (self.counts[kind],), _type_of_value(value), node))
            return
        body = getattr(self.module, str(node.target), None) if node.op == "get_attr" else None
        if isinstance(body, GraphModule):
            self.numbers[node] = subgraph(_live_operators(body))
            return
        if node.op == "get_attr":
            self.graph.add(Value(node.name, "constant", (), _type_of_value(value), node))
            return
        op = _name(node.target)
        if is_number(node):
            self.numbers[node] = _hint(value)
        elif op in LOOKED_THROUGH and isinstance(node.args[0], Node):
            self.graph.by_name[node.name] = self.graph.by_name[node.args[0].name]
        elif op == WRITTEN_BACK:
            self.written += [i for i in map(self.index, node.args[:2]) if i is not None]
            self.graph.by_name[node.name] = self.written[-2]
        else:
            args = [self.argument(argument) for argument in node.args]
            kwargs = {key: self.argument(argument) for key, argument in node.kwargs.items()}
            self.graph.add(Value(node.name, op, bound(op, args, kwargs), _type_of_value(value), node))

    def index(self, value: Any) -> int | None:
        return self.graph.by_name.get(value.name) if isinstance(value, Node) else None

    def build(self) -> JointGraph:
        returned: list[Any] = []
        for node in self.module.graph.nodes:
            if node.op == "output":
                returned = torch.utils._pytree.tree_leaves(node.args[0], is_leaf=lambda leaf: leaf is None)
            else:
                self.add(node)
        indices = [self.index(value) for value in returned]
        forward, gradients = indices[: self.forward_outputs], indices[self.forward_outputs :]
        self.graph.outputs = forward
        self.graph.gradients = gradients if len(gradients) == self.counts["primal"] else []
        self.graph.mark_live([i for i in (*indices, *self.written) if i is not None])
        return self.graph


def joint_of_module(module: GraphModule, forward_outputs: int) -> JointGraph:
    """Of Python's joint graph."""
    return _FromModule(module, forward_outputs).build()
