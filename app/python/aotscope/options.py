"""Keywords of Python for the options of the command line.

The program's `--help` is the only description of its options: the keyword `memory_budget` is the option
`--memory-budget`, whatever the program's version has. `aotscope.options("run")` lists them.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from .errors import Error
from .program import call, find

Scalar: TypeAlias = str | int | float | bool | Path
Value: TypeAlias = Scalar | Sequence[Scalar] | Mapping[str, Scalar | Sequence[int | None]] | None

_COLUMN = 30  # where descriptions begin
_OPTION = re.compile(r"^  (?P<flags>-[\w-]+(?:,-[\w-]+)*)(?: (?P<value>.*))?$")
_NOTES = re.compile(r"(^|\s+)(Needs: .*|Excludes: .*|REQUIRED|\.\.\.)(?=\s|$)")


@dataclass(frozen=True)
class Option:
    """One option of a command."""

    keyword: str
    flag: str
    value: str  # what it takes, as in "0..1"; empty: it is a switch
    repeatable: bool
    help: str

    def __str__(self) -> str:
        return f"{self.keyword}{'=' + self.value if self.value else ''}: {self.help}"


class Options(dict[str, Option]):
    """By keyword; printed as a list."""

    def __repr__(self) -> str:
        return "\n".join(str(option) for keyword, option in self.items() if keyword == option.keyword)


def _keyword(flag: str) -> str:
    return flag.lstrip("-").replace("-", "_")


def _entries(text: str) -> list[tuple[str, str]]:
    """The text before the column, and the description, which is beside it, below, or both."""
    entries: list[tuple[str, str]] = []
    continued = False
    for line in text.splitlines():
        if line.startswith("  -"):
            beside = not line[_COLUMN - 2 : _COLUMN].strip()
            left, described = (line[:_COLUMN], line[_COLUMN:]) if beside else (line, "")
            entries.append((left.rstrip(), described.strip()))
        elif continued and line.startswith(" " * _COLUMN):
            left, described = entries[-1]
            entries[-1] = left, f"{described} {line.strip()}".strip()
        continued = line.startswith("  -") or (continued and line.startswith(" " * _COLUMN))
    return entries


def read_help(text: str) -> Options:
    """The options that a help text describes, under each of their names."""
    found = Options()
    for left, description in _entries(text):
        matched = _OPTION.match(left)
        if not matched:
            continue
        value, repeatable = matched["value"] or "", "(repeatable)" in description
        flags = [flag for flag in matched["flags"].split(",") if flag.startswith("--")]
        for flag in flags:
            option = Option(_keyword(flags[0]), flag, _NOTES.sub("", value).strip(), repeatable, description)
            found[_keyword(flag)] = option
    found.pop("help", None)
    return found


@functools.cache
def _options_of(program: Path, modified: float, command: str) -> Options:
    words = [command] if command else []
    found = read_help(call([*words, "--help"]).output)
    if not found:
        raise Error(f"{program}: '{' '.join([*words, '--help'])}' lists no options; is this the program aotscope?")
    return found


def options(command: str = "run") -> Options:
    """All options of a command ("run", "partition", "export", ...; "": the window), as the program describes them."""
    program = find()
    return _options_of(program, program.stat().st_mtime, command)


def _range(value: Scalar | Sequence[int | None]) -> str:
    """(2, 64) as 2..64."""
    if isinstance(value, (str, int, float, Path)):
        return str(value)
    least, most = value
    return f"{'' if least is None else least}..{'' if most is None else most}"


def _words(option: Option, value: Value) -> list[str]:
    if value is None or value is False:
        return []
    if not option.value:
        if value is not True:
            raise Error(f"{option.keyword}={value!r}: expected True or False; {option.flag} is a switch")
        return [option.flag]
    if value is True:
        raise Error(f"{option.keyword}=True: expected {option.value}")
    if isinstance(value, Mapping):
        value = [f"{name}={_range(wanted)}" for name, wanted in value.items()]
    if isinstance(value, (str, int, float, Path)):
        return [f"{option.flag}={value}"]
    if not option.repeatable and len(value) != 1:
        raise Error(f"{option.keyword}={list(value)!r}: expected one value, {option.value}")
    return [f"{option.flag}={one}" for one in value]


def arguments(command: str, keywords: Mapping[str, Value]) -> list[str]:
    """The words of the command line for keywords. A name that the command does not have is an Error."""
    if not keywords:
        return []
    known = options(command)
    words: list[str] = []
    for keyword, value in keywords.items():
        option = known.get(keyword.rstrip("_"))
        if option is None:
            near = difflib.get_close_matches(keyword, known, 1)
            hint = f"; did you mean {near[0]}?" if near else f"; aotscope.options({command!r}) lists them"
            name = f"aotscope {command}".rstrip()
            raise Error(f"'{name}' has no option {keyword}{hint}")
        words += _words(option, value)
    return words
