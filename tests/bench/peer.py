#!/usr/bin/env python3
"""Times Python's AOTAutograd on one of the models of peer_models.py and prints JSON; run.py calls it.

Measured like aotscope: from the module to the callable (trace, joint graph, min-cut partition, a compiler that
does nothing), then forward and backward of eager and compiled in turn.
"""

import argparse
import gc
import json
import statistics
import time

import torch
import torch._functorch.config
from torch._functorch.aot_autograd import aot_module_simplified, make_boxed_func
from torch._functorch.partitioners import min_cut_rematerialization_partition

import peer_models

# Nodes that only Python's tracer leaves; they compute nothing.
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


def compile_module(module, example, partition):
    def run_as_is(graph_module, _):
        return make_boxed_func(graph_module.forward)

    start = time.perf_counter()
    compiled = aot_module_simplified(module, (example,), run_as_is, run_as_is, partition_fn=partition)
    return compiled, (time.perf_counter() - start) * 1000


def lap(function, example, parameters):
    """One forward and backward, in milliseconds."""
    start = time.perf_counter()
    (output,) = function(example)
    forward = (time.perf_counter() - start) * 1000
    tangent = torch.ones_like(output)
    start = time.perf_counter()
    gradients = torch.autograd.grad([output], parameters, [tangent], allow_unused=True)
    backward = (time.perf_counter() - start) * 1000
    del gradients
    return forward, backward


def time_steps(module, compiled, example, laps):
    parameters = list(module.parameters())
    sides = {"eager": module, "compiled": compiled} if laps else {}
    for function in sides.values():
        lap(function, example, parameters)
    times = {name: [] for name in sides}
    for _ in range(laps):
        for name, function in sides.items():
            times[name].append(lap(function, example, parameters))
    medians = {}
    for name, rows in times.items() if laps else ():
        forward, backward = zip(*rows)
        medians[name + "_forward_ms"] = statistics.median(forward)
        medians[name + "_backward_ms"] = statistics.median(backward)
    return medians


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", choices=peer_models.MODELS)
    parser.add_argument("--compiles", type=int, default=3, help="timed compilations after the first one")
    parser.add_argument("--laps", type=int, default=10, help="timed training steps; 0: none")
    options = parser.parse_args()

    torch._functorch.config.enable_autograd_cache = False
    torch.manual_seed(0)
    module, example = peer_models.MODELS[options.model]()
    module.train()
    partition = JointGraphs()
    compiled, first_ms = compile_module(module, example, partition)
    compile_ms = []
    for _ in range(options.compiles):
        gc.collect()
        compiled, ms = compile_module(module, example, partition)
        compile_ms.append(ms)
    result = {
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
        "parameters": sum(p.numel() for p in module.parameters()),
        **partition.counts(),
        "first_ms": first_ms,
        "compile_ms": compile_ms,
        **time_steps(module, compiled, example, options.laps),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
