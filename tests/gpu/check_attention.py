"""The kernel of scaled_dot_product_attention: simulated and real GPU choose the same."""

from check import Check, Failed, Skipped
from check_traces import changes
from command_line import report_of

DTYPES = ("f16", "bf16", "f32", "f64")
HEAD_DIMS = (32, 64, 80, 128, 192, 256)
CALLS = (
    "{x}, {x}, {x}",
    "{x}, {x}, {x}, is_causal=True",
    "{x}, {x}, {x}, None, 0.1",
    "{x}, {x}, {x}, ({x}[0, 0] @ {x}[0, 0].t()).detach()",
    "{x}, {x}[:, :, :48], {x}[:, :, :48]",
    "{x}.transpose(1, 2), {x}.transpose(1, 2), {x}.transpose(1, 2)",
)
LIMIT = 120


def program():
    names = [f"x{dim}" for dim in HEAD_DIMS]
    results = [f"torch.scaled_dot_product_attention({call.format(x=name)})" for name in names for call in CALLS]
    return f"def f({', '.join(names)}): return {', '.join(results)}"


def graphs(machine, dtype, *options, **environment):
    inputs = ", ".join(f"{dtype}[2, 4, 64, {dim}] grad" for dim in HEAD_DIMS)
    report = report_of(machine, ["run", "-e", program(), "--inputs", inputs, *options], LIMIT, **environment)
    return {name: graph["text"] for name, graph in report["graphs"].items()}


def kernels(text):
    """The kernels of all calls, each with how often it is chosen."""
    counts = {kernel: text.count(f"_scaled_dot_product_{kernel}_attention.") for kernel in ("cudnn", "efficient", "flash")}
    return ", ".join(f"{kernel} {count}" for kernel, count in counts.items() if count) or "plain operations"


def compare(machine, dtype, mode):
    if not machine.gpus:
        raise Skipped("no GPU to compare with")
    simulated = graphs(machine, dtype, *mode, CUDA_VISIBLE_DEVICES="")
    real = graphs(machine, dtype, *mode)
    details = [line for name in sorted(simulated | real) for line in changes(name, simulated.get(name, ""), real.get(name, ""))[:24]]
    forward = real.get("joint", real.get("inference", ""))
    figure = f"{len(HEAD_DIMS) * len(CALLS)} calls: {kernels(forward)}"
    if details:
        raise Failed(figure, *details)
    return figure


def checks(machine, options):
    for dtype in DTYPES:
        for mode in ((), ("--inference",)):
            name = f"attention {dtype}" + (" inference" if mode else "")
            yield Check(name, lambda dtype=dtype, mode=mode: compare(machine, dtype, mode))
