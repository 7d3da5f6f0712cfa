"""Makes the partition of a plan in Python's AOTAutograd."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from torch._functorch import partitioners
from torch._inductor.custom_graph_pass import CustomPartitionerFn
from torch.fx import GraphModule, Node

from ._torch import require_known_version
from .errors import Error
from .extraction import (
    Halves,
    draw_again,
    extract,
    extraction,
    finish,
    keep_values,
    prepare,
    require_drawn_once,
    updated_inputs,
)
from .joint_graph import JointGraph, references
from .joint_of_module import joint_of_module
from .joint_of_text import joint_of_text
from .matching import match
from .plan import Plan
from .printed import plan_of_module, text_of
from .simplify import simplified

if TYPE_CHECKING:
    from .options import Value
    from .report import Report

_REWRITES = (
    "Inductor rewrites some graphs before it partitions them, attention among them: aotscope.partitioner(budget=0.5) "
    "partitions what it makes of them, and the partitioner's `graphs` have the text, to make a plan of it"
)


def _same_by_name(theirs: JointGraph, here: JointGraph) -> bool:
    """Whether every value of the plan's graph is here, under its name, computed in the same way."""
    for value in theirs.values:
        if not value.live:
            continue
        index = here.by_name.get(value.name)
        if index is None:
            return False
        other = here.values[index]
        used = [theirs.values[i].name for i in references(value.arguments)]
        if value.op != other.op or used != [here.values[i].name for i in references(other.arguments)]:
            return False
        if value.op in ("primal", "tangent") and value.type != other.type:
            return False
    return True


def _matched(theirs: JointGraph, here: JointGraph) -> tuple[JointGraph, JointGraph, dict[int, int]]:
    """The two graphs, and the pairs of their values: as they are, as Inductor simplifies them, or without copies."""
    try:
        return theirs, here, match(theirs, here)
    except Error as e:
        for copies in (False, True):
            first, second = simplified(theirs, copies), simplified(here, copies)
            with contextlib.suppress(Error):
                return first, second, match(first, second)
        raise e from None


def _twin(name: str, index: int, own: int, theirs: JointGraph, here: JointGraph) -> Node | None:
    """Of values that are computed several times, and are one in simplified graphs: the one in the same place."""
    names, twins = [twin.name for twin in theirs.twins.get(index, [])], here.twins.get(own, [])
    if name not in names or len(names) != len(twins):
        return None
    node: Node | None = twins[names.index(name)].node
    return node


def _node_of(name: str, theirs: JointGraph, here: JointGraph, pairs: Mapping[int, int]) -> Node:
    """The node for a value of the plan; for a copy, the copy here if there is one."""
    index = theirs.by_name.get(name)
    if index is None or index not in pairs:
        raise Error(f"the plan saves %{name}, which its joint graph does not compute")
    twin = _twin(name, index, pairs[index], theirs, here)
    if twin is not None:
        return twin
    found = here.values[pairs[index]]
    copies = here.copies.get(pairs[index], [])
    if copies and any(copy.name == name for copy in theirs.copies.get(index, [])):
        found = copies[0]
    if found.node is None:
        raise Error(f"the plan saves %{name}, which is part of one operation of Python's graph; recompute it")
    node: Node = found.node
    return node


def _given_constants(theirs: JointGraph, here: JointGraph, pairs: Mapping[int, int]) -> list[Node]:
    """Inputs here that are constants of the plan's graph, whose backward has them without saving them."""
    given = [here.values[own] for index, own in pairs.items() if theirs.values[index].op == "constant"]
    return [value.node for value in given if value.op == "primal" and value.node is not None]


@dataclass(frozen=True)
class _Choice:
    """The decisions of a plan for a graph: the values to save, and the random operations to recompute."""

    plan: Plan
    saved: list[Node]
    drawn: list[Node]


def _chosen(plan: Plan, node_of: Callable[[str], Node]) -> _Choice:
    saved = [node_of(value.name) for value in plan.tensors if not value.draws]
    return _Choice(plan, list(dict.fromkeys(saved)), [node_of(value.draws) for value in plan.tensors if value.draws])


def _choice(plan: Plan, module: GraphModule, forward_outputs: int) -> _Choice:
    """By name if Python has named the values of the plan, otherwise by structure."""
    theirs, here = joint_of_text(plan.joint), joint_of_module(module, forward_outputs)
    names = {node.name: node for node in module.graph.nodes}
    named = plan.names_are_pythons and all((value.draws or value.name) in names for value in plan.tensors)
    if named and _same_by_name(theirs, here):
        return _chosen(plan, names.__getitem__)
    theirs, here, pairs = _matched(theirs, here)
    choice = _chosen(plan, lambda name: _node_of(name, theirs, here, pairs))
    return replace(choice, saved=list(dict.fromkeys(choice.saved + _given_constants(theirs, here, pairs))))


