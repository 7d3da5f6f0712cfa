#!/usr/bin/env python3
"""PyTorch's own databases of operators and modules: every case opens, equals eager, and has Python's graphs.

operators.py FOLDER --program PATH [--every N] ...: exports what the folder does not have yet, and prints one table.
Exit code 3 if anything is found that operator_exceptions.py does not know, 77 without torch.
"""

import argparse
import json
import os
import re
import signal
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True  # leaves nothing in the source tree

from answers import EQUAL
from bench import Bench
from operator_exceptions import reason_for
from results import Results
from run import DIFFERENCE, ask_all, parts_of
from subjects import Subject
from table import columns, shortened

SKIPPED = 77
CRASHES = 100  # of Python, after which the rest is not exported
HIDDEN = {  # that compute nothing, or are folded here
    "aten.detach.default",
    "aten.alias.default",
    "aten._assert_tensor_metadata.default",
    "aten.lift_fresh_copy.default",
}
CHECK_ALONE = "check alone"  # not the name of a trial
COMPARED = ("joint", "inference", "forward", "backward")


@dataclass
class Case:
    kind: str
    name: str
    file: Path
    python: dict  # its graphs, or why there is none
    answer: object = None  # check's

    @property
    def dtype(self):
        return self.name.rsplit(".", 2)[1]

    @property
    def full_name(self):
        return f"{self.kind}/{self.name}"

    @property
    def opened(self):
        return bool(self.answer and self.answer.facts["graphs"])

    def difference(self, *names):
        """Operators of these graphs that are called more or less often than in Python; None: no difference."""
        theirs = self.python.get("graphs", {})
        names = [name for name in names if name in theirs]
        if not self.opened or not names:
            return None
        ours = self.answer.facts["graphs"]
        return "; ".join(filter(None, (difference(ours.get(name), theirs[name]) for name in names)))


def counted(ops):
    return Counter(
        {
            op: count
            for op, count in ops.items()
            if op not in HIDDEN and (not op.startswith("operator.") or op == "operator.getitem")
        }
    )


def difference(ours, theirs):
    if ours is None:
        return "another kind of graph"
    first, second = counted(ours), counted(theirs)
    more, fewer = first - second, second - first
    return " ".join([*(f"+{op}" for op in sorted(more)), *(f"-{op}" for op in sorted(fewer))])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", type=Path, default=Path("build/aotscope"))
    parser.add_argument("--exported", action="store_true", help="only what the folder has already")
    parser.add_argument("--every", type=int, default=1, help="one of so many operators")
    parser.add_argument("--only", default="", help="only cases with one of these in their names, separated by commas")
    parser.add_argument("--kinds", default="", help="operators, in-place, mutated inputs, modules")
    parser.add_argument("--dtypes", default="", help="float32, bfloat16, complex64")
    parser.add_argument("--json", type=Path, help="keep the answers there, and ask only for what it does not have yet")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seconds", type=float, default=120, help="limit of one case (120)")
    parser.add_argument("--gigabytes", type=float, default=8, help="memory limit of one program (8)")
    return parser.parse_args()


def export(options, bench):
    """Repeats after a crash of Python, which continues with the next case."""
    chosen = {"--kinds": options.kinds, "--dtypes": options.dtypes, "--only": options.only}
    given = [part for name, value in chosen.items() if value for part in (name, value)]
    for _ in range(CRASHES):
        outcome = bench.python("operator_files.py", options.folder, "--every", options.every, *given, seconds=36000)
        if outcome.status >= 0:
            break
    if outcome.problem:
        raise SystemExit(f"PyTorch's operators are not exported: {outcome.problem}")


def cases_in(options):
    kinds, dtypes, parts = parts_of(options.kinds), parts_of(options.dtypes), parts_of(options.only)
    for beside in sorted(options.folder.glob("*/*.json")):
        for name, python in json.loads(beside.read_text())["cases"].items():
            case = Case(beside.parent.name, name, beside.with_name(f"{name}.pt2"), python)
            if (
                (not kinds or case.kind in kinds)
                and (not dtypes or case.dtype in dtypes)
                and (not parts or any(part in name for part in parts))
            ):
                yield case


