"""Finds the program aotscope and runs it as a child process.

The program does the work, never this process: its LibTorch and Qt do not conflict with those loaded here.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import Error

PACKAGE = Path(__file__).resolve().parent
VARIABLE = "AOTSCOPE_PROGRAM"
NOT_A_PATH = ("sample:", "script:")  # what a model may begin with that is none
_SECONDS_TO_END = 5.0


# Runs the program in a process of its own, which ends what this Python cannot when it is killed: the program, whose
# end of a pipe it holds (a number; -1: the program stays), and in any case the folder.
_WATCHER = """
import os, shutil, signal, subprocess, sys, threading
pipe, folder, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
signal.signal(signal.SIGTERM, lambda *_: None)  # which the program gets, too
try:
    child = subprocess.Popen(command)
except OSError as e:
    sys.exit(f"aotscope: {command[0]}: cannot be started: {e.strerror or e}")
alone = threading.Event()
def end():
    os.read(pipe, 1)
    alone.set()
    child.kill()
    child.wait()
    shutil.rmtree(folder, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)
watch = threading.Thread(target=end, daemon=True)
if pipe >= 0:
    watch.start()
status = child.wait()
if alone.is_set():
    watch.join()
if pipe < 0:
    shutil.rmtree(folder, ignore_errors=True)
sys.stdout.flush()
if status < 0:
    signal.signal(-status, signal.SIG_DFL) if -status != signal.SIGKILL else None
    os.kill(os.getpid(), -status)
os._exit(status)
"""


def watched(command: Sequence[str], folder: Path | None, pipe: int = -1) -> list[str]:
    """The command that runs another one and watches over it."""
    return [sys.executable, "-I", "-S", "-c", _WATCHER, str(pipe), str(folder or ""), *command]


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run of the program."""

    status: int
    output: str
    errors: str


def torch_version() -> tuple[int, int] | None:
    """Major and minor version of the installed torch, which is not imported for it; None if there is none."""
    loaded = sys.modules.get("torch")
    text = str(getattr(loaded, "__version__", ""))
    if not text:
        try:
            spec = importlib.util.find_spec("torch")
        except (ImportError, ValueError):
            return None
        if spec is None or not spec.origin:
            return None
        with contextlib.suppress(OSError):
            text = (Path(spec.origin).parent / "version.py").read_text(encoding="utf-8")
    found = re.search(r"(?:^|__version__ = ['\"])(\d+)\.(\d+)", text, re.MULTILINE)
    return (int(found[1]), int(found[2])) if found else None


def _named_by_variable() -> Path | None:
    value = os.environ.get(VARIABLE)
    if not value:
        return None
    path = Path(value)
    if not path.is_file() or not os.access(path, os.X_OK):
        found = "a folder" if path.is_dir() else "a file that cannot be run" if path.exists() else "nothing"
        raise Error(f"{VARIABLE}={value}: expected the program aotscope, found {found}; correct or unset the variable")
    return path


def _in_package() -> Path | None:
    places = [PACKAGE / "bin" / "aotscope"]
    if version := torch_version():  # built without Qt, there are only engines
        places.append(PACKAGE / "bin" / f"torch{version[0]}_{version[1]}" / "aotscope-engine")
    return next((path for path in places if path.is_file()), None)


def _is_script_of_python(path: Path) -> bool:
    """Whether it is this package's own command, which would start itself."""
    try:
        with path.open("rb") as file:
            first = file.readline(200)
    except OSError:
        return True
    return first.startswith(b"#!") and b"python" in first


def _on_path() -> Path | None:
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which("aotscope", path=folder or os.curdir)
        if found and not _is_script_of_python(Path(found)):
            return Path(found)
    return None


def _in_source_tree() -> Path | None:
    if PACKAGE.parent.name != "python" or PACKAGE.parent.parent.name != "app":
        return None
    root = PACKAGE.parents[2]
    for build in ("build", "build-nogui"):
        path = root / build / "aotscope"
        if (root / "CMakeLists.txt").is_file() and path.is_file():
            return path
    return None


def _packaged_versions() -> list[str]:
    folders = sorted((PACKAGE / "bin").glob("torch*_*/aotscope-engine"))
    return [file.parent.name.removeprefix("torch").replace("_", ".") for file in folders]


def find() -> Path:
    """The program: of AOTSCOPE_PROGRAM, of this package, on PATH, or of the source tree."""
    for look in (_named_by_variable, _in_package, _on_path, _in_source_tree):
        path = look()
        if path is not None:
            return path
    versions, version = _packaged_versions(), torch_version()
    if versions and version is None:
        raise Error("torch is not installed, and aotscope needs its libraries; install PyTorch " + ", ".join(versions))
    if versions and version is not None:
        raise Error(
            f"this package has the program aotscope for torch {', '.join(versions)}, but torch "
            f"{version[0]}.{version[1]} is installed; run 'pip install --no-binary aotscope aotscope' to build it, or "
            "install one of these versions"
        )
    raise Error(f"the program aotscope was not found; install or build it, or set {VARIABLE} to its path")


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is always removed at the end."""
    with tempfile.TemporaryDirectory(prefix="aotscope-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def end_group(process: subprocess.Popen[str]) -> None:
    """Ends a child process and its descendants."""
    for kind in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, kind)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_SECONDS_TO_END)  # the group may outlive it, so it is killed in any case
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def sentence(errors: str) -> str:
    """The program's own message within its stderr."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    said = [line.removeprefix("aotscope: ") for line in lines if line.startswith("aotscope: ")]
    return said[-1] if said else lines[-1] if lines else ""


def why(outcome: Outcome) -> str:
    """One message for a failed run."""
    if outcome.status < 0:
        try:
            name = signal.Signals(-outcome.status).name
        except ValueError:
            name = f"signal {-outcome.status}"
        said = sentence(outcome.errors)
        return f"aotscope was ended by {name}" + (f": {said}" if said else "; nothing was written")
    return sentence(outcome.errors) or f"aotscope ended with exit code {outcome.status} and no message"


# A script that torchrun, mpirun or srun has started is one of several ranks; the program that it calls is none.
LAUNCHED = frozenset(("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_ID", "PMI_SIZE"))


def call(arguments: Sequence[str], accept: Sequence[int] = (0,), folder: Path | None = None) -> Outcome:
    """Runs the program to its end. A status that is not in `accept` is an Error with the program's sentence.

    `folder`: where the program makes its own temporary files.
    """
    environment = {name: value for name, value in os.environ.items() if name not in LAUNCHED}
    if folder is not None:
        environment["TMPDIR"] = str(folder)
    watching, alive = os.pipe()
    try:
        process = subprocess.Popen(
            watched([str(find()), *arguments], folder, watching),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
            pass_fds=(watching,),
            env=environment,
        )
        try:
            output, errors = process.communicate()
        except BaseException:
            end_group(process)
            raise
    finally:
        os.close(watching)
        os.close(alive)
    outcome = Outcome(process.returncode, output, errors)
    if outcome.status < 0:
        end_group(process)
    if outcome.status not in accept:
        raise Error(why(outcome))
    return outcome


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `aotscope`: becomes the program."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    sys.stdout.flush()
    try:
        path = str(find())
        os.execv(path, ["aotscope", *words])
    except Error as e:
        print(f"aotscope: {e}", file=sys.stderr)
    except OSError as e:
        print(f"aotscope: {path}: cannot be started: {e.strerror or e}", file=sys.stderr)
    return 1
