"""Writes logs of TORCH_TRACE, shortened to what tests need.

    python3 make.py OUT

With PyTorch 2.4 or 2.5, only old.log: recompilations and graph breaks, of which these say less.

story.log: graph breaks, recompilations, hits, misses and bypasses of Inductor's caches, dynamic shapes, an error.
budget.log: the partitioner within a memory budget.
inductor.log: Inductor's graphs before and after its passes, without and with a backward; nothing else.
dtensor/dtensor.log: the graphs of programs with DTensors: a tensor parallel network, and redistributions of all kinds.
rank_0.log, rank_1.log: a function with collectives on two ranks of a fake process group, which compute different things.
"""

import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

DROPPED = ("str_", "describe_storage", "describe_tensor", "fx_graph_runnable", "torch._functorch.config", "_BYTECODE",
           "before_pre_grad_graph", "after_pre_grad_graph", "before_joint_graph", "after_joint_graph",
           "before_post_grad_graph", "_epilogue", "_prologue", "compiled_fn", "compiled_function", "runtime_wrapper")
GRAPHS = ("dynamo_output_graph", "aot_inference_graph", "aot_joint_graph", "aot_forward_graph", "aot_backward_graph",
          "before_pre_grad_graph", "after_pre_grad_graph", "before_joint_graph", "after_joint_graph",
          "before_post_grad_graph", "inductor_post_grad_graph", "aot_forward_graph_fw_metadata")
SETTINGS = re.compile(r"_config$|^config_|^stack_trace$|^graph_node_shapes$")
KEPT_SPANS = ("dynamo", "entire_frame_compile", "backend_compile", "build_guards", "inductor_compile", "code_gen",
              "entire_backward_compile", "compile_attempt_0", "bytecode_tracing")

INDUCTOR = '''
import torch


def f(x, w):
    y = torch.mm(x, w) + 0
    z = y.reshape(4, 4).permute(1, 0).contiguous()
    return (z * 1).relu() + torch.ones(4, 4)


with torch.no_grad():
    torch.compile(f)(torch.randn(4, 4), torch.randn(4, 4))
torch.compile(lambda x, w: f(x, w).sum())(torch.randn(4, 4), torch.randn(4, 4, requires_grad=True)).backward()
'''

STORY = '''
import torch

torch._dynamo.config.automatic_dynamic_shapes = True


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0].cos()


def breaks(x):
    y = x.sin()
    torch._dynamo.graph_break()
    y = y * 2
    if y.sum() > 100:
        y = y.cos()
    return y


def grows(x, k):
    return (x * k).exp()


def again(x):
    return (x.tanh() * x).sum()


def custom(x):
    return Scale.apply(x) * 2


torch.compile(breaks, backend="aot_eager")(torch.randn(3, 4, requires_grad=True)).sum().backward()
g = torch.compile(grows, backend="aot_eager")
for n, k in ((3, 2), (4, 2), (5, 2), (5, 3)):
    g(torch.randn(n, 4, requires_grad=True), k).sum().backward()
try:
    g(torch.randn(3, 4), None)
except Exception:
    pass
for n in (8, 8, 9):
    torch._dynamo.reset()
    torch.compile(again, dynamic=False)(torch.randn(n, requires_grad=True)).backward()
torch._dynamo.reset()
torch.compile(custom)(torch.randn(6, requires_grad=True)).sum().backward()
'''

OLD = '''
import torch


def breaks(x):
    y = x.sin()
    torch._dynamo.graph_break()
    return y.cos()


def grows(x, y):
    return (x * y).exp()


for n in (2, 3, 4):
    torch.compile(grows, backend="aot_eager")(torch.randn(n, 5, requires_grad=True), torch.randn(5)).sum().backward()
torch.compile(breaks, backend="aot_eager")(torch.randn(3, requires_grad=True)).sum().backward()
'''

BUDGET = '''
import torch
from torch._functorch import config

config.activation_memory_budget = 0.5


def forward(x, a, b, c):
    x = torch.tanh(x @ a)
    x = (x @ b).exp()
    return (x @ c).sin().sum()


weights = [torch.randn(16, 16, requires_grad=True) for _ in range(3)]
torch.compile(forward, backend="aot_eager")(torch.randn(256, 16), *weights).backward()
'''

RANKS = '''
import sys
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc
from torch.testing._internal.distributed.fake_pg import FakeStore

rank = int(sys.argv[1])
dist.init_process_group("fake", rank=rank, world_size=2, store=FakeStore())


def same(x):
    return fc.all_reduce(x.sin(), "sum", dist.group.WORLD) * x


def differs(x, y):
    h = x.exp() * y
    h = fc.all_reduce(h if rank == 0 else h.tanh(), "sum", dist.group.WORLD)
    if rank == 0:
        return fc.all_gather_tensor(h, 0, dist.group.WORLD).sum()
    return fc.reduce_scatter_tensor(h, "sum", 0, dist.group.WORLD).sum()


torch.compile(same, backend="aot_eager")(torch.randn(4, requires_grad=True)).sum().backward()
torch.compile(differs, backend="aot_eager")(torch.randn(4, requires_grad=True), torch.randn(4)).backward()
if rank == 0:
    torch.compile(lambda x: x + 1, backend="aot_eager")(torch.randn(2))
'''

