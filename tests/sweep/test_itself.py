#!/usr/bin/env python3
"""The sweep, of a program that answers as it is told."""

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
        json.dump({"graphs": {"joint": {}}, "bisect": {"found": False, "sentence": ""}}, report)
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


if __name__ == "__main__":
    unittest.main()
