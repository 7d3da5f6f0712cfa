#!/usr/bin/env python3
"""Lists the implementations of operators that PyTorch registers in Python at the keys CompositeImplicitAutograd and
Autograd: AOTAutograd always applies them, before autograd, and LibTorch never sees them.

    list.py            of the torch that can be imported
    list.py FOLDER     of a package in FOLDER, from its sources, for one that cannot be imported
    list.py --record   writes the former to VERSION.json next to this file; with FOLDER the latter
"""

import argparse
import ast
import gc
import json
import pathlib

KEYS = ("Autograd", "CompositeImplicitAutograd")


def dotted(node):
    """`aten.dropout.default` as text; empty for other expressions."""
    if isinstance(node, ast.Name):
        return node.id
    if not isinstance(node, ast.Attribute):
        return ""
    before = dotted(node.value)
    return f"{before}.{node.attr}" if before else ""


def registration(decorator):
    """The operator and the key of `@aten.dropout.default.py_impl(DispatchKey.Autograd)`."""
    if not isinstance(decorator, ast.Call) or not decorator.args:
        return None
    name, key = dotted(decorator.func), dotted(decorator.args[0]).rpartition(".")[2]
    overload = name.removesuffix(".py_impl").removeprefix("torch.ops.")
    if not name.endswith(".py_impl") or key not in KEYS or len(overload.split(".")) != 3:
        return None  # of a higher-order operator, or at another key
    return overload, key


def in_sources(folder):
    found = []
    for path in sorted((folder / "torch").rglob("*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if ".py_impl(" not in text:
            continue
        file = path.relative_to(folder).as_posix()
        for node in ast.walk(ast.parse(text)):
            for decorator in getattr(node, "decorator_list", ()):
                if known := registration(decorator):
                    found.append((*known, file, node.name))
            if isinstance(node, ast.Call) and (known := registration(node.func)):
                found.append((*known, file, dotted(node.args[0])))
    version = {}
    exec((folder / "torch" / "version.py").read_text(), version)
    return version["__version__"], found


def in_process():
    import torch
    import torch._functorch.aot_autograd  # what a compilation imports
    import torch._inductor.decomposition

    found = []
    for op in [o for o in gc.get_objects() if type(o) is torch._ops.OpOverload]:
        for key, function in op.py_kernels.items():
            name = str(key).rpartition(".")[2]
            if name in KEYS:
                file = function.__module__.replace(".", "/")
                is_package = (pathlib.Path(torch.__path__[0]).parent / file).is_dir()
                found.append((str(op), name, f"{file}/__init__.py" if is_package else f"{file}.py", function.__name__))
    return torch.__version__, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    version, found = in_sources(options.folder) if options.folder else in_process()
    rows = [dict(zip(("op", "key", "file", "function"), row)) for row in sorted(found)]
    release = version.partition("+")[0]
    text = ",\n".join(json.dumps(row) for row in rows)
    text = f'{{"torch": "{release}", "kernels": [\n{text}\n]}}\n'
    if options.record:
        (pathlib.Path(__file__).parent / f"{release}.json").write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