DTENSOR = '''
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Partial, Replicate, Shard, distribute_tensor
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from torch.testing._internal.distributed.fake_pg import FakeStore

dist.init_process_group("fake", rank=0, world_size=4, store=FakeStore())
mesh = init_device_mesh("cpu", (4,), mesh_dim_names=("tp",))


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = torch.nn.Linear(8, 16), torch.nn.Linear(16, 8)

    def forward(self, x):
        return self.down(torch.relu(self.up(x)))


def moves(w, x):
    rows = w.redistribute(mesh, [Replicate()])
    columns = x.redistribute(mesh, [Replicate()])
    both = (w.sin() @ x.redistribute(mesh, [Shard(0)])).redistribute(mesh, [Shard(1)])
    part = both.sum(1).redistribute(mesh, [Replicate()])
    scattered = (x @ w.redistribute(mesh, [Shard(0)])).redistribute(mesh, [Shard(1)])
    return rows + columns, part, scattered


network = parallelize_module(Network(), mesh, {"up": ColwiseParallel(), "down": RowwiseParallel()})
torch.compile(network, backend="aot_eager")(torch.randn(4, 8)).sum().backward()
with torch.no_grad():
    torch.compile(moves, backend="aot_eager")(distribute_tensor(torch.randn(8, 8), mesh, [Shard(0)]),
                                              distribute_tensor(torch.randn(8, 8), mesh, [Shard(1)]))
'''


def run(name, program, *args):
    """Runs a program with TORCH_TRACE; returns the lines of its log."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name + ".py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(program)
        env = dict(os.environ, TORCH_TRACE=os.path.join(folder, "trace"), INDUCTOR_PROVENANCE="1",
                   AOT_PARTITIONER_DEBUG="1" if name == "budget" else "0",
                   TORCHINDUCTOR_CACHE_DIR=os.path.join(folder, "cache"))
        subprocess.run([sys.executable, path, *args], env=env, check=True, stdout=subprocess.DEVNULL)
        (log,) = glob.glob(os.path.join(folder, "trace", "*.log"))
        with open(log, encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r'[^\s"\'\[(]*/site-packages/|' + re.escape(os.path.dirname(os.path.dirname(
            __import__("torch").__file__))) + "/", "site-packages/", text)
        # Guards have the end of the path.
        return re.sub(r"\w*/" + os.path.basename(folder), "src", text.replace(folder, "/src")).splitlines()


def records(lines):
    """Pairs of a first line and its payload."""
    found = []
    for line in lines:
        if line.startswith("\t"):
            found[-1][1].append(line[1:])
        else:
            found.append((line, []))
    return found


def shortened(name, record, payload, kept):
    """The record without what tests do not need; None: all of it."""
    if name not in kept and any(part in name for part in DROPPED):
        return None
    text = "\n".join(payload)
    if name == "chromium_event":
        event = json.loads(text)
        if event["name"] not in KEPT_SPANS:
            return None
        event["args"] = {key: event["args"][key] for key in ("fn_name", "compile_id") if key in event["args"]}
        text = json.dumps(event, indent=0)
    if name.endswith("compilation_metrics"):
        own = record[name]
        record[name] = {key: value for key, value in own.items() if value is not None and not SETTINGS.search(key)}
    for stack in ("stack", "user_stack"):
        for value in (record, next(iter(record.values()))):
            if isinstance(value, dict) and stack in value and stack != "user_stack":
                value[stack] = value[stack][-1:]
    if "_cache_" in name and text.startswith("{"):
        data = json.loads(text)
        data["components"] = [each for each in data.get("components", [])
                              if re.match(r"\[\w+\] (gm|example_inputs|inputs_to_check|fx_kwargs)", each)]
        data.pop("cache_bypass_traceback", None)
        text = json.dumps(data)
    return text


def write(path, lines, only=None, kept=()):
    out = []
    for first, payload in records(lines):
        prefix, metadata = first.split("] ", 1)
        prefix = re.sub(r"^(\w)\d{4} [\d:.]+ \d+ ", r"\g<1>1126 10:00:00.000000 4711 ", prefix)
        record = json.loads(metadata)
        name = next(iter(record))
        name = record["artifact"]["name"] if name == "artifact" else name
        if only:
            text = "\n".join(payload) if name in only else None
        else:
            text = shortened(name, record, payload, kept)
        if text is None:
            continue
        if "has_payload" in record:
            record["has_payload"] = hashlib.md5(text.encode()).hexdigest()
        out.append(prefix + "] " + json.dumps(record))
        if "has_payload" in record:
            out += ["\t" + line for line in text.split("\n")]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


def main():
    out = sys.argv[1]
    if __import__("torch").__version__ < "2.6":
        return write(os.path.join(out, "old.log"), run("old", OLD), kept=["describe_tensor"])
    write(os.path.join(out, "budget.log"), run("budget", BUDGET))
    write(os.path.join(out, "story.log"), run("model", STORY))
    write(os.path.join(out, "inductor.log"), run("inductor", INDUCTOR), GRAPHS)
    os.makedirs(os.path.join(out, "dtensor"), exist_ok=True)
    write(os.path.join(out, "dtensor", "dtensor.log"), run("dtensor", DTENSOR), GRAPHS)
    for rank in ("0", "1"):
        write(os.path.join(out, f"rank_{rank}.log"), run("ranks", RANKS, rank))


if __name__ == "__main__":
    main()
