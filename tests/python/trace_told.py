"""What aotscope says about a log of trace_cases.py, compared with PyTorch itself."""

from __future__ import annotations

import collections
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aotscope

HERE = Path(__file__).resolve().parent
COUNTED = ("compilations", "recompilations", "breaks", "guards", "dynamo", "hits", "misses", "bypasses")
KINDS = ("joint", "forward", "backward", "inference")
STATES = {"hit": "hits", "miss": "misses", "bypass": "bypasses"}
AGAIN = ("--partition", "min-cut")
REASONS = ("Inductor rewrites", "running statistics", "overwrites afterwards", "sizes of saved tensors", "RNG state")
NODE = re.compile(r"^  %(\S+) : .*? = ([\w.]+)\(", re.MULTILINE)


def program() -> str:
    return str(aotscope.find_program())


def traced(folder: Path, backend: str, models: list[str], ways: list[str], rank: int = 0) -> tuple[Path, Any]:
    """A log, and PyTorch's facts about it. Every log is written with empty caches."""
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "python.json"
    environment = {
        **os.environ,
        "RANK": str(rank),
        "TORCH_TRACE": str(folder / "trace"),
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache"),
        "PYTHONWARNINGS": "ignore",
    }
    arguments = [str(out), backend, ",".join(models), ",".join(ways)]
    python = os.environ.get("AOTSCOPE_TRACE_PYTHON", sys.executable)
    if python != sys.executable:
        environment.pop("PYTHONPATH", None)
    subprocess.run([python, str(HERE / "trace_cases.py"), *arguments], env=environment, check=True)
    (log,) = (folder / "trace").glob("*.log")
    return log, json.loads(out.read_text(encoding="utf-8"))


def asked(*arguments: str) -> str:
    done = subprocess.run([program(), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"aotscope {' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done.stdout


@dataclass
class Difference:
    what: str
    python: Any
    ours: Any

    def __str__(self) -> str:
        return f"{self.what}: Python says {self.python}, aotscope {self.ours}"


@dataclass
class Case:
    """How one model, compiled in one way, compares."""

    name: str
    python: dict[str, Any]
    ours: collections.Counter[str] = field(default_factory=collections.Counter)
    ids: list[str] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    graphs: int = 0
    equal: int = 0  # repartitioned graphs equal to Python's
    unequal: int = 0  # different ones
    explained: list[str] = field(default_factory=list)  # the reasons

    def add(self, compilation: dict[str, Any]) -> None:
        self.ids.append(compilation["id"])
        self.ours["compilations"] += 1
        self.ours["recompilations"] += bool(compilation["recompiled_for"])
        self.ours["breaks"] += len(compilation["graph_breaks"])
        self.ours["guards"] += compilation["guard_count"] or 0
        self.ours["dynamo"] += compilation["operations"] or 0
        for event in compilation["caches"]:
            if event["cache"] == "AOTAutograd":
                self.ours[STATES.get(event["state"], "failures")] += 1

    def compare_counts(self) -> None:
        for key in COUNTED:
            if self.python[key] != self.ours[key]:
                self.differences.append(Difference(f"{self.name}: {key}", self.python[key], self.ours[key]))

    def compare_graphs(self, log: Path, folder: Path) -> None:
        """In the order in which they were compiled, kind by kind."""
        found: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
        joints = []
        for name in self.ids:
            report = printed_report(log, name, folder)
            for kind, graph in report["graphs"].items():
                if kind in found:
                    found[kind].append(graph)
            joints += [name] if "joint" in report["graphs"] else []
        for kind in KINDS:
            python = self._python(kind)
            self._differ(f"{kind} graphs", len(python), len(found[kind]))
            for theirs, mine in zip(python, found[kind]):
                self.graphs += 1
                self._differ(f"operations of {kind}", len(theirs["operations"]), mine["calls"])
                self._differ(f"names in {kind}", theirs["operations"], nodes_in(mine["text"])["operations"])
                self._differ(f"placeholders of {kind}", len(theirs["placeholders"]), mine["placeholders"])
                self._differ(f"outputs of {kind}", len(theirs["outputs"]), mine["outputs"])
        for name, forward, backward in zip(joints, self._python("forward"), self._python("backward")):
            self._compare_halves(name, printed_report(log, name, folder, *AGAIN), forward, backward)

    def _python(self, kind: str) -> list[dict[str, Any]]:
        return [graph for graph in self.python["graphs"] if graph["kind"] == kind]

    def _compare_halves(self, name: str, report: Any, forward: Any, backward: Any) -> None:
        mine = {kind: nodes_in(report["graphs"][kind]["text"]) for kind in ("forward", "backward")}
        pairs = (
            ("operations of the forward", mine["forward"]["operations"], forward["operations"]),
            ("operations of the backward", mine["backward"]["operations"], backward["operations"]),
            ("saved values", mine["backward"]["placeholders"], backward["placeholders"]),
        )
        unequal = [f"{what}: {unlike(ours, python)}" for what, ours, python in pairs if sorted(ours) != sorted(python)]
        reasons = [warning for warning in report["warnings"] if any(reason in warning for reason in REASONS)]
        if not unequal:
            self.equal += 1
        elif reasons:
            self.explained += reasons
            self.unequal += 1
        else:
            self.differences.append(Difference(f"{self.name}: halves of {name}", "equal", unequal))

    def _differ(self, what: str, python: Any, ours: Any) -> None:
        if python != ours:
            self.differences.append(Difference(f"{self.name}: {what}", python, ours))


def unlike(ours: list[str], python: list[str]) -> str:
    return f"only here {sorted(set(ours) - set(python))}, only in Python {sorted(set(python) - set(ours))}"


def nodes_in(text: str) -> dict[str, list[str]]:
    """The names of operations and placeholders in a graph as aotscope writes it."""
    found: dict[str, list[str]] = {"operations": [], "placeholders": [], "constants": []}
    for name, op in NODE.findall(text):
        found[{"placeholder": "placeholders", "constant": "constants"}.get(op, "operations")].append(name)
    return found


def printed_report(log: Path, compilation: str, folder: Path, *options: str) -> dict[str, Any]:
    path = folder / "report.json"
    asked("run", str(log), "--compile-id", compilation, "--report", str(path), *options)
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return report


def pieces(log: Path, folder: Path) -> dict[str, Path]:
    """A log for each case: they begin where the name of its file is first used."""
    names, found, current = [], {}, None
    with log.open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("V") and '] {"str": [' in line:
                names.append(line)
                if case := re.search(r"/case_(\w+)\.py", line):
                    found[case[1]] = folder / f"{case[1]}.log"
                    current = found[case[1]].open("w", encoding="utf-8")
                    current.writelines(names)
                    continue
            if current:
                current.write(line)
    return found


def compare(log: Path, python: dict[str, Any], folder: Path) -> list[Case]:
    logs = pieces(log, folder)
    cases = []
    for name, says in python.items():
        case = Case(name, says)
        report = json.loads(asked("compiles", str(logs[name]), "--json"))
        for each in report["compilations"]:
            if f"case_{name}" in each["code"]["function"]:
                case.add(each)
        case.compare_counts()
        case.compare_graphs(logs[name], folder)
        cases.append(case)
    return cases
