"""Collects what the programs measured and makes medians, ratios and verdicts of it."""

from collections import defaultdict
from statistics import median

# Goals: ours divided by the other side, at most.
COMPILE_GOAL = 1 / 20
COMPILE_HOPE = 1 / 50
STEP_GOAL = 1.05

# Milliseconds that a person waits, at most: for a joint graph of some 1,000 operations, and of some 10,000.
ANSWER_GOALS = {
    "flip": {"gpt2": 50, "gpt2-deep": 500},
    "window": {"gpt2": 50, "gpt2-deep": 500},
    "sweep": {"gpt2": 2000},
}

QUIET = 0.2  # processors that other programs may use before the figures are called rough

STEP_FIGURES = ("eager_forward_ms", "eager_backward_ms", "compiled_forward_ms", "compiled_backward_ms")
SAME_MODEL = {"parameters": "parameters", "joint_calls": "calls in the joint graph", "joint_kinds": "kinds of operators"}


class Samples:
    """Every figure of every run: lists by what was measured and the name of the figure."""

    def __init__(self):
        self.ours = defaultdict(lambda: defaultdict(list))  # ("layout", "gpt2", "joint") -> {"ms": [...]}
        self.python = defaultdict(lambda: defaultdict(list))  # "gpt2" -> {"compile_ms": [...]}
        self.labels = {}
        self.failures = []

    def fail(self, what):
        if what not in self.failures:
            self.failures.append(what)

    def add_ours(self, rows):
        for row in rows:
            # "layout/gpt2/joint/iterations:1/real_time": what Google Benchmark adds holds ':' or '_time'.
            parts = row["run_name"].split("/")
            key = tuple(part for part in parts if ":" not in part and not part.endswith("_time"))
            if row.get("error_occurred"):
                self.fail("/".join(key) + ": " + row["error_message"])
            elif row["run_type"] == "iteration":
                figures = self.ours[key]
                figures["ms"].append(row["real_time"])
                for name, value in row.items():
                    if name.endswith(("_ms", "_bytes")) or name in ("boxes", "edges", "nodes", *SAME_MODEL):
                        figures[name].append(value)
                self.labels[key] = row.get("label", "")

    def add_python(self, model, report):
        figures = self.python[model]
        figures["compile_ms"] += report["compile_ms"]
        for name in ("first_ms", *STEP_FIGURES, *SAME_MODEL):
            if name in report:  # steps are measured on samples only
                figures[name].append(report[name])


def medians(figures):
    return {name: median(values) for name, values in figures.items()}


def compile_row(kind, ours, python):
    row = {part: ours[part] for part in ("ms", "load_ms", "metadata_ms", "joint_ms", "partition_ms")}
    if python:
        ratio = ours["ms"] / python["compile_ms"]
        verdict = "missed" if ratio > COMPILE_GOAL else "met" if ratio > COMPILE_HOPE else "met, 1/50 too"
        row.update(python_ms=python["compile_ms"], ratio=ratio, goal=verdict)
    if kind == "compile":  # exported files are not the first that their process compiles
        row["first_ms"] = ours["first_ms"]
        if python:
            row.update(python_first_ms=python["first_ms"], first_ratio=ours["first_ms"] / python["first_ms"])
    return row


def step_ratio(figures):
    compiled = figures["compiled_forward_ms"] + figures["compiled_backward_ms"]
    return compiled / (figures["eager_forward_ms"] + figures["eager_backward_ms"])


def step_row(ours, python):
    row = {name: ours[name] for name in STEP_FIGURES}
    row["forward_ratio"] = ours["compiled_forward_ms"] / ours["eager_forward_ms"]
    row["backward_ratio"] = ours["compiled_backward_ms"] / ours["eager_backward_ms"]
    row["ratio"] = step_ratio(ours)
    row["goal"] = "met" if row["ratio"] <= STEP_GOAL else "missed"
    row.update({name: ours[name] for name in ("eager_peak_bytes", "compiled_peak_bytes")})
    row["peak_ratio"] = ours["compiled_peak_bytes"] / ours["eager_peak_bytes"]
    if STEP_FIGURES[0] in python:
        row.update({"python_" + name: python[name] for name in STEP_FIGURES})
        row["python_ratio"] = step_ratio(python)
    return row


def answer_row(key, ours):
    row = {"model": key[1], "question": key[2], "ms": ours["ms"], "nodes": ours["nodes"]}
    goal = ANSWER_GOALS.get(key[2], {}).get(key[1])
    if goal:
        row.update(goal_ms=goal, goal="met" if row["ms"] <= goal else "missed")
    return row


def differences(model, ours, python):
    """Whether Python's model is the same as ours, by what can be counted."""
    return [
        f"{model}: {what} differ: aotscope {ours[name]:.0f}, Python {python[name]:.0f}; the ratio compares unlike models"
        for name, what in SAME_MODEL.items()
        if name in ours and ours[name] != python[name]
    ]


def general_notes(context, layouts):
    notes = []
    if context["other_load"] > QUIET:
        notes.append(f"Other programs used {context['other_load']:.1f} processors meanwhile: the figures are rough.")
    if context["python_missing"]:
        notes.append(f"The Python columns are missing: {context['python_missing']}.")
    if "torch" in context and "python_torch" in context:
        if context["python_torch"].split("+")[0] != context["torch"].split("+")[0]:
            notes.append("Python's torch is another version than LibTorch.")
        if context["python_threads"] != context["threads"]:
            notes.append(f"Python ran with {context['python_threads']} threads, aotscope with {context['threads']}.")
    if "torch" in context and not layouts:
        notes.append("No layouts: this build has no window (-DAOTSCOPE_GUI=OFF).")
    return notes


def summarize(samples, context, models):
    results = {"context": context, "compile": {}, "exported": {}, "step": {}, "answers": [], "layout": [], "canvas": [], "stock": [], "memory": []}
    notes = []
    for key, figures in samples.ours.items():
        ours, python = medians(figures), medians(samples.python.get(key[1], {}))
        if key[0] in ("compile", "exported"):
            results[key[0]][key[1]] = compile_row(key[0], ours, python)
            notes += differences(key[1], ours, python) if python else []
        elif key[0] in ("canvas", "stock"):
            results[key[0]].append({"where": key[1], "what": key[2], "note": samples.labels[key], **ours})
        elif key[0] == "memory":
            results["memory"].append({"where": key[1], "what": key[2], **ours})
        elif key[0] == "step":
            results["step"][key[1]] = step_row(ours, python)
        elif key[0] == "answer":
            results["answers"].append(answer_row(key, ours))
        else:
            row = {"model": key[1], "kind": key[2], "note": samples.labels[key]}
            results["layout"].append({**row, **{name: ours[name] for name in ("ms", "boxes", "edges")}})
    results["layout"].sort(key=lambda row: models.index(row["model"]))
    results["notes"] = general_notes(context, results["layout"]) + notes
    results["failures"] = samples.failures
    return results
