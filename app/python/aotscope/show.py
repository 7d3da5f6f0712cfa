"""Opens the window, or shows pictures in a notebook."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .commands import run
from .errors import Error
from .options import arguments
from .program import Outcome, end_group, find, watched, why
from .report import Report

if TYPE_CHECKING:
    from .options import Value

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
_SECONDS_TO_FAIL = 1.0


class Window:
    """An open window. It stays open after this object, or Python, has gone."""

    def __init__(self, process: subprocess.Popen[str], folder: Path, how: str) -> None:
        self.how = how
        self._process, self._folder = process, folder

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def wait(self, seconds: float | None = None) -> None:
        """Until the window is closed."""
        self._process.wait(seconds)

    def close(self) -> None:
        """Ends the program. Unsaved work is kept for recovery, as after any other exit."""
        if self.running:
            end_group(self._process)
        shutil.rmtree(self._folder, ignore_errors=True)

    def __repr__(self) -> str:
        return f"Window({'open' if self.running else 'closed'})"


def in_notebook() -> bool:
    """Whether results are shown below the cell."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")


def has_display() -> bool:
    return any(os.environ.get(name) for name in _DISPLAYS)


def _require_display() -> None:
    if not has_display():
        raise Error(
            "there is no display for the window: neither DISPLAY nor WAYLAND_DISPLAY is set; "
            'aotscope.run(...).save("model.html") makes a page with the picture'
        )


def _open(words: list[str], folder: Path, how: str) -> Window:
    command = watched([str(find()), *words], folder)
    errors = folder / "errors.txt"
    with errors.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=file,
            text=True,
            start_new_session=True,
        )
        said = errors.open(encoding="utf-8", errors="replace")
    with said:
        try:
            status = process.wait(_SECONDS_TO_FAIL)
        except subprocess.TimeoutExpired:
            return Window(process, folder, how)
        except BaseException:
            end_group(process)
            raise
        if status != 0:
            raise Error(why(Outcome(status, "", said.read())))
    return Window(process, folder, how)


def open_copy(write: Callable[[Path], Path], options: Mapping[str, Value], how: str = "") -> Window:
    """Opens the window on a file that `write` makes in a folder, which is removed when the window is closed."""
    _require_display()
    folder = Path(tempfile.mkdtemp(prefix="aotscope-"))
    try:
        words = [str(write(folder)), *arguments("", options)]
        return _open(words, folder, how)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _open_model(model: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], options: Mapping[str, Value]) -> Window:
    _require_display()
    if isinstance(model, Report):
        return open_copy(lambda folder: _saved(model, folder), options, model.how)
    from .commands import _target

    folder = Path(tempfile.mkdtemp(prefix="aotscope-"))
    try:
        target = _target(model, args, kwargs, folder)
        return _open([*target.words, *arguments("", options)], folder, target.how)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _saved(report: Report, folder: Path) -> Path:
    path = folder / "run.aotscope"
    report.save(path)
    return path


def show(
    model: Any, *args: Any, options: Mapping[str, Value] | None = None, html: str | Path | None = None, **kwargs: Any
) -> Window | Report | Path:
    """Shows a model: in the window, in a notebook as a picture with tables, or with `html` as a page.

    `args` and `kwargs` are the model's example inputs, `options` those of the command line. The model may also be a
    Report or a file. `how` of the result names the exporter.

    >>> aotscope.show(model, x)
    >>> aotscope.show(model, x, options={"budget": 0.3}, html="model.html")
    """
    wanted = dict(options or {})
    if html is None and not in_notebook():
        return _open_model(model, args, kwargs, wanted)
    report = (
        model
        if isinstance(model, Report) and not wanted
        else run(model, *args, kwargs=kwargs, partition_fn=None, **wanted)
    )
    if html is None:
        return report
    path = Path(html).with_suffix(".html")
    report.save(path)
    return path
