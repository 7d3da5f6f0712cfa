"""What eager needs for a plan's region: memory in the order in which autograd and checkpointing allocate and free it.

The graphs are those of the plan, so sizes are those of its example inputs. Parameters, and gradients that come in from
outside, are not counted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from torch.utils._dtype_abbrs import dtype_abbrs

from .forward_calls import Call, is_view
from .graph_text import Reference, TextGraph, TextNode, names_in, read_graph
from .joint_of_text import joint_of_text, type_of_text
from .matching import values_computed
from .plan import Plan

_BYTES = {name: dtype.itemsize for dtype, name in dtype_abbrs.items()}
_GETITEM = "operator.getitem"
_GIVEN = ("parameter", "buffer", "tangent")

Place = tuple[str, int]  # an operation and which of its results


@dataclass(frozen=True)
class EagerMemory:
    """Bytes that a region needs, without its parameters."""

    held: int  # between its forward and its backward, with its inputs, without its outputs
    outputs: int
    forward_peak: int
    backward_peak: int  # with what it holds and what it computes again, without its outputs
    gradients: int  # of its parameters, which stay

    @staticmethod
    def peak(regions: Sequence[EagerMemory]) -> int:
        """Of a training step in which regions run one after the other, and backwards.

        An output is the input of the next region; that of the last one is kept.
        """
        before = [sum(region.held for region in regions[:i]) for i in range(len(regions))]
        after = [sum(region.gradients for region in regions[i + 1 :]) for i in range(len(regions))]
        last = regions[-1].outputs if regions else 0
        forward = [held + region.forward_peak for held, region in zip(before, regions)]
        backward = [held + region.backward_peak + made + last for held, region, made in zip(before, regions, after)]
        return max([*forward, *backward], default=0)


def _elements(text: str) -> list[str]:
    """Of a tuple's type, or the type itself."""
    if not text.startswith("("):
        return [text]
    return re.split(r",\s*(?![^\[(]*[\])])", text[1:-1])


def _size(text: str, symbols: dict[str, int]) -> int:
    found = type_of_text(text, symbols)
    if found is None:
        return 0
    elements: int = math.prod(size or 0 for size in found[1])
    return elements * _BYTES.get(found[0], 0)


def _uses(node: TextNode) -> list[str]:
    return names_in([*node.args, *node.kwargs.values()])


@dataclass
class _Memory:
    """What is allocated."""

    now: int = 0
    peak: int = 0
    live: dict[Place, int] = field(default_factory=dict)

    def add(self, place: Place, size: int) -> None:
        if place not in self.live:
            self.live[place] = size
            self.now += size
            self.peak = max(self.peak, self.now)

    def drop(self, place: Place) -> None:
        self.now -= self.live.pop(place, 0)


