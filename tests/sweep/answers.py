"""The answer of a trial, and whether it agrees with the check."""

import re
from dataclasses import dataclass, field

EQUAL, DIFFERS, WORKS, FAILS, REFUSED = "equal", "differs", "works", "fails", "refused"
CRASHED, SLOW = "crashed", "over time"


@dataclass
class Answer:
    verdict: str
    said: str = ""
    seconds: float = 0
    facts: dict = field(default_factory=dict)


@dataclass
class Row:
    """A trial of a model, beside the verdict of the check."""

    subject: str
    trial: str
    answer: Answer
    check: str


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return re.sub(r"^aotscope: ", "", lines[-1]) if lines else ""


def answer_of(outcome, fine=EQUAL):
    """By the exit code of the program."""
    if outcome.timed_out:
        return Answer(SLOW, f"more than {outcome.limit:g} s", outcome.seconds)
    if outcome.status < 0:
        return Answer(CRASHED, outcome.problem, outcome.seconds)
    verdict = {0: fine, 2: REFUSED, 3: DIFFERS}.get(outcome.status, FAILS)
    said = {fine: lambda: "", DIFFERS: lambda: difference_in(outcome.stdout)}
    return Answer(verdict, said.get(verdict, lambda: last_line(outcome.stderr))(), outcome.seconds)


def difference_in(text):
    """The line that says what differs."""
    lines = [line.strip() for line in text.splitlines() if re.search(r"differ|instead of|apart", line, re.IGNORECASE)]
    return lines[0] if lines else last_line(text)


def agrees(row):
    """A refusal with a sentence says nothing about the model."""
    verdict = row.answer.verdict
    if row.trial == "check" or verdict == REFUSED:
        return verdict not in (CRASHED, SLOW)
    return verdict in (WORKS, row.check)
