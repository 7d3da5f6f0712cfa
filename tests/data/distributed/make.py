"""Writes the programs of this folder, as torch.export saves them, the inputs of each rank, and PyTorch's results.

    python3 make.py OUT

One process makes them all, under PyTorch's fake process group. The files of a model NAME are

- the program NAME.pt2, or NAME.RANK.pt2 where ranks run different ones,
- NAME.log, the graphs that torch.compile prints of it,
- the parameters NAME.RANK.pt and the inputs NAME.RANK.inputs.pt of every rank.

reference.json has, for every program, the operations of its joint graph, common ones merged, and of its backward, and
the values that are saved for it, as aot_function and the min-cut partitioner find them; and, for every model, the loss
of each rank and the gradients of the sum of all losses, computed with whole parameters in one process.
"""

import json
import operator
import os
import pathlib
import subprocess
import sys
import warnings

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives  # noqa: F401  (registers shapes and gradients)
from torch._functorch.aot_autograd import aot_function
from torch._functorch.compile_utils import fx_graph_cse
from torch._functorch.partitioners import min_cut_rematerialization_partition
from torch.nn.functional import silu
from torch.testing._internal.distributed.fake_pg import FakeStore

GROUP = "0"
call = torch.ops._c10d_functional


def gathered(shard, world):
    return call.wait_tensor(call.all_gather_into_tensor(shard, world, GROUP))


def summed(part):
    return call.wait_tensor(call.all_reduce(part, "sum", GROUP))


class Weights(torch.nn.Module):
    def __init__(self, **weights):
        super().__init__()
        for name, weight in weights.items():
            self.register_parameter(name, torch.nn.Parameter(weight))


class Mlp(Weights):
    names = {"up": 0, "down": 1}

    @staticmethod
    def weights(seed):
        torch.manual_seed(seed)
        return {"up": torch.randn(16, 8) / 3, "down": torch.randn(8, 16) / 4}

    def compute(self, x, up, down, join=lambda part: part):
        return join(torch.relu(x @ up.t()) @ down.t())

    def forward(self, x):
        return self.compute(x, self.up, self.down).square().mean()


def rms_norm(x, weight):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * weight


def rotated(x):
    places = torch.arange(x.size(-2), dtype=x.dtype)[:, None]
    rates = 0.1 ** torch.arange(x.size(-1) // 2, dtype=x.dtype)
    cos, sin = torch.cos(places * rates), torch.sin(places * rates)
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)


class Llama(Weights):
    """A block: attention with rotary embeddings, and a gated feed-forward network, each behind a norm."""

    names = {"q": 0, "k": 0, "v": 0, "o": 1, "gate": 0, "up": 0, "down": 1, "norm1": None, "norm2": None}
    head = 8

    @staticmethod
    def weights(seed):
        torch.manual_seed(seed)
        square = {name: torch.randn(16, 16) / 4 for name in "qkvo"}
        wide = {"gate": torch.randn(32, 16) / 4, "up": torch.randn(32, 16) / 4, "down": torch.randn(16, 32) / 6}
        return {**square, **wide, "norm1": torch.rand(16) + 0.5, "norm2": torch.rand(16) + 0.5}

    def attention(self, x, w, join):
        heads = [(x @ w[name].t()).unflatten(-1, (-1, self.head)).transpose(1, 2) for name in "qkv"]
        q, k, v = rotated(heads[0]), rotated(heads[1]), heads[2]
        scores = torch.softmax(q @ k.transpose(-1, -2) / self.head**0.5, -1)
        return join((scores @ v).transpose(1, 2).flatten(2) @ w["o"].t())

    def feed_forward(self, x, w, join):
        return join((silu(x @ w["gate"].t()) * (x @ w["up"].t())) @ w["down"].t())

    def compute(self, x, w, join=lambda part: part):
        x = x + self.attention(rms_norm(x, w["norm1"]), w, join)
        return x + self.feed_forward(rms_norm(x, w["norm2"]), w, join)

    def forward(self, x):
        return self.compute(x, dict(self.named_parameters())).square().mean()


def inputs_of(model, rank):
    torch.manual_seed(100 + rank)
    return torch.randn(4, 8) if model is Mlp else torch.randn(2, 4, 16)


