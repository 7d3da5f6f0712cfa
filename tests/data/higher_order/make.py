"""Writes the models of this folder, as torch.export saves them, and what eager PyTorch makes of them.

    python3 make.py OUT

batches.pt has two batches, of which cond takes one branch each. reference.json holds, for every model, the output for
each of them (its sum) and the losses of 20 steps of SGD (rate 0.1, batches in turn). Where the gradients of PyTorch
2.13 are wrong, the losses are those of the same model as an ordinary loop (unrolled).
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
                 CondNumber, MapItem, ScanItem, WhileItem):
        model = kind()
        name = kind.__name__.lower()
        dynamic = ({0: torch.export.Dim.DYNAMIC},) if kind is DynamicCond else None
        program = torch.export.export(model, batches[0], dynamic_shapes=dynamic, strict=False)
        # As they were: export has noted on the tensors what is dynamic.
        program.example_inputs = (tuple(x.clone() for x in batches[0]), {})
        torch.export.save(program, out / f"{name}.pt2")
        reference[name] = {"outputs": [model(*batch).item() for batch in batches]}
        reference[name]["losses"] = losses(model, batches)
    (out / "reference.json").write_text(json.dumps(reference, indent=1) + "\n")


main(pathlib.Path(sys.argv[1]))
