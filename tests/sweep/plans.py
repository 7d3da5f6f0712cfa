"""Applies the program's plan for an exported program in PyTorch: plans.py FILE [--budget B].

Exit code 3 if other tensors are saved than planned, or the gradients are not eager's; 2 if PyTorch cannot compile the
program with a partition of its own either.
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


def compiled(file, partition):
    """Gradients, and the halves that they were computed by. The module is loaded anew: a copy has constants as inputs."""
    example, halves = load(file), Halves()
    function = aot_module(
        example.module,
        fw_compiler=halves.keep("forward"),
        bw_compiler=halves.keep("backward"),
        partition_fn=partition,
    )
    return differentiate(function, example.module, example), halves


def works(file):
    """Whether PyTorch compiles it without the program."""
    try:
        compiled(file, default_partition)
    except Exception:
        return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--budget", type=float, default=1)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    if options.file.suffix != ".pt2":
        print("only exported programs are loaded by PyTorch as they are here", file=sys.stderr)
        return 2
    example = load(options.file)
    report = aotscope.partition(str(options.file), budget=options.budget)
    expected = differentiate(example.module, example.module, example)
    try:
        gradients, halves = compiled(options.file, aotscope.partitioner(report))
    except aotscope.Error:
        raise
    except Exception as e:
        if not works(options.file):
            print(f"PyTorch cannot compile it with its own partition either: {e}", file=sys.stderr)
            return 2
        raise
    error = furthest(gradients, expected)
    planned, made = report.plan.saved_bytes, halves.saved_bytes()
    if made != planned:
        print(f"{made} bytes are saved instead of {planned}")
    if error > TOLERANCE:
        print(f"gradients differ by {error:.2g} of the largest element")
    return 3 if made != planned or error > TOLERANCE else 0


if __name__ == "__main__":
    torch.manual_seed(0)
    try:
        sys.exit(main())
    except aotscope.Error as e:
        sys.exit(f"{e}")