class Fsdp:
    """Every rank has rows of every parameter, and inputs of its own."""

    own_inputs = True

    @staticmethod
    def shard(name, weight, world, rank, model):
        return weight.chunk(world)[rank].clone()

    @staticmethod
    def program(model, world, shards):
        class Program(model):
            def forward(self, x):
                full = {name: gathered(shard, world) for name, shard in self.named_parameters()}
                result = self.compute(x, *full.values()) if model is Mlp else self.compute(x, full)
                return result.square().mean()

        return Program(**shards)


class Tensor:
    """Every rank has a part of each layer: columns of the first, rows of the second. Norms are the same on all."""

    own_inputs = False

    @staticmethod
    def shard(name, weight, world, rank, model):
        dim = model.names[name]
        return weight.clone() if dim is None else weight.chunk(world, dim)[rank].clone()

    @staticmethod
    def program(model, world, shards):
        class Program(model):
            def forward(self, x):
                weights = dict(self.named_parameters())
                if model is Mlp:
                    return self.compute(x, *weights.values(), summed).square().mean()
                return self.compute(x, weights, summed).square().mean()

        return Program(**shards)


class First(torch.nn.Module):
    """The first half of a model, which sends its result to rank 1."""

    def __init__(self, part):
        super().__init__()
        self.part = part

    def forward(self, x):
        h = self.part(x)
        call.wait_tensor(call.isend(h, 1, 0, GROUP))
        return h


class Second(torch.nn.Module):
    def __init__(self, part):
        super().__init__()
        self.part = part

    def forward(self, x):
        h = call.wait_tensor(call.irecv(torch.empty_like(x), 0, 0, GROUP))
        return self.part(h).square().mean()


class MlpUp(Weights):
    def forward(self, x):
        return torch.relu(x @ self.up.t())


class MlpDown(Weights):
    def forward(self, x):
        return x @ self.down.t()


class LlamaAttention(Llama):
    def forward(self, x):
        w = dict(self.named_parameters())
        return x + self.attention(rms_norm(x, w["norm1"]), w, lambda part: part)


class LlamaFeedForward(Llama):
    def forward(self, x):
        w = dict(self.named_parameters())
        return x + self.feed_forward(rms_norm(x, w["norm2"]), w, lambda part: part)


def is_detach(node):
    return node.target is torch.ops.aten.detach.default


def operations(graph):
    """Without detach, which hides that autograd saves an operation's own result."""
    calls = [node for node in graph.nodes if node.op == "call_function" and not is_detach(node)]
    return ["operator.getitem" if node.target is operator.getitem else str(node.target) for node in calls]


def detached(node):
    return detached(node.args[0]) if is_detach(node) else node


def graphs_of(exported):
    """As PyTorch computes them from the parameters and inputs of `exported`."""
    module = exported.module()
    names = [name for name, _ in module.named_parameters()]
    found = {}

    def function(*values):
        weights = dict(zip(names, values[: len(names)]))
        return torch.func.functional_call(module, weights, values[len(names) :])

    def partition(joint, inputs, **options):
        found["joint"] = operations(fx_graph_cse(joint.graph))
        forward, backward = min_cut_rematerialization_partition(joint, inputs, **options)
        outputs = options["num_fwd_outputs"]
        found["saved"] = [detached(n).name for n in forward.graph.output_node().args[0][outputs:]]
        found["backward"] = operations(backward.graph)
        return forward, backward

    values = [p.detach().clone().requires_grad_() for _, p in module.named_parameters()]
    inputs = exported.example_inputs[0]
    result = aot_function(
        function, fw_compiler=lambda g, _: g.forward, bw_compiler=lambda g, _: g.forward, partition_fn=partition
    )(*values, *inputs)
    result.sum().backward()
    return found


def whole(model, weights, world, own_inputs):
    """Loss and gradients of all ranks' batches, in one process: the sum over ranks."""
    module = model(**{name: weight.clone() for name, weight in weights.items()})
    losses = [module(inputs_of(model, rank if own_inputs else 0)) for rank in range(world)]
    sum(losses).backward()
    gradients = {name: [round(g, 6) for g in p.grad.flatten().tolist()] for name, p in module.named_parameters()}
    return {"losses": [loss.item() for loss in losses], "gradients": gradients}