class Region:
    """The operations of a region, forward and backward, and where their results are."""

    def __init__(self, plan: Plan, calls: Iterable[Call]) -> None:
        self.graph: TextGraph = read_graph(plan.joint)
        self.nodes = {node.name: node for node in self.graph.nodes}
        self.call_of = self._calls(plan, list(calls))
        self.places: dict[str, list[Place]] = {}
        self.sizes: dict[Place, int] = {}
        self.inputs: list[Place] = []
        self.forward: list[TextNode] = []
        self.backward: list[TextNode] = []
        backward: set[str] = set()  # whatever comes after the first use of a tangent, as autograd's formulas run
        tangents = {node.name for node in self.graph.nodes if node.role == "tangent"}
        for node in self.graph.nodes:
            self._place(node)
            if node.op in ("placeholder", "constant"):
                continue
            if backward or tangents.intersection(_uses(node)):
                backward.add(node.name)
            if not is_view(node.op):
                (self.backward if backward else self.forward).append(node)
        returned = [output for output in self.graph.outputs if isinstance(output.value, Reference)]
        self.returned = {p for o in returned if o.role != "gradient" for p in self.places[o.value.name]}
        self.gradients = {p for o in returned if o.role == "gradient" for p in self.places[o.value.name]}
        self.of_parameters = self._gradients_of_parameters()
        read = {name for node in self.graph.nodes if node.name in backward for name in _uses(node)}
        of_forward = {p for node in self.forward for p in self.places[node.name]}
        self.differentiated = {p for name in read for p in self._of_use(name) if p in of_forward}

    def _gradients_of_parameters(self) -> set[Place]:
        gradients = [output.value for output in self.graph.outputs if output.role == "gradient"]
        inputs = [node for node in self.graph.nodes if node.op == "placeholder" and node.role != "tangent"]
        primals = [node for node in inputs if not node.type.startswith("Sym")]
        pairs = zip(primals, gradients) if len(primals) == len(gradients) else ()
        own = [value for node, value in pairs if node.role == "parameter" and isinstance(value, Reference)]
        return {place for value in own for place in self.places[value.name]}

    def _calls(self, plan: Plan, calls: list[Call]) -> dict[str, Call]:
        """For operations of the joint graph, those that eager runs."""
        joint, functional = joint_of_text(plan.joint), joint_of_text(plan.functional)
        joint_colors, colors = values_computed(joint, functional)
        waiting: dict[int, list[Call]] = {}
        for call in reversed(calls):
            waiting.setdefault(colors[functional.by_name[call.name]], []).append(call)
        found = {}
        for value, color in zip(joint.values, joint_colors):
            if waiting.get(color) and value.name in self.nodes:
                found[value.name] = waiting[color].pop()
        return found

    def _place(self, node: TextNode) -> None:
        used = _uses(node)
        if node.op == _GETITEM and used:
            whole = self.places[used[0]]
            index = next((arg for arg in node.args if isinstance(arg, int)), 0)
            self.places[node.name] = whole[index : index + 1] if len(whole) > 1 else whole
            return
        if used and is_view(node.op):
            self.places[node.name] = self.places[used[0]]
            return
        call = self.call_of.get(node.name)
        if call and used and any(call is writer for name in used for writer in self._writers(name)):
            self.places[node.name] = self.places[used[0]]  # eager writes in place
            return
        places = [(node.name, index) for index, _ in enumerate(_elements(node.type))]
        given = node.op in ("placeholder", "constant") and (node.role in _GIVEN or node.op == "constant")
        for place, text in zip(places, _elements(node.type)):
            self.sizes[place] = 0 if given else _size(text, self.graph.symbols)
        if node.op == "placeholder" and not given:
            self.inputs += places
        self.places[node.name] = places

    def _writers(self, name: str) -> list[Call]:
        call = self.call_of.get(self.places[name][0][0]) if self.places[name] else None
        return call.writers if call else []

    def _of_use(self, name: str) -> list[Place]:
        """What is read when a value is; a tuple is read by its elements."""
        places = self.places[name]
        return places if len(places) < 2 else []

    def _last_uses(self, nodes: list[TextNode]) -> dict[int, list[Place]]:
        """By position, the places that are not read afterwards; those that nothing reads, by where they are made."""
        last: dict[Place, int] = {}
        position_of = {node.name: position for position, node in enumerate(nodes)}
        for position, node in enumerate(nodes):
            for place in self.places[node.name]:
                last.setdefault(place, position)
        for node in self.graph.nodes:
            used_at = position_of.get(node.name)
            for name in _uses(node) if used_at is not None else ():
                for place in self._of_use(name):
                    last[place] = max(last.get(place, 0), used_at or 0)
        found: dict[int, list[Place]] = {}
        for place, position in last.items():
            found.setdefault(position, []).append(place)
        return found

    def _run(self, memory: _Memory, nodes: list[TextNode], kept: set[Place], later: int = 0) -> None:
        """`later`: how many operations what is not read any more outlives."""
        last = self._last_uses(nodes)
        for position, node in enumerate(nodes):
            for place in self.places[node.name]:
                memory.add(place, self.sizes[place])
            for place in last.get(position - later, ()):
                if place not in kept:
                    memory.drop(place)

    def _is_saved(self, node: TextNode) -> bool:
        call = self.call_of.get(node.name)
        return call is not None and call.saved

    def memory(self, checkpointed: bool) -> EagerMemory:
        """Of eager, with the calls' choices or without checkpointing."""
        memory = _Memory()
        for place in self.inputs:
            memory.add(place, self.sizes[place])
        saved = {p for node in self.forward if self._is_saved(node) for p in self.places[node.name]}
        kept, outputs = saved if checkpointed else self.differentiated, self.returned - set(self.inputs)
        self._run(memory, self.forward, kept | self.returned | set(self.inputs))
        forward_peak, size = memory.peak, sum(memory.live.get(place, 0) for place in outputs)
        held = memory.now - size
        for place in outputs - kept:
            memory.drop(place)
        # Outputs that are kept are there twice below, as what the region has and as the caller's.
        shared = sum(memory.live.get(place, 0) for place in outputs)
        memory.peak = 0
        if checkpointed:
            self._compute_again(memory)
        self._run(memory, self.backward, self.gradients | set(self.inputs), later=1)
        gradients = sum(self.sizes.get(place, 0) for place in self.of_parameters)
        return EagerMemory(held, size, forward_peak, memory.peak - shared, gradients)

    def _compute_again(self, memory: _Memory) -> None:
        """Up to the last result that the backward reads."""
        needed = [i for i, node in enumerate(self.forward) if self.differentiated & set(self.places[node.name])]
        again = self.forward[: max(needed, default=-1) + 1]
        self._run(memory, again, self.differentiated | set(self.inputs))
