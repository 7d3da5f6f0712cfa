"""The operations that eager runs in a forward, and which of them a plan saves."""

from __future__ import annotations

import functools
import math
from collections import Counter
from dataclasses import dataclass, field

from ._torch import torch
from .errors import Error
from .graph_text import Reference, TextGraph, TextNode, names_in, read_graph
from .joint_graph import Canonical, JointGraph, overload, references
from .joint_of_text import joint_of_text, type_of_text
from .matching import values_computed
from .plan import Plan

_PRODUCTS = ("aten.mm", "aten.bmm", "aten.addmm", "aten.baddbmm")
_OTHER_VIEWS = (  # whose schemas do not say so
    "detach",
    "_unsafe_view",
    "_reshape_alias",
    "lift_fresh",
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
)

Key = tuple[str, int]  # the family of an operation, and how many elements its first result has


@dataclass
class Call:
    """One operation of eager's forward."""

    name: str
    op: str
    elements: int  # of its first result
    saved: bool = False
    writes_input: bool = False  # a parameter, buffer or input
    writers: list[Call] = field(default_factory=list)  # that write into its result later on
    read_before: bool = False  # whether others read its result before the last of them

    @property
    def key(self) -> Key:
        return family(self.op), self.elements

    def text(self) -> str:
        return f"%{self.name} ({self.op})"


@functools.cache
def family(op: str) -> str:
    """The same for operations that eager may run instead of one another: aten.add_.Tensor and aten.add.Scalar."""
    namespace, name = op.split(".")[:2]
    name = name.rstrip("_")
    if "batch_norm" in name:
        name = name.strip("_").removesuffix("_functional").removesuffix("_legit")
    return "a matrix product" if f"{namespace}.{name}" in _PRODUCTS else f"{namespace}.{name}"


@functools.cache
def is_view(op: str) -> bool:
    """Whether an operation only looks at its argument in another way. Views take no memory, and are never saved."""
    if op == "operator.getitem" or "".join(op.split(".")[1:2]) in _OTHER_VIEWS:
        return True
    found = overload(op)
    if found and torch.Tag.inplace_view in found.tags:  # transpose_
        return True
    aliases = [argument.alias_info for argument in found._schema.arguments if argument.alias_info] if found else []
    return bool(aliases) and not any(alias.is_write for alias in aliases)


def _is_in_place(op: str) -> bool:
    """Whether it writes into an argument, and returns that."""
    found = overload(op)
    return bool(found) and any(r.alias_info and r.alias_info.is_write for r in found._schema.returns)


def _operations(graph: TextGraph) -> list[tuple[TextNode, Call]]:
    """In order, without views and elements of tuples."""
    found = []
    for node in graph.nodes:
        if node.op not in ("placeholder", "constant") and not is_view(node.op):
            first = type_of_text(node.type.lstrip("("), graph.symbols)
            elements = math.prod(size or 0 for size in first[1]) if first else 1
            found.append((node, Call(node.name, node.op, elements)))
    return found


def _in_place(traced: TextGraph, operations: list[tuple[TextNode, Call]]) -> set[str]:
    """The operations that eager runs in place, by the order in which the program calls them."""
    flags: dict[Key, list[bool]] = {}
    for node, call in _operations(traced):
        flags.setdefault(call.key, []).append(_is_in_place(node.op))
    names: dict[Key, list[str]] = {}
    for _, call in operations:
        names.setdefault(call.key, []).append(call.name)
    found: set[str] = set()
    for key, own in flags.items():
        if not any(own):
            continue
        if len(own) != len(names.get(key, ())):
            raise Error(f"the plan does not tell which calls of {key[0]} eager runs in place, so it cannot be a policy")
        found |= {name for name, flag in zip(names[key], own) if flag}
    return found


def _trains(node: TextNode) -> bool:
    """Whether it is a batch norm that updates its statistics."""
    has_statistics = any(isinstance(value, Reference) for value in node.args[3:5])
    return "batch_norm" in node.op and has_statistics and any(value is True for value in node.args[5:6])


def _calls(traced: TextGraph, functional: TextGraph) -> list[Call]:
    """Eager's operations in order, and what they write into."""
    operations = _operations(functional)
    in_place, calls = _in_place(traced, operations), {call.name: call for _, call in operations}
    base: dict[str, str] = {}  # what a view, an element or the result of a mutation belongs to
    readers: dict[str, list[int]] = {}
    last_write: dict[str, int] = {}
    for position, node in enumerate(functional.nodes):
        used = [base.get(name, name) for name in names_in([*node.args, *node.kwargs.values()])]
        if used and (is_view(node.op) or node.name in in_place):
            base[node.name] = used[0]
        if node.name in in_place:
            calls[node.name].writes_input = used[0] not in calls
            if used[0] in calls:
                calls[used[0]].writers.append(calls[node.name])
                last_write[used[0]] = position
            used = used[1:]
        if node.name in calls:
            calls[node.name].writes_input |= _trains(node)
            for name in used:
                readers.setdefault(name, []).append(position)
    for name, position in last_write.items():
        calls[name].read_before = any(reader < position for reader in readers.get(name, ()))
    return list(calls.values())


def _maker(graph: JointGraph, index: int) -> int:
    """The operation that computes a value of which this one is a view or an element."""
    value = graph.values[index]
    while "." in value.op and is_view(value.op):
        index = references(value.arguments)[0]
        value = graph.values[index]
    return index


def _saved_in(plan: Plan, joint: JointGraph) -> tuple[set[int], list[str]]:
    """The operations whose results are saved, and what else is saved."""
    makers: set[int] = set()
    others = []
    for value in plan.saved:
        if value.draws:  # a checkpoint keeps the RNG state itself
            continue
        index = joint.by_name.get(value.name)
        if value.kind == "symint" or index is None:
            others.append(f"%{value.name}, a number, is saved; eager computes it again")
        elif value.kind != "input" and "." in joint.values[_maker(joint, index)].op:
            makers.add(_maker(joint, index))
    return makers, others


def forward_calls(plan: Plan) -> tuple[list[Call], list[str]]:
    """Eager's operations with what the plan says of each, and what cannot be said so."""
    if not plan.forward or not plan.functional:
        raise Error(
            "the plan has no forward as eager runs it, only the graphs that Python printed; make it from the model, as "
            "in aotscope.run(model, inputs)"
        )
    if plan.report.get("options", {}).get("decompose", "none") != "none":
        raise Error(
            "the plan is of decomposed operations, which eager does not run; make it with decompose='none' for a "
            "policy of activation checkpointing"
        )
    calls = _calls(read_graph(plan.forward), read_graph(plan.functional))
    joint, functional = joint_of_text(plan.joint), joint_of_text(plan.functional)
    joint_colors, colors = values_computed(joint, functional)
    makers, limits = _saved_in(plan, joint)
    left: Counter[Canonical] = Counter(joint_colors[index] for index in makers)
    for call in calls:
        color = colors[functional.by_name[call.name]]
        call.saved = left[color] > 0
        left[color] -= 1
    missing = [joint.values[index] for index in sorted(makers) if left[joint_colors[index]] > 0]
    limits += [f"{value.text()} is saved, and is not among the operations of eager's forward" for value in missing]
    return calls, limits
