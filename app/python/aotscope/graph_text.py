"""Reads the text of a graph as the program writes it: one line for each node.

graph joint where s0 = 8 in 2..64 from "x.size(0)"
  %primals_1 : f32[s0, 3] = placeholder(parameter)
  %relu : f32[s0, 3] = aten.relu.default(%primals_1)
  return [%relu : output "output 0", None : gradient "weight"]
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from .errors import Error


@dataclass(frozen=True)
class Reference:
    """A use of another node."""

    name: str


@dataclass(frozen=True)
class Word:
    """A value that stands for itself: torch.float32, device(cpu), @body."""

    text: str


@dataclass
class TextNode:
    name: str
    type: str
    op: str  # "placeholder", "constant" or an operator
    role: str  # of a placeholder
    args: list[Any]
    kwargs: dict[str, Any]


@dataclass
class TextOutput:
    value: Any  # a Reference, or a constant
    role: str
    label: str


@dataclass
class TextGraph:
    nodes: list[TextNode] = field(default_factory=list)
    outputs: list[TextOutput] = field(default_factory=list)
    symbols: dict[str, int] = field(default_factory=dict)
    subgraphs: dict[str, TextGraph] = field(default_factory=dict)  # by name, as in "@true_graph_0"


def names_in(value: Any) -> list[str]:
    """The nodes that an argument uses."""
    if isinstance(value, list):
        return [name for element in value for name in names_in(element)]
    return [value.name] if isinstance(value, Reference) else []


_TOKEN = re.compile(
    r"""\s*(?:
    (?P<reference>%[\w.]+) |
    (?P<number>-?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|inf\b|nan\b)) |
    (?P<quoted>"(?:\\.|[^"\\])*") |
    (?P<word>@?[A-Za-z_][\w.]*) |
    (?P<mark>[\[\](),=])
    )""",
    re.VERBOSE,
)
_NODE = re.compile(r"%(?P<name>[\w.]+) : (?P<type>.*)")
_CALL = re.compile(r"(?P<op>@?[\w.:]+)(?:\((?P<rest>.*)\))?")
_SYMBOL = re.compile(r"(\w+) = (-?\d+) in ")
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))")
_CONSTANTS = {"None": None, "True": True, "False": False}


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else "\n" if found[3] == "n" else found[3]


class _Reader:
    """The arguments between the parentheses of a call, or the values that a graph returns."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def peek(self) -> tuple[str, str]:
        found = _TOKEN.match(self.text, self.at)
        if not found:
            return ("end", "") if not self.text[self.at :].strip() else ("other", self.text[self.at :])
        return str(found.lastgroup), found[str(found.lastgroup)]

    def take(self) -> tuple[str, str]:
        found = _TOKEN.match(self.text, self.at)
        if not found:
            raise Error(f"cannot read the arguments {self.text!r:.60} of a graph")
        self.at = found.end()
        return str(found.lastgroup), found[str(found.lastgroup)]

    def values(self, end: str) -> list[Any]:
        """Up to `end`, which is taken."""
        values: list[Any] = []
        while self.peek() != ("mark", end):
            values.append(self.value())
            if self.peek() == ("mark", ","):
                self.take()
        self.take()
        return values

    def value(self) -> Any:
        kind, text = self.take()
        if kind == "reference":
            return Reference(text[1:])
        if kind == "number":
            return float(text) if re.search(r"[.en]", text) else int(text)
        if kind == "quoted":
            return _ESCAPE.sub(_unescaped, text[1:-1])
        if (kind, text) == ("mark", "["):
            return self.values("]")
        if kind != "word":
            raise Error(f"cannot read the arguments {self.text!r:.60} of a graph")
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if text == "complex" and self.peek() == ("mark", "("):
            self.take()
            real, imaginary = self.values(")")
            return complex(real, imaginary)
        if text == "device" and self.peek() == ("mark", "("):
            start = self.at
            self.at = self.text.index(")", start) + 1
            return Word("device" + self.text[start : self.at])
        return Word(text)

    def arguments(self) -> tuple[list[Any], dict[str, Any]]:
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        while self.peek()[0] != "end":
            value = self.value()
            if isinstance(value, Word) and self.peek() == ("mark", "="):
                self.take()
                kwargs[value.text] = self.value()
            else:
                args.append(value)
            if self.peek() == ("mark", ","):
                self.take()
        return args, kwargs


def _outputs(text: str) -> list[TextOutput]:
    """Of "[%y : output "output 0", None : gradient]"."""
    reader = _Reader(text)
    reader.take()
    outputs: list[TextOutput] = []
    while reader.peek() != ("mark", "]"):
        value, role, label = reader.value(), "", ""
        found = re.compile(r'\s*:\s*(\w+)(?:\s+("(?:\\.|[^"\\])*"))?').match(reader.text, reader.at)
        if found:
            role, label = found[1], (found[2] or "")[1:-1]
            reader.at = found.end()
        outputs.append(TextOutput(value, role, label))
        if reader.peek() == ("mark", ","):
            reader.take()
    return outputs


def _node(line: str) -> TextNode:
    before, _, after = line.partition(" = ")
    node, call = _NODE.fullmatch(before), _CALL.fullmatch(after)
    if not node or not call:
        raise Error(f"cannot read the line {line!r:.60} of a graph")
    name, type_, op, rest = node["name"], node["type"], call["op"], call["rest"] or ""
    if op in ("placeholder", "constant"):
        return TextNode(name, type_, op, rest, [], {})
    args, kwargs = _Reader(rest).arguments()
    return TextNode(name, type_, op, "", args, kwargs)


def read_graph(text: str) -> TextGraph:
    """The graph, and the subgraphs, which follow it. Throws an Error for any other text: it may be a stranger's."""
    try:
        return _graph(text)
    except (RecursionError, TypeError, ValueError) as e:
        raise Error(f"cannot read the text of a graph: {str(e)[:100]}") from e


def _graph(text: str) -> TextGraph:
    graph = TextGraph()
    lines = text.splitlines()
    if not lines or not lines[0].startswith("graph "):
        found = f"{lines[0]!r:.60}" if lines else "nothing"
        raise Error(f"expected the text of a graph, 'graph NAME', found {found}")
    if " where " in lines[0]:
        graph.symbols = {name: int(hint) for name, hint in _SYMBOL.findall(lines[0].split(" where ", 1)[1])}
    read = graph
    for line in map(str.strip, lines[1:]):
        if line.startswith("graph "):
            name = line.split()[1].rsplit(".", 1)[-1]
            read = graph.subgraphs[name] = TextGraph(symbols=graph.symbols)
        elif line.startswith("return "):
            read.outputs = _outputs(line.removeprefix("return "))
        elif line and not line.startswith("#"):
            read.nodes.append(_node(line))
    return graph
