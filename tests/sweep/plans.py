"""Applies the program's plan for an exported program in PyTorch: plans.py FILE [--budget B].

Exit code 3 if other tensors are saved than planned, or the gradients are not eager's.
"""

import argparse
import copy
import sys
import warnings
from pathlib import Path

import aotscope
import torch
from architectures import load
from real_models import TOLERANCE, differentiate, furthest
from support import Halves


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--budget", type=float, default=1)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    if options.file.suffix != ".pt2":
        print("only exported programs are loaded by PyTorch as they are here", file=sys.stderr)
        return 2
    from functorch.compile import aot_module

    example = load(options.file)
    report = aotscope.partition(str(options.file), budget=options.budget)
    eager, own, halves = copy.deepcopy(example.module), copy.deepcopy(example.module), Halves()
    expected = differentiate(eager, eager, example)
    compiled = aot_module(
        own,
        fw_compiler=halves.keep("forward"),
        bw_compiler=halves.keep("backward"),
        partition_fn=aotscope.partitioner(report),
    )
    error = furthest(differentiate(compiled, own, example), expected)
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
