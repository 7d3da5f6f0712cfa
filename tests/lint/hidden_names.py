"""Functions in unnamed namespaces must not hide those that headers declare: a unity batch reads many sources as one,
where the unnamed namespace of one source is that of all. Prints each that does; see ./dev lint --fast."""

import re
import subprocess
import sys
from pathlib import Path

FUNCTION = re.compile(r"^(?:\[\[\w+\]\] |static |inline |constexpr |const )*[A-Za-z_][\w:]*(?:<[^;{}()]*>)?[ *&]+(\w+)\(", re.M)
UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.M | re.S)


def hidden_names(sources):
    """(source, function, header) for each; `sources`: texts by path. Files of one folder may be read as one."""
    texts = {path: re.sub(r"///.*", "", text) for path, text in sources.items()}
    declared = {}
    for path, text in texts.items():
        if path.endswith(".h") and len(re.findall(r"^namespace ", text, re.M)) == 1:
            for name in FUNCTION.findall(text):
                declared.setdefault(name, set()).add(path)
    includes = {path: set(filter(None, (resolved(texts, path, name) for name in re.findall(r'^#include "([^"]+)"', text, re.M))))
                for path, text in texts.items()}
    visible = {}
    for path in texts:
        if path.endswith(".cpp"):
            visible.setdefault(batch_of(path), set()).update(reached(includes, path))
    for path, text in sorted(texts.items()):
        if path.endswith(".cpp"):
            for name in {name for part in UNNAMED.findall(text) for name in FUNCTION.findall(part)}:
                for header in sorted(declared.get(name, set()) & visible[batch_of(path)])[:1]:
                    yield path, name, header


def batch_of(path):
    return str(Path(path).parent), path.endswith(".torch.cpp")


def resolved(texts, path, name):
    return next((f"{library}/{name}" for library in (path.split("/")[0], "core", "views", "app") if f"{library}/{name}" in texts), None)


def reached(includes, path):
    seen, waiting = set(), [path]
    while waiting:
        new = includes[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def self_test():
    sources = {"core/a/a.h": "namespace aotscope {\nint countOf(int x);\n}\n", "core/a/a.cpp": '#include "a/a.h"\n',
               "core/a/b.cpp": "namespace {\nint other() {\n}\nint countOf(char x) { return x; }\n}  // namespace\n"}
    assert list(hidden_names(sources)) == [("core/a/b.cpp", "countOf", "core/a/a.h")]


if __name__ == "__main__":
    self_test()
    files = subprocess.check_output(["git", "ls-files", "core", "views", "app"], text=True).split()
    found = list(hidden_names({path: Path(path).read_text() for path in files if path.endswith((".h", ".cpp"))}))
    for path, name, header in found:
        print(f"{path}: {name} in the unnamed namespace hides {name} of {header} from other sources of its batch", file=sys.stderr)
    sys.exit(bool(found))
