"""A check of the table: its name, its requirements, and its result."""

import time
import traceback
from dataclasses import dataclass, field
from typing import Callable


class Failed(Exception):
    """The figure for the table, and sentences below it."""

    def __init__(self, figure, *details):
        super().__init__(figure)
        self.details = details


class Skipped(Exception):
    """Why a check makes no sense here."""


@dataclass
class Check:
    name: str
    job: Callable[[], str]  # returns the figure
    needs_gpu: bool = True
    alone: bool = False  # times or fills the GPU


@dataclass
class Result:
    check: str
    state: str  # ok, FAILED, skipped, needs a GPU
    figure: str = ""
    seconds: float = 0
    details: list = field(default_factory=list)


def perform(check, machine):
    """Runs the job; returns a result even if it fails."""
    if check.needs_gpu and machine.missing:
        return Result(check.name, "needs a GPU")
    start = time.monotonic()
    try:
        state, figure, details = "ok", check.job(), []
    except Failed as failure:
        state, figure, details = "FAILED", str(failure), list(failure.details)
    except Skipped as reason:
        state, figure, details = "skipped", str(reason), []
    except Exception as error:  # an error in this script must not lose the other results
        state, figure = "FAILED", f"{type(error).__name__}: {error}"
        details = [traceback.format_exc()]
    return Result(check.name, state, figure, time.monotonic() - start, details)
