"""One table: what differs from check's answer, and below it how often each trial was asked."""

from collections import Counter

from answers import FAILS, REFUSED, agrees

LONGEST = 160


def columns(rows):
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def shortened(text):
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def disagreements(rows):
    wrong = [row for row in rows if not agrees(row)]
    if not wrong:
        return "every answer is check's\n"
    head = ("model", "trial", "answer", "check", "seconds", "what it said")
    found = sorted(wrong, key=lambda row: (row.trial, row.subject))
    cells = [
        (r.subject, r.trial, r.answer.verdict, r.check, f"{r.answer.seconds:.1f}", shortened(r.answer.said))
        for r in found
    ]
    return columns([head, *cells]) + "\n"


def summary(rows, bench):
    trials = dict.fromkeys(row.trial for row in rows)
    cells = [("trial", "models", "agree", "disagree", "refused", "seconds")]
    for trial in trials:
        asked = [row for row in rows if row.trial == trial]
        refused = sum(row.answer.verdict == REFUSED for row in asked)
        wrong = sum(not agrees(row) for row in asked)
        seconds = f"{sum(row.answer.seconds for row in asked):.0f}"
        cells.append((trial, len(asked), len(asked) - refused - wrong, wrong, refused, seconds))
    text = columns(cells) + "\n"
    for verdict, count in Counter(row.answer.verdict for row in rows if row.trial == "check").items():
        text += f"\ncheck: {verdict}: {count}"
    for row in rows:
        if row.trial == "check" and row.answer.verdict in (FAILS, REFUSED):
            text += f"\n  {row.subject}: {shortened(row.answer.said)}"
    if not bench.has_torch:
        text += "\nno torch in Python: programs of Python did not run, plans were not applied"
    return text
