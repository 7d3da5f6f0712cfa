"""The one exception of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .report import Report


class Error(RuntimeError):
    """What went wrong, in one message: the thing, what was expected, what was found, what to do.

    `report`: of a run that failed, up to that point.
    """

    report: Report | None = None
