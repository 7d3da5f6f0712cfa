"""Writes what passes leave of small graphs: a whole training step, as torchtitan's GraphTrainer prints it (step), the
same without annotations (plain), and what Inductor leaves in TORCH_COMPILE_DEBUG (inductor).

    python3 make_passes.py OUT
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def traced_step():
    import torch
    from torch._functorch._aot_autograd.logging_utils import setup_stacktrace_preservation_hooks
    from torch.fx.experimental.proxy_tensor import make_fx

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(3))

        def forward(self, x):
            for i, layer in enumerate(self.layers):
                with torch.fx.traceback.annotate({"module_fqn": f"layers.{i}"}):
                    x = torch.relu(layer(x))
            return x

    torch.manual_seed(0)
    model = Model()
    names, parameters = zip(*model.named_parameters())

    def step(parameters, x, y):
        out = torch.func.functional_call(model, dict(zip(names, parameters)), (x,))
        loss = ((out - y) ** 2).mean()
        setup_stacktrace_preservation_hooks([loss.grad_fn])
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            return loss, [p - 0.1 * g for p, g in zip(parameters, gradients)]

    with torch.fx.traceback.preserve_node_meta():
        return make_fx(step, record_stack_traces=True)(list(parameters), torch.randn(4, 8), torch.randn(4, 8))


def remove_detach(gm):
    for node in list(gm.graph.nodes):
        if str(node.target) == "aten.detach.default":
            node.replace_all_uses_with(node.args[0])
            gm.graph.erase_node(node)


def add_clones(gm):
    import torch
    for node in list(gm.graph.nodes):
        if str(node.target) == "aten.relu.default":
            with gm.graph.inserting_after(node):
                clone = gm.graph.call_function(torch.ops.aten.clone.default, (node,))
            clone.meta["val"] = node.meta["val"]
            node.replace_all_uses_with(clone, delete_user_cb=lambda user, clone=clone: user is not clone)


def view_to_reshape(gm):
    import torch
    for node in gm.graph.nodes:
        if str(node.target) == "aten.view.default":
            node.target = torch.ops.aten.reshape.default


def write_step(folder, annotated):
    folder.mkdir(parents=True)
    gm = traced_step()
    meta = ["autograd_backward", "seq_nr"] if annotated else None
    count = 0

    def dump(name):
        nonlocal count
        gm.recompile()
        text = gm.print_readable(print_output=False, include_stride=True, include_device=True, expanded_def=True,
                                 additional_meta=meta)
        # Where the files were made is nobody's business.
        lines = [line if "File: " not in line else
                 line[:line.index("File: ") + 6] + line[line.index("File: ") + 6:].rsplit("/", 1)[-1]
                 for line in text.split("\n")]
        (folder / f"{name}_{count}.txt").write_text("\n".join(lines))
        count += 1

    dump("make_fx_graph_traced")
    for run in (remove_detach, add_clones, view_to_reshape, remove_detach) if annotated else (remove_detach,):
        dump(f"before_{run.__name__}")
        run(gm)
        dump(f"after_{run.__name__}")


def write_inductor(folder):
    program = """
import torch
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(8, 16), torch.nn.Linear(16, 4)
    def forward(self, x):
        return self.b(torch.relu(self.a(x)))
torch.compile(Model())(torch.randn(3, 8)).sum().backward()
"""
    with tempfile.TemporaryDirectory() as scratch:
        environment = dict(os.environ, TORCH_COMPILE_DEBUG="1", TORCH_COMPILE_DEBUG_DIR=scratch,
                           TORCHINDUCTOR_FORCE_DISABLE_CACHES="1")
        subprocess.run([sys.executable, "-c", program], env=environment, check=True)
        for made in Path(scratch).glob("*/*/torchinductor/model__*"):
            (folder / made.name).mkdir(parents=True)
            for name in ("fx_graph_readable.py", "fx_graph_transformed.py"):
                shutil.copy(made / name, folder / made.name / name)


if __name__ == "__main__":
    out = Path(sys.argv[1])
    write_step(out / "step", annotated=True)
    write_step(out / "plain", annotated=False)
    write_inductor(out / "inductor")
