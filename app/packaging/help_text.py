"""Reads the --help of a program that uses CLI11, the only description of its options."""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

COLUMN = 30  # of descriptions


@dataclass
class Option:
    names: list  # ["-o", "--output"], or ["MODEL"] for a positional
    kind: str = ""  # what stands behind them: "FILE", "train|eval=train", "" for a flag
    help: str = ""

    @property
    def takes_value(self):
        return bool(self.kind)

    @property
    def values(self):
        """The words to choose from; empty if others are allowed."""
        kind = self.kind.split("=")[0].split()[0] if self.kind else ""
        if re.fullmatch(r"[a-z0-9:.-]+(\|[a-z0-9:.-]+)+", kind):
            return kind.split("|")
        if listed := re.match(r"one of ((?:[a-z-]+, )+[a-z-]+)", re.sub(r" \([^)]*\)", "", self.help)):
            return listed[1].split(", ")
        return []

    @property
    def takes_file(self):
        return "FILE" in self.kind or self.names[0] in ("MODEL", "OTHER", "LOG")


@dataclass
class Help:
    description: str = ""
    positionals: list = field(default_factory=list)
    options: list = field(default_factory=list)
    commands: dict = field(default_factory=dict)  # description of each


def parse(text):
    result = Help()
    section, last = "description", None
    for line in text.splitlines():
        if re.fullmatch(r"[A-Z][a-z]+:.*", line):
            section, last = line.split(":")[0], None
        elif section == "description":
            result.description += line + "\n"
        elif section not in ("Usage", "Example", "Examples") and line.strip():
            if re.match(r"  \S", line):
                head, text_of = (line[:COLUMN], line[COLUMN:]) if line[COLUMN - 2 : COLUMN] == "  " else (line, "")
                names, _, kind = head.strip().partition(" ")
                last = Option(names.split(","), kind.strip(), text_of.strip())
                if section == "Subcommands":
                    result.commands[names] = last
                else:
                    (result.positionals if section == "Positionals" else result.options).append(last)
            elif last:
                last.help = f"{last.help} {line.strip()}".strip()
    result.description = result.description.strip()
    result.commands = {name: entry.help for name, entry in result.commands.items()}
    return result


def ask(program, *arguments):
    command = [str(Path(program).resolve()), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout


def read(program):
    """The help of the program itself, and that of every command by its name."""
    top = parse(ask(program, "--help"))
    return top, {command: parse(ask(program, command, "--help")) for command in top.commands}


def samples(program):
    return [line.split()[0] for line in ask(program, "samples").splitlines() if line.startswith("sample:")]
