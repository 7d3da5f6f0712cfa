"""Collects the measurements and computes medians, ratios and verdicts."""

from collections import defaultdict
from statistics import median

# Goals: ours divided by the other side, at most.
COMPILE_GOAL = 1 / 20
COMPILE_HOPE = 1 / 50
DYNAMIC_GOAL = 2  # to static sizes
STEP_GOALS = {"interpreter": 1.02}  # to eager LibTorch
INDUCTOR_GOAL = ("chain", "gelu", "layer-norm", "softmax")  # where fused is at most as slow as inductor
INDUCTOR_COMPILE_GOAL = 1 / 50

# The longest time that a user waits, in milliseconds, for joint graphs of about 1,000 and 10,000 operations.
ANSWER_GOALS = {
    "flip": {"gpt2": 50, "gpt2-deep": 500},
    "window": {"gpt2": 50, "gpt2-deep": 500},
    "sweep": {"gpt2": 2000},
}

QUIET = 0.2  # CPUs that other programs may use before the figures count as rough

PYTHON_BACK_ENDS = ("eager", "aot_eager", "inductor")
SAME_MODEL = {"parameters": "parameters", "joint_calls": "calls in the joint graph", "joint_kinds": "kinds of operators"}


class Samples:
    """Every figure of every run: lists by benchmark and name of the figure."""

    def __init__(self):
        self.ours = defaultdict(lambda: defaultdict(list))  # ("layout", "gpt2", "joint") -> {"ms": [...]}
        self.python = defaultdict(lambda: defaultdict(list))  # "gpt2" -> {"compile_ms": [...]}
        self.python_steps = defaultdict(lambda: defaultdict(list))  # "mlp" -> {"inductor_step_ms": [...]}
        self.labels = {}  # of ours, by their key
        self.python_errors = {}  # (model, back end) -> why it does not run
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
                    if name.endswith(("_ms", "_us", "_bytes", "_ratio", "_low", "_high")) or name in ("boxes", "edges", "nodes", *SAME_MODEL):
                        figures[name].append(value)
                self.labels[key] = row.get("label", "")

    def add_python(self, model, report):
        figures = self.python[model]
        figures["compile_ms"] += report["compile_ms"]
        for name in ("first_ms", *SAME_MODEL):
            figures[name].append(report[name])

    def add_python_steps(self, model, report, fresh):
        """`fresh`: the compilers had no cached code."""
        for name, value in report.items():
            if name.endswith("_error"):
                self.python_errors[(model, name.removesuffix("_error"))] = value
            elif name.endswith("_us") or name.endswith("_ms") and (fresh or not name.endswith("compile_ms")):
                self.python_steps[model][name].append(value)


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


def dynamic_row(ours):
    ratio = ours["ms"] / ours["static_ms"]
    return {"ms": ours["ms"], "static_ms": ours["static_ms"], "ratio": ratio, "goal": goal(ratio <= DYNAMIC_GOAL)}


def goal(met):
    return "met" if met else "missed"


def step_rows(samples):
    """By model: eager, each of our compilers, Python's; and their goals."""
    rows = {}
    for key, figures in samples.ours.items():
        if key[0] != "step":
            continue
        _, model, compiler = key
        row = rows.setdefault(model, {"compilers": {}, "python": medians(samples.python_steps[model])})
        row["compilers"][compiler] = {**medians(figures), **interval(figures), "note": samples.labels[key]}
        if compiler in STEP_GOALS:
            row["compilers"][compiler]["goal"] = goal(row["compilers"][compiler]["step_ratio"] <= STEP_GOALS[compiler])
    for model, row in rows.items():
        add_eager(samples, model, row)
        compare_with_python(model, row)
    return rows


def interval(figures):
    """The interval that contains the ratios of all rounds."""
    return {"step_ratio_low": min(figures["step_ratio_low"]), "step_ratio_high": max(figures["step_ratio_high"])}


def add_eager(samples, model, row):
    """Eager ran next to every compiler."""
    for name in ("eager_forward_ms", "eager_backward_ms", "eager_step_ms", "eager_peak_bytes"):
        row[name] = median([value for compiler in row["compilers"] for value in samples.ours["step", model, compiler][name]])


def compare_with_python(model, row):
    python = {name: row["python"][f"{name}_step_ms"] for name in PYTHON_BACK_ENDS if f"{name}_step_ms" in row["python"]}
    if not python:
        return
    compilers = row["compilers"]
    row["best"] = min(compilers, key=lambda name: compilers[name]["compiled_step_ms"])
    row["python_best"] = min(python, key=python.get)
    row["best_ratio"] = compilers[row["best"]]["compiled_step_ms"] / python[row["python_best"]]
    row["best_goal"] = goal(row["best_ratio"] <= 1)
    if "inductor" not in python:
        return
    for compiler in compilers.values():
        compiler["inductor_compile_ratio"] = compiler["compile_ms"] / row["python"]["inductor_compile_ms"]
    if "fused" in compilers:
        fused = compilers["fused"]
        fused["inductor_ratio"] = fused["compiled_step_ms"] / python["inductor"]
        fused["compile_goal"] = goal(fused["inductor_compile_ratio"] <= INDUCTOR_COMPILE_GOAL)
        if model in INDUCTOR_GOAL:
            fused["inductor_goal"] = goal(fused["inductor_ratio"] <= 1)


