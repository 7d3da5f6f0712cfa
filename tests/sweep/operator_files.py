"""Exports PyTorch's own databases of operators and modules, with the graphs of Python's AOTAutograd beside them.

operator_files.py FOLDER [--kinds ...] [--dtypes ...] [--only ...] [--every N]: what is in the folder already is left as
it is, also a case at which Python ended.
"""

import argparse
import json
import operator
import signal
import warnings
from collections import Counter
from pathlib import Path

import torch
from functorch.compile import aot_module, make_boxed_func, min_cut_rematerialization_partition
from operator_cases import DTYPES, KINDS, units
from torch._higher_order_ops.effects import with_effects

SECONDS = 60  # of one case, as the processor counts; then Python ends, and the next one goes on


def histogram(module):
    """How often each operator is called, also with a token that keeps effects in order."""
    counts = Counter()
    for node in module.graph.nodes:
        if node.op == "call_function" and not _takes_token(node):
            counts[_name(node.args[1] if node.target is with_effects else node.target)] += 1
    return dict(counts)


def _takes_token(node):
    return node.target is operator.getitem and node.args[0].target is with_effects and node.args[1] == 0


def _name(target):
    return str(target) if hasattr(target, "_schema") else f"operator.{getattr(target, '__name__', target)}"


class Graphs:
    """AOTAutograd's graphs: joint, forward and backward, or the inference graph."""

    def __init__(self):
        self.found = {}

    def partition(self, joint, *args, **kwargs):
        """The joint graph as the partitioner gets it, without repeated operations."""
        self.found = {"joint": {}}
        forward, backward = min_cut_rematerialization_partition(joint, *args, **kwargs)
        graphs = {"joint": joint, "forward": forward, "backward": backward}
        self.found = {name: histogram(graph) for name, graph in graphs.items()}
        return forward, backward

    def compile(self, module, _):
        if "joint" not in self.found:
            self.found = {"inference": histogram(module)}
        return make_boxed_func(module)


def graphs_of(program, arguments):
    graphs = Graphs()
    compiled = aot_module(
        program.module(),
        fw_compiler=graphs.compile,
        bw_compiler=graphs.compile,
        partition_fn=graphs.partition,
    )
    torch.manual_seed(0)
    compiled(*[argument.detach().requires_grad_(argument.requires_grad) for argument in arguments])
    return graphs.found


def exported(module, arguments, file):
    """The content beside the file: the graphs, or why file or graphs are missing."""
    try:
        torch.manual_seed(0)
        program = torch.export.export(module, arguments, strict=False)
        torch.export.save(program, file)
    except Exception as e:
        file.unlink(missing_ok=True)
        return {"not exported": _said(e)}
    try:
        return {"graphs": graphs_of(program, arguments)}
    except Exception as e:
        return {"not traced": _said(e)}


def _said(error):
    lines = [line for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:300]


def write(unit, folder):
    """All samples of an operator; the file is rewritten before each, since that may be where Python ends."""
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / f"{unit.file_name}.json"
    state = json.loads(beside.read_text()) if beside.exists() else {"complete": False, "cases": {}}
    if state["complete"]:
        return
    samples = iter(unit.samples())
    for number in range(1000):
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        name = f"{unit.file_name}.{number}"
        try:
            torch.manual_seed(0)
            sample = next(samples, None)
        except Exception as e:
            state["cases"].setdefault(name, {"not exported": f"its inputs: {_said(e)}"})
            break
        if sample is None:
            break
        if name in state["cases"]:
            continue
        state["cases"][name] = {"not exported": "Python ended"}
        beside.write_text(json.dumps(state))
        state["cases"][name] = exported(*sample, folder / f"{name}.pt2")
    signal.setitimer(signal.ITIMER_PROF, 0)
    beside.write_text(json.dumps({**state, "complete": True}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--dtypes", default=",".join(DTYPES))
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    wanted = [part for part in options.only.split(",") if part]
    chosen = [
        unit
        for unit in units(options.kinds.split(","), options.dtypes.split(","))
        if not wanted or any(part in unit.file_name for part in wanted)
    ]
    for unit in chosen[:: options.every]:
        write(unit, options.folder / unit.kind)


if __name__ == "__main__":
    main()
