#!/usr/bin/env python3
"""Writes the model files of programs.py next to itself. Needs torch; the files are part of the repository."""

import json
import pathlib

import torch

from programs import PROGRAMS

folder = pathlib.Path(__file__).parent
torch.manual_seed(0)
for name, (build, spec, trace) in PROGRAMS.items():
    model = build()
    module = torch.jit.script(model) if trace is None else torch.jit.trace(model, trace)
    module.save(str(folder / f"{name}.pt"))
    (folder / f"{name}.json").write_text(json.dumps(spec) + "\n")
