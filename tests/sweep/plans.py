"""Applies the program's plan for an exported program in PyTorch: plans.py FILE [--budget B] [--live].

With --live the program plans what Python has traced, when it is compiled. Exit code 3 if other tensors are saved than
planned, or the outputs or gradients are not eager's; 2 if PyTorch cannot load the program, or cannot compile it with a
partition of its own either. The last line says how much is saved.
"""

import argparse
import sys
import warnings
from pathlib import Path

import aotscope
import torch
from architectures import load
from functorch.compile import aot_module, default_partition
from real_models import TOLERANCE, differentiate, furthest
from support import Halves


class Keeping:
    """A module that keeps the tensors that it has returned."""

    def __init__(self, module):
        self._module, self.outputs = module, {}

    def __call__(self, *args, **kwargs):
        found = self._module(*args, **kwargs)
        leaves = enumerate(torch.utils._pytree.tree_leaves(found))
        self.outputs = {str(i): _kept(leaf) for i, leaf in leaves if isinstance(leaf, torch.Tensor)}
        return found


def _kept(tensor):
    """A copy that can be subtracted."""
    return tensor.detach().to(torch.complex128 if tensor.is_complex() else torch.float64, copy=True)


def results(function, example):
    """Outputs and gradients."""
    keeping = Keeping(function)
    found = differentiate(keeping, example.module, example)
    return keeping.outputs, found


def compiled(file, partition):
    """Results, and the graphs that computed them. The module is loaded again: a copy has constants as inputs."""
    example, halves = load(file), Halves()
    function = aot_module(
        example.module,
        fw_compiler=halves.keep("forward"),
        bw_compiler=halves.keep("backward"),
        partition_fn=partition,
    )
    return results(function, example), halves


def fails(attempt):
    try:
        attempt()
    except Exception:
        return True
    return False


def refusal(file):
    """Why PyTorch cannot compile it even without the program; empty: it can."""
    if fails(lambda: load(file)):
        return "load it"
    own = fails(lambda: compiled(file, default_partition))
    return "compile it with its own partition either" if own else ""


def faults(found, expected, made, planned):
    if made != planned:
        yield f"{made} bytes are saved instead of {planned}"
    for name, ours, theirs in zip(("outputs", "gradients"), found, expected):
        if (error := furthest(ours, theirs)) > TOLERANCE:
            yield f"{name} differ by {error:.2g} of the largest element"


def applied(file, budget, live):
    """The plan that Python has followed, and faults of the result."""
    if live:
        partitioner = aotscope.partitioner(budget=budget)
    else:
        partitioner = aotscope.partitioner(aotscope.partition(str(file), budget=budget))
    expected = results((example := load(file)).module, example)
    found, halves = compiled(file, partitioner)
    (followed,) = partitioner.applied
    return followed, list(faults(found, expected, halves.saved_bytes(), followed.saved_bytes))


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--budget", type=float, default=1)
    parser.add_argument("--live", action="store_true")
    return parser.parse_args()


def main():
    options = parse_arguments()
    warnings.filterwarnings("ignore")
    if options.file.suffix != ".pt2":
        print("only exported programs are loaded by PyTorch as they are here", file=sys.stderr)
        return 2
    try:
        plan, wrong = applied(options.file, options.budget, options.live)
    except aotscope.Error:
        raise
    except Exception as e:
        if cannot := refusal(options.file):
            print(f"PyTorch cannot {cannot}: {e}", file=sys.stderr)
            return 2
        raise
    print(*wrong, f"{len(plan.tensors)} tensors are saved, {plan.saved_bytes} bytes", sep="\n")
    return 3 if wrong else 0


if __name__ == "__main__":
    torch.manual_seed(0)
    try:
        sys.exit(main())
    except aotscope.Error as e:
        sys.exit(f"{e}")
