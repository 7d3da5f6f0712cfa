"""Writes what Python prints for small models, and how many nodes and edges its graphs have.

    python3 make.py OUT                  the files of this folder
    python3 make.py OUT NAME MODEL.pt2   NAME.trace and NAME.log of one exported program

Every model is compiled in a process of its own with TORCH_LOGS and TORCH_TRACE; counts.json holds what
Python's graphs contain: {file: {compile id: {graph: {"nodes", "edges", "outputs"}}}}.
"""

import functools
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

KEPT_RECORDS = ("_graph", "fw_metadata", "create_symbol", "describe_source")


# --- inside the process that compiles -------------------------------------------------------------------------------

def run_model(name, pt2):
    import torch
    from torch._dynamo.backends.common import aot_autograd
    from torch._functorch.partitioners import default_partition, min_cut_rematerialization_partition
    from torch.utils._pytree import tree_leaves

    counts = {}

    def note(kind, gm):
        context = torch._guards.CompileContext.current_compile_id()
        entry = counts.setdefault(str(context), {})
        output = next(n for n in gm.graph.nodes if n.op == "output")
        entry.setdefault(kind, {"nodes": len(gm.graph.nodes),
                                "edges": sum(len(n.all_input_nodes) for n in gm.graph.nodes),
                                "outputs": len(tree_leaves(output.args[0], is_leaf=lambda x: x is None))})

    def backend(partition):
        training = []

        def split(gm, inputs, **options):
            note("joint", gm)
            training.append(True)
            return partition(gm, inputs, **options)

        def forward(gm, inputs):
            note("forward" if training else "inference", gm)
            return gm

        def backward(gm, inputs):
            note("backward", gm)
            return gm

        compiler = aot_autograd(fw_compiler=forward, bw_compiler=backward, partition_fn=split,
                                keep_inference_input_mutations=True)

        def whole(gm, inputs, **options):
            note("source", gm)
            training.clear()
            return compiler(gm, inputs, **options)
        return whole

    def train(model, *args, partition=min_cut_rematerialization_partition, dynamic=None, **kwargs):
        compiled = torch.compile(model, backend=backend(partition), dynamic=dynamic)
        total = sum(t.float().sum() for t in tree_leaves(compiled(*args, **kwargs))
                    if isinstance(t, torch.Tensor) and t.requires_grad)
        if isinstance(total, torch.Tensor):
            total.backward()

    torch.manual_seed(0)
    if pt2:
        program = torch.export.load(pt2)
        args, kwargs = program.example_inputs
        try:
            train(program.module(), *args, **(kwargs or {}))
        except (AssertionError, RuntimeError) as e:  # some cannot run here, but are printed nevertheless
            print(e, file=sys.stderr)
    else:
        MODELS[name](train, functools.partial(train, partition=default_partition))
    json.dump(counts, sys.stdout)


def net():
    import torch
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.ReLU(), torch.nn.Dropout(0.5))


def mlp(train, train_default):
    import torch
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
    train(model, torch.randn(5, 3))


def mlp_default(train, train_default):
    import torch
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
    train_default(model, torch.randn(5, 3))


def batch_norm(train, train_default):
    import torch
    model = net()

    def whole(x, y):
        h = model(x)
        y.add_(0)
        z = torch.var_mean(h, dim=0)
        return {"a": h + y, "b": (z[0], z[1], h.shape[0], 2.5)}, torch.full((2,), float("inf")), x.view(-1)
    train(whole, torch.randn(5, 3), torch.randn(4))


def dynamic(train, train_default):
    import torch

    def whole(a, b):
        c = (a.sin() * b).view(a.shape[0], -1, 2)[:, : a.shape[1] // 4]
        return c * a.shape[0] + torch.tensor([1.0, 2.0])
    train(whole, torch.randn(6, 8, requires_grad=True), torch.randn(6, 8), dynamic=True)


def several(train, train_default):
    """Two functions, the second compiled twice, and a graph without a backward."""
    import torch
    train(lambda a: (a.sin() * a).sum(), torch.randn(4, requires_grad=True))

    def again(a):
        return a.cos().exp()
    train(again, torch.randn(3, requires_grad=True), dynamic=False)
    train(again, torch.randn(7, requires_grad=True), dynamic=False)
    train(lambda a: a.tanh(), torch.randn(3))


def control_flow(train, train_default):
    import torch

    def whole(x):
        return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))
    train(whole, torch.randn(3, requires_grad=True))


def attention(train, train_default):
    import torch

    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.project = torch.nn.Linear(8, 24)
            self.norm = torch.nn.LayerNorm(8)

        def forward(self, x):
            q, k, v = self.project(self.norm(x)).chunk(3, -1)
            weights = (q @ k.transpose(-1, -2) / 8**0.5).softmax(-1)
            return torch.nn.functional.gelu(weights @ v) + x
    train(Block(), torch.randn(2, 5, 8))


def checkpoint(train, train_default):
    """Two consecutive regions, the second of which saves its matrix product."""
    import torch
    from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

    def policy(context, op, *args, **kwargs):
        saved = op == torch.ops.aten.addmm.default
        return CheckpointPolicy.MUST_SAVE if saved else CheckpointPolicy.PREFER_RECOMPUTE

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)

        def forward(self, x):
            x = checkpoint(lambda x: self.first(x).sigmoid().exp(), x, use_reentrant=False)
            x = checkpoint(lambda x: self.second(x).tanh() * 2, x, use_reentrant=False,
                           context_fn=functools.partial(create_selective_checkpoint_contexts, policy))
            return x.sin()
    train(Model(), torch.randn(5, 3))


