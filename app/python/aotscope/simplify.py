"""A joint graph as Inductor leaves it: the rewrites that it makes before it partitions, where they change no values.

Views that lead back to where they began are the value that they began with, other names of the same operation are one,
and so are repeated operations on the same values: what one graph takes for one, another may compute twice, where a
`detach` that is looked through tells the two apart. A value that overwrites itself stays as it is. With `copies`, so is
a copy in another layout: where fake tensors have other strides than kernels, one of two graphs has copies that the
other does not need.
"""

from __future__ import annotations

from ._torch import torch
from .joint_graph import Canonical, JointGraph, Value, overload

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
_OTHER_NAMES = {
    "prims.rev.default": "aten.flip.default",
    # What TorchScript calls for numbers, where Python has the overload for tensors.
    **{f"aten.{op}.Scalar": f"aten.{op}.Tensor" for op in ("add", "div", "mul", "sub")},
}
_RSUB = "aten.rsub.Scalar"
_PERMUTE = "aten.permute.default"
_COPY = "aten.copy.default"
_ELEMENT = "operator.getitem"


def _ref(argument: Canonical) -> int | None:
    found = isinstance(argument, tuple) and len(argument) == 2 and argument[0] == "ref"
    return int(argument[1]) if found else None


def _mapped(arguments: Canonical, indices: list[int]) -> Canonical:
    if not isinstance(arguments, tuple):
        return arguments
    index = _ref(arguments)
    return ("ref", indices[index]) if index is not None else tuple(_mapped(one, indices) for one in arguments)


def _repeats(op: str) -> bool:
    """Whether the operation computes the same whenever it gets the same."""
    found = overload(op)
    if found is None:
        return op == _ELEMENT
    return torch.Tag.nondeterministic_seeded not in found.tags and not found._schema.is_mutable


def _dimensions(argument: Canonical, rank: int) -> list[int]:
    """Of a list of numbers; empty for another argument."""
    numbers = argument[1:] if isinstance(argument, tuple) and argument[0] == "list" else ()
    known = all(isinstance(number, tuple) and number[0] == "number" for number in numbers)
    return [int(number[1]) % rank for number in numbers] if rank and known else []


class _Simplified:
    def __init__(self, graph: JointGraph, copies: bool) -> None:
        self.old, self.new, self.copies = graph, JointGraph(updated=graph.updated), copies
        self.indices: list[int] = []
        self.computed: dict[Canonical, int] = {}  # by operation and arguments

    def same(self, value: Value) -> int | None:
        """The value that this one is a roundabout way to."""
        index = _ref(value.arguments[0]) if value.arguments else None
        if index is None or value.type is None:
            return None
        base = self.new.values[index]
        if value.op == _COPY and _ref(value.arguments[1]) == index:
            return index
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
            if len(inner) == rank and [inner[dimension] for dimension in outer] == list(range(rank)):
                return _ref(base.arguments[0])
        return None

    def subtracted(self, value: Value) -> Value:
        """A number minus a tensor as TorchScript computes it: the negated tensor plus the number."""
        tensor, number, alpha = value.arguments
        index = _ref(tensor)
        if index is None or alpha != ("number", 1.0):
            return value
        negated = Value(f"{value.name}_neg", "aten.neg.default", (tensor,), self.new.values[index].type, None)
        arguments = (("ref", self.once(negated)), number, alpha)
        return Value(value.name, "aten.add.Tensor", arguments, value.type, value.node)

    def once(self, value: Value) -> int:
        """The value, or the same one that is already there."""
        if not _repeats(value.op):
            return self.new.add(value)
        key = (value.op, value.arguments, value.type)
        if key not in self.computed:
            self.computed[key] = self.new.add(value)
        self.new.twins.setdefault(self.computed[key], []).append(value)
        return self.computed[key]

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
        return self.once(self.subtracted(value) if value.op == _RSUB else value)

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
