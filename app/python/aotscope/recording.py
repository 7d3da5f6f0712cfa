"""Records what torch.compile compiles, by PyTorch's structured trace, into a file that the program opens."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from torch._logging import _internal as torch_logging
from torch._logging import structured

from ._torch import torch
from .errors import Error

if TYPE_CHECKING:
    from .options import Value
    from .report import Report
    from .show import Window

_GRAPHS = {
    "dynamo_output_graph": "source",
    "aot_joint_graph": "joint",
    "aot_forward_graph": "forward",
    "aot_backward_graph": "backward",
    "aot_inference_graph": "inference",
}
_GUARDS = ("dynamo_guards", "dynamo_cpp_guards_str")
_RECORD = re.compile(r"^\w\d{4} \S+ \d+ \S+\] (\{.*\})$")


@dataclass
class Compilation:
    """One compilation of a record."""

    id: str  # "0/0", as compile_id takes it
    graphs: dict[str, str] = field(default_factory=dict)  # "joint": its code
    guards: str = ""

    def __repr__(self) -> str:
        return f"Compilation({self.id}: {', '.join(self.graphs) or 'no graphs'})"


@contextlib.contextmanager
def without_cache() -> Iterator[None]:
    """Graphs that come out of AOTAutograd's cache are not traced, so they could not be recorded."""
    import torch._functorch.config as config

    with config.patch(enable_autograd_cache=False) if hasattr(config, "enable_autograd_cache") else _nothing():
        yield


@contextlib.contextmanager
def _nothing() -> Iterator[None]:
    yield


def _id(record: Mapping[str, Any]) -> str | None:
    if "frame_id" not in record or "frame_compile_id" not in record:
        return None
    text = f"{record['frame_id']}/{record['frame_compile_id']}"
    autograd = record.get("compiled_autograd_id")
    return f"!{autograd}/{text}" if autograd is not None else text


def read_trace(text: str) -> dict[str, Compilation]:
    """The compilations of a trace, in their order."""
    found: dict[str, Compilation] = {}
    lines = text.splitlines()
    for number, line in enumerate(lines):
        matched = _RECORD.match(line)
        if not matched:
            continue
        record = json.loads(matched[1])
        kinds = [kind for kind in (*_GRAPHS, *_GUARDS) if kind in record]
        compile_id = _id(record)
        if not kinds or compile_id is None:
            continue
        end = next((i for i in range(number + 1, len(lines)) if not lines[i].startswith("\t")), len(lines))
        payload = "\n".join(line[1:] for line in lines[number + 1 : end])
        compilation = found.setdefault(compile_id, Compilation(compile_id))
        if kinds[0] in _GRAPHS:
            compilation.graphs[_GRAPHS[kinds[0]]] = payload
        elif not compilation.guards:
            compilation.guards = payload
    return found


def _of_compilations(text: str, ids: set[str]) -> str:
    """The records of these compilations, and those without a compilation."""
    kept, keep = [], True
    for line in text.splitlines(keepends=True):
        matched = None if line.startswith("\t") else _RECORD.match(line.rstrip("\n"))
        if matched:
            compile_id = _id(json.loads(matched[1]))
            keep = compile_id is None or compile_id in ids
        if keep:
            kept.append(line)
    return "".join(kept)


