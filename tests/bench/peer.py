#!/usr/bin/env python3
"""Times Python's AOTAutograd on one of the models of peer_models.py and prints JSON; run.py calls it.

Measured like aotscope: from the module to the callable (trace, joint graph, min-cut partition, a compiler that does
nothing).
"""

import argparse
import gc
import json
import time

import torch
import torch._functorch.config
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


def compile_module(module, inputs, partition):
    def run_as_is(graph_module, _):
        return make_boxed_func(graph_module.forward)

    start = time.perf_counter()
    aot_module_simplified(module, inputs, run_as_is, run_as_is, partition_fn=partition)
    return (time.perf_counter() - start) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", choices=peer_models.MODELS)
    parser.add_argument("--compiles", type=int, default=3, help="timed compilations after the first one")
    options = parser.parse_args()

    torch._functorch.config.enable_autograd_cache = False
    torch.manual_seed(0)
    module, inputs = peer_models.MODELS[options.model]()
    module.train()
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