@dataclass
class Finding:
    """A finding about a case, and the reason if known."""

    title: str
    case: Case
    said: str
    why: str


WRONG = "not equal to eager, or refused"
GRAPHS = {
    "another joint or inference graph than Python's (+ more often here, - more often there)": ("joint", "inference"),
    "other halves of the same joint graph": ("forward", "backward"),
}


def findings_about(case):
    """If the joint graph differs, so do forward and backward."""
    if not case.answer:
        return
    if case.answer.verdict != EQUAL:
        said = f"{case.answer.verdict}: {case.answer.said}"
        yield Finding(WRONG, case, said, reason_for(case.full_name, said))
    for title, names in GRAPHS.items():
        if said := case.difference(*names):
            yield Finding(title, case, said, reason_for(case.full_name, said))
            return


def table(cases, findings):
    groups = defaultdict(list)
    for case in cases:
        groups[case.kind, case.dtype].append(case)
    unexplained = Counter((finding.case.kind, finding.case.dtype) for finding in findings if not finding.why)
    cells = [("kind", "dtype", "cases", "exported", "opened", "equal", "graphs compared", "Python's", "unexplained")]
    for key, group in sorted(groups.items()):
        answered = [case for case in group if case.answer]
        said = [text for case in answered if (text := case.difference(*COMPARED)) is not None]
        row = [*key, len(group), len(answered), sum(case.opened for case in answered)]
        row += [sum(case.answer.verdict == EQUAL for case in answered), len(said), said.count(""), unexplained[key]]
        cells.append(row)
    return columns(cells)


def kind_of(text):
    """The same for texts that differ in names and numbers."""
    return re.sub(r"'[^']*'|%\w+|\d[\d.e+-]*", "_", text)


def grouped(title, found):
    """`found`: cases, each with a text and a reason. A line for each kind of text."""
    groups = defaultdict(list)
    for case, said, why in found:
        groups[why or kind_of(said)].append((case, said, why))
    lines = [f"\n{title}: {len(found)}"]
    for members in sorted(groups.values(), key=len, reverse=True):
        _, said, why = members[0]
        names = ", ".join(sorted(case.full_name for case, _, _ in members))
        lines.append(f"  {len(members)}: {shortened(said)}\n      {shortened(names)}")
        if why:
            lines.append(f"      known: {why}")
    return "\n".join(lines)


def exceptions(cases, findings):
    parts = {title: [(f.case, f.said, f.why) for f in findings if f.title == title] for title in (WRONG, *GRAPHS)}
    for reason in ("not exported", "not traced"):
        parts[f"{reason} by Python"] = [(c, c.python[reason], "") for c in cases if reason in c.python]
    return "\n".join(grouped(title, found) for title, found in parts.items() if found)


def main():
    options = parse_arguments()
    bench = Bench(options.program, options.seconds, options.gigabytes)
    if not bench.has_torch:
        print(f"SKIPPED: PyTorch's operators, because {sys.executable} cannot import torch")
        return SKIPPED
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended early"))  # with the table of known differences
    if not options.exported:
        export(options, bench)
    cases = list(cases_in(options))
    subjects = {id(case): Subject(str(case.file)) for case in cases if case.file.exists()}
    results = Results(options.json, bench.version)
    try:
        ask_all(subjects.values(), bench, results, [CHECK_ALONE], [], options.jobs)
    finally:
        results.save()
        for case in cases:
            case.answer = results.find(subjects[id(case)], "check") if id(case) in subjects else None
        findings = [finding for case in cases for finding in findings_about(case)]
        print(table(cases, findings))
        print(exceptions(cases, findings))
    return DIFFERENCE if any(not finding.why for finding in findings) else 0


if __name__ == "__main__":
    sys.exit(main())
