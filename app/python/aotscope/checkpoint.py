"""Makes the choices of a plan in eager training, as selective activation checkpointing."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from torch.utils.checkpoint import CheckpointPolicy as Policy
from torch.utils.checkpoint import SelectiveCheckpointContext, create_selective_checkpoint_contexts

from ._torch import torch
from .eager_memory import EagerMemory, Region
from .errors import Error
from .forward_calls import Call, Key, family, forward_calls, is_view
from .plan import Plan

if TYPE_CHECKING:
    from .report import Report

_AT_ONCE = (
    "eager computes a region again as a whole, at the first gradient that needs a part of it, and keeps that until the "
    "region's backward has ended; checkpoint blocks of the model, each with a plan, to have less at a time"
)


_KNOWS_RESULTS = "op_output" in inspect.signature(SelectiveCheckpointContext.__init__).parameters


def _key(op: str, elements: int) -> Key:
    return family(op), elements if _KNOWS_RESULTS else 0


def _elements(result: Any) -> int:
    first = result[0] if isinstance(result, (tuple, list)) and result else result
    return first.numel() if isinstance(first, torch.Tensor) else 1


class _Counting:
    """One forward: which call of each operator this is."""

    def __init__(self, policy: CheckpointPolicy) -> None:
        self.policy, self.counts = policy, Counter[Key]()
        self.again = Counter[Key]()  # PyTorch 2.11 asks while it computes again, too
        self.unknown: list[str] = []

    def __call__(self, context: Any, op: Any, *args: Any, **kwargs: Any) -> Policy:
        name = str(op)
        if "." not in name or is_view(name):
            return Policy.PREFER_RECOMPUTE
        key = _key(name, _elements(getattr(context, "op_output", None)))
        counts = self.again if getattr(context, "is_recompute", False) else self.counts
        rank, planned = counts[key], self.policy.calls.get(key)
        counts[key] += 1
        if planned is None or rank >= len(planned):
            self.unknown.append(name)
            return Policy.PREFER_RECOMPUTE
        return Policy.MUST_SAVE if planned[rank].saved else Policy.MUST_RECOMPUTE

    def check(self) -> None:
        """At the end of the forward."""
        for key, planned in self.policy.calls.items():
            if self.counts[key] != len(planned):
                first = planned[0]
                raise Error(
                    f"the plan was made for another forward: it has {first.op} with {first.elements} elements "
                    f"{len(planned)} times, this one ran {key[0]} of that size {self.counts[key]} times; make the plan "
                    f"again for the module that is checkpointed{self.policy.hint}"
                )
        for name in dict.fromkeys(self.unknown):
            self.policy.add_limit(f"{name} is not in the plan's forward; it runs again in the backward")


class CheckpointPolicy:
    """The context_fn of torch.utils.checkpoint for a plan. Use `checkpoint_policy` to make one.

    `not_expressed`: sentences about decisions of the plan that eager cannot apply. `memory`, `memory_without`: bytes.
    """

    def __init__(self, plan: Plan) -> None:
        calls, limits = forward_calls(plan)
        self.plan = plan
        self.calls: dict[Key, list[Call]] = {}
        python = plan.report.get("options", {}).get("dialect") == "python"
        self.hint = ", with dialect='libtorch', which has eager's operations" if python else ""
        self.not_expressed: list[str] = []
        self.overwrites = False  # whether eager writes into what is saved
        for call in calls:
            self._decide(call)
            self.calls.setdefault(_key(call.op, call.elements), []).append(call)
        for limit in limits:
            self.add_limit(limit)
        if any(not call.saved for call in calls):
            self.add_limit(_AT_ONCE)

    def _decide(self, call: Call) -> None:
        """The decision of the plan, unless it would make eager compute wrong values.

        A result and its in-place updates are one tensor: all are saved, with the final value, or none.
        """
        together = [call, *call.writers]
        once = [c for c in together if c.writes_input]
        if call.read_before and (once or any(c.saved for c in together)):
            if once:
                raise Error(
                    f"{once[0].text()} updates an input and must run once, but its result is overwritten by "
                    f"{call.writers[0].text()} after others have read it; use an operation that is not in place"
                )
            self.add_limit(f"{call.text()} is computed again, not saved: eager overwrites it after others have read it")
        elif call.writers and call.saved and not together[-1].saved and not once:
            self.add_limit(f"{call.text()} is computed again, not saved: {call.writers[0].text()} overwrites it")
        if once and not together[-1].saved:
            self.add_limit(
                f"{once[0].text()} is saved, not computed again: it updates an input, which must happen once"
            )
        saved = bool(once) or together[-1].saved
        saved = saved and not call.read_before
        if call.writers or call.writes_input:
            for one in together:
                one.saved = saved
            self.overwrites |= saved

    @functools.cached_property
    def _region(self) -> Region:
        return Region(self.plan, [call for calls in self.calls.values() for call in calls])

    @property
    def memory(self) -> EagerMemory:
        """Memory that eager needs for the region with this policy: all results of saved operations, its inputs, and
        recomputed values. `EagerMemory.peak` adds up regions."""
        return self._region.memory(checkpointed=True)

    @property
    def memory_without(self) -> EagerMemory:
        """Memory that eager needs for the region without checkpointing."""
        return self._region.memory(checkpointed=False)

    def add_limit(self, sentence: str) -> None:
        if sentence not in self.not_expressed:
            self.not_expressed.append(sentence)

    def __call__(self) -> tuple[AbstractContextManager[None], AbstractContextManager[None]]:
        """The contexts of one forward and of its recomputation."""
        counting = _Counting(self)
        make: Callable[..., tuple[Any, Any]] = create_selective_checkpoint_contexts
        forward, again = make(counting, allow_cache_entry_mutation=self.overwrites)
        return _checked(forward, counting), _Again(again, counting)


class _Again:
    """The context in which a region is recomputed, once for each backward."""

    def __init__(self, context: AbstractContextManager[Any], counting: _Counting) -> None:
        self.context, self.counting = context, counting

    def __enter__(self) -> None:
        self.counting.again.clear()
        self.context.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self.context.__exit__(kind, error, trace)


@contextlib.contextmanager
def _checked(context: AbstractContextManager[Any], counting: _Counting) -> Iterator[None]:
    with context:
        yield
    counting.check()


def checkpoint_policy(plan: Plan | Report | Mapping[str, Any] | str | Path) -> CheckpointPolicy:
    """A context_fn of torch.utils.checkpoint that saves and recomputes what a plan does, in eager and FSDP training.

    Operators of the forward are identified by the order in which they run. The plan must be of the checkpointed module.
    `not_expressed` lists what eager cannot do as planned.

    >>> policy = aotscope.checkpoint_policy("report.json")
    >>> torch.utils.checkpoint.checkpoint(model, x, use_reentrant=False, context_fn=policy)
    """
    return CheckpointPolicy(Plan.of(plan))
