#!/usr/bin/env python3
"""Saves one of the models of peer_models.py with torch.export, without the values of its weights; run.py calls it."""

import argparse
import shutil
import tempfile
import zipfile
from pathlib import Path

import torch

import peer_models


def without_weights(source, target):
    """Copies the archive; empty records of weights make the reader use random ones."""
    with zipfile.ZipFile(source) as whole, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as stripped:
        for record in whole.infolist():
            is_weight = "/data/weights/" in record.filename and not record.filename.endswith(".json")
            with stripped.open(record.filename, "w") as copy:
                if not is_weight:
                    shutil.copyfileobj(whole.open(record), copy)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", choices=peer_models.MODELS)
    parser.add_argument("file", type=Path)
    options = parser.parse_args()

    module, inputs = peer_models.MODELS[options.model]()
    program = torch.export.export(module.train(), inputs)
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / options.file.name
        torch.export.save(program, whole)
        without_weights(whole, options.file)


if __name__ == "__main__":
    main()
