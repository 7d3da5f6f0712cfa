"""Exports a model in Python to a file that the program opens."""

from __future__ import annotations

import contextlib
import inspect
import io
import logging
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._torch import torch
from .errors import Error
from .program import NOT_A_PATH

_LONGEST_SENTENCE = 400
_TRACE = logging.getLogger("torch.__trace")


@dataclass
class Exported:
    """A file for the program."""

    model: str  # a path, sample:NAME or script:CODE
    how: str  # "torch.export (strict=False)"; empty: it was a file already
    inputs: Path | None = None  # example inputs beside the model
    attempts: list[str] = field(default_factory=list)  # what did not work, each a sentence

    @property
    def arguments(self) -> list[str]:
        """For the command line: the model first, since some options take any number of words."""
        return [self.model, *([f"--inputs={self.inputs}"] if self.inputs else [])]


class _Function(torch.nn.Module):
    """A function as a module, which the exporters want."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function
        self.forward = function

    def extra_repr(self) -> str:
        return getattr(self.function, "__name__", "function")


def first_sentence(error: BaseException) -> str:
    """The message of an exporter, without its stack."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = lines[0] if lines else type(error).__name__
    return text if len(text) <= _LONGEST_SENTENCE else text[:_LONGEST_SENTENCE] + "..."


def _named(module: Any) -> str:
    """What the program calls the model: the file's name."""
    name = getattr(module, "function", None) or type(module)
    return re.sub(r"\W+", "_", getattr(name, "__name__", "model")).strip("_") or "model"


def _save_exported(program: Any, name: str, folder: Path) -> str:
    path = folder / f"{name}.pt2"
    torch.export.save(program, path)
    return str(path)


def _by_export(strict: bool) -> Callable[..., Exported]:
    def attempt(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any], folder: Path) -> Exported:
        program = torch.export.export(module, args, kwargs, strict=strict)
        return Exported(_save_exported(program, _named(module), folder), f"torch.export (strict={strict})")

    return attempt


def _by_trace(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any], folder: Path) -> Exported:
    trace: Callable[..., Any] = torch.jit.trace
    if kwargs:
        traced = trace(module, args or None, example_kwarg_inputs=kwargs, check_trace=False)
    else:
        traced = trace(module, args, check_trace=False)
    return _save_script(traced, folder / f"{_named(module)}.pt", args, kwargs, "torch.jit.trace")


def _save_script(module: Any, path: Path, args: tuple[Any, ...], kwargs: dict[str, Any], how: str) -> Exported:
    inputs = path.parent / "inputs.pt"
    torch.jit.save(module, str(path))
    if not args and not kwargs:
        return Exported(str(path), how)
    torch.save((args, kwargs) if kwargs else args, inputs)
    return Exported(str(path), how, inputs)


def _by_capture(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any], folder: Path) -> Exported:
    from .recording import record_training

    return Exported(str(record_training(module, args, kwargs, folder)), "torch.compile, as printed graphs")


_ATTEMPTS: list[tuple[str, Callable[..., Exported]]] = [
    ("torch.export (strict=False)", _by_export(False)),
    ("torch.export (strict=True)", _by_export(True)),
    ("torch.jit.trace", _by_trace),
    ("torch.compile", _by_capture),
]


def _check_arguments(module: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    try:
        signature = inspect.signature(module.forward)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*args, **kwargs)
    except TypeError as e:
        raise Error(f"{type(module).__name__}.forward{signature}: {e}; give the example inputs after the model") from e


def _is_file(model: Any) -> bool:
    return isinstance(model, (str, os.PathLike))


def _of_file(model: str | os.PathLike[str]) -> Exported:
    name = os.fspath(model)
    if name.startswith(NOT_A_PATH):
        return Exported(name, "")
    path = Path(name)
    if not path.is_file():
        raise Error(f"{name}: expected a model or a file, found {'a folder' if path.is_dir() else 'nothing'}")
    return Exported(str(path.resolve()), "")


def export(model: Any, args: Sequence[Any], kwargs: Mapping[str, Any], folder: Path) -> Exported:
    """Exports `model` with its example inputs to a file in `folder`.

    `model`: a module, a function, an ExportedProgram, a TorchScript module, a path, sample:NAME or script:CODE. Modules
    are exported by torch.export, non-strict, then strict, traced by torch.jit.trace, or captured by torch.compile.
    """
    if _is_file(model):
        return _of_file(model)
    arguments, keywords = tuple(args), dict(kwargs)
    if isinstance(model, torch.export.ExportedProgram):
        return Exported(_save_exported(model, "model", folder), "torch.export")
    if isinstance(model, torch.jit.ScriptModule):
        return _save_script(model, folder / "model.pt", arguments, keywords, "TorchScript")
    if not callable(model):
        raise Error(f"expected a module, a function, an exported program or a file, found {type(model).__name__}")
    module = model if isinstance(model, torch.nn.Module) else _Function(model)
    _check_arguments(module, arguments, keywords)
    return _first_that_works(module, arguments, keywords, folder)


@contextlib.contextmanager
def _quiet(logs: bool) -> Iterator[None]:
    """Silences warnings of exporters and, with `logs`, their logs before an exception, which is reported anyway."""
    before, propagates = logging.root.manager.disable, _TRACE.propagate
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        if logs:
            logging.disable(logging.CRITICAL)
        _TRACE.propagate = False  # its events go to handlers of their own, and otherwise fill the log of pytest
        try:
            yield
        finally:
            _TRACE.propagate = propagates
            logging.disable(before)


def _caller() -> int:
    """The stack level of the first function outside of this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    return level


def _first_that_works(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any], folder: Path) -> Exported:
    failed: list[str] = []
    for name, attempt in _ATTEMPTS:
        try:
            with _quiet(logs=attempt is not _by_capture):  # PyTorch 2.11 writes a trace only where logging is enabled
                exported = attempt(module, args, kwargs, folder)
        except Exception as e:  # exporters throw whatever the model does
            failed.append(f"{name}: {first_sentence(e)}")
            continue
        exported.attempts = failed
        if failed:
            warnings.warn(f"{'; '.join(failed)}. Made by {exported.how} instead.", stacklevel=_caller())
        return exported
    raise Error(
        f"{type(module).__name__} cannot be exported. "
        + "; ".join(failed)
        + ". Does the model run in eager with these "
        "inputs? Otherwise export a part of it, or record what runs with aotscope.capture()"
    )
