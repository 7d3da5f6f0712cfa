"""Logs of TORCH_TRACE against what Python says, and how fast a large one is read.

    python3 trace_logs.py count AOTSCOPE PYTHON [BACKEND [MODELS]]   a table: every model in every way of compiling it
    python3 trace_logs.py large AOTSCOPE LOG [GIGABYTES]             a log made of many copies of another one

`count` compiles in a process of PYTHON, which has torch, and counts there: compilations, recompilations, graph breaks,
guards, operations of Dynamo's graphs, and operations of joint, forward and backward graphs. Then it asks AOTSCOPE.
"""

import collections
import glob
import importlib.util
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

WAYS = ("static", "dynamic", "breaks", "recompiles", "checkpoint", "again", "bypass")


# --- inside the process that compiles -------------------------------------------------------------------------------

def models():
    import torch
    from torch import nn

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv, self.out = nn.Linear(16, 48), nn.Linear(16, 16)

        def forward(self, x):
            q, k, v = self.qkv(x).chunk(3, -1)
            return self.out(nn.functional.scaled_dot_product_attention(q, k, v))

    class Residual(nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def forward(self, x):
            return x + self.inner(x)

    class Rms(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(16))

        def forward(self, x):
            return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight

    class Gated(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.c = nn.Linear(16, 32), nn.Linear(16, 32), nn.Linear(32, 16)

        def forward(self, x):
            return self.c(nn.functional.silu(self.a(x)) * self.b(x))

    class Tokens(nn.Module):
        def __init__(self):
            super().__init__()
            self.table, self.head = nn.Embedding(10, 16), nn.Linear(16, 10)

        def forward(self, x):
            return self.head(self.table(x.abs().long() % 10).sum(-2))

    rows = lambda n: torch.randn(n, 6, 16)                                                      # noqa: E731
    images = lambda n: torch.randn(n, 3, 8, 8)                                                  # noqa: E731
    return {
        "mlp": (nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)), rows),
        "deep": (nn.Sequential(*[nn.Sequential(nn.Linear(16, 16), nn.Tanh()) for _ in range(6)]), rows),
        "gelu": (nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16)), rows),
        "norm": (nn.Sequential(nn.LayerNorm(16), nn.Linear(16, 16)), rows),
        "rms": (Rms(), rows),
        "gated": (Gated(), rows),
        "attention": (Attention(), rows),
        "block": (nn.Sequential(Residual(Attention()), nn.LayerNorm(16), Residual(Gated())), rows),
        "tokens": (Tokens(), rows),
        "softmax": (nn.Sequential(nn.Linear(16, 16), nn.Softmax(-1), nn.Linear(16, 2)), rows),
        "conv": (nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 2)), images),
        "batch_norm": (nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU()), images),
        "residual": (Residual(nn.Sequential(nn.Conv2d(3, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU())), images),
        "pool": (nn.Sequential(nn.Conv2d(3, 4, 3), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 3)), images),
        "dropout": (nn.Sequential(nn.Linear(16, 16), nn.Dropout(0.1), nn.Linear(16, 16)), rows),
    }


def operations(graph):
    return sum(node.op in ("call_function", "call_method", "call_module") for node in graph.nodes)


class Counts:
    """What Python says of one case."""

    def __init__(self):
        self.graphs = collections.Counter()

    def watch(self):
        """Counts the graphs that the partitioners see, wherever they are known by name."""
        import torch
        from torch._functorch import partitioners
        for name in ("default_partition", "min_cut_rematerialization_partition"):
            original = getattr(partitioners, name)

            def counting(joint, *args, original=original, **kwargs):
                self.graphs["joint"] += operations(joint.graph)
                forward, backward = original(joint, *args, **kwargs)
                self.graphs["forward"] += operations(forward.graph)
                self.graphs["backward"] += operations(backward.graph)
                return forward, backward
            for module in list(sys.modules.values()):
                if module.__name__.startswith("torch") and getattr(module, name, None) is original:
                    setattr(module, name, counting)
        del torch


