"""The recorded implementations of operators in Python are those of the installed package."""

from __future__ import annotations

import json
import runpy
import unittest
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data" / "python_kernels"


class Kernels(unittest.TestCase):
    def test_installed_package(self) -> None:
        recorded = {
            file.stem: [tuple(row.values()) for row in json.loads(file.read_text())["kernels"]]
            for file in DATA.glob("*.json")
        }
        version, found = runpy.run_path(str(DATA / "list.py"))["in_process"]()
        known = {row[0] for rows in recorded.values() for row in rows}
        self.assertEqual({row[0] for row in found} - known, set())
        release = version.partition("+")[0]
        if release in recorded:
            self.assertEqual(sorted(found), recorded[release])


if __name__ == "__main__":
    unittest.main()
