"""Writes the models of this folder, as torch.export saves them, and the results of eager PyTorch.

    python3 make.py OUT

batches.pt has two batches, of which cond takes one branch each. reference.json holds, for every model, the output for
each of them (its sum) and the losses of 20 steps of SGD (rate 0.1, batches in turn). Where the gradients of PyTorch
2.13 are wrong, the losses are those of the same model as an ordinary loop (unrolled).

For the first batch it also holds the output and the sums of the gradients that the program, exported and loaded again,
has with the seed 0, plain and under autocast for the CPU to bfloat16. Those of REGIONS have nothing else.
"""

import copy
import json
import pathlib
import sys

import torch
from torch._higher_order_ops.associative_scan import associative_scan_op
from torch._higher_order_ops.map import map as torch_map
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop
from torch.nn.functional import dropout


class Two(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)


class Cond(Two):
    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda v: self.a(v).relu(), lambda v: self.b(v).sin(), (x,))
        return y.square().mean()


class Nested(Two):
    def forward(self, x):
        def inner(v):
            return torch.cond(v.max() > 1, lambda w: self.a(w).tanh(), lambda w: w * 2, (v,))

        y = torch.cond(x.sum() > 0, inner, lambda v: self.b(v) + torch.ones(4), (x,))
        return (y * self.a(x)).mean()


class Map(Two):
    def forward(self, x):
        return torch_map(lambda row: self.a(row).relu(), self.b(x)).square().mean()


class Scan(Two):
    def forward(self, x):
        carry, ys = scan(lambda c, row: ((c + self.a(row)).tanh(), c * row), torch.zeros(4), x)
        return carry.sum() + ys.mean()


class WhileLoop(Two):
    def forward(self, x):
        _, y = while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, self.a(v).tanh()), (torch.tensor(0), x))
        return y.mean()

    def unrolled(self, x):
        for _ in range(3):
            x = self.a(x).tanh()
        return x.mean()


class WhileData(Two):
    """The number of steps depends on the data; some batches take none."""

    def forward(self, x):
        _, y = while_loop(
            lambda i, v: (v.sum() > 0) & (i < 4), lambda i, v: (i + 1, v + self.a(v) - 1), (torch.tensor(0), self.b(x)))
        return y.square().mean()

    def unrolled(self, x):
        y, i = self.b(x), 0
        while y.sum() > 0 and i < 4:
            y, i = y + self.a(y) - 1, i + 1
        return y.square().mean()


class AssociativeScan(Two):
    """As pointwise scans are exported; the operator itself also takes tensors of the CPU."""

    def forward(self, x):
        def combine(decay, state, other_decay, other_state):
            return decay * other_decay, state * other_decay + other_state

        return associative_scan_op(combine, (self.a(x).sigmoid(), self.b(x)), ())[1].square().mean()

    def unrolled(self, x):
        state, states = torch.zeros(4), []
        for decay, value in zip(self.a(x).sigmoid(), self.b(x)):
            state = state * decay + value
            states.append(state)
        return torch.stack(states).square().mean()


class DynamicCond(Two):
    """Its branches take the number of rows as an operand."""

    def forward(self, x):
        rows = x.shape[0]
        return torch.cond(
            x.sum() > 0, lambda v: self.a(v) * rows, lambda v: self.b(v).sum(0).expand(rows, -1) + rows, (x,)).sin().mean()


class CondItem(Two):
    """A graph reads a number from an operand."""

    def forward(self, x):
        count = (x > 0).sum()
        return torch.cond(
            x.sum() > 0, lambda v, n: self.a(v) * n.item() + n.item(), lambda v, n: self.b(v), (x, count)).sin().mean()


class CondNumber(Two):
    """The branches return numbers."""

    def forward(self, x):
        y, number = torch.cond(x.sum() > 0, lambda v: (self.a(v), 3), lambda v: (self.b(v), 4), (x,))
        return (y * number).square().mean()

    def unrolled(self, x):
        return (self.a(x) * 3 if x.sum() > 0 else self.b(x) * 4).square().mean()


class MapItem(Two):
    def forward(self, x):
        return torch_map(lambda row, scale: row.sin() * scale.item(), self.b(x), x.sum()).sin().mean()


class ScanItem(Two):
    """Without gradients through the scan, which PyTorch 2.13 cannot export with an item() in it."""

    def forward(self, x):
        count = (x > 0).sum()
        carry, ys = scan(lambda c, row: (c + row * count.item(), c * row), torch.zeros(4), x)
        return (self.a(carry) + self.b(ys)).sin().mean()


class WhileItem(Two):
    def forward(self, x):
        _, y = while_loop(
            lambda i, v: i < 3, lambda i, v: (i + 1, self.a(v).tanh() * 2 + i.item()), (torch.tensor(0), x))
        return y.mean()

    def unrolled(self, x):
        for i in range(3):
            x = self.a(x).tanh() * 2 + i
        return x.mean()


