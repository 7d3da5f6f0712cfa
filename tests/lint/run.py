#!/usr/bin/env python3
"""Runs clang-tidy over the sources of a configured build folder, several at a time; prints what it finds.

The sources of a batch are joined into one text first: headers of LibTorch and Qt are read once a batch, and the static
analyzer, which leaves out what a source includes, sees all of them. Positions are given in the sources again.
"""

import argparse
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

GENERATED = re.compile(r"/(mocs_compilation|qrc_|moc_)[^/]*$")
BATCHED = re.compile(r'#include "(/.*\.cpp)"')
POSITION = re.compile(r"^(?P<file>/[^:]+):(?P<line>\d+):(?P<rest>.*)$", re.MULTILINE)


class Batch:
    """One translation unit: the joined text and where each of its lines comes from."""

    def __init__(self, entry, folder):
        self.source = entry["file"]
        self.path = folder / (re.sub(r"\W+", "_", self.source.split("/build-lint/")[-1]) + ".cpp")
        self.origins = []  # (file, line) of each line
        text = []
        for source in self.sources():
            for number, line in enumerate(Path(source).read_text().splitlines(), 1):
                text.append(line)
                self.origins.append((source, number))
        self.path.write_text("\n".join(text) + "\n")
        # Headers that they include from their own folder.
        folders = "".join(f" -iquote {folder}" for folder in sorted({Path(source).parent for source in self.sources()}))
        command = entry["command"].replace(self.source, str(self.path)) + folders
        self.entry = {**entry, "file": str(self.path), "command": command}

    def sources(self):
        batched = BATCHED.findall(Path(self.source).read_text()) if "/Unity/" in self.source else []
        return batched or [self.source]

    def check(self, options):
        """The findings of clang-tidy, with positions in the sources; empty if there are none."""
        done = subprocess.run(
            ["clang-tidy-14", "-p", self.path.parent, "--quiet", "--warnings-as-errors=*",
             "--extra-arg=-Wno-unknown-warning-option", *options, self.path],
            capture_output=True, text=True)
        if done.returncode and not done.stdout.strip():
            return f"{self.source}: clang-tidy-14 failed:\n{done.stderr}"
        return POSITION.sub(self.translate, done.stdout)

    def translate(self, match):
        file, line = match["file"], int(match["line"])
        if file == str(self.path) and line <= len(self.origins):
            file, line = self.origins[line - 1]
        return f"{file}:{line}:{match['rest']}"


def changed_files(commit):
    """Of C++, which differ from a commit in the working tree."""
    names = subprocess.run(["git", "diff", "--name-only", "--diff-filter=d", commit, "--", "*.cpp", "*.h"],
                           check=True, capture_output=True, text=True).stdout.split()
    return {str(Path(name).resolve()) for name in names}


def with_changes(batches, changed):
    """The batches of changed sources, and one for each changed header that none of these includes."""
    chosen = [batch for batch in batches if changed.intersection(batch.sources())]
    for header in sorted(name for name in changed if name.endswith(".h")):
        include = re.compile(rf'#include "(?:[^"]*/)?{re.escape(Path(header).name)}"')
        reads = lambda batch: include.search(batch.path.read_text())
        if not any(map(reads, chosen)):
            chosen += [batch for batch in batches if reads(batch)][:1]
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, help="folder with compile_commands.json")
    parser.add_argument("regex", nargs="?", default="", help="only sources and batches whose path matches")
    parser.add_argument("--since", metavar="COMMIT", help="only batches with what has changed since then")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    folder = options.build.resolve() / "joined"
    folder.mkdir(exist_ok=True)
    entries = json.loads((options.build / "compile_commands.json").read_text())
    batches = [Batch(entry, folder) for entry in entries
               if not GENERATED.search(entry["file"]) and re.search(options.regex, entry["file"])]
    if options.since:
        batches = with_changes(batches, changed_files(options.since))
    (folder / "compile_commands.json").write_text(json.dumps([batch.entry for batch in batches]))
    # The static analyzer at full depth takes three quarters of the time: only for requested files.
    bounded = [f"--extra-arg={word}" for word in ("-Xclang", "-analyzer-config", "-Xclang", "max-nodes=40000")]
    check = partial(Batch.check, options=[] if options.regex else bounded)
    found = set()
    with ThreadPoolExecutor(options.jobs) as pool:
        for done, said in enumerate(pool.map(check, batches), 1):
            if said.strip() and said not in found:
                found.add(said)
                print(said, flush=True)
            if sys.stderr.isatty():
                print(f"\r{done} of {len(batches)}", end="", file=sys.stderr, flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
