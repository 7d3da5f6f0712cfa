"""A backend of torch.compile that compiles with another backend, and records every graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch._inductor
from torch._dynamo.backends.registry import lookup_backend
from torch._guards import CompileContext
from torch.fx import GraphModule
from torch.utils._dtype_abbrs import dtype_abbrs

from ._torch import torch
from .errors import Error
from .recording import Capture, Compilation, without_cache

if TYPE_CHECKING:
    from .options import Value
    from .report import Report
    from .show import Window


@dataclass(frozen=True)
class Recorded:
    """One graph that the backend was given."""

    compile_id: str
    code: str
    inputs: tuple[str, ...]  # "f32[8, 16]", or a symbolic number


def _described(value: Any) -> str:
    if not isinstance(value, torch.Tensor):
        return str(value)
    name = dtype_abbrs.get(value.dtype, str(value.dtype))
    device = "" if value.device.type == "cpu" else str(value.device)
    return f"{name}[{', '.join(str(size) for size in value.shape)}]{device}"


class Backend:
    """Compiles with another backend and records. Use `backend` to make one.

    `graphs`: the graphs from TorchDynamo. Compilations also have the graphs of AOTAutograd and the guards.
    """

    def __init__(self, compiler: Callable[..., Any], name: str) -> None:
        self.__name__ = f"aotscope_{name}"
        self.compiler, self.name = compiler, name
        self.graphs: list[Recorded] = []
        self.record = Capture()
        self.record.only = set()
        self.record.start()  # now, since TorchDynamo traces before it calls a backend, and makes guards afterwards

    def __call__(self, gm: GraphModule, example_inputs: Sequence[Any], **options: Any) -> Any:
        current = CompileContext.current_compile_id()
        compile_id = "0/0" if current is None else str(current)
        if self.record.only is not None:
            self.record.only.add(compile_id)
        code: str = gm.print_readable(print_output=False)
        self.graphs.append(Recorded(compile_id, code, tuple(_described(value) for value in example_inputs)))
        with without_cache():
            return self.compiler(gm, example_inputs, **self._own(options))

    def _own(self, options: dict[str, Any]) -> dict[str, Any]:
        """Mode and options of torch.compile, which it translates itself only for backends that it knows by name."""
        if self.name != "inductor" or not options:
            return options
        rest = dict(options)
        mode, chosen = rest.pop("mode", None), rest.pop("options", None) or {}
        patches = dict(torch._inductor.list_mode_options(mode)) if mode else {}
        patches |= {key.replace("-", "_"): value for key, value in chosen.items()}
        return {**rest, "config_patches": patches}

    def compilations(self) -> list[Compilation]:
        """The compilations of this backend, with graphs and guards."""
        return self.record.compilations()

    def save(self, file: str) -> Path:
        """Writes the record into a file that the program opens."""
        return self.record.save(file)

    def open(self, **options: Value) -> Window:
        """Opens the window on all compilations."""
        return self.record.open(**options)

    def run(self, compile_id: str | None = None, **options: Value) -> Report:
        """A report on one compilation."""
        return self.record.run(compile_id, **options)

    def close(self) -> None:
        """Stops recording; compiled functions stay as they are."""
        self.record.close()


def backend(name: str | Callable[..., Any] = "inductor") -> Backend:
    """A backend for torch.compile that compiles with the named one, as usual, and records every graph.

    >>> recorded = aotscope.backend("inductor")
    >>> model = torch.compile(model, backend=recorded)
    >>> model(x).sum().backward()
    >>> recorded.open()
    """
    if callable(name):
        return Backend(name, getattr(name, "__name__", "custom"))
    try:
        return Backend(lookup_backend(name), name)
    except Exception as e:
        known = ", ".join(sorted(torch._dynamo.list_backends()))
        raise Error(f"torch.compile has no backend {name!r}; it has {known}") from e
