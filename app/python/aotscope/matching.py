"""Pairs the values of two joint graphs by structure.

Every value gets a color from its operator, its arguments and its users, by passes down and up the graph that are
repeated until they tell no more values apart. Values with a color of their own are a pair; among values that nothing
tells apart, the first of one graph belongs to the first of the other.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .errors import Error
from .joint_graph import Canonical, JointGraph, Value, references

Colors = list[int]


@dataclass(frozen=True)
class Strictness:
    """What the two graphs have in common beside their structure."""

    positions: bool  # the order of inputs
    outputs: bool  # the order of outputs, where there are as many


class _Palette:
    """The same color for equal keys, in both graphs."""

    def __init__(self) -> None:
        self.colors: dict[Canonical, int] = {}

    def color(self, key: Canonical) -> int:
        return self.colors.setdefault(key, len(self.colors))


def _with_colors(arguments: Canonical, colors: Colors) -> Canonical:
    if not isinstance(arguments, tuple):
        return arguments
    if len(arguments) == 2 and arguments[0] == "ref":
        return ("ref", colors[arguments[1]])
    return tuple(_with_colors(argument, colors) for argument in arguments)


class _Side:
    """One of the two graphs while it is colored."""

    def __init__(self, graph: JointGraph, strictness: Strictness, outputs: list[int | None], palette: _Palette) -> None:
        self.graph, self.palette = graph, palette
        self.users: list[list[tuple[int, int]]] = [[] for _ in graph.values]
        for user, value in enumerate(graph.values):
            if value.live:
                for position, used in enumerate(references(value.arguments)):
                    self.users[used].append((user, position))
        self.marks: list[list[tuple[str, int]]] = [[] for _ in graph.values]
        if strictness.outputs:
            for position, index in enumerate(outputs):
                if index is not None:
                    self.marks[index].append(("output", position))
            if strictness.positions:
                for position, index in enumerate(graph.gradients):
                    if index is not None:
                        self.marks[index].append(("gradient", position))
        self.colors = [palette.color(self.first(value, strictness)) for value in graph.values]

    def first(self, value: Value, strictness: Strictness) -> Canonical:
        if value.op == "tangent" or (value.op == "primal" and strictness.positions):
            return (value.op, value.arguments, value.type)
        # A copy of a graph module has tensors that were constants as buffers, which are inputs.
        return ("given", value.type) if value.op in ("primal", "constant") else (value.op, None)

    def refine(self) -> None:
        """Down the graph, where a value's color tells what it is computed from, then up, for what uses it."""
        values, color = self.graph.values, self.palette.color
        down: Colors = []
        for index, value in enumerate(values):
            known = value.arguments if value.op not in ("primal", "tangent") else ()
            down.append(color((self.colors[index], _with_colors(known, down), tuple(self.marks[index]))))
        up = [0] * len(values)
        for index in range(len(values) - 1, -1, -1):
            users = sorted((up[user], position) for user, position in self.users[index])
            up[index] = color((down[index], tuple(users)))
        self.colors = up

    def counts(self) -> Counter[int]:
        return Counter(color for color, value in zip(self.colors, self.graph.values) if value.live)

    def classes(self) -> dict[int, list[int]]:
        classes: dict[int, list[int]] = {}
        for index, value in enumerate(self.graph.values):
            if value.live:
                classes.setdefault(self.colors[index], []).append(index)
        return classes


def _refine(sides: list[_Side]) -> bool:
    """Until no more values are told apart; returns whether the two graphs are still alike."""
    known = -1
    while True:
        counts = [side.counts() for side in sides]
        if counts[0] != counts[1]:
            return False
        if len(counts[0]) == known:
            return True
        known = len(counts[0])
        for side in sides:
            side.refine()


