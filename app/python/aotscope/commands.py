"""The program's commands as functions: run, diff, ranks, pareto, debug_first_nan."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import Error
from .options import arguments
from .partition_fn import plan_option
from .program import NOT_A_PATH, call, temporary_folder, why
from .report import Report

if TYPE_CHECKING:
    from .options import Value
    from .partition_fn import PartitionFn

_FINE, _FAILED, _DIFFERENT = 0, 1, 3

Result = dict[str, Any]


@dataclass(frozen=True)
class _Target:
    words: list[str]  # the model first
    how: str = ""


def _target(model: Any, args: Sequence[Any], kwargs: Mapping[str, Any] | None, folder: Path) -> _Target:
    """A model as arguments of the command line. Files need no torch."""
    if isinstance(model, Report):
        path = folder / "run.aotscope"
        model.save(path)
        return _Target([str(path)])
    if isinstance(model, (str, Path)):
        if args or kwargs:
            raise Error(f"{model}: a file brings its own inputs; give inputs=FILE for others")
        name = str(model)
        return _Target([name if name.startswith(NOT_A_PATH) else str(Path(name).resolve())])
    from .export import export

    exported = export(model, args, kwargs or {}, folder)
    return _Target(exported.arguments, exported.how)


def _without_files(options: Mapping[str, Value]) -> tuple[dict[str, Value], list[Path]]:
    """The options without report and session, which are returned separately."""
    own = dict(options)
    report, saved = own.pop("report", None), own.pop("save", None)
    values = [saved] if isinstance(saved, (str, Path)) else list(saved) if isinstance(saved, Sequence) else []
    files = [Path(str(report))] if report is not None else []
    files += [Path(str(value)) for value in values if str(value).endswith(".aotscope")]
    nodes = [value for value in values if not str(value).endswith(".aotscope")]
    return ({**own, "save": nodes} if nodes else own), files


def _planned(
    partition_fn: PartitionFn | None, words: list[str], options: Mapping[str, Value], folder: Path
) -> dict[str, Value]:
    """The options, with the plan that the function makes."""
    return {**options, **(plan_option(partition_fn, words, options, folder) if partition_fn is not None else {})}


def run(
    model: Any,
    *args: Any,
    kwargs: Mapping[str, Any] | None = None,
    partition_fn: PartitionFn | None = None,
    **options: Value,
) -> Report:
    """Compiles a model in the program and returns its report.

    `model`: a module, a function, an ExportedProgram, a TorchScript module, or a file; `args` and `kwargs` are its
    example inputs. `options` are those of the command line: run(model, x, check=True, budget=0.3, recompute=["relu"]).
    `aotscope.options("run")` lists them. `partition_fn`: as in `partition`.

    A check that finds a difference is not an Error: see `check_ok` of the report. If the pipeline fails, the Error's
    `report` contains the results up to that point.
    """
    with temporary_folder() as folder:
        target = _target(model, args, kwargs, folder)
        report, session = folder / "report.json", folder / "result.aotscope"
        own, files = _without_files(options)
        own = _planned(partition_fn, target.words, own, folder)
        words = [*target.words, *arguments("run", own), f"--report={report}", f"--save={session}"]
        outcome = call(["run", *words], accept=(_FINE, _FAILED, _DIFFERENT), folder=folder)
        error = Error(why(outcome)) if outcome.status == _FAILED else None
        if error and not session.exists():
            raise error
        content = json.loads(report.read_text(encoding="utf-8"))
        found = Report(content, session.read_bytes() if session.exists() else b"", target.how)
        for file in files:
            found.save(file)
        if error:
            error.report = found
            raise error
        return found


def partition(
    model: Any,
    *args: Any,
    kwargs: Mapping[str, Any] | None = None,
    partition_fn: PartitionFn | None = None,
    **options: Value,
) -> Report:
    """The partition of a model: like `run`, with the options of `aotscope partition`, and without pictures.

    `partition_fn` chooses what is saved: it gets the joint graph, whose `nodes` have a name, a type, an operator, a
    role and arguments, and returns those to save, or their names. Other values of the forward that the backward needs
    are recomputed. A value that does not exist, cannot be saved, or is missing raises an Error that names it.
    """
    with temporary_folder() as folder:
        target = _target(model, args, kwargs, folder)
        report = folder / "report.json"
        own = _planned(partition_fn, target.words, options, folder)
        call(["partition", *target.words, *arguments("partition", own), f"--report={report}"], folder=folder)
        return Report(json.loads(report.read_text(encoding="utf-8")), how=target.how)


def _side(model: Any, folder: Path) -> str:
    """One side of a comparison; a model with inputs is a tuple."""
    if isinstance(model, Mapping):
        model = Report(model)
    if isinstance(model, Report):
        path = folder / "report.json"
        model.save(path)
        return str(path)
    model, args = (model[0], model[1:]) if isinstance(model, tuple) else (model, ())
    target = _target(model, args, None, folder)
    if len(target.words) > 1:
        raise Error("a traced model cannot be compared with its inputs; give the Report of aotscope.run")
    return target.words[0]


def diff(a: Any, b: Any, **options: Value) -> Result:
    """The differences between two reports, files or models: operations, saved and recomputed values, bytes.

    A model with its example inputs is a tuple: diff(before, (model, x)). `changed` says whether anything differs.
    """
    with temporary_folder() as folder:
        sides = []
        for name, side in (("a", a), ("b", b)):
            own = folder / name
            own.mkdir()
            sides.append(_side(side, own))
        outcome = call(
            ["diff", *sides, *arguments("diff", options), "--json"], accept=(_FINE, _DIFFERENT), folder=folder
        )
        return dict(json.loads(outcome.output))


def ranks(*models: Any, **options: Value) -> Result:
    """The first differences between the ranks of a distributed program, as `aotscope ranks` writes them.

    Each of `models` is one rank, as in `diff`, or several: the report of `run --ranks`, a folder of TORCH_TRACE. With
    `ranks=4`, a single file is compiled for four ranks, with `{rank}` in its name for the number. `equal` lists the
    aspects that are the same on all ranks, `differences` the first difference of each other aspect, by rank.
    """
    with temporary_folder() as folder:
        sides = []
        for number, model in enumerate(models):
            own = folder / f"rank_{number}"
            own.mkdir()
            sides.append(_side(model, own))
        outcome = call(
            ["ranks", *sides, *arguments("ranks", options), "--json"], accept=(_FINE, _DIFFERENT), folder=folder
        )
        return dict(json.loads(outcome.output))


def pareto(model: Any, *args: Any, kwargs: Mapping[str, Any] | None = None, **options: Value) -> list[Result]:
    """Memory against time for budgets from 0 to 1: budget, saved_bytes, predicted_peak_bytes, estimated_ms, ..."""
    with temporary_folder() as folder:
        target, points = _target(model, args, kwargs, folder), folder / "points.json"
        call(["pareto", *target.words, *arguments("pareto", options), f"--json={points}"], folder=folder)
        return list(json.loads(points.read_text(encoding="utf-8"))["points"])


def debug_first_nan(model: Any, *args: Any, kwargs: Mapping[str, Any] | None = None, **options: Value) -> Result | None:
    """Where the first NaN or infinity comes from, as `aotscope debug` writes it; None: not found.

    `stop` has graph, node and text; `values` the statistics of the values there.
    """
    with temporary_folder() as folder:
        target = _target(model, args, kwargs, folder)
        words = ["debug", *target.words, *arguments("debug", options), "--first-nan", "--json"]
        outcome = call(words, accept=(_FINE, _DIFFERENT), folder=folder)
        return dict(json.loads(outcome.output)) if outcome.status == _DIFFERENT else None
