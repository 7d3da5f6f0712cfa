"""A plan: which tensors a partition saves for the backward, and of which joint graph.

Plans come from a Report, a report file (.json), a session (.aotscope) or a model, and are applied in PyTorch by
`partitioner` and `checkpoint_policy`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import Error
from .program import call, temporary_folder
from .report import read_json

if TYPE_CHECKING:
    from .report import Report


_COLUMNS = {"name": str, "op": str, "type": str, "bytes": int, "kind": str}


_STATE = "higher_order.rng_state"
_STATE_OF = "rng_state_of_"


def _as(kind: type[Any], value: Any) -> Any:
    """The content of a report file is unchecked."""
    if not isinstance(value, kind):
        raise TypeError(f"expected {kind.__name__}, found {value!r:.60}")
    return value


def _text(graphs: Mapping[str, Any], kind: str) -> str:
    """Of a graph; empty: it is not there."""
    text: str = _as(str, _as(dict, graphs.get(kind, {})).get("text", ""))
    return text


@dataclass(frozen=True)
class Saved:
    """A value that is saved for the backward."""

    name: str
    op: str  # "placeholder": an input
    type: str  # "f32[8, 16]"
    bytes: int
    kind: str  # "activation", "input" or "symint"

    @property
    def draws(self) -> str:
        """The random operation that the backward runs again, if this is the RNG state for it; else empty."""
        return self.name.removeprefix(_STATE_OF) if self.op == _STATE else ""


@dataclass(frozen=True)
class Plan:
    """The saved values of a partition. Everything else that the backward uses is recomputed."""

    algorithm: str  # "default" or "min-cut"
    saved: tuple[Saved, ...]
    recomputed: tuple[str, ...]
    joint: str = field(repr=False)  # the joint graph as text
    forward: str = field(repr=False)  # the forward as eager runs it, as text; empty: unknown
    functional: str = field(repr=False)  # the forward without mutation, as text; empty: unknown
    names_are_pythons: bool = False  # of a joint graph that Python printed
    report: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, source: Plan | Report | Mapping[str, Any] | str | Path) -> Plan:
        """The plan of a Report, of a report's JSON, or of a file of either kind."""
        if isinstance(source, Plan):
            return source
        if isinstance(source, (str, Path)):
            return cls.load(source)
        content = source if isinstance(source, Mapping) else getattr(source, "json", None)
        if not isinstance(content, Mapping):
            raise Error(f"expected a plan, a report or a file, found {type(source).__name__}")
        return cls.of_report(content)

    @classmethod
    def of_report(cls, report: Mapping[str, Any]) -> Plan:
        """Of the report's JSON."""
        try:
            return cls._read(report)
        except (KeyError, TypeError) as e:
            raise Error(f"this is not a whole report of 'aotscope run --report': {e!r}") from e

    @classmethod
    def _read(cls, report: Mapping[str, Any]) -> Plan:
        partition, graphs = report.get("partition"), _as(dict, report.get("graphs", {}))
        model = _as(dict, report.get("model", {}))
        if partition is None or "joint" not in graphs:
            name = model.get("name", "the model")
            raise Error(f"{name} has no partition: nothing of it needs a gradient, or it was run with inference=True")
        if _as(dict, partition).get("algorithm") == "printed":
            raise Error("the partition is the one that Python printed; give partition='min-cut' or 'default'")
        saved, recomputed = (_as(list, partition[key]) for key in ("saved", "recomputed"))
        return cls(
            algorithm=_as(str, partition["algorithm"]),
            saved=tuple(Saved(*(_as(kind, _as(dict, row)[key]) for key, kind in _COLUMNS.items())) for row in saved),
            recomputed=tuple(_as(str, _as(dict, row)["name"]) for row in recomputed),
            joint=_as(str, _as(dict, graphs["joint"])["text"]),
            forward=_text(graphs, "forward-traced"),
            functional=_text(graphs, "functional"),
            names_are_pythons=model.get("kind") in ("printed graphs", "TORCH_TRACE log"),
            report=report,
        )

    @classmethod
    def load(cls, file: str | Path) -> Plan:
        """Of a report (.json) or a session (.aotscope): the partition that was applied last in the window."""
        path = Path(file)
        if not path.is_file():
            raise Error(f"{path}: expected a report (.json) or a session (.aotscope), found nothing")
        if path.suffix == ".aotscope":
            with temporary_folder() as folder:
                report = folder / "report.json"
                call(["partition", str(path.resolve()), f"--report={report}"], folder=folder)
                return cls.load(report)
        content = read_json(path, "a report (.json) or a session (.aotscope)")
        if not isinstance(content, dict) or "schema" not in content:
            raise Error(f"{path}: expected a report of 'aotscope run --report' or 'aotscope partition --report'")
        return cls.of_report(content)

    def save(self, file: str | Path) -> None:
        """As a report, which `load` and `aotscope diff` read."""
        text = json.dumps(self.report, indent=1) + "\n"
        Path(file).write_text(text, encoding="utf-8")

    @property
    def tensors(self) -> tuple[Saved, ...]:
        """The saved tensors, without symbolic sizes."""
        return tuple(saved for saved in self.saved if saved.kind != "symint")

    @property
    def saved_bytes(self) -> int:
        """Bytes of all saved tensors, including inputs."""
        return sum(saved.bytes for saved in self.tensors)

    def names(self) -> list[str]:
        """The saved values, as a partition function names them: RNG states of recomputed operations are implied."""
        return [saved.name for saved in self.saved if not saved.draws]

    def digest(self) -> str:
        """Identifies plans: equal for equal partitions of the same graph."""
        key = json.dumps([self.algorithm, [saved.name for saved in self.saved], self.joint])
        return hashlib.sha256(key.encode()).hexdigest()
