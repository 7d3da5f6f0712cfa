#!/usr/bin/env python3
"""Times Python's AOTAutograd on a model of peer_models.py, or on a file of torch.export; prints JSON; run.py calls it.

Measured like aotscope: from the module to the callable (trace, joint graph, min-cut partition, a compiler that does
nothing).
"""

import argparse
import gc
import json
import re
import time
import zipfile

import torch
import torch._functorch.config
import torch.utils._pytree as pytree
from torch._functorch.aot_autograd import aot_module_simplified, make_boxed_func
from torch._functorch.partitioners import min_cut_rematerialization_partition

import peer_models

# Nodes that only Python's tracer adds; they compute nothing.
PYTHON_ONLY = ("aten.detach", "aten.alias")


class JointGraphs:
    """The partitioner, which also keeps the joint graph: partitioning leaves it without dead and common code."""

    def __init__(self):
        self.latest = None

    def __call__(self, joint, inputs, **options):
        result = min_cut_rematerialization_partition(joint, inputs, **options)
        self.latest = joint.graph
        return result

    def counts(self):
        kinds = []
        for node in self.latest.nodes:
            if node.op != "call_function":
                continue
            is_overload = isinstance(node.target, torch._ops.OpOverload)
            kinds.append(str(node.target.overloadpacket) if is_overload else node.target.__name__)
        kinds = [kind for kind in kinds if kind not in PYTHON_ONLY]
        return {"joint_calls": len(kinds), "joint_kinds": len(set(kinds))}


def register_containers(file):
    """Output classes of missing libraries become lists."""
    with zipfile.ZipFile(file) as archive:
        texts = [archive.read(name).decode() for name in archive.namelist() if name.endswith("models/model.json")]
    for name in set(re.findall(r'\\"type\\": \\"([\w.]+)\\"', "".join(texts))):
        if name not in pytree.SERIALIZED_TYPE_TO_PYTHON_TYPE:
            pytree._private_register_pytree_node(
                type(name.rpartition(".")[2], (list,), {}), lambda values: (list(values), None),
                lambda values, _: list(values), serialized_type_name=name,
                to_dumpable_context=lambda context: context, from_dumpable_context=lambda context: context)


class Exported(torch.nn.Module):
    """The program of a file, called with all its inputs in one list."""

    def __init__(self, program):
        super().__init__()
        self.module = program.module(check_guards=False)
        self.inputs, self.structure = pytree.tree_flatten(program.example_inputs)

    def forward(self, *inputs):
        args, kwargs = pytree.tree_unflatten(inputs, self.structure)
        return tuple(pytree.tree_leaves(self.module(*args, **kwargs)))


def load(name):
    """The module and its inputs."""
    if name in peer_models.MODELS:
        module, inputs = peer_models.MODELS[name]()
        return module.train(), inputs
    register_containers(name)
    module = Exported(torch.export.load(name))
    return module, module.inputs


def compile_module(module, inputs, partition):
    def run_as_is(graph_module, _):
        return make_boxed_func(graph_module.forward)

    start = time.perf_counter()
    aot_module_simplified(module, inputs, run_as_is, run_as_is, partition_fn=partition)
    return (time.perf_counter() - start) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help=f"a file, or one of {', '.join(peer_models.MODELS)}")
    parser.add_argument("--compiles", type=int, default=3, help="timed compilations after the first one")
    options = parser.parse_args()

    torch._functorch.config.enable_autograd_cache = False
    torch.manual_seed(0)
    module, inputs = load(options.model)
    partition = JointGraphs()
    first_ms = compile_module(module, inputs, partition)
    compile_ms = []
    for _ in range(options.compiles):
        gc.collect()
        compile_ms.append(compile_module(module, inputs, partition))
    result = {
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
        "parameters": sum(p.numel() for p in module.parameters()),
        **partition.counts(),
        "first_ms": first_ms,
        "compile_ms": compile_ms,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
