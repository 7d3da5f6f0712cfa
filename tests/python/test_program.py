"""The program is found and run, and leaves nothing behind when it ends abnormally."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import aotscope
from aotscope import program

from support import TestCase, running, script, until

SLEEPER = "#!/bin/sh\nsleep 987654 &\nsleep 987654\n"


@contextmanager
def environment(**values: str) -> Iterator[None]:
    with mock.patch.dict(os.environ, values):
        yield


class Find(TestCase):
    def test_variable_comes_first(self) -> None:
        mine = script(self.folder / "mine", "#!/bin/sh\n")
        with environment(AOTSCOPE_PROGRAM=str(mine)):
            self.assertEqual(aotscope.find_program(), mine)
        for wrong, found in (
            (self.folder / "nothing", "nothing"),
            (self.folder, "a folder"),
            (Path(__file__), "cannot be run"),
        ):
            with (
                environment(AOTSCOPE_PROGRAM=str(wrong)),
                self.assertRaisesRegex(aotscope.Error, f"found .*{found}"),
            ):
                program.find()

    def test_package_then_path_then_source_tree(self) -> None:
        tree = self.folder / "tree"
        package = tree / "app" / "python" / "aotscope"
        version = program.torch_version()
        assert version is not None
        for path in (tree / "CMakeLists.txt",):
            path.parent.mkdir(parents=True)
            path.touch()
        folder = package / "bin" / f"torch{version[0]}_{version[1]}"
        places = [
            package / "bin" / "aotscope",
            folder / "aotscope-engine",
            self.folder / "on_path" / "aotscope",
            tree / "build" / "aotscope",
        ]
        for place in places:
            place.parent.mkdir(parents=True, exist_ok=True)
            script(place, "#!/bin/sh\n")
        with (
            environment(AOTSCOPE_PROGRAM="", PATH=str(self.folder / "on_path")),
            mock.patch.object(program, "PACKAGE", package),
        ):
            for place in places:
                self.assertEqual(program.find(), place)
                place.unlink()
            with self.assertRaisesRegex(aotscope.Error, "was not found.*set AOTSCOPE_PROGRAM"):
                program.find()
            (package / "bin" / "torch1_0").mkdir()
            script(package / "bin" / "torch1_0" / "aotscope-engine", "")
            with self.assertRaisesRegex(
                aotscope.Error,
                rf"for torch 1\.0, but torch {version[0]}\.{version[1]} is installed",
            ):
                program.find()

    def test_own_command_is_not_the_program(self) -> None:
        command = self.folder / "aotscope"
        script(command, f"#!{sys.executable}\nfrom aotscope import main\n")
        with (
            environment(AOTSCOPE_PROGRAM="", PATH=str(self.folder)),
            mock.patch.object(program, "PACKAGE", self.folder / "p"),
            self.assertRaisesRegex(aotscope.Error, "was not found"),
        ):
            program.find()

    def test_version_of_torch_without_importing_it(self) -> None:
        code = "import sys; from aotscope.program import torch_version; print(torch_version(), 'torch' in sys.modules)"
        out = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=self.paths(),
        ).stdout
        self.assertEqual(out.strip(), f"{program.torch_version()} False")

    def paths(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        }

    def test_without_torch(self) -> None:
        code = (
            "import sys; sys.modules['torch'] = None\nimport aotscope\n"
            "print(aotscope.run('sample:sincos').saved_bytes)\n"
            "for name in ('partitioner', 'backend', 'capture', 'checkpoint_policy'):\n"
            "    try: getattr(aotscope, name)\n"
            "    except aotscope.Error as e: print(e)\n"
            "try: aotscope.run(lambda x: x, 1)\n"
            "except aotscope.Error as e: print(e)\n"
        )
        run = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=False,
            env=self.paths(),
        )
        lines = run.stdout.splitlines()
        self.assertEqual(len(lines), 6, run.stderr)
        for line in lines[1:]:
            self.assertRegex(line, "torch cannot be imported .*; install PyTorch 2.11 to 2.15")

    def test_wrong_torch(self) -> None:
        import torch

        with (
            mock.patch.object(torch, "__version__", "2.4.1"),
            self.assertRaisesRegex(
                aotscope.Error,
                "aotscope.partitioner needs PyTorch 2.11 to 2.15, found 2.4.1",
            ),
        ):
            aotscope.partitioner(budget=0.3)


class Run(TestCase):
    def test_main_becomes_the_program(self) -> None:
        out = subprocess.run(
            [sys.executable, "-m", "aotscope", "--version"],
            capture_output=True,
            text=True,
            check=True,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            },
        )
        self.assertRegex(out.stdout, r"^\d+\.\d+\.\d+\n")

    def test_sentences_become_errors(self) -> None:
        with self.assertRaises(aotscope.Error) as caught:
            aotscope.run("sample:nothing")
        self.assertIn("nothing", str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))
        self.assertFalse(str(caught.exception).startswith("aotscope:"))
        with self.assertRaisesRegex(aotscope.Error, "relux"):
            aotscope.run("sample:mlp", recompute=["relux"])
        text = self.folder / "text.pt2"
        text.write_text("no model", encoding="utf-8")
        with self.assertRaises(aotscope.Error):
            aotscope.run(text)

    def test_called_by_a_rank(self) -> None:
        with environment(RANK="0", WORLD_SIZE="4", MASTER_ADDR="127.0.0.1", MASTER_PORT="1"):
            self.assertIs(aotscope.run("sample:sincos", check=True).check_ok, True)

    def test_killed_child(self) -> None:
        mine = script(
            self.folder / "mine",
            "#!/bin/sh\necho 'aotscope: last words' >&2\nkill -9 $$\n",
        )
        with (
            environment(AOTSCOPE_PROGRAM=str(mine)),
            self.assertRaisesRegex(aotscope.Error, "aotscope was ended by SIGKILL: last words"),
        ):
            aotscope.run("sample:mlp")
        mine = script(self.folder / "mine", "#!/bin/sh\nexit 7\n")
        with (
            environment(AOTSCOPE_PROGRAM=str(mine)),
            self.assertRaisesRegex(aotscope.Error, "exit code 7 and no message"),
        ):
            aotscope.run("sample:mlp")

    def test_child_that_is_killed_from_outside(self) -> None:
        killed: list[int] = []

        def kill() -> None:
            until(lambda: len(running("sample:resnet50 --report")) == 2)
            killed.append(max(running("sample:resnet50 --report")))  # the watcher has started before
            os.kill(killed[0], signal.SIGKILL)

        thread = threading.Thread(target=kill)
        thread.start()
        with self.assertRaisesRegex(aotscope.Error, "aotscope was ended by SIGKILL"):
            aotscope.run("sample:resnet50")
        thread.join()
        self.assertEqual(len(killed), 1)

    def test_interrupt_ends_the_whole_group(self) -> None:
        mine = script(self.folder / "mine", SLEEPER)

        def interrupt() -> None:
            until(lambda: len(running("sleep 987654")) == 2)
            os.kill(os.getpid(), signal.SIGINT)

        # Programs that a shell runs in the background ignore interrupts.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        thread = threading.Thread(target=interrupt)
        thread.start()
        with (
            environment(AOTSCOPE_PROGRAM=str(mine)),
            self.assertRaises(KeyboardInterrupt),
        ):
            program.call(["run"])
        thread.join()
        self.assertTrue(until(lambda: not running("sleep 987654")))

    def test_nothing_is_left_when_python_is_killed(self) -> None:
        """Not even by SIGKILL, after which it can do nothing itself."""
        mine = script(self.folder / "mine", SLEEPER)
        code = "import aotscope; aotscope.run('sample:mlp')"
        paths = os.pathsep.join(path for path in sys.path if path)
        own = {**os.environ, "PYTHONPATH": paths, "AOTSCOPE_PROGRAM": str(mine)}
        python = subprocess.Popen([sys.executable, "-c", code], env=own)
        self.assertTrue(until(lambda: len(running("sleep 987654")) == 2))
        self.assertEqual(len(list(self.temporary.glob("aotscope*"))), 1)
        python.kill()
        python.wait()
        self.assertTrue(until(lambda: not running("sleep 987654") and not running(str(mine))))
        self.assertTrue(until(lambda: not list(self.temporary.glob("aotscope*"))))

    def test_not_a_program(self) -> None:
        mine = script(self.folder / "mine", "no program")
        with (
            environment(AOTSCOPE_PROGRAM=str(mine)),
            self.assertRaisesRegex(aotscope.Error, "cannot be started"),
        ):
            program.call(["run"])
