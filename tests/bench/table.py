"""The results as one plain table."""

from results import PYTHON_BACK_ENDS


def milliseconds(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def times_faster(ratio):
    return f"1/{1 / ratio:.0f}" if ratio < 1 / 9.5 else f"{ratio:.2f}"


def grid(header, rows):
    """First column to the left, the others to the right."""
    table = [header, *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(header))]
    lines = []
    for row in table:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
        lines.append("  " + "  ".join(cells).rstrip())
    return lines


def compile_section(results):
    header = ["from the loaded model to the callable, ms", "aotscope", "Python", "ratio", "goal 1/20"]
    header += ["first in a process", "Python", "ratio"]
    rows = []
    for model, row in results["compile"].items():
        cells = [model, milliseconds(row["ms"])]
        python = "ratio" in row
        cells += [milliseconds(row["python_ms"]), times_faster(row["ratio"]), row["goal"]] if python else ["-"] * 3
        cells += [milliseconds(row["first_ms"])]
        cells += [milliseconds(row["python_first_ms"]), times_faster(row["first_ratio"])] if python else ["-"] * 2
        rows.append(cells)
    return grid(header, rows)


def dynamic_section(results):
    rows = []
    for model, row in results["dynamic"].items():
        rows.append([model, milliseconds(row["static_ms"]), milliseconds(row["ms"]), f"{row['ratio']:.2f}", row["goal"]])
    return grid(["all sizes dynamic, ms", "static", "dynamic", "ratio", "goal 2"], rows)


def exported_section(results):
    header = ["torch.export files without weights, ms", "load", "to the callable", "Python", "ratio", "goal 1/20"]
    rows = []
    for model, row in results["exported"].items():
        python = [milliseconds(row["python_ms"]), times_faster(row["ratio"]), row["goal"]] if "ratio" in row else ["-"] * 3
        rows.append([model, milliseconds(row["load_ms"]), milliseconds(row["ms"]), *python])
    return grid(header, rows)


def compilers_of(rows):
    return list(dict.fromkeys(name for row in rows.values() for name in row["compilers"]))


def cell(row, name, form=milliseconds):
    return form(row[name]) if row and name in row else "-"


def step_section(results):
    rows = results["step"]
    ours = compilers_of(rows)
    header = ["forward and backward, ms", "eager", *ours, *(f"Python {name}" for name in PYTHON_BACK_ENDS)]
    header += ["best to Python's best", ""]
    cells = []
    for model, row in rows.items():
        cells.append([model, milliseconds(row["eager_step_ms"])])
        cells[-1] += [cell(row["compilers"].get(name), "compiled_step_ms") for name in ours]
        cells[-1] += [cell(row["python"], f"{name}_step_ms") for name in PYTHON_BACK_ENDS]
        cells[-1] += [cell(row, "best_ratio", "{:.2f}".format), row.get("best_goal", "-")]
    return grid(header, cells)


def step_ratio_section(results):
    """Forward, backward, both and the interval of the latter; the goal is the interpreter's.

    `fused` partitions by min-cut, the others by default: they save what eager saves.
    """
    rows = results["step"]
    ours = compilers_of(rows)
    header = ["ratio to eager", *(f"{name}: forward backward step" for name in ours), "goal 1.02"]
    cells = []
    for model, row in rows.items():
        cells.append([model])
        for name in ours:
            compiler = row["compilers"].get(name)
            names = ("forward_ratio", "backward_ratio", "step_ratio", "step_ratio_low", "step_ratio_high")
            cells[-1].append("{:.2f} {:.2f} {:.2f} [{:.2f} {:.2f}]".format(*map(compiler.get, names)) if compiler else "-")
        cells[-1].append(row["compilers"].get("interpreter", {}).get("goal", "-"))
    return grid(header, cells)


def step_compile_section(results):
    rows = results["step"]
    ours = compilers_of(rows)
    header = ["to the first step, ms", *ours, "Python aot_eager", "inductor", *(f"{name} to inductor" for name in ours)]
    cells = []
    for model, row in rows.items():
        cells.append([model, *(cell(row["compilers"].get(name), "compile_ms") for name in ours)])
        cells[-1] += [cell(row["python"], f"{name}_compile_ms") for name in ("aot_eager", "inductor")]
        cells[-1] += [cell(row["compilers"].get(name), "inductor_compile_ratio", times_faster) for name in ours]
    return grid(header, cells)


def step_memory_section(results):
    rows = results["step"]
    ours = compilers_of(rows)
    megabytes = lambda value: f"{value / 1e6:.1f}"
    cells = []
    for model, row in rows.items():
        cells.append([model, megabytes(row["eager_peak_bytes"])])
        cells[-1] += [cell(row["compilers"].get(name), "compiled_peak_bytes", megabytes) for name in ours]
    return grid(["peak of allocations in that step, MB", "eager", *ours], cells)


def call_section(results):
    rows = [[who, f"{us:.3f}"] for who, us in results["calls"].items()]
    return grid(["one of 1000 operations on one number", "us"], rows)


