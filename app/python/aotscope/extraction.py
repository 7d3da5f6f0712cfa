"""Cuts a joint graph of Python's at the values to save, with PyTorch's own functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from torch._functorch import compile_utils, partitioners
from torch.fx import GraphModule, Node
from torch.utils._ordered_set import OrderedSet
from torch.utils.checkpoint import CheckpointPolicy

from ._torch import torch
from .errors import Error
from .joint_of_module import drop_unread, is_number

_EXTRACTION = "_extract_fwd_bwd_modules"
_NEEDED = {"joint_module", "saved_values", "saved_sym_nodes", "num_fwd_outputs"}

Halves = tuple[GraphModule, GraphModule]


def extraction() -> tuple[Callable[..., Halves], set[str]]:
    """PyTorch's function that cuts a joint graph at given values, and its parameters."""
    function = getattr(partitioners, _EXTRACTION, None)
    parameters = set(inspect.signature(function).parameters) if function else set()
    if function is None or not parameters >= _NEEDED:
        raise Error(
            f"torch {torch.__version__} has another {_EXTRACTION} than PyTorch 2.11 to 2.15; this version of aotscope "
            "cannot make a partition with it"
        )
    return function, parameters


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


def prepare(module: GraphModule, algorithm: str) -> None:
    """As PyTorch's partitioners do before they choose."""
    drop_unread(module)
    module.graph.eliminate_dead_code()
    if algorithm != "default":
        module.graph = compile_utils.fx_graph_cse(module.graph)
    module.recompile()


def updated_inputs(module: GraphModule, forward_outputs: int) -> set[Node]:
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


def keep_values(module: GraphModule, saved: list[Node], updated: set[Node]) -> list[Node]:
    """Saves copies of inputs that are written into before the backward reads them."""
    return [_copied(module, node) if node in updated and node.op == "placeholder" else node for node in saved]


def extract(
    module: GraphModule, saved: list[Node], forward_outputs: int, static_inputs: Sequence[int] | None
) -> Halves:
    function, parameters = extraction()
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


def _draws(node: Node) -> bool:
    """Whether it uses random numbers: a dropout of probability 0, or outside of training, uses none."""
    if torch.Tag.nondeterministic_seeded not in getattr(node.target, "tags", ()):
        return False
    arguments = node.target._schema.arguments  # type: ignore[union-attr]
    given = {argument.name: argument.default_value for argument in arguments if argument.has_default_value()}
    given |= dict(zip((argument.name for argument in arguments), node.args)) | node.kwargs
    off = [given[name] == 0 for name in ("dropout_p", "p") if name in given]
    return not any(off) and given.get("train") is not False and given.get("training") is not False


def require_drawn_once(halves: Halves, drawn: Sequence[Node]) -> None:
    """The backward may not draw other random numbers than the forward did: its gradients would be wrong."""
    known = {node.name for node in drawn}
    for node in halves[1].graph.nodes:
        if node.users and node.name not in known and _draws(node):
            raise Error(
                f"the backward would draw the random numbers of %{node.name} ({node.target}) again, since the plan "
                "does not save what follows from them here; save the result, or make a plan of this graph"
            )


def draw_again(module: GraphModule, halves: Halves, drawn: Sequence[Node]) -> Halves:
    """Random operations that both halves run draw the same numbers, from RNG states that the forward saves."""
    if not drawn:
        return halves
    for node in drawn:
        node.meta["recompute"] = CheckpointPolicy.MUST_RECOMPUTE
    numbers = sum(is_number(node) for node in halves[1].graph.find_nodes(op="placeholder"))
    return partitioners.functionalize_rng_ops(module, *halves, numbers)


def finish(halves: Halves, reorder: bool) -> Halves:
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
