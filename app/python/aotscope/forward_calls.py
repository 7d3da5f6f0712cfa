"""The operations that eager runs in a forward, and which of them a plan saves."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from .errors import Error
from .graph_text import Reference, TextGraph, TextNode, read_graph
from .joint_graph import Canonical, JointGraph, overload, references
from .joint_of_text import joint_of_text
from .matching import values_computed
from .plan import Plan

_OTHER_VIEWS = ("detach", "_unsafe_view", "_reshape_alias", "lift_fresh")


@dataclass
class Call:
    """One operation of eager's forward."""

    name: str
    op: str  # as eager calls it
    saved: bool = False
    writes_input: bool = False  # a parameter, buffer or input
    writers: list[Call] = field(default_factory=list)  # that write into its result later on
    read_before: bool = False  # whether others read its result before it is written into

    def text(self) -> str:
        return f"%{self.name} ({self.op})"


def stem(op: str) -> str:
    """The same for aten.add_.Tensor and aten.add.Tensor, and for the variants of batch norm."""
    namespace, name, *overloads = op.split(".")
    name = name.rstrip("_")
    if "batch_norm" in name:
        name, overloads = name.strip("_").removesuffix("_functional").removesuffix("_legit"), []
    return ".".join([namespace, name, *overloads])


def is_view(op: str) -> bool:
    """Whether an operation only looks at its argument in another way. Views take no memory, and are never saved."""
    if op == "operator.getitem" or "".join(op.split(".")[1:2]) in _OTHER_VIEWS:
        return True
    found = overload(op)
    aliases = [argument.alias_info for argument in found._schema.arguments if argument.alias_info] if found else []
    return bool(aliases) and not any(alias.is_write for alias in aliases)


def _written_and_viewed(node: TextNode) -> tuple[list[str], list[str]]:
    """The arguments that an operation writes into, and those that its result is a view of."""
    found = overload(node.op)
    written: list[str] = []
    viewed: list[str] = []
    for index, argument in enumerate(found._schema.arguments if found else ()):
        value = node.args[index] if index < len(node.args) else node.kwargs.get(argument.name)
        if argument.alias_info is None or not isinstance(value, Reference):
            continue
        (written if argument.alias_info.is_write else viewed).append(value.name)
    if not viewed and not written and is_view(node.op):
        viewed.append(node.args[0].name)
    return written, viewed


def _returns_argument(op: str) -> bool:
    found = overload(op)
    return bool(found) and any(result.alias_info for result in found._schema.returns)


def _used(value: Any) -> list[str]:
    if isinstance(value, list):
        return [name for element in value for name in _used(element)]
    return [value.name] if isinstance(value, Reference) else []


def _calls(forward: TextGraph) -> list[Call]:
    """In order, without elements of tuples."""
    base: dict[str, str] = {}  # what a view, an element or the result of a mutation belongs to
    calls: dict[str, Call] = {}
    readers: dict[str, set[str]] = {}
    for node in forward.nodes:
        written, viewed = _written_and_viewed(node)
        for name in (*(written if _returns_argument(node.op) else ()), *viewed):
            base[node.name] = base.get(name, name)
        if node.op in ("placeholder", "constant") or is_view(node.op):
            continue
        call = calls[node.name] = Call(node.name, node.op)
        call.writes_input = "batch_norm" in node.op and _trains(node)
        for target in {base.get(name, name) for name in written}:
            if target not in calls:
                call.writes_input = True
                continue
            of = calls[target]
            of.read_before |= bool(readers.get(target, set()) - {writer.name for writer in of.writers})
            of.writers.append(call)
        for name in _used([*node.args, *node.kwargs.values()]):
            readers.setdefault(base.get(name, name), set()).add(node.name)
    return list(calls.values())


def _trains(node: TextNode) -> bool:
    """Whether a batch norm updates its statistics."""
    has_statistics = any(isinstance(value, Reference) for value in node.args[3:5])
    return has_statistics and any(value is True for value in node.args[5:6])


def _maker(graph: JointGraph, index: int) -> int:
    """The operation that computes a value of which this one is a view or an element."""
    value = graph.values[index]
    while "." in value.op and is_view(value.op):
        index = references(value.arguments)[0]
        value = graph.values[index]
    return index


def _saved_in(plan: Plan, joint: JointGraph, colors: list[Canonical]) -> tuple[Counter[Canonical], list[str]]:
    """The colors of saved operations, and what is saved that no operation of the forward computes."""
    saved, others = Counter[Canonical](), []
    makers: set[int] = set()
    for tensor in plan.saved:
        if tensor.kind == "input":
            continue
        index = joint.by_name.get(tensor.name)
        if tensor.kind == "symint" or index is None:
            others.append(f"{tensor.name}, a number")
            continue
        makers.add(_maker(joint, index))
    for index in makers:
        if "." in joint.values[index].op:
            saved[colors[index]] += 1
    return saved, others


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
    calls = _calls(read_graph(plan.forward))
    joint, functional = joint_of_text(plan.joint), joint_of_text(plan.functional)
    (joint_colors, colors) = values_computed(joint, functional)
    saved, others = _saved_in(plan, joint, joint_colors)
    of_stem: dict[str, list[Call]] = {}
    for call in calls:
        of_stem.setdefault(stem(call.op), []).append(call)
    limits = [f"{other}, is saved for the backward; eager computes it again" for other in others]
    ranks: Counter[str] = Counter()
    for index, value in enumerate(functional.values):
        if "." not in value.op or is_view(value.op):
            continue
        key = stem(value.op)
        rank = ranks[key]
        ranks[key] += 1
        if saved[colors[index]] == 0 or rank >= len(of_stem.get(key, ())):
            continue
        saved[colors[index]] -= 1
        of_stem[key][rank].saved = True
    missing = [joint.values[i].text() for i, color in enumerate(joint_colors) if saved[color] > 0]
    limits += [f"{text} is saved, and is not among the operations of eager's forward" for text in missing]
    return calls, limits