class Capture:
    """A record of compilations. Use `capture` to make one.

    It is complete when the region has ended and every backward in it has run: Inductor compiles some of them then.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="aotscope-"))
        self._remove = weakref.finalize(self, shutil.rmtree, str(self.folder), ignore_errors=True)
        self._handler: Any = None
        self.only: set[str] | None = None  # the compilations to show; None: all

    def start(self) -> None:
        """From here on, compilations of the whole process are recorded."""
        if self._handler is not None:
            return
        handler: Any = torch_logging.LazyTraceHandler(str(self.folder))
        handler.setFormatter(torch_logging.TorchLogsFormatter(trace=True))
        for name, number in structured.INTERN_TABLE.items():  # PyTorch writes names of files once for a process
            handler.emit(_record({"str": (name, number)}))
        torch_logging.trace_log.setLevel(logging.DEBUG)
        torch_logging.trace_log.addHandler(handler)
        self._handler = handler
        self._detach = weakref.finalize(self, _detach, handler)

    def stop(self) -> None:
        """Stops recording; the record is kept."""
        if self._handler is not None:
            self._detach()
            self._handler = None

    def __enter__(self) -> Capture:
        self._cache = without_cache()
        self._cache.__enter__()
        try:
            self.start()
        except BaseException:
            self._cache.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._cache.__exit__(kind, error, trace)

    def close(self) -> None:
        """Removes the record, which is otherwise removed with this object."""
        self.stop()
        self._remove()

    def text(self) -> str:
        """The trace, as TORCH_TRACE writes it."""
        if self._handler is not None:
            self._handler.flush()
        files = sorted(self.folder.glob("*.log"))
        text = "".join(file.read_text(encoding="utf-8", errors="replace") for file in files)
        return text if self.only is None else _of_compilations(text, self.only)

    def compilations(self) -> list[Compilation]:
        """The compilations, with graphs and guards."""
        found = read_trace(self.text()).values()
        return [c for c in found if c.graphs and (self.only is None or c.id in self.only)]

    def save(self, file: str | os.PathLike[str]) -> Path:
        """Writes the record into a file that the program opens."""
        if not any(set(c.graphs) - {"source"} for c in self.compilations()):
            raise Error(
                "nothing was compiled while recording: call the compiled model within the region; graphs of what was "
                "compiled before, or only of a backend without AOTAutograd, cannot be recorded"
            )
        path = Path(file)
        path.write_text(self.text(), encoding="utf-8")
        return path

    def open(self, **options: Value) -> Window:
        """Opens the window on the record, with a list of all compilations."""
        from .show import open_copy

        return open_copy(lambda folder: self.save(folder / "recorded.log"), options)

    def run(self, compile_id: str | None = None, **options: Value) -> Report:
        """A report on one compilation: Python's partition, or the program's with partition="min-cut" or "default"."""
        from .commands import run

        chosen: dict[str, Any] = {**options, **({} if compile_id is None else {"compile_id": compile_id})}
        with tempfile.TemporaryDirectory(prefix="aotscope-") as folder:
            return run(str(self.save(Path(folder) / "recorded.log")), **chosen)


def _record(metadata: dict[str, Any]) -> logging.LogRecord:
    extra = {"metadata": metadata, "payload": None}
    return torch_logging.trace_log.makeRecord(__name__, logging.DEBUG, __file__, 0, "", (), None, extra=extra)


def _detach(handler: Any) -> None:
    torch_logging.trace_log.removeHandler(handler)
    handler.close()


def capture() -> Capture:
    """Records every compilation within a region.

    >>> with aotscope.capture() as c:
    ...     torch.compile(model)(x).sum().backward()
    >>> c.open()
    """
    return Capture()


def _leaves(value: Any) -> list[Any]:
    leaves: list[Any] = torch.utils._pytree.tree_leaves(value)
    return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.requires_grad]


def record_training(module: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], folder: Path) -> Path:
    """A record of one forward and backward under torch.compile."""
    record = capture()
    reset: Callable[[], None] = torch.compiler.reset
    try:
        reset()
        with record:
            _train_once(module, args, kwargs)
        return record.save(folder / "recorded.log")
    finally:
        reset()
        record.close()


def _train_once(module: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    compiled: Callable[..., Any] = torch.compile(module, backend="aot_eager")
    differentiable = _leaves(compiled(*args, **kwargs))
    if differentiable:
        parameters = [p for p in module.parameters() if p.requires_grad]
        total = sum(leaf.float().sum() for leaf in differentiable)
        torch.autograd.grad(total, [*parameters, *_leaves((args, kwargs))], allow_unused=True)