def step_notes(samples, rows):
    """Missed goals, and compilers that did not run."""
    notes = []
    for model, row in rows.items():
        for name, compiler in row["compilers"].items():
            if compiler["note"]:
                notes.append(f"{model}: {compiler['note']}")
            if compiler.get("goal") == "missed":
                notes.append(f"{model}: {name} is {compiler['step_ratio']:.2f} times eager, {STEP_GOALS[name]} is the goal")
            if compiler.get("inductor_goal") == "missed":
                notes.append(f"{model}: {name} is {compiler['inductor_ratio']:.2f} times inductor")
            if compiler.get("compile_goal") == "missed":
                notes.append(f"{model}: {name} compiles in {compiler['inductor_compile_ratio']:.3f} of inductor's time, 1/50 is the goal")
        if row.get("best_goal") == "missed":
            notes.append(f"{model}: {row['best']}, our best, is {row['best_ratio']:.2f} times Python's best, {row['python_best']}")
    for (model, back_end), why in samples.python_errors.items():
        notes.append(f"{model}: Python's {back_end} does not run ({why})")
    return notes


def call_rows(samples):
    """Microseconds of one of the smallest operations, by caller."""
    rows = {key[2]: median(figures["operation_us"]) for key, figures in samples.ours.items() if key[0] == "call"}
    for name, values in samples.python_steps["calls"].items():
        rows["Python " + name.removesuffix("_operation_us")] = median(values)
    return rows


def answer_row(key, ours):
    row = {"model": key[1], "question": key[2], "ms": ours["ms"], "nodes": ours["nodes"]}
    most = ANSWER_GOALS.get(key[2], {}).get(key[1])
    if most:
        row.update(goal_ms=most, goal=goal(row["ms"] <= most))
    return row


def differences(model, ours, python):
    """Whether Python's model is the same as ours, by its counts."""
    return [
        f"{model}: {what} differ: aotscope {ours[name]:.0f}, Python {python[name]:.0f}; the ratio compares unlike models"
        for name, what in SAME_MODEL.items()
        if name in ours and ours[name] != python[name]
    ]


def general_notes(context, layouts):
    notes = []
    if context["other_load"] > QUIET:
        notes.append(f"Other programs used {context['other_load']:.1f} CPUs meanwhile: the figures are rough.")
    if context["python_missing"]:
        notes.append(f"The Python columns are missing: {context['python_missing']}.")
    if "torch" in context and "python_torch" in context:
        if context["python_torch"].split("+")[0] != context["torch"].split("+")[0]:
            notes.append("Python's torch is another version than LibTorch.")
        if context["python_threads"] != context["threads"]:
            notes.append(f"Python ran with {context['python_threads']} threads, aotscope with {context['threads']}.")
    if "torch" in context and not layouts and "layout" in context["sections"]:
        notes.append("No layouts: this build has no window (-DAOTSCOPE_GUI=OFF).")
    return notes


def summarize(samples, context, models):
    results = {"context": context, "compile": {}, "dynamic": {}, "exported": {}, "answers": [], "border": [], "layout": [], "canvas": [], "stock": [], "blocks": [], "memory": []}
    notes = []
    for key, figures in samples.ours.items():
        ours, python = medians(figures), medians(samples.python.get(key[1], {}))
        if key[0] in ("compile", "exported"):
            results[key[0]][key[1]] = compile_row(key[0], ours, python)
            notes += differences(key[1], ours, python) if python else []
        elif key[0] == "dynamic":
            results["dynamic"][key[1]] = dynamic_row(ours)
        elif key[0] in ("canvas", "stock"):
            results[key[0]].append({"where": key[1], "what": key[2], "note": samples.labels[key], **ours})
        elif key[0] == "border":
            results["border"].append({"model": key[1], "what": key[2], **ours})
        elif key[0] == "block":
            results["blocks"].append({"model": key[1], "command": key[2], **ours})
        elif key[0] == "memory":
            results["memory"].append({"where": key[1], "what": key[2], **ours})
        elif key[0] in ("step", "call"):
            continue
        elif key[0] == "answer":
            results["answers"].append(answer_row(key, ours))
        else:
            row = {"model": key[1], "kind": key[2], "note": samples.labels[key]}
            results["layout"].append({**row, **{name: ours[name] for name in ("ms", "boxes", "edges")}})
    results["step"] = step_rows(samples)
    results["calls"] = call_rows(samples)
    notes += step_notes(samples, results["step"])
    results["layout"].sort(key=lambda row: models.index(row["model"]))
    results["notes"] = general_notes(context, results["layout"]) + notes
    results["failures"] = samples.failures
    return results
