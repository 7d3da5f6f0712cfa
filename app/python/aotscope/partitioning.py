"""Makes the partition of a plan in Python's AOTAutograd."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torch._functorch import compile_utils, partitioners
from torch._inductor.custom_graph_pass import CustomPartitionerFn
from torch.fx import GraphModule, Node
from torch.utils._ordered_set import OrderedSet

from ._torch import require_known_version, torch
from .errors import Error
from .joint_graph import JointGraph, references
from .joint_of_module import drop_unread, is_number, joint_of_module
from .joint_of_text import joint_of_text
from .matching import match
from .plan import Plan
from .printed import plan_of_module, text_of
from .simplify import simplified

if TYPE_CHECKING:
    from .options import Value
    from .report import Report

_EXTRACTION = "_extract_fwd_bwd_modules"
_NEEDED = {"joint_module", "saved_values", "saved_sym_nodes", "num_fwd_outputs"}

_REWRITES = (
    "Inductor rewrites some graphs before it partitions them, attention among them: aotscope.partitioner(budget=0.5) "
    "partitions what it makes of them, and the partitioner's `graphs` have the text, to make a plan of it"
)

Halves = tuple[GraphModule, GraphModule]


def _extraction() -> tuple[Callable[..., Halves], set[str]]:
    """PyTorch's function that cuts a joint graph at given values, and its parameters."""
    function = getattr(partitioners, _EXTRACTION, None)
    parameters = set(inspect.signature(function).parameters) if function else set()
    if function is None or not parameters >= _NEEDED:
        raise Error(
            f"torch {torch.__version__} has another {_EXTRACTION} than PyTorch 2.11 to 2.15; this version of aotscope "
            "cannot make a partition with it"
        )
    return function, parameters


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
    """The two graphs, and the pairs of their values: as they are, or as Inductor simplifies them."""
    try:
        return theirs, here, match(theirs, here)
    except Error as e:
        theirs, here = simplified(theirs), simplified(here)
        try:
            return theirs, here, match(theirs, here)
        except Error:
            raise e from None


def _saved_nodes(plan: Plan, module: GraphModule, forward_outputs: int) -> list[Node]:
    """The values of this graph that the plan saves: by name if Python has named them, otherwise by structure."""
    theirs, here = joint_of_text(plan.joint), joint_of_module(module, forward_outputs)
    names = {node.name: node for node in module.graph.nodes}
    named = plan.names_are_pythons and all(saved.name in names for saved in plan.tensors)
    if named and _same_by_name(theirs, here):
        return [names[saved.name] for saved in plan.tensors]
    theirs, here, pairs = _matched(theirs, here)
    nodes = []
    for saved in plan.tensors:
        index = theirs.by_name.get(saved.name)
        if index is None or index not in pairs:
            raise Error(f"the plan saves %{saved.name}, which its joint graph does not compute")
        nodes.append(here.values[pairs[index]].node)
    return list(dict.fromkeys(nodes))


def _symbolic_numbers(module: GraphModule) -> list[Node]:
    """Numbers that the forward computes. Those that the backward does not use are dropped when it is extracted."""
    backward: set[Node] = set()
    numbers = []
    for node in module.graph.nodes:
        tangent = node.op == "placeholder" and "tangents" in str(node.target)
        if tangent or any(used in backward for used in node.all_input_nodes):
            backward.add(node)
        elif is_number(node) and any(user.op != "output" for user in node.users):
            numbers.append(node)
    return numbers


def _prepare(module: GraphModule, algorithm: str) -> None:
    """As PyTorch's partitioners do before they choose."""
    drop_unread(module)
    module.graph.eliminate_dead_code()
    if algorithm == "min-cut":
        module.graph = compile_utils.fx_graph_cse(module.graph)
    module.recompile()


def _updated_inputs(module: GraphModule, forward_outputs: int) -> set[Node]:
    """The inputs that the wrapper or the graph writes into."""
    output = next(iter(module.graph.find_nodes(op="output")))
    updates = [getattr(desc, "mutated_input", None) for desc in output.meta.get("desc", [])[:forward_outputs]]
    described = [
        n for n in module.graph.find_nodes(op="placeholder") if n.meta.get("desc") in [u for u in updates if u]
    ]
    written = [n.args[0] for n in module.graph.find_nodes(op="call_function", target=torch.ops.aten.copy_.default)]
    return {*described, *(node for node in written if isinstance(node, Node))}


