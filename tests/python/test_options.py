"""Keywords are the options of the program, and only those."""

from __future__ import annotations

import re
import unittest
from pathlib import Path
from typing import ClassVar

import aotscope
from aotscope.options import arguments, read_help
from aotscope.program import call

MANUAL = Path(__file__).resolve().parents[2] / "resources" / "manual" / "command-line.md"
COMMANDS = ("run", "export", "passes", "partition", "pareto", "train", "diff", "ranks", "debug")


class Options(unittest.TestCase):
    helps: ClassVar[dict[str, str]]  # of each command, and of the program

    @classmethod
    def setUpClass(cls) -> None:
        cls.helps = {command: call([*filter(None, [command]), "--help"]).output for command in (*COMMANDS, "")}

    def test_options_are_read_from_the_help(self) -> None:
        for command in ("run", ""):
            self.assertEqual(aotscope.options(command), read_help(self.helps[command]))

    def test_every_flag_of_the_help_is_a_keyword(self) -> None:
        for command in COMMANDS:
            text = self.helps[command]
            flags = set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.MULTILINE))
            flags |= set(re.findall(r"^  --[\w-]+,(--[\w-]+)", text, re.MULTILINE))
            self.assertEqual(
                {option.flag for option in read_help(text).values()},
                flags - {"--help"},
            )

    def test_every_option_has_a_description(self) -> None:
        for text in self.helps.values():
            for keyword, option in read_help(text).items():
                self.assertRegex(option.help, r"\w+ \w+", keyword)
                self.assertNotIn("  ", option.help, keyword)

    def test_options_of_the_manual_are_keywords(self) -> None:
        section = MANUAL.read_text(encoding="utf-8").split("## Options of run", 1)[1].split("##", 1)[0]
        known = aotscope.options("run")
        for flag in re.findall(r"`(--[\w-]+)", section):
            self.assertIn(flag[2:].replace("-", "_"), known)

    def test_values(self) -> None:
        given = {
            "budget": 0.3,
            "check": True,
            "inference": False,
            "seed": None,
            "recompute": ["relu", "gelu"],
            "policy": "must_save=op:mm",
            "dynamic": {"batch": (2, 64), "length": (2, None), "x.0": "3..9"},
            "no_ban": ("reductions",),
            "inputs": Path("a.json"),
        }
        self.assertEqual(
            arguments("run", given),
            [
                "--budget=0.3",
                "--check",
                "--recompute=relu",
                "--recompute=gelu",
                "--policy=must_save=op:mm",
                "--dynamic=batch=2..64",
                "--dynamic=length=2..",
                "--dynamic=x.0=3..9",
                "--no-ban=reductions",
                "--inputs=a.json",
            ],
        )
        self.assertEqual(arguments("debug", {"break_": ["has_nan"]}), ["--break=has_nan"])

    def test_wrong_keywords(self) -> None:
        cases = {
            "'aotscope run' has no option bugdet; did you mean budget?": {"bugdet": 0.3},
            "check='yes': expected True or False; --check is a switch": {"check": "yes"},
            "expected one value, 0..1": {"budget": [0.1, 0.2]},
            "partition=True: expected default|min-cut": {"partition": True},
        }
        for message, given in cases.items():
            with (
                self.subTest(message=message),
                self.assertRaisesRegex(aotscope.Error, re.escape(message)),
            ):
                arguments("run", given)

    def test_help_text(self) -> None:
        found = read_help(
            "Options:\n"
            "  -h,--help                   Print this help message and exit\n"
            "  --short N=0                 a number\n"
            "  -o,--long-and-other,--alias A|B|C=A ... Needs: --short\n"
            "                              several of these (repeatable)\n"
            "  --switch                    on or off\n"
        )
        self.assertEqual(list(found), ["short", "long_and_other", "alias", "switch"])
        self.assertEqual(found["alias"].flag, "--alias")
        self.assertEqual((found["alias"].value, found["alias"].repeatable), ("A|B|C=A", True))
        self.assertEqual((found["switch"].value, found["switch"].help), ("", "on or off"))
        self.assertIn("short=N=0: a number", repr(found))


if __name__ == "__main__":
    unittest.main()
