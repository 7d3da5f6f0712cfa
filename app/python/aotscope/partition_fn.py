"""Custom partition functions: they get the joint graph and return what is saved for the backward."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from .errors import Error
from .graph_text import TextGraph, TextNode, read_graph
from .options import arguments, options
from .program import call
from .report import Report

if TYPE_CHECKING:
    from .options import Value

PartitionFn: TypeAlias = Callable[[TextGraph], Iterable["str | TextNode"]]


def _joint_graph(words: list[str], given: Mapping[str, Value], folder: Path) -> TextGraph:
    """As the partitioner gets it: without dead code and repeated operations."""
    known = options("partition")
    taken = {keyword: value for keyword, value in given.items() if keyword.rstrip("_") in known}
    file = folder / "joint.json"
    call(["partition", *words, *arguments("partition", taken), f"--report={file}"], folder=folder)
    report = Report(json.loads(file.read_text(encoding="utf-8")))
    _ = report.partition  # an Error where there is no backward
    return read_graph(report.graph("joint"))


def _name(value: Any) -> str:
    if isinstance(value, TextNode):
        return value.name
    if isinstance(value, str):
        return value.removeprefix("%")
    raise Error(f"partition_fn: expected nodes of the joint graph, or their names, found {value!r:.60}")


def _names(answer: Any) -> list[str]:
    if isinstance(answer, str) or not isinstance(answer, Iterable):
        raise Error(f"partition_fn: expected the values to save, a list of nodes or names, found {answer!r:.60}")
    return [_name(value) for value in answer]


def plan_option(
    partition_fn: PartitionFn, words: list[str], given: Mapping[str, Value], folder: Path
) -> dict[str, Value]:
    """Calls the function, and writes its result as a plan. Its exceptions are passed on."""
    if not callable(partition_fn):
        raise Error(f"partition_fn={partition_fn!r:.60}: expected a function of the joint graph")
    saved = _names(partition_fn(_joint_graph(words, given, folder)))
    plan = folder / "plan.json"
    plan.write_text(json.dumps({"saved": saved}), encoding="utf-8")
    return {"plan": plan}