PlanSource: TypeAlias = "Plan | Report | Mapping[str, Any] | str | Path"
_OWN = {"min-cut": "min_cut_rematerialization_partition", "default": "default_partition"}


class Partitioner(CustomPartitionerFn):
    """A partition_fn for aot_function, aot_module_simplified and Inductor. Use `partitioner` to make one.

    `applied`: the plans that were applied, one for each joint graph; None: the graph was left to PyTorch. `graphs`: the
    text of each joint graph, which the program can open to choose another partition.
    """

    def __init__(self, plans: Sequence[Plan], otherwise: str, options: Mapping[str, Value]) -> None:
        self.plans, self.otherwise, self.options = tuple(plans), otherwise, dict(options)
        self.applied: list[Plan | None] = []
        self.graphs: list[str] = []

    def __call__(
        self,
        gm: GraphModule,
        joint_inputs: Sequence[object],
        *,
        num_fwd_outputs: int = -1,
        static_lifetime_input_indices: Sequence[int] | None = None,
        compiler: str = "",
        **_: Any,
    ) -> Halves:
        if num_fwd_outputs < 0:
            raise TypeError("num_fwd_outputs is missing")
        self.graphs.append(text_of(gm))
        graph = gm.graph
        try:
            choice = self._choose(gm, num_fwd_outputs)
        except Error as e:
            if self.otherwise == "error":
                raise Error(f"{e}; {_REWRITES}" if compiler == "inductor" and self.plans else str(e)) from None
            self.applied.append(None)
            gm.graph = graph
            own: Callable[..., Halves] = getattr(partitioners, _OWN[self.otherwise])
            static = {"static_lifetime_input_indices": static_lifetime_input_indices}
            return own(gm, joint_inputs, num_fwd_outputs=num_fwd_outputs, **static)
        plan = choice.plan
        saved = keep_values(gm, choice.saved, updated_inputs(gm, num_fwd_outputs))
        halves = extract(gm, saved, num_fwd_outputs, static_lifetime_input_indices)
        require_drawn_once(halves, choice.drawn)
        halves = draw_again(gm, halves, choice.drawn)
        self.applied.append(plan)
        return finish(halves, reorder=plan.algorithm != "default" or bool(plan.recomputed))

    def _choose(self, gm: GraphModule, forward_outputs: int) -> _Choice:
        """By the first plan that matches this graph; an Error is that of the last plan."""
        *others, last = self.plans or [plan_of_module(gm, forward_outputs, self.options)]
        graph = gm.graph
        for plan in others:
            prepare(gm, plan.algorithm)
            try:
                return _choice(plan, gm, forward_outputs)
            except Error:
                gm.graph = graph
        prepare(gm, last.algorithm)
        return _choice(last, gm, forward_outputs)

    def uuid(self) -> str:
        """Inductor recompiles when the plan has changed."""
        plans = [plan.digest() for plan in self.plans]
        return " ".join(["aotscope", *plans, self.otherwise, repr(sorted(self.options.items()))])


def partitioner(
    plan: PlanSource | Sequence[PlanSource] | None = None, *, otherwise: str = "error", **options: Value
) -> Partitioner:
    """A partition_fn that makes exactly the partition of a plan.

    The plan is a Report, a report's file (.json) or a session (.aotscope). Its joint graph is matched with Python's by
    structure; if the graph has changed, an Error names the first operation that differs. Of several plans, the first
    one that matches the graph is used. `otherwise`: "min-cut" or "default" leaves graphs without a plan to PyTorch.

    Without a plan, each joint graph is partitioned by the program when it is compiled, with the given options of the
    command line, as in `partitioner(budget=0.3)` or `partitioner(partition="default", recompute=["relu"])`.

    >>> aot_function(f, compiler, partition_fn=aotscope.partitioner("report.json"))
    >>> torch._inductor.config.custom_partitioner_fn = aotscope.partitioner("report.json")
    """
    require_known_version("aotscope.partitioner")
    extraction()
    if plan is not None and options:
        raise Error(f"aotscope.partitioner: a plan and options ({', '.join(options)}) are given; give one of them")
    if otherwise not in ("error", *_OWN):
        raise Error(f"otherwise={otherwise!r}: expected 'error', 'min-cut' or 'default'")
    if plan is None:
        return Partitioner((), otherwise, options)
    several: Sequence[Any] = plan if isinstance(plan, (list, tuple)) else [plan]
    return Partitioner([Plan.of(one) for one in several], otherwise, options)
