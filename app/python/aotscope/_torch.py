"""torch, for the modules that cannot do without it."""

from __future__ import annotations

from .errors import Error
from .program import torch_version

OLDEST, NEWEST = (2, 11), (2, 15)

try:
    import torch
except ImportError as e:
    raise Error(f"torch cannot be imported ({e}); install PyTorch 2.11 to 2.15") from e


def require_known_version(what: str) -> None:
    """For what depends on PyTorch's internals."""
    version = torch_version()
    if version is None or not OLDEST <= version <= NEWEST:
        raise Error(f"{what} needs PyTorch 2.11 to 2.15, found {torch.__version__}")


__all__ = ["require_known_version", "torch"]
