"""The questions about a model: commands and options, and how their answers are read."""

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from answers import DIFFERS, EQUAL, FAILS, REFUSED, WORKS, Answer, answer_of, difference_in, last_line

GRAPHS = ("joint", "forward", "backward", "inference")


@dataclass(frozen=True)
class Trial:
    name: str
    job: Callable  # of a bench, a subject and an empty folder
    graph: str = ""  # that the model must have
    torch: bool = False  # needs it in Python
    runs: bool = True  # needs a model that can be run

    def ask(self, bench, subject):
        with tempfile.TemporaryDirectory() as folder:
            return self.job(bench, subject, Path(folder))


def check(bench, subject, _folder):
    """Models that cannot run, without a kernel or weights, may still have graphs."""
    outcome, report = bench.report("run", *subject.arguments, "--check")
    answer = answer_of(outcome)
    if report is None and answer.verdict in (FAILS, REFUSED):
        _, report = bench.report("run", *subject.arguments)
    graphs = report["graphs"] if report else {}
    answer.facts["graphs"] = {name: graph.get("ops", {}) for name, graph in graphs.items()}
    return answer


CHECK = Trial("check", check)


def checked(*options):
    return lambda bench, subject, _: answer_of(bench.aotscope("run", *subject.arguments, "--check", *options))


def excused(answer, reason):
    """A failure with a reason is a refusal."""
    if answer.verdict == FAILS and re.search(reason, answer.said):
        answer.verdict = REFUSED
    return answer


def autocast(dtype):
    ask = checked("--autocast", dtype)
    return lambda *where: excused(ask(*where), r"eager fails under --autocast")


def works(command, *options):
    """`{folder}` in an option stands for an empty folder."""

    def job(bench, subject, folder):
        filled = [str(option).format(folder=folder) for option in options]
        return answer_of(bench.aotscope(command, *subject.arguments, *filled), WORKS)

    return job


def torchscript(graph, form):
    """Not every graph can be a module: that is not a fault."""
    job = works("export", "--graph", graph, "-o", "{folder}/graph." + form)

    def export(bench, subject, folder):
        return excused(job(bench, subject, folder), r"^TorchScript has no")

    return export


def bisect(bench, subject, _folder):
    outcome, report = bench.report("run", *subject.arguments, "--check", "--bisect")
    answer = answer_of(outcome)
    found = report.get("bisect") if report else None
    if found and answer.verdict in (EQUAL, DIFFERS):
        answer.verdict = DIFFERS if found["found"] else EQUAL
        answer.said = found["sentence"] if found["found"] else ""
    return answer


def debug(*options):
    def job(bench, subject, _folder):
        outcome = bench.aotscope("debug", *subject.arguments, "--against-eager", *options)
        answer = answer_of(outcome)
        if answer.verdict == DIFFERS:
            answer.said = difference_in(outcome.stdout)
        return answer

    return job


def minify(*options):
    """It fails if nothing shows a fault."""

    def job(bench, subject, _folder):
        outcome = bench.aotscope("minify", *subject.arguments, *options)
        if outcome.status == 1 and re.search(r"no graph shows '", outcome.stderr):
            return Answer(EQUAL, "", outcome.seconds)
        answer = answer_of(outcome)
        if answer.verdict == EQUAL:
            answer.verdict, answer.said = DIFFERS, outcome.stdout.splitlines()[0]
        return answer

    return job


def exported_python(bench, subject, folder):
    """Every graph as a program of Python, run by it; that of the source is for reading."""
    graphs = [graph for graph in subject.graphs if graph != "source"]
    for graph in graphs:
        outcome = bench.aotscope("export", *subject.arguments, "--graph", graph, "-o", folder / f"{graph}.py")
        if outcome.problem:
            return Answer(FAILS, f"{graph}: {last_line(outcome.stderr)}", outcome.seconds)
    outcome = bench.python("programs.py", *(folder / f"{graph}.py" for graph in graphs))
    answer = answer_of(outcome, WORKS)
    if answer.verdict in (FAILS, REFUSED):
        answer.said = "; ".join(outcome.stdout.splitlines())
    return answer


