"""aotscope from Python: show models, run them, and apply partitions in PyTorch.

The program aotscope does the work, as a child process. Nothing here imports torch before a model needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .commands import debug_first_nan, diff, pareto, partition, ranks, run
from .errors import Error
from .options import options
from .plan import Plan
from .program import find as find_program
from .program import main
from .pytest_plugin import assert_partition
from .report import Report
from .show import Window, show

if TYPE_CHECKING:
    from .backends import Backend, backend
    from .checkpoint import CheckpointPolicy, checkpoint_policy
    from .eager_memory import EagerMemory
    from .partitioning import Partitioner, partitioner
    from .recording import Capture, capture

_OF_TORCH = {
    "Backend": "backends",
    "backend": "backends",
    "Capture": "recording",
    "capture": "recording",
    "CheckpointPolicy": "checkpoint",
    "EagerMemory": "eager_memory",
    "checkpoint_policy": "checkpoint",
    "Partitioner": "partitioning",
    "partitioner": "partitioning",
}


def __getattr__(name: str) -> Any:
    """What needs torch is imported at its first use."""
    module = _OF_TORCH.get(name)
    if module is None:
        raise AttributeError(f"module 'aotscope' has no attribute {name!r}")
    import importlib

    from . import _torch  # noqa: F401  (says so if there is none)

    value = getattr(importlib.import_module(f".{module}", __name__), name)
    globals()[name] = value
    return value


__all__ = [
    "Backend",
    "Capture",
    "CheckpointPolicy",
    "EagerMemory",
    "Error",
    "Partitioner",
    "Plan",
    "Report",
    "Window",
    "assert_partition",
    "backend",
    "capture",
    "checkpoint_policy",
    "debug_first_nan",
    "diff",
    "main",
    "options",
    "pareto",
    "partition",
    "partitioner",
    "find_program",
    "ranks",
    "run",
    "show",
]