def answer_section(results):
    header = ["what-if, ms", "ms", "nodes", "goal, ms", ""]
    rows = []
    for row in results["answers"]:
        goal = [f"{row['goal_ms']}", row["goal"]] if "goal" in row else ["-"] * 2
        rows.append([f"{row['model']} {row['question']}", milliseconds(row["ms"]), f"{row['nodes']:.0f}", *goal])
    return grid(header, rows)


def border_section(results):
    """Requests to the engine in its own process, next to the same ones to an engine in this process: medians, and minima."""
    rows = []
    for row in results["border"]:
        times = [milliseconds(row[name]) for name in ("here_ms", "ms", "here_least_ms", "least_ms")]
        ratios = "{:.2f} [{:.2f} {:.2f}]".format(*(row[name] for name in ("there_ratio", "there_ratio_low", "there_ratio_high")))
        rows.append([f"{row['model']} {row['what']}", *times, ratios])
    return grid(["engine in its own process, ms", "here", "there", "least here", "there", "ratio"], rows)


def layout_section(results):
    rows = []
    for row in results["layout"]:
        name = f"{row['model']} {row['kind']}"
        rows.append([name, milliseconds(row["ms"]), f"{row['boxes']:.0f}", f"{row['edges']:.0f}", row["note"]])
    return grid(["layout, Graphviz included", "ms", "boxes", "edges", ""], rows)


def canvas_section(results):
    """Frames, and the sharp picture after them, by their 95th percentile; everything else from the request to the
    painted picture."""
    rows = []
    for row in results["canvas"]:
        names = ("median_ms", "p95_ms", "rest_median_ms", "rest_p95_ms")
        frames = [milliseconds(row[name]) if name in row else "" for name in names]
        whole = "" if "p95_ms" in row else milliseconds(row["ms"])
        boxes = f"{row['boxes']:.0f}" if "boxes" in row else ""
        shown = milliseconds(row["gui_ms"]) if "gui_ms" in row else ""
        rows.append([f"{int(row['where']):,} nodes, {row['what']}", whole, shown, *frames, boxes, row["note"]])
    return grid(["canvas of 1600 x 1000, ms", "all", "GUI thread", "frame: median", "95 %", "at rest: median", "95 %", "boxes", ""], rows)


def block_section(results):
    """The longest time without response of the window, by command."""
    rows = [[row["model"], row["command"], milliseconds(row["ms"])] for row in results["blocks"]]
    return grid(["longest block of the window", "command", "ms"], rows)


def stock_section(results):
    rows = []
    for row in results["stock"]:
        limit = row["note"] == "limit"
        stock = ("> " if limit else "") + milliseconds(row["stock_ms"])
        ratio = ("> " if limit else "") + f"{row['stock_ms'] / row['ladder_ms']:.0f}"
        rows.append([row["where"], f"{row['boxes']:.0f}", stock, milliseconds(row["ladder_ms"]), ratio])
    return grid(["joint graph, layout in ms", "nodes", "stock dot", "ladder", "times"], rows)


def memory_section(results):
    """The figures of bench_memory.cpp."""
    rows = []
    for row in results["memory"]:
        megabytes = [f"{row[name] / 1e6:.1f}" for name in ("before_bytes", "added_bytes")]
        rows.append([f"{row['where']}, {row['what']}", f"{row['nodes']:.0f}", *megabytes])
    return grid(["resident memory, MB", "nodes", "LibTorch and Qt", "beyond them"], rows)


def heading(context):
    line = f"torch {context.get('torch', '?')}, {context.get('threads', '?')} threads"
    if "python_torch" in context:
        line += f"; Python's torch {context['python_torch']}, {context['python_threads']} threads"
    counts = f"rounds: {context['rounds']}, in each {context['repetitions']} x compile and layout, {context['iterations']} x steps"
    return f"{line}\nmedians; {counts}"


def render(results):
    lines = [heading(results["context"]), ""]
    if results["compile"]:
        lines += [*compile_section(results), ""]
    if results["dynamic"]:
        lines += [*dynamic_section(results), ""]
    if results["exported"]:
        lines += [*exported_section(results), ""]
    if results["step"]:
        sections = (step_section, step_ratio_section, step_compile_section, step_memory_section)
        lines += [line for section in sections for line in (*section(results), "")]
    if results["calls"]:
        lines += [*call_section(results), ""]
    if results["answers"]:
        lines += [*answer_section(results), ""]
    if results["border"]:
        lines += [*border_section(results), ""]
    if results["layout"]:
        lines += [*layout_section(results), ""]
    if results["canvas"]:
        lines += [*canvas_section(results), ""]
    if results["blocks"]:
        lines += [*block_section(results), ""]
    if results["stock"]:
        lines += [*stock_section(results), ""]
    if results["memory"]:
        lines += [*memory_section(results), ""]
    lines += results["notes"]
    lines += [f"FAILED: {failure}" for failure in results["failures"]]
    return "\n".join(lines).rstrip()
