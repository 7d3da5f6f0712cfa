"""A joint graph in a form in which that of the program and that of Python can be compared.

Values are numbered in topological order. Arguments are in the order of the operator's schema, with its defaults, and
numbers are compared as numbers. `detach` and `alias` compute nothing and are looked through. Integers computed from
sizes stand for their values at the example inputs.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ._torch import torch
from .graph_text import Word

BATCH_NORM_BACKWARD = "aten.native_batch_norm_backward.default"
RUNNING_STATISTICS = (3, 4)  # its arguments, which it does not read while training
TRAINING = 7
LOOKED_THROUGH = {"aten.detach.default", "aten.alias.default", "aten.lift_fresh_copy.default"}
WRITTEN_BACK = "aten.copy_.default"

Canonical = Any  # nested tuples of strings and numbers; ("ref", N) is a value of the graph


@dataclass
class Value:
    name: str
    op: str
    arguments: Canonical
    type: Canonical  # (dtype, sizes) of a tensor; None: another value, or unknown
    node: Any  # of Python's graph: torch.fx.Node
    live: bool = False  # whether an output depends on it

    def text(self) -> str:
        """As an error names it."""
        kind, sizes = self.type if self.type else ("", ())
        shape = f"{kind}{list(sizes)}" if kind else ""
        return f"%{self.name} ({self.op}{', ' + shape if shape else ''})"


@dataclass
class JointGraph:
    values: list[Value] = field(default_factory=list)
    by_name: dict[str, int] = field(default_factory=dict)  # also of nodes that are looked through
    outputs: list[int | None] = field(default_factory=list)  # of the forward: updated inputs, then the others
    updated: int = 0  # how many updated inputs are known to be among them
    roots: list[int] = field(default_factory=list)  # all that is returned or written back
    gradients: list[int | None] = field(default_factory=list)  # one for each input, or empty: unknown
    copies: dict[int, list[Value]] = field(default_factory=dict)  # that simplified() has taken for the value copied
    twins: dict[int, list[Value]] = field(default_factory=dict)  # computed several times, which it has taken for one

    def add(self, value: Value) -> int:
        self.by_name[value.name] = len(self.values)
        self.values.append(value)
        return len(self.values) - 1

    def mark_live(self, roots: list[int]) -> None:
        self.roots = roots
        waiting = list(roots)
        while waiting:
            value = self.values[waiting.pop()]
            if not value.live:
                value.live = True
                waiting.extend(references(value.arguments))


def references(arguments: Canonical) -> list[int]:
    """The values that arguments use, in order."""
    if not isinstance(arguments, tuple):
        return []
    if len(arguments) == 2 and arguments[0] == "ref":
        return [arguments[1]]
    return [index for argument in arguments for index in references(argument)]


@functools.cache
def overload(op: str) -> Any:
    """The operator of a name such as aten.mm.default; None if it is not one of the dispatcher."""
    found: Any = torch.ops
    try:
        for part in op.split("."):
            found = getattr(found, part)
    except (AttributeError, RuntimeError):
        return None
    return found if isinstance(found, torch._ops.OpOverload) else None


def subgraph(operators: Iterable[str]) -> Canonical:
    """A graph that an operator runs: what is in it, since its name is another one on the other side."""
    return "@" + ", ".join(sorted(op for op in operators if op not in LOOKED_THROUGH))


def constant(value: Any) -> Canonical:
    """An argument that is not a node."""
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, (int, float)):
        return ("number", float(value)) if value == value else "nan"
    if isinstance(value, (list, tuple)):
        return ("list", *[constant(element) for element in value])
    if isinstance(value, Word):
        return value.text
    if isinstance(value, torch.device):
        return f"device({value})"
    return str(value)


def bound(op: str, args: list[Canonical], kwargs: dict[str, Canonical]) -> Canonical:
    """All arguments by the operator's schema."""
    found = overload(op)
    if found is None:
        return (*args, *sorted(kwargs.items()))
    values: list[Canonical] = []
    for index, argument in enumerate(found._schema.arguments):
        if index < len(args):
            value = args[index]
        elif argument.name in kwargs:
            value = kwargs[argument.name]
        else:
            value = constant(argument.default_value if argument.has_default_value() else None)
        usual = (argument.name, value) in (("pin_memory", "False"), ("layout", "torch.strided"))
        values.append("None" if usual else value)
    if op == BATCH_NORM_BACKWARD and values[TRAINING] == "True":
        for index in RUNNING_STATISTICS:
            values[index] = "None"
    return tuple(values)