def write_spmd(out, name, model, way, world, reference):
    weights = model.weights(7)
    for rank in range(world):
        shards = {key: way.shard(key, w, world, rank, model) for key, w in weights.items()}
        torch.save(shards, out / f"{name}.{rank}.pt")
        x = inputs_of(model, rank if way.own_inputs else 0)
        torch.save([x], out / f"{name}.{rank}.inputs.pt")
        if rank == 0:
            exported = torch.export.export(way.program(model, world, shards), (x,))
            save(exported, out / f"{name}.pt2")
            reference["programs"][name] = graphs_of(exported)
    cuts = dict.fromkeys(weights, 0) if way is Fsdp else model.names
    parameters = [{"name": key, "shape": list(w.shape), "cut": cuts[key]} for key, w in weights.items()]
    found = whole(model, weights, world, way.own_inputs)
    reference["models"][name] = {"world": world, "sharded": way is Fsdp, "parameters": parameters, **found}


def write_stages(out, name, model, first, second, reference):
    weights = model.weights(7)
    x = inputs_of(model, 0)
    chosen = [{k: weights[k] for k in part} for part in (first[1], second[1])]
    halves = [first[0](**chosen[0]), second[0](**chosen[1])]
    stages = [First(halves[0]), Second(halves[1])]
    for rank, (stage, value) in enumerate(zip(stages, (x, torch.zeros_like(halves[0](x))))):
        exported = torch.export.export(stage, (value.detach(),))
        save(exported, out / f"{name}.{rank}.pt2")
        torch.save([value.detach()], out / f"{name}.{rank}.inputs.pt")
        reference["programs"][f"{name}.{rank}"] = graphs_of(exported)
    reference["models"][name] = {"world": 2, "losses": whole(model, weights, 1, False)["losses"]}


SPMD = {
    "mlp_fsdp": (Mlp, Fsdp, 4),
    "mlp_tensor": (Mlp, Tensor, 4),
    "llama_fsdp": (Llama, Fsdp, 8),
    "llama_tensor": (Llama, Tensor, 2),
}


def compile_one(name):
    """Under TORCH_LOGS: rank 0 of one program, and its backward."""
    model, way, world = SPMD[name]
    dist.init_process_group("fake", rank=0, world_size=world, store=FakeStore())
    shards = {key: way.shard(key, w, world, 0, model) for key, w in model.weights(7).items()}
    program = way.program(model, world, shards)
    torch.compile(program, backend="aot_eager_decomp_partition")(inputs_of(model, 0)).backward()


def without_folders(text):
    for file in (__file__, torch.__path__[0]):
        text = text.replace(str(pathlib.Path(file).resolve().parent) + "/", "")
    return text


def save(exported, path):
    for node in exported.graph.nodes:
        if node.meta.get("stack_trace"):
            node.meta["stack_trace"] = without_folders(node.meta["stack_trace"])
    torch.export.save(exported, path)


def write_log(out, name):
    settings = {**os.environ, "TORCH_LOGS": "aot_joint_graph,aot_graphs"}
    run = subprocess.run([sys.executable, __file__, "--compile", name], env=settings, capture_output=True, text=True)
    run.check_returncode()
    lines = [line for line in run.stderr.splitlines() if "graph]" in line or "graphs]" in line]
    text = "\n".join(line.removeprefix("[rank0]:") for line in lines if "ViewAndMutationMeta" not in line)
    (out / f"{name}.log").write_text(without_folders(text) + "\n")


def main(out):
    warnings.simplefilter("ignore")
    out = pathlib.Path(out)
    reference = {"programs": {}, "models": {}}
    for name, (model, way, world) in SPMD.items():
        if name != "llama_fsdp":  # a long text
            write_log(out, name)
        dist.init_process_group("fake", rank=0, world_size=world, store=FakeStore())
        write_spmd(out, name, model, way, world, reference)
        dist.destroy_process_group()
    dist.init_process_group("fake", rank=0, world_size=2, store=FakeStore())
    write_stages(out, "mlp_stages", Mlp, (MlpUp, ["up"]), (MlpDown, ["down"]), reference)
    attention = (LlamaAttention, ["q", "k", "v", "o", "norm1"])
    write_stages(out, "llama_stages", Llama, attention, (LlamaFeedForward, ["gate", "up", "down", "norm2"]), reference)
    dist.destroy_process_group()
    (out / "reference.json").write_text(json.dumps(reference, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    compile_one(sys.argv[2]) if sys.argv[1] == "--compile" else main(sys.argv[1])
