#!/usr/bin/env python3
"""Copies the headers of Boost, nlohmann_json and CLI11 that this project uses, for a machine that cannot install them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIBRARIES = ("boost", "nlohmann", "CLI")
INCLUDE = re.compile(rf"#include <((?:{'|'.join(LIBRARIES)})/[^>]+)>")
# Headers that compilers other than this machine's need.
ALSO = ("boost/config",)


def included():
    texts = (file.read_text() for folder in ("core", "app", "tests") for file in (ROOT / folder).rglob("*.[ch]*"))
    return sorted({header for text in texts for header in INCLUDE.findall(text)})


def needed(headers):
    """All files that the compiler reads for these headers, by their names below the include folder."""
    text = "".join(f"#include <{header}>\n" for header in headers)
    command = ["c++", "-std=c++20", "-x", "c++", "-M", "-"]
    rule = subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.PIPE).stdout
    files = {}
    for word in rule.replace("\\\n", " ").split():
        for library in LIBRARIES:
            if (at := word.rfind(f"/{library}/")) >= 0:
                files[word[at + 1 :]] = Path(word)
                break
    return files


def with_whole_folders(files):
    folders = {Path(str(path).removesuffix(name)) for name, path in files.items()}
    for folder in folders:
        for part in ALSO:
            files.update({str(path.relative_to(folder)): path for path in (folder / part).rglob("*.hpp")})
    return files


def main():
    target = Path(sys.argv[1])
    files = with_whole_folders(needed(included()))
    for name, path in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target / name)
    size = sum(path.stat().st_size for path in files.values())
    print(f"{len(files)} headers, {size / 1e6:.1f} MB, in {target}; on the other machine: AOTSCOPE_HEADERS={target} ./dev gpu")


if __name__ == "__main__":
    main()