def _tell_apart(sides: list[_Side], every: bool) -> bool:
    """Gives colors to values that are alike by their order: in all classes, or in the first; False: there are none."""
    classes = [side.classes() for side in sides]
    found = False
    for color, members in classes[0].items():
        if len(members) < 2:
            continue
        found = True
        for side, own in zip(sides, classes):
            chosen = own[color] if every else own[color][:1]
            for rank, index in enumerate(chosen):
                side.colors[index] = side.palette.color(("rank", color, rank))
        if not every:
            break
    return found


def _pairs(plan: JointGraph, here: JointGraph, strictness: Strictness) -> dict[int, int] | None:
    outputs = plan.outputs
    if len(here.outputs) == len(outputs) - plan.updated:  # updates of inputs are written inside of the graph
        outputs = outputs[plan.updated :]
    if strictness.outputs != (len(here.outputs) == len(outputs)):
        return None
    palette = _Palette()
    sides = [_Side(plan, strictness, outputs, palette), _Side(here, strictness, here.outputs, palette)]
    if not _refine(sides):
        return None
    before = [list(side.colors) for side in sides]
    if _tell_apart(sides, every=True) and not _refine(sides):
        for side, colors in zip(sides, before):
            side.colors = colors
        while _tell_apart(sides, every=False):
            if not _refine(sides):
                return None
    first, second = (side.classes() for side in sides)
    return {index: second[color][rank] for color, own in first.items() for rank, index in enumerate(own)}


def _own_type(value: Value) -> Canonical:
    return value.type if value.op in ("primal", "tangent", "constant") else None


def values_computed(*graphs: JointGraph, positions: bool = True) -> list[Colors]:
    """Colors of what each value is computed from: the same in all graphs for the same operations on the same inputs."""
    palette = _Palette()
    all_colors: list[Colors] = []
    for graph in graphs:
        colors: Colors = []
        for value in graph.values:
            known = value.arguments if positions or value.op != "primal" else ()
            colors.append(palette.color((value.op, _with_colors(known, colors), _own_type(value))))
        all_colors.append(colors)
    return all_colors


def _inputs(graph: JointGraph) -> list[Canonical]:
    return [value.type for value in graph.values if value.op == "primal"]


def _first_difference(plan: JointGraph, here: JointGraph) -> str:
    """A sentence on the first value that the two graphs do not both compute."""
    ordered = _inputs(plan) == _inputs(here)
    down = values_computed(plan, here, positions=ordered or Counter(_inputs(plan)) != Counter(_inputs(here)))
    left = Counter(color for color, value in zip(down[0], plan.values) if value.live)
    for color, value in zip(down[1], here.values):
        if value.live and left[color] == 0:
            return f"{value.text()} of this graph is not in that of the plan" + _instead(plan, value)
        if value.live:
            left[color] -= 1
    for color, value in zip(down[0], plan.values):
        if value.live and left[color] > 0:
            return f"{value.text()} of the plan's graph is not in this one"
    return "the two compute the same values, but use or return them in different ways"


def _counts(plan: JointGraph, here: JointGraph) -> str:
    """A clause on the numbers of inputs if they differ: the program takes tied weights for one, Python may not."""
    theirs, own = len(_inputs(plan)), len(_inputs(here))
    return "" if theirs == own else f" (it has {own} inputs, the plan's {theirs}; tied weights may be one or several)"


def _instead(plan: JointGraph, value: Value) -> str:
    if value.op not in ("primal", "tangent"):
        return ""
    same = [other for other in plan.values if (other.op, other.arguments) == (value.op, value.arguments)]
    return f", which has {same[0].text()}" if same else ", which has fewer inputs"


def match(plan: JointGraph, here: JointGraph) -> dict[int, int]:
    """For each live value of the plan's graph, that of this graph. Throws an Error that names the first difference."""
    for strictness in (
        Strictness(True, True),
        Strictness(True, False),
        Strictness(False, True),
        Strictness(False, False),
    ):
        pairs = _pairs(plan, here, strictness)
        if pairs is not None:
            return pairs
    raise Error(
        f"the plan was made for another joint graph: {_first_difference(plan, here)}{_counts(plan, here)}; make the "
        "plan again for this model, with these inputs and the same decompositions"
    )