MODELS = {f.__name__: f for f in (mlp, mlp_default, batch_norm, dynamic, several, control_flow, attention,
                                  checkpoint)}


def print_readable():
    """Texts of graphs without any log around them."""
    import torch
    from torch.fx.experimental.proxy_tensor import make_fx

    class Old(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(torch.randn(3, 3))
            self.l = torch.nn.Sequential(torch.nn.Linear(3, 3))

        def forward(self, x, *, k=2):
            y = self.l(x) @ self.w
            y = y.relu_()
            y += 1
            return {"out": y[:, 1:2], "t": (y[..., None], x.shape), "n": -x}, [y, 2.0]

    def values(x, y):
        c = torch.ops.aten.convolution(x, y, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        return (c.to(torch.bfloat16, memory_format=torch.channels_last), torch.zeros(2, dtype=torch.complex64) * (1 + 2j),
                torch.empty(2, device="meta", layout=torch.strided), x.new_full((2,), float("nan")),
                torch.full((1,), -float("inf")), torch.ops.aten.split(x, 1, 1))

    images = torch.randn(1, 3, 8, 8), torch.randn(2, 3, 3, 3)
    graphs = {
        "symbolic_trace": (torch.fx.symbolic_trace(Old()), {}),
        "values": (make_fx(values, tracing_mode="fake")(*images), {"include_stride": True, "include_device": True}),
        "plain": (make_fx(values)(*images), {}),
        "expanded": (make_fx(values)(*images), {"expanded_def": True}),
        "coloured": (make_fx(values)(*images), {"colored": True}),
        "symbols": (make_fx(lambda x: x.view(x.shape[0] * x.shape[1] // 2 % 7 + 1, -1) + (x.shape[0] - 1) / 2,
                            tracing_mode="symbolic")(torch.randn(4, 6)), {}),
        "exported": (torch.export.export(net().eval(), (torch.randn(2, 3),)).graph_module, {}),
        "module": (torch.export.export(net().eval(), (torch.randn(2, 3),)).module(), {}),
    }
    files, counts = {}, {}
    for name, (gm, options) in graphs.items():
        text = gm.print_readable(print_output=False, **options)
        files[name + ".txt"] = text + "\n"
        files[name + ".code.txt"] = gm.code
        for file in (name + ".txt", name + ".code.txt"):
            counts[file] = {"0": {"": {"nodes": len(gm.graph.nodes),
                                       "edges": sum(len(n.all_input_nodes) for n in gm.graph.nodes)}}}
    json.dump([files, counts], sys.stdout)


# --- outside --------------------------------------------------------------------------------------------------------

def without_paths(text):
    text = re.sub(r"/[^\s:\"']*/site-packages/(?:\./)*", "site-packages/", text)
    text = re.sub(r"site-packages/(?:\./)+", "site-packages/", text)
    return text.replace(os.path.dirname(os.path.abspath(__file__)) + "/", "")


def kept(trace):
    """The records that matter, with their payloads: the rest is large."""
    lines, keep = [], False
    for line in trace.splitlines(keepends=True):
        if not line.startswith("\t"):
            record = line.split("] {", 1)[-1][:120]
            keep = any(word in record for word in KEPT_RECORDS) and "runnable" not in record and "str" not in record[:8]
            if keep:
                line = re.sub(r'"(user_)?stack": \[.*?\](?=[,}])', r'"\1stack": []', line)
        if keep:
            lines.append(line)
    return "".join(lines)


def child(*arguments, trace=None):
    env = dict(os.environ, TORCH_LOGS="aot_graphs,aot_joint_graph", PYTHONWARNINGS="ignore", PYTHONHASHSEED="0")
    if trace:
        env["TORCH_TRACE"] = trace
    run = subprocess.run([sys.executable, __file__, "--child", *arguments], env=env, capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr[-3000:])
    return run.stdout, run.stderr


def record(out, name, pt2, counts, only_trace=False):
    with tempfile.TemporaryDirectory() as folder:
        printed, log = child(name, pt2 or "", trace=folder)
        trace = "".join(open(f).read() for f in sorted(glob.glob(folder + "/*.log")))
    files = {name + ".trace": kept(trace)} | ({} if only_trace else {name + ".log": log})
    for file, text in files.items():
        found = json.loads(printed)
        if file.endswith(".log"):
            found = {i: {k: v for k, v in graphs.items() if k != "source"} for i, graphs in found.items()}
        counts[file] = found
        with open(os.path.join(out, file), "w") as f:
            f.write(without_paths(text))


def main():
    out, counts = sys.argv[1], {}
    os.makedirs(out, exist_ok=True)
    if len(sys.argv) > 2:
        record(out, sys.argv[2], sys.argv[3], counts)
        name = sys.argv[2] + ".json"
    else:
        for model in MODELS:
            record(out, model, None, counts)
        files, more = json.loads(child("--readable")[0])
        for file, text in files.items():
            with open(os.path.join(out, file), "w") as f:
                f.write(without_paths(text))
        counts |= more
        name = "counts.json"
    with open(os.path.join(out, name), "w") as f:
        json.dump(counts, f, indent=1, sort_keys=True)
        f.write("\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        print_readable() if sys.argv[2] == "--readable" else run_model(sys.argv[2], sys.argv[3])
    else:
        main()
