"""The one exception of this package."""

from __future__ import annotations


class Error(RuntimeError):
    """What went wrong, in one message: the thing, what was expected, what was found, what to do."""
