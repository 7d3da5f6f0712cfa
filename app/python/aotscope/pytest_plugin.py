"""Assertions on partitions for tests, and a summary for CI.

def test_partition():
    aotscope.assert_partition(model, (x,), saved_bytes_at_most=2_000_000, recomputed=["relu"], same_as="base.json")
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .commands import Result, diff, run
from .report import Report, read_json, size_text

if TYPE_CHECKING:
    from .options import Value

UPDATE = "AOTSCOPE_UPDATE"
_LARGEST = 5
_MOST_LINES = 40

_reports: list[Report] = []


# What `aotscope diff` reads of a report, and what it reads of a graph and a pass in it.
_KEPT = (
    "schema",
    "model",
    "options",
    "inputs",
    "metadata",
    "guards",
    "symbols",
    "fallbacks",
    "decompositions",
    "partition",
)
_KEPT_OF_GRAPHS = ("ops", "full_text")


def _baseline(report: Report) -> dict[str, Any]:
    """The part of a report that a baseline keeps: what is compared, without times."""
    kept: dict[str, Any] = {key: report.json[key] for key in _KEPT if key in report.json}
    kept["graphs"] = {
        kind: {key: graph[key] for key in _KEPT_OF_GRAPHS if key in graph}
        for kind, graph in report.json.get("graphs", {}).items()
    }
    kept["passes"] = [{key: row[key] for key in row if key != "ms"} for row in report.json.get("passes", [])]
    return kept


def _difference(found: Result) -> list[str]:
    lines = []
    for what in ("saved", "recomputed"):
        for sign, key in (("-", "removed"), ("+", "added")):
            lines += [f"    {sign} {what} {_name(value)}" for value in found.get(what, {}).get(key, [])]
    sizes = found.get("saved_unique_bytes", {})
    if sizes and sizes["before"] != sizes["after"]:
        lines.append(f"    saved bytes {sizes['before']:,} -> {sizes['after']:,}")
    for graph in found.get("graphs", []):
        lines += [f"    {graph['graph']}: {_node(node)}" for node in graph["nodes"]]
    lines += [_fact(fact) for fact in found.get("facts", [])]
    if len(lines) > _MOST_LINES:
        lines[_MOST_LINES:] = [f"    ... and {len(lines) - _MOST_LINES} more differences"]
    return lines


def _fact(fact: Mapping[str, str]) -> str:
    return f"    {fact['what']}: {fact['before'] or 'none'} -> {fact['after'] or 'none'}"


def _node(node: Mapping[str, Any]) -> str:
    name = node["after"] or node["before"]
    return f"%{name} {node['fate']}" + (f": {node['what']}" if node["what"] else "")


def _name(value: Any) -> str:
    if not isinstance(value, Mapping):
        return str(value)
    return f"%{value.get('name')} ({value.get('op')}, {value.get('bytes', 0):,} bytes)"


def _compare(report: Report, file: str | os.PathLike[str], ignore: Sequence[str]) -> list[str]:
    path = Path(file)
    now = _baseline(report)
    if os.environ.get(UPDATE):
        path.write_text(json.dumps(now, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        return []
    if not path.exists():
        return [f"there is no baseline {path}; {UPDATE}=1 writes it"]
    before = read_json(path, f"a baseline that {UPDATE}=1 writes")
    found = diff(before, now, **({"ignore": ",".join(ignore)} if ignore else {}))
    if not found["changed"]:
        return []
    return [f"the partition is not that of {path} ({UPDATE}=1 accepts it):", *_difference(found)]


def _too_large(report: Report, most: int) -> list[str]:
    if report.saved_bytes <= most:
        return []
    own = [row for row in report.saved if row["kind"] == "activation"]
    largest = sorted(own, key=lambda row: -int(row["bytes"]))[:_LARGEST]
    lines = [f"    {row['bytes']:>12,}  %{row['name']} ({row['op']}): {row['reason']}" for row in largest]
    more = report.saved_bytes - most
    return [
        f"saved for backward: {report.saved_bytes:,} bytes, expected at most {most:,}: {size_text(more)} more; "
        "the largest:",
        *lines,
    ]


def _not_recomputed(report: Report, names: Sequence[str]) -> list[str]:
    known = {row["name"] for row in report.recomputed}
    missing = [name for name in names if name not in known]
    if not missing:
        return []
    why = {row["name"]: row for row in report.partition.get("decisions", [])}
    lines = [f"expected to be recomputed, but {'is' if len(missing) == 1 else 'are'} not:"]
    for name in missing:
        row = why.get(name)
        lines.append(f"    %{name}: " + (f"{row['fate']}; {row['reason']}" if row else "no such value"))
    return lines


def assert_partition(
    model: Any,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    saved_bytes_at_most: int | None = None,
    recomputed: Sequence[str] | None = None,
    same_as: str | os.PathLike[str] | None = None,
    ignore: Sequence[str] = (),
    **options: Value,
) -> Report:
    """Fails with one message if the partition of a model is not as expected; otherwise returns its report.

    `saved_bytes_at_most`: of activations that are saved for the backward. `recomputed`: names of values that the
    backward recomputes. `same_as`: a baseline, which the environment variable AOTSCOPE_UPDATE=1 writes: graphs,
    partition, guards, metadata and options must be the same, except what `ignore` names ("names", "order", ...), as
    in `aotscope diff --ignore`. `options` are those of the command line.
    """
    __tracebackhide__ = True
    report = model if isinstance(model, Report) else run(model, *args, kwargs=kwargs, partition_fn=None, **options)
    _reports.append(report)
    failures: list[str] = []
    if report.error:
        failures.append(report.error)
    if saved_bytes_at_most is not None:
        failures += _too_large(report, saved_bytes_at_most)
    if recomputed is not None:
        failures += _not_recomputed(report, recomputed)
    if same_as is not None:
        failures += _compare(report, same_as, ignore)
    if failures:
        raise AssertionError(f"partition of {report.name}:\n" + "\n".join(f"  {line}" for line in failures))
    return report


def summary() -> str:
    """All asserted partitions, in Markdown."""
    return "\n".join(report.markdown() for report in _reports)


def pytest_terminal_summary() -> None:
    """Writes the summary where GitHub's runners show it."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if file and _reports:
        with Path(file).open("a", encoding="utf-8") as out:
            out.write(summary())
    _reports.clear()
