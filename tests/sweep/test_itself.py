#!/usr/bin/env python3
"""The sweep, with a program that gives prescribed answers."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Its commands answer by the name of the model: "equal-debug3.pt2" is equal for all but debug, which exits with 3.
PROGRAM = """#!/usr/bin/env python3
import json, re, sys, time
command, model = sys.argv[1:3]
with open(sys.argv[0] + ".calls", "a") as calls:
    calls.write(command + "\\n")
if "--report" in sys.argv:
    with open(sys.argv[sys.argv.index("--report") + 1], "w") as report:
        graphs = {"joint": {"ops": {"aten.mm.default": 2}}}
        json.dump({"graphs": graphs, "bisect": {"found": False, "sentence": ""}}, report)
if "hangs" in model and command == "debug":
    time.sleep(60)
if "eats" in model and command == "debug":
    bytearray(10**9)
print("one value differs")
print("no graph shows 'check fails'" if command == "minify" else "a sentence", file=sys.stderr)
told = re.search(command + "([0-9])", model)
sys.exit(int(told.group(1)) if told else int(command == "minify"))
"""


class Sweep(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)
        self.program = self.folder / "program"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)
        self.models = self.folder / "models"
        self.models.mkdir()

    def sweep(self, *names, options=()):
        for name in names:
            (self.models / name).open("a").close()
        command = [sys.executable, HERE / "run.py", "--program", self.program, "--trials", "bisect,debug,minify,passes"]
        limits = ["--seconds", "5", "--gigabytes", "0.5", "--jobs", "4"]
        done = subprocess.run([*command, *limits, *options, self.models], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_all_agree(self):
        code, said = self.sweep("a.pt2", "b.run3-debug3.pt2")
        self.assertEqual(code, 3, said)  # bisection finds nothing where check differs
        self.assertIn("b.run3-debug3.pt2  bisect", said)
        self.assertNotIn("a.pt2  debug", said)

    def test_what_differs_comes_first(self):
        code, said = self.sweep("a.debug3.pt2", "b.passes1.pt2", "c.minify2.pt2", "d.hangs.pt2", "e.eats.pt2")
        self.assertEqual(code, 3, said)
        rows = {tuple(line.split()[:3]) for line in said.splitlines() if line.startswith("models/")}
        self.assertEqual(
            rows,
            {
                ("models/a.debug3.pt2", "debug", "differs"),
                ("models/a.debug3.pt2", "debug", "fused"),
                ("models/b.passes1.pt2", "passes", "fails"),
                ("models/d.hangs.pt2", "debug", "over"),
                ("models/d.hangs.pt2", "debug", "fused"),
                ("models/e.eats.pt2", "debug", "fails"),
                ("models/e.eats.pt2", "debug", "fused"),
            },
            said,
        )

    def test_answers_are_kept(self):
        kept = self.folder / "kept.json"
        self.sweep("a.pt2", options=["--json", kept])
        calls = (self.folder / "program.calls").read_text()
        code, said = self.sweep("a.pt2", options=["--json", kept])
        self.assertEqual(code, 0, said)
        self.assertEqual((self.folder / "program.calls").read_text(), calls)
        self.assertIn("every answer is check's", said)
        self.assertEqual({a["answer"]["verdict"] for a in json.loads(kept.read_text())["answers"]}, {"equal", "works"})

    def operators(self, python):
        """A case for each entry, one of which Python knows as prescribed."""
        folder = self.folder / "operators"
        folder.mkdir()
        for name in python:
            (folder / f"{name}.pt2").touch()
        (folder / "some.float32.json").write_text(json.dumps({"complete": True, "cases": python}))
        command = [sys.executable, HERE / "operators.py", self.folder, "--program", self.program, "--exported"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_operators_like_pythons(self):
        """Operations that compute nothing do not count."""
        same = {"aten.mm.default": 2, "aten.detach.default": 3, "operator.mul": 1}
        code, said = self.operators({"some.float32.0": {"graphs": {"joint": same}}})
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"operators +float32( +1){4} +1 +1 +0")

    def test_operators_that_differ(self):
        code, said = self.operators(
            {
                "some.float32.0": {"graphs": {"joint": {"aten.mm.default": 1}}},
                "some.run3.float32.1": {"graphs": {"joint": {"aten.mm.default": 2}}},
                "some.float32.2": {"graphs": {"inference": {"aten.mm.default": 2}}},
                "some.float32.3": {"not exported": "ValueError: no"},
            }
        )
        self.assertEqual(code, 3, said)
        for text in (r"\+aten.mm.default\n +operators/some.float32.0", "differs: .*\n +operators/some.run3.float32.1"):
            self.assertRegex(said, text)
        self.assertIn("another kind of graph", said)
        self.assertIn("not exported by Python: 1", said)


if __name__ == "__main__":
    unittest.main()
