"""The joint graph of the program, read from its text, in the form of joint_graph."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

from .errors import Error
from .graph_text import Reference, TextGraph, TextNode, Word, names_in, read_graph
from .joint_graph import LOOKED_THROUGH, Canonical, JointGraph, Value, bound, constant, subgraph

_LONGEST_EXPRESSION = 2000
_OPERATORS: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


def _value(node: ast.AST, symbols: dict[str, int]) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name):
        return symbols[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, symbols)
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_value(node.left, symbols), _value(node.right, symbols))
    raise ValueError


def _evaluated(expression: str, symbols: dict[str, int]) -> int | None:
    """An expression of sizes at the example inputs, such as 2*s0 + 1 or s0//4."""
    try:
        return int(expression)
    except ValueError:
        pass
    if len(expression) > _LONGEST_EXPRESSION:
        return None
    try:
        return _value(ast.parse(expression, mode="eval").body, symbols)
    except (ArithmeticError, KeyError, RecursionError, SyntaxError, ValueError):
        return None


def type_of_text(text: str, symbols: dict[str, int]) -> Canonical:
    found = re.match(r"(\w+)\[(.*?)\]", text)
    if not found:
        return None
    sizes = [s for s in re.split(r",\s*(?![^(]*\))", found[2]) if s]
    return found[1], tuple(_evaluated(size, symbols) for size in sizes)


def _number_of_text(text: str, symbols: dict[str, int]) -> Canonical | None:
    """Of a value that is a number."""
    found = re.fullmatch(r"(Sym|int|float|bool)\((.*)\)", text)
    if not found:
        return None
    if found[1] == "bool":
        return found[2]
    if found[1] == "float":
        try:
            return constant(float(found[2]))
        except ValueError:
            raise Error(f"cannot read the number '{found[2][:60]}' of a graph") from None
    number = _evaluated(found[2], symbols)
    return constant(float("nan") if number is None else number)


def _live_operators(body: TextGraph) -> list[str]:
    live = {name for output in body.outputs for name in names_in(output.value)}
    found = []
    for node in reversed(body.nodes):
        if node.name in live and node.op not in ("placeholder", "constant"):
            live |= set(names_in([*node.args, *node.kwargs.values()]))
            found.append(node.op)
    return found


class _FromText:
    def __init__(self, text: TextGraph) -> None:
        self.text, self.graph = text, JointGraph()
        self.numbers: dict[str, Canonical] = {}
        self.counts = {"primal": 0, "tangent": 0}

    def argument(self, value: Any) -> Canonical:
        if isinstance(value, Reference):
            if value.name in self.numbers:
                return self.numbers[value.name]
            index = self.graph.by_name.get(value.name)
            if index is None:
                raise Error(f"the joint graph of the plan uses %{value.name} before it is computed")
            return ("ref", index)
        if isinstance(value, Word) and value.text.startswith("@"):
            body = self.text.subgraphs.get(value.text[1:])
            return subgraph(_live_operators(body) if body else ())
        if isinstance(value, list):
            return ("list", *[self.argument(element) for element in value])
        return constant(value)

    def index(self, value: Any) -> int | None:
        return self.graph.by_name.get(value.name) if isinstance(value, Reference) else None

    def placeholder(self, node: TextNode) -> Value:
        kind = "tangent" if node.role == "tangent" or node.name.startswith("tangents_") else "primal"
        self.counts[kind] += 1
        type_ = type_of_text(node.type, self.text.symbols)
        return Value(node.name, kind, (self.counts[kind],), type_, None)

    def add(self, node: TextNode) -> None:
        number = _number_of_text(node.type, self.text.symbols)
        if number is not None:
            self.numbers[node.name] = number
        elif node.op == "placeholder":
            self.graph.add(self.placeholder(node))
        elif node.op in LOOKED_THROUGH and node.args and self.index(node.args[0]) is not None:
            self.graph.by_name[node.name] = self.graph.by_name[node.args[0].name]
        else:
            args = [self.argument(value) for value in node.args]
            kwargs = {key: self.argument(value) for key, value in node.kwargs.items()}
            type_ = type_of_text(node.type, self.text.symbols)
            self.graph.add(Value(node.name, node.op, bound(node.op, args, kwargs), type_, None))

    def build(self) -> JointGraph:
        for node in self.text.nodes:
            self.add(node)
        outputs = self.text.outputs
        self.graph.outputs = [self.index(o.value) for o in outputs if o.role != "gradient"]
        self.graph.updated = sum(o.role == "mutated_input" for o in outputs)
        gradients = [self.index(o.value) for o in outputs if o.role == "gradient"]
        self.graph.gradients = gradients if len(gradients) == self.counts["primal"] else []
        self.graph.mark_live([i for i in (self.index(o.value) for o in outputs) if i is not None])
        return self.graph


def joint_of_text(text: str) -> JointGraph:
    """Of a graph as the program writes it."""
    return _FromText(read_graph(text)).build()