class CondRandom(Two):
    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda v: dropout(self.a(v), 0.5), lambda v: self.b(v) * torch.rand_like(v), (x,))
        return y.square().mean()


class MapRandom(Two):
    def forward(self, x):
        return torch_map(lambda row: dropout(self.a(row).relu(), 0.5), self.b(x)).square().mean()


class ScanRandom(Two):
    def forward(self, x):
        carry, ys = scan(lambda c, row: ((c + dropout(self.a(row), 0.5)).tanh(), c * row), torch.zeros(4), x)
        return carry.sum() + ys.mean()


class WhileRandom(Two):
    def forward(self, x):
        def body(i, v):
            return i + 1, v + dropout(self.a(v), 0.5)

        return while_loop(lambda i, v: i < 3, body, (torch.tensor(0), x))[1].mean()


class WhileWritten(Two):
    """It writes into a constant, which a loop then carries."""

    def forward(self, x):
        total = torch.zeros(4)
        total += x.sum(0)
        offset = torch.tensor([1.0, 2.0, 3.0, 4.0])
        offset.mul_(2)
        _, y = while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v + self.a(v).tanh() * offset), (torch.tensor(0), x))
        return (y + total).mean()


class Autocast(Two):
    """One region within another. Those for a GPU have no effect on the CPU."""

    def forward(self, x):
        with torch.autocast("cpu", torch.bfloat16):
            y = self.a(x)
            with torch.autocast("cpu", enabled=False):
                z = self.b(y.float())
            with torch.autocast("cuda", enabled=False):
                w = self.b(y)
        with torch.autocast("cuda", torch.float16):
            v = self.a(x)
        return (z * v + y * w).square().mean()


class AutocastCond(Two):
    """A region in a branch."""

    def forward(self, x):
        def narrow(v):
            with torch.autocast("cpu", torch.bfloat16):
                return self.a(v).float()

        return torch.cond(x.sum() > 0, narrow, lambda v: self.b(v).sin().float(), (x,)).square().mean()


class Vmap(Two):
    def forward(self, x):
        return torch.vmap(lambda row: self.a(row) @ self.b.weight)(x).square().mean()


class CondInWhile(Two):
    def forward(self, x):
        def body(i, v):
            return i + 1, v + torch.cond(v.sum() > 0, lambda w: self.a(w), lambda w: self.b(w).sin(), (v,))

        return while_loop(lambda i, v: i < 3, body, (torch.tensor(0), x))[1].mean()


REGIONS = (CondRandom, MapRandom, ScanRandom, WhileRandom, WhileWritten, Autocast, AutocastCond, Vmap, CondInWhile)


def seeded(program, batch, autocast):
    """None if PyTorch 2.13 cannot run it."""
    module = program.module()
    module.zero_grad()
    found = {"output": None, "gradients": None}
    torch.manual_seed(0)
    try:
        with torch.autocast("cpu", torch.bfloat16, enabled=autocast, cache_enabled=False):
            result = module(*batch)
            found["output"] = result.item()
            result.backward()
    except (RuntimeError, AssertionError):
        return found
    found["gradients"] = {name: p.grad.sum().item() for name, p in module.named_parameters() if p.grad is not None}
    return found


def losses(model, batches):
    model = copy.deepcopy(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run = getattr(model, "unrolled", model)
    values = []
    for step in range(20):
        loss = run(*batches[step % len(batches)])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        values.append(loss.item())
    return values


def main(out):
    torch.manual_seed(0)
    x = torch.randn(3, 4)
    batches = [(x.abs(),), (-x.abs(),)]
    torch.save(batches, out / "batches.pt")
    reference = {}
    for kind in (Cond, Nested, Map, Scan, WhileLoop, WhileData, AssociativeScan, DynamicCond, CondItem,
                 CondNumber, MapItem, ScanItem, WhileItem) + REGIONS:
        model = kind()
        name = kind.__name__.lower()
        dynamic = ({0: torch.export.Dim.DYNAMIC},) if kind is DynamicCond else None
        program = torch.export.export(model, batches[0], dynamic_shapes=dynamic, strict=False)
        # Fresh ones: export has marked dynamic sizes on the tensors.
        program.example_inputs = (tuple(x.clone() for x in batches[0]), {})
        torch.export.save(program, out / f"{name}.pt2")
        reference[name] = {}
        if kind not in REGIONS:
            reference[name] = {"outputs": [model(*batch).item() for batch in batches], "losses": losses(model, batches)}
    for name, values in reference.items():
        program = torch.export.load(out / f"{name}.pt2")
        values["plain"] = seeded(program, batches[0], autocast=False)
        values["autocast"] = seeded(program, batches[0], autocast=True)
    (out / "reference.json").write_text(json.dumps(reference, indent=1) + "\n")


main(pathlib.Path(sys.argv[1]))