def _copied(module: GraphModule, node: Node) -> Node:
    """A copy of an input, which takes its place wherever it is read."""
    with module.graph.inserting_after(next(reversed(module.graph.find_nodes(op="placeholder")))):
        copy = module.graph.call_function(torch.ops.aten.clone.default, (node,))
    copy.meta = {key: value for key, value in node.meta.items() if key != "desc"}

    def reads(user: Node) -> bool:
        writes = user.target is torch.ops.aten.copy_.default and user.args[0] is node
        return user is not copy and user.op != "output" and not writes

    node.replace_all_uses_with(copy, delete_user_cb=reads)
    return copy


def _keep_values(module: GraphModule, saved: list[Node], updated: set[Node]) -> list[Node]:
    """Saves copies of inputs that are written into before the backward reads them."""
    return [_copied(module, node) if node in updated and node.op == "placeholder" else node for node in saved]


def _extract(
    module: GraphModule, saved: list[Node], forward_outputs: int, static_inputs: Sequence[int] | None
) -> Halves:
    function, parameters = _extraction()
    options: dict[str, Any] = {}
    if "static_lifetime_input_nodes" in parameters:
        primals = [n for n in module.graph.find_nodes(op="placeholder") if "tangents" not in str(n.target)]
        static = set(static_inputs or ())
        options["static_lifetime_input_nodes"] = OrderedSet(n for i, n in enumerate(primals) if i in static)
    try:
        return function(
            module, list(saved), saved_sym_nodes=_symbolic_numbers(module), num_fwd_outputs=forward_outputs, **options
        )
    except (AssertionError, RuntimeError) as e:
        raise Error(f"the gradients cannot be computed from what the plan saves: {str(e).splitlines()[0]}") from e


def _finish(halves: Halves, reorder: bool) -> Halves:
    """The order of operations, as PyTorch's partitioners leave it."""
    forward, backward = halves
    for half in halves:
        half.graph.eliminate_dead_code(is_impure_node=partitioners.is_not_collective)
    if reorder:
        backward = partitioners.reordering_to_mimic_autograd_engine(backward)
    forward, backward = compile_utils.raise_getitems(forward), compile_utils.raise_getitems(backward)
    thread = getattr(partitioners, "thread_graphsafe_rng_from_hops", None)
    if thread is not None:
        forward, backward = thread(forward, is_backward=False), thread(backward, is_backward=True)
    return forward, backward


class Partitioner(CustomPartitionerFn):
    """A partition_fn for aot_function, aot_module_simplified and Inductor. Use `partitioner` to make one.

    `plans`: the plans that were applied, one for each partitioned joint graph. `graphs`: the text of each joint graph,
    which the program opens, to choose another partition for it.
    """

    def __init__(self, plan: Plan | None, options: Mapping[str, Value]) -> None:
        self.plan, self.options = plan, dict(options)
        self.plans: list[Plan] = []
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
        plan = self.plan or plan_of_module(gm, num_fwd_outputs, self.options)
        _prepare(gm, plan.algorithm)
        try:
            saved = _saved_nodes(plan, gm, num_fwd_outputs)
        except Error as e:
            raise Error(f"{e}; {_REWRITES}" if compiler == "inductor" else str(e)) from None
        saved = _keep_values(gm, saved, _updated_inputs(gm, num_fwd_outputs))
        halves = _extract(gm, saved, num_fwd_outputs, static_lifetime_input_indices)
        self.plans.append(plan)
        return _finish(halves, reorder=plan.algorithm == "min-cut" or bool(plan.recomputed))

    def uuid(self) -> str:
        """Inductor compiles again when the plan is another one."""
        return "aotscope " + (self.plan.digest() if self.plan else repr(sorted(self.options.items())))


def partitioner(plan: Plan | Report | Mapping[str, Any] | str | Path | None = None, **options: Value) -> Partitioner:
    """A partition_fn that makes exactly the partition of a plan.

    The plan is a Report, a report's file (.json) or a session (.aotscope). Its joint graph is matched with Python's by
    structure; if the graph has changed, an Error names the first operation that is not the same.

    Without a plan, each joint graph is partitioned by the program when it is compiled, with the given options of the
    command line, as in `partitioner(budget=0.3)` or `partitioner(partition="default", recompute=["relu"])`.

    >>> aot_function(f, compiler, partition_fn=aotscope.partitioner("report.json"))
    >>> torch._inductor.config.custom_partitioner_fn = aotscope.partitioner("report.json")
    """
    require_known_version("aotscope.partitioner")
    _extraction()
    if plan is not None and options:
        raise Error(f"aotscope.partitioner: a plan and options ({', '.join(options)}) are given; give one of them")
    return Partitioner(None if plan is None else Plan.of(plan), options)
