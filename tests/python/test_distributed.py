"""The graphs that PyTorch makes of distributed programs are those of tests/data/distributed, which other tests use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import torch

from support import TestCase

DATA = Path(__file__).resolve().parent.parent / "data" / "distributed"
PROGRAM = os.environ.get("AOTSCOPE_PROGRAM", "aotscope")


def made_again(folder: str) -> dict:
    """In a process of its own: a process group belongs to the whole process."""
    subprocess.run([sys.executable, str(DATA / "make.py"), folder], check=True, capture_output=True)
    return json.loads((Path(folder) / "reference.json").read_text())


class Distributed(TestCase):
    @unittest.skipUnless(torch.__version__.startswith("2.13"), "the reference is that of PyTorch 2.13")
    def test_reference_is_what_pytorch_makes(self) -> None:
        kept = json.loads((DATA / "reference.json").read_text())
        with tempfile.TemporaryDirectory() as folder:
            made = made_again(folder)
        self.assertEqual(made["programs"], kept["programs"])
        for name, model in kept["models"].items():
            for found, expected in zip(made["models"][name]["losses"], model["losses"], strict=True):
                self.assertAlmostEqual(found, expected, places=5, msg=name)

    def test_ranks_return_what_one_process_computes(self) -> None:
        """Through the command line, with the values that torch.load reads."""
        expected = json.loads((DATA / "reference.json").read_text())["models"]["llama_fsdp"]
        name, world = str(DATA / "llama_fsdp"), expected["world"]
        with tempfile.TemporaryDirectory() as folder:
            values = f"{folder}/values{{rank}}.pt"
            shards = ["--weights", name + ".{rank}.pt", "--inputs", name + ".{rank}.inputs.pt"]
            command = [PROGRAM, "run", name + ".pt2", "--ranks", str(world), "--values", values, *shards]
            subprocess.run(command, check=True, capture_output=True)
            for rank in range(world):
                outputs, gradients = torch.load(values.replace("{rank}", str(rank)))
                self.assertAlmostEqual(outputs[0].item(), expected["losses"][rank], places=5)
                rows = slice(rank * 2, rank * 2 + 2)  # of 16, on 8 ranks
                whole = torch.tensor(expected["gradients"]["q"]).view(16, 16)
                torch.testing.assert_close(gradients[0], whole[rows] * -0.75, rtol=1e-3, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
