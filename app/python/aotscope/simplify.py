"""A joint graph as Inductor leaves it: the rewrites that it makes before it partitions, where they change no values.

Views that lead back to where they began are the value that they began with, other names of the same operation are one.
With `copies`, so is a copy in another layout: where fake tensors have other strides than kernels, one of two graphs has
copies that the other does not need.
"""

from __future__ import annotations

from .joint_graph import Canonical, JointGraph, Value

_VIEW = "aten.view.default"
_RESHAPES = {  # the same elements in the same order
    "aten.view.default",
    "aten.reshape.default",
    "aten._unsafe_view.default",
    "aten.unsqueeze.default",
    "aten.squeeze.default",
    "aten.squeeze.dim",
    "aten.squeeze.dims",
}
_EXPAND = "aten.expand.default"
_CLONE = "aten.clone.default"
_OTHER_NAMES = {"prims.rev.default": "aten.flip.default"}
_PERMUTE = "aten.permute.default"


def _ref(argument: Canonical) -> int | None:
    found = isinstance(argument, tuple) and len(argument) == 2 and argument[0] == "ref"
    return int(argument[1]) if found else None


def _mapped(arguments: Canonical, indices: list[int]) -> Canonical:
    if not isinstance(arguments, tuple):
        return arguments
    index = _ref(arguments)
    return ("ref", indices[index]) if index is not None else tuple(_mapped(one, indices) for one in arguments)


def _dimensions(argument: Canonical, rank: int) -> list[int]:
    return [int(number[1]) % rank for number in argument[1:]] if rank else []


class _Simplified:
    def __init__(self, graph: JointGraph, copies: bool) -> None:
        self.old, self.new, self.copies = graph, JointGraph(updated=graph.updated), copies
        self.indices: list[int] = []

    def same(self, value: Value) -> int | None:
        """The value that this one is a roundabout way to."""
        index = _ref(value.arguments[0]) if value.arguments else None
        if index is None or value.type is None:
            return None
        base = self.new.values[index]
        if value.op == _CLONE and (self.copies or value.arguments[1] == "None"):
            self.new.copies.setdefault(index, []).append(value)
            return index
        if value.op in _RESHAPES or value.op == _EXPAND:
            if base.op == _VIEW:
                first = _ref(base.arguments[0])
                if first is not None and self.new.values[first].type == value.type:
                    return first
            return index if base.type == value.type and None not in value.type[1] else None
        if value.op == _PERMUTE and base.op == _PERMUTE:
            rank = len(value.type[1])
            inner, outer = _dimensions(base.arguments[1], rank), _dimensions(value.arguments[1], rank)
            if [inner[dimension] for dimension in outer] == list(range(rank)):
                return _ref(base.arguments[0])
        return None

    def add(self, value: Value) -> int:
        value = Value(value.name, value.op, _mapped(value.arguments, self.indices), value.type, value.node)
        same = self.same(value)
        if same is not None:
            return same
        value.op = _OTHER_NAMES.get(value.op, value.op)
        if value.op in _RESHAPES:
            value.op, value.arguments = _VIEW, (value.arguments[0], value.type)
        if value.op in ("aten.scalar_tensor.default", "aten.full.default"):
            number = value.arguments[0 if value.op == "aten.scalar_tensor.default" else 1]
            value.op, value.arguments = "aten.full.default", (number, value.type)
        return self.new.add(value)

    def build(self) -> JointGraph:
        for value in self.old.values:
            self.indices.append(self.add(value))
        self.new.by_name = {name: self.indices[index] for name, index in self.old.by_name.items()}
        self.new.outputs = [None if i is None else self.indices[i] for i in self.old.outputs]
        self.new.gradients = [None if i is None else self.indices[i] for i in self.old.gradients]
        roots = [self.indices[i] for i in self.old.roots]
        self.new.mark_live(roots)
        return self.new


def simplified(graph: JointGraph, copies: bool = False) -> JointGraph:
    """A graph without the nodes that Inductor's rewrites take away; `copies`: and without copies in other layouts."""
    return _Simplified(graph, copies).build()