def cases(backend, chosen, folder):
    import torch
    from torch.utils.checkpoint import checkpoint

    class Bypass(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return g * 1

    for name, (model, inputs) in models().items():
        if chosen and name not in chosen:
            continue
        for way in WAYS:
            body = {"breaks": "y = model(x); torch._dynamo.graph_break(); return y * 2",
                    "checkpoint": "return checkpoint(model, x, use_reentrant=False)",
                    "bypass": "return Bypass.apply(model(x))"}.get(way, "return model(x)")
            # In a file: Dynamo treats what has none as its own.
            path = os.path.join(folder, f"case_{name}_{way}.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"def case_{name}_{way}(x):\n    {body}\n")
            spec = importlib.util.spec_from_file_location(f"case_{name}_{way}", path)
            module = importlib.util.module_from_spec(spec)
            vars(module).update(torch=torch, model=model, checkpoint=checkpoint, Bypass=Bypass)
            spec.loader.exec_module(module)
            function = getattr(module, f"case_{name}_{way}")
            sizes = {"recompiles": (3, 4, 5), "again": (3, 3)}.get(way, (3,))

            def run(function=function, way=way, inputs=inputs, sizes=sizes, model=model):
                compiled = None
                for size in sizes:
                    if compiled is None or way == "again":
                        torch._dynamo.reset()
                        compiled = torch.compile(function, backend=backend,
                                                 dynamic={"dynamic": True, "again": False}.get(way))
                    model.zero_grad()
                    compiled(inputs(size)).float().sum().backward()
            yield f"{name}_{way}", run


def compile_all(backend, chosen):
    import torch
    from torch._dynamo.utils import counters, get_compilation_metrics
    torch.manual_seed(0)
    counts = Counts()
    counts.watch()
    found = {}
    folder = tempfile.mkdtemp()
    for name, run in cases(backend, chosen, folder):
        counters.clear()
        counts.graphs.clear()
        torch._dynamo.utils.clear_compilation_metrics()
        try:
            run()
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {str(error).splitlines()[0]}", file=sys.stderr)
        metrics = [each for each in get_compilation_metrics() if each.co_name is not None]
        caches = counters["aot_autograd"]
        found[name] = {"compilations": len(metrics),
                       "recompilations": sum(int(each.compile_id.split("/")[-1]) > 0 for each in metrics),
                       "breaks": sum(counters["graph_break"].values()),
                       "guards": sum(each.guard_count or 0 for each in metrics),
                       "dynamo": sum(each.graph_op_count or 0 for each in metrics),
                       "hits": caches["autograd_cache_hit"], "misses": caches["autograd_cache_miss"],
                       "bypasses": caches["autograd_cache_bypass"], **counts.graphs}
    shutil.rmtree(folder)
    json.dump(found, sys.stdout)


# --- around it ------------------------------------------------------------------------------------------------------

def told(aotscope, log):
    """What aotscope says of the same cases: their names are part of those of the functions."""
    report = json.loads(subprocess.run([aotscope, "compiles", log, "--json"], check=True, capture_output=True).stdout)
    table = subprocess.run([aotscope, "compiles", log, "--graphs"], check=True, capture_output=True, text=True).stdout
    graphs, current = collections.defaultdict(collections.Counter), ""
    for line in table.splitlines()[1:]:
        cells = re.match(r"(\S*)\s+(\S+)\s+(\d+)", line)
        if cells:
            current = cells[1] or current
            graphs[current][cells[2]] += int(cells[3])
    found = collections.defaultdict(collections.Counter)
    for each in report["compilations"]:
        case = re.search(r"case_(\w+?)(_at_\d+)?$", (each["code"] or {"function": ""})["function"])
        if not case:
            continue
        own = found[case[1]]
        own["compilations"] += 1
        own["recompilations"] += bool(each["recompiled_for"])
        own["breaks"] += len(each["graph_breaks"])
        own["guards"] += each["guard_count"] or 0
        own["dynamo"] += each["operations"] or 0
        for event in each["caches"]:
            if event["cache"] == "AOTAutograd":
                own[{"hit": "hits", "miss": "misses", "bypass": "bypasses"}.get(event["state"], "failures")] += 1
        for kind in ("joint", "forward", "backward"):
            own[kind] += graphs[each["id"]][kind]
    return found, report["problems"]


def count(aotscope, python, backend="aot_eager", chosen=""):
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, TORCH_TRACE=os.path.join(folder, "trace"),
                   TORCHINDUCTOR_CACHE_DIR=os.path.join(folder, "cache"))
        run = subprocess.run([python, __file__, "compile", backend, chosen], env=env, stdout=subprocess.PIPE, check=True)
        python_says = json.loads(run.stdout)
        (log,) = glob.glob(os.path.join(folder, "trace", "*.log"))
        ours, problems = told(aotscope, log)
        kept = os.environ.get("TRACE_LOGS_KEEP")
        if kept:
            os.replace(log, kept)
    wrong = 0
    keys = ("compilations", "recompilations", "breaks", "guards", "dynamo", "joint", "forward", "backward", "hits",
            "misses", "bypasses")
    print(f"{'case':24}" + "".join(f"{key[:9]:>12}" for key in keys))
    for case, theirs in python_says.items():
        cells = []
        for key in keys:
            a, b = theirs.get(key, 0), ours[case][key]
            # Of a hit, the graphs are printed from the cache: no partitioner has seen them.
            same = a == b or (key in ("joint", "forward", "backward") and theirs["hits"] and b > a)
            wrong += not same
            cells.append(f"{a:>12}" if same else f"{f'{a} not {b}':>12}")
        print(f"{case:24}" + "".join(cells))
    print(f"{len(python_says)} cases, {wrong} numbers differ, {len(problems)} problems")
    return wrong > 0


def large(aotscope, log, gigabytes="1"):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "large.log")
        with open(log, "rb") as file:
            once = file.read()
        with open(path, "wb") as file:
            frame = 0
            while file.tell() < float(gigabytes) * 1e9:
                # Every copy is of other functions.
                file.write(re.sub(rb'"frame_id": (\d+)', lambda m: b'"frame_id": %d' % (int(m[1]) + frame), once))
                frame += 1000
        size = os.path.getsize(path)
        with open(path, "rb") as file:  # in the page cache, as after writing it
            while file.read(1 << 24):
                pass
        for title, arguments in (("records of one compilation", ["--list", "records", "--compile-id", "0/0"]),
                                 ("one graph", ["--record", "aot_joint_graph", "--compile-id", "0/0"]),
                                 ("overview", [])):
            before = time.time()
            subprocess.run([aotscope, "compiles", path, *arguments], check=True, stdout=subprocess.DEVNULL)
            print(f"{size / 1e9:.2f} GB, {title}: {time.time() - before:.2f} s")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
        print(f"peak memory: {peak:.0f} MB")


if __name__ == "__main__":
    if sys.argv[1] == "compile":
        compile_all(sys.argv[2], [name for name in sys.argv[3].split(",") if name])
    else:
        sys.exit({"count": count, "large": large}[sys.argv[1]](*sys.argv[2:]))