def reopened(bench, subject, folder):
    """The joint graph as text, opened again."""
    text = folder / "joint.txt"
    outcome = bench.aotscope("export", *subject.arguments, "--graph", "joint", "-o", text)
    if outcome.status != 0:
        return answer_of(outcome)
    return excused(answer_of(bench.aotscope("run", text, "--check")), r"the inputs are generated")


def saved_session(bench, subject, folder):
    file = folder / "saved.aotscope"
    outcome = bench.aotscope("run", *subject.arguments, "--save", file)
    return answer_of(bench.aotscope("run", file, "--check")) if outcome.status == 0 else answer_of(outcome)


def plan(*options):
    """The partition, made in PyTorch by the Python package: outputs, gradients and saved bytes."""

    def job(bench, subject, _folder):
        outcome = bench.python("plans.py", *subject.arguments[:1], *options)
        answer = answer_of(outcome)
        if answer.verdict == EQUAL:
            answer.said = last_line(outcome.stdout)
        return answer

    return job


COMPARED = {
    "default partition": ("joint", "--partition", "default"),
    "budget 0.6": ("joint", "--budget", "0.6"),
    "budget 0.3": ("joint", "--budget", "0.3"),
    "peak 0.7": ("joint", "--peak", "0.7", "--plan-seconds", "1"),
    "aggressive": ("joint", "--aggressive"),
    "views recomputed": ("joint", "--recompute-views"),
    "copies dropped": ("joint", "--drop-copies"),
    "order for memory": ("joint", "--order", "memory"),
    "core-aten": ("", "--decompose", "core-aten"),
    "inductor": ("", "--decompose", "inductor"),
    "prims": ("", "--decompose", "prims"),
    "fused": ("", "--compiler", "fused"),
    "torchscript": ("", "--compiler", "torchscript"),
    "libtorch's dialect": ("", "--dialect", "libtorch"),
    "inference": ("", "--inference"),
    "mutations kept": ("", "--keep-input-mutations"),
    "verify": ("", "--verify"),
}

MADE = {
    "device cuda": ("run", "--device", "cuda"),
    "passes": ("passes",),
    "partition": ("partition",),
    "pareto": ("pareto",),
}

FORMATS = ("txt", "json", "dot", "py", "svg", "png", "pdf", "html")

TRIALS = [
    Trial("bisect", bisect),
    Trial("debug", debug()),
    Trial("debug fused", debug("--compiler", "fused")),
    Trial("minify", minify()),
    Trial("minify fused", minify("--compiler", "fused")),
    Trial("train", lambda b, s, _: answer_of(b.aotscope("train", *s.arguments, "--steps", "6", "--check")), "joint"),
    *(Trial(name, checked(*options), graph) for name, (graph, *options) in COMPARED.items()),
    Trial("autocast", autocast("cpu:bfloat16")),
    Trial("session", saved_session),
    Trial("reopened text", reopened, "joint"),
    Trial("plan", plan("--budget", "0.3"), "joint", torch=True),
    Trial("live plan", plan("--budget", "0.3", "--live"), "joint", torch=True),
    Trial("Python programs", exported_python, torch=True, runs=False),
    *(
        Trial(name, works(command, *options), "joint" if command in ("partition", "pareto") else "", runs=False)
        for name, (command, *options) in MADE.items()
    ),
    *(
        Trial(f"export {form}", works("export", "--graph", graph, "-o", "{folder}/graph." + form), graph, runs=False)
        for form in FORMATS
        for graph in ("joint", "inference")
    ),
    *(
        Trial(f"export {form}", torchscript(graph, form), graph)
        for form in ("pt", "jit")
        for graph in ("joint", "inference")
    ),
]


def trials_for(subject, check, wanted, unwanted, bench):
    runs = check.verdict in (EQUAL, DIFFERS)
    return [
        trial
        for trial in TRIALS
        if (runs or (not trial.runs and subject.graphs))
        and (not trial.graph or trial.graph in subject.graphs)
        and (bench.has_torch or not trial.torch)
        and (not wanted or any(part in trial.name for part in wanted))
        and not any(part in trial.name for part in unwanted)
    ]
