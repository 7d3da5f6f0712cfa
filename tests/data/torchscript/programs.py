"""Programs that only Python's TorchScript compiler can write: every feature of the language that a model file may use.

`make.py` saves each as NAME.pt next to NAME.json, its input spec. A class is a program; its docstring is not needed.
"""

import math
import warnings
from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def leaf(*shape, **rest):
    return {"leaf": {"shape": list(shape), "dtype": "float32", "requires_grad": True, **rest}}


def integers(*shape, low=0, high=2):
    return {"leaf": {"shape": list(shape), "dtype": "int64", "fill": {"randint": [low, high]}}}


def inputs(values, items):
    return {"values": values, "inputs": items}


X = inputs([leaf(4, 3)], [{"tensor": 0}])
PROGRAMS = {}


def program(spec=X, trace=None, arguments=()):
    """Registers a class under its name: scripted, or traced with `trace`."""

    def register(cls):
        PROGRAMS[cls.__name__] = (lambda: cls(*arguments), spec, trace)
        return cls

    return register


# --- attributes and modules ---


@program()
class Attributes(nn.Module):
    number: int
    real: float
    flag: bool
    mode: str
    numbers: List[int]
    table: Dict[str, int]
    pair: Tuple[int, float]
    missing: Optional[float]
    absent: Optional[Tensor]
    tensors: List[Tensor]
    named: Dict[str, Tensor]
    place: torch.device
    dtype: torch.dtype

    def __init__(self):
        super().__init__()
        self.number, self.real, self.flag, self.mode = 2, 0.5, True, "relu"
        self.numbers, self.table, self.pair = [1, 2], {"x": 3, "y": 4}, (3, 0.25)
        self.missing, self.absent = None, None
        self.tensors = [torch.ones(3), torch.full((3,), 2.0)]
        self.named = {"w": torch.full((3,), 3.0), "v": torch.ones(3)}
        self.place, self.dtype = torch.device("cpu"), torch.float64

    def forward(self, x):
        if self.flag and self.mode == "relu":
            x = torch.relu(x * self.number + self.real)
        for i in self.numbers:
            x = x + i
        for key in self.table.keys():
            x = x * self.table[key]
        missing, absent = self.missing, self.absent
        if missing is not None:
            x = x * missing
        if absent is not None:
            x = x + absent
        for t in self.tensors:
            x = x + t
        for _, t in self.named.items():
            x = x * t
        return (x * self.pair[0] + self.pair[1]).to(self.dtype) + torch.ones(3, device=self.place, dtype=self.dtype)


class Color(Enum):
    RED = 1
    BLUE = 2


@program()
class EnumAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.color = Color.BLUE

    def forward(self, x):
        if self.color == Color.RED:
            return x
        return x * self.color.value


class TiedLayers(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 3)
        self.b.weight = self.a.weight

    def forward(self, x):
        return self.b(self.a(x))


@program()
class TiedScripted(TiedLayers):
    pass


@program(trace=torch.ones(4, 3))
class TiedTraced(TiedLayers):
    pass


class Scaled(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.linear, self.factor = nn.Linear(3, 3), factor

    def forward(self, x):
        return self.linear(x) * self.factor

    @torch.jit.export
    def shifted(self, x):
        return self.forward(x) + 1


@program()
class Containers(nn.Module):
    def __init__(self):
        super().__init__()
        self.listed = nn.ModuleList([Scaled(1), Scaled(2)])
        self.named = nn.ModuleDict({"a": Scaled(3), "b": nn.Sequential(nn.Linear(3, 3), nn.ReLU())})
        self.weights = nn.ParameterList([nn.Parameter(torch.ones(3)), nn.Parameter(torch.ones(3) * 2)])

    def forward(self, x):
        for m in self.listed:
            x = m(x)
        for _, m in self.named.items():
            x = m(x)
        for w in self.weights:
            x = x * w
        return self.listed[1].shifted(x) + self.named["a"](x)


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


@program()
class InterfaceCall(nn.Module):
    layer: Layer

    def __init__(self):
        super().__init__()
        self.layer = Scaled(2)

    def forward(self, x):
        return self.layer.forward(x)


@program(inputs([leaf(4, 3)], [{"tensor": 0}, {"int": 1}]))
class PickedByNumber(nn.Module):
    def __init__(self):
        super().__init__()
        self.listed = nn.ModuleList([Scaled(1), Scaled(2)])

    def forward(self, x, i: int):
        layer: Layer = self.listed[i]
        return layer.forward(x)


@program()
class AssignsNumber(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls


@program()
class CountsInBuffer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        self.calls += 1
        self.calls.mul_(2)
        return self.linear(x)


@torch.jit.script
class Scale:
    def __init__(self, factor: float):
        self.factor = factor

    def apply(self, x: Tensor) -> Tensor:
        return x * self.factor


@program()
class LocalObject(nn.Module):
    def forward(self, x):
        scale = Scale(2.0)
        scale.factor = 3.0
        return scale.apply(x)


@program()
class NoForward(nn.Module):
    @torch.jit.export
    def encode(self, x):
        return x * 2


# --- control flow over numbers ---


@program(inputs([leaf(4, 3)], [{"tensor": 0}, {"int": 5}, {"bool": False}, {"float": 0.25}]))
class Branches(nn.Module):
    def forward(self, x, n: int, flag: bool, k: float):
        if x.size(0) > 4:
            x = x * 2
        elif x.dim() == 2 and n > 3:
            x = x + n
        if not flag:
            x = x - 1
        if k < 0.5:
            return x * k
        return x.sin()


@program(inputs([leaf(4, 3)], [{"tensor": 0}, {"int": 6}]))
class Loops(nn.Module):
    def forward(self, x, n: int):
        i = 0
        while i < n:
            i += 1
            if i == 2:
                continue
            x = x * 1.1
            if i == 4:
                break
        for j in range(x.size(0)):
            x = x + x[j]
            if j > 1:
                break
        for row in x:
            x = x + row
        for k, v in enumerate([5.0, 6.0]):
            x = x + k * v
        for j in range(5):
            if j > x.size(0) // 2:
                return x * j
            x = x + 1
        return x.sin()


@program()
class Arithmetic(nn.Module):
    def forward(self, x):
        n = x.size(0)
        whole = divmod(n, 3)[0] + n % 3 + n**2 + max(n, 7) + min(n, 2) + abs(-n) + (n << 1) + round(2.5)
        return x * whole + math.sqrt(n) + math.ceil(n / 3) + sum([n, 2]) + n // 3 + float(x.numel()) ** 0.5


@program(trace=torch.ones(4, 3))
class TracedSizes(nn.Module):
    def forward(self, x):
        n, m = x.shape
        y = x.view(n // 2, 2, m).reshape(-1, 2 * m)
        return y * int((x.size(0) + 1) / 2) + torch.arange(x.size(0) * 2 // 2).sum()


# --- values ---


class Point(NamedTuple):
    x: Tensor
    n: int


@program(inputs([leaf(4, 3), leaf(3), leaf(3), leaf(4, 3)],
                [{"tensor": 0}, {"a": {"tensor": 1}}, [{"tensor": 2}, {"tensor": 2}], [{"tensor": 3}, {"int": 2}]]))
class Values(nn.Module):
    def forward(self, x, named: Dict[str, Tensor], listed: List[Tensor], pair: Tuple[Tensor, int],
                extra: Optional[Tensor] = None):
        if extra is not None:
            x = x + extra
        result: Dict[str, Tensor] = {}
        result["sum"] = x + named["a"]
        for t in listed:
            x = x * t
        kept = [x]
        kept.append(pair[0] * pair[1])
        kept.extend([x, x])
        last = kept.pop()
        if "sum" in result:
            x = x + result["sum"]
        return Point(x, pair[1]), result, (x, [kept[0], last]), kept[-1], len(kept)


@program(inputs([leaf(4, 3)], [{"tensor": 0}, {"none": True}, [{"int": 3}]]))
class Optionals(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = None
        self.register_parameter("absent", None)

    def forward(self, x, a: Optional[int] = None, b: Optional[List[int]] = None):
        if self.absent is not None:
            x = x + self.absent
        if a is None:
            a = 2
        if b is not None:
            x = x * b[0]
        return x * a


@program()
class Strings(nn.Module):
    mode: str

    def __init__(self):
        super().__init__()
        self.mode = "Mean_x"

    def forward(self, x, how: str = "sum"):
        assert x.dim() == 2, "expected 2 dimensions, got %d" % x.dim()
        if self.mode.lower().split("_")[0] == "mean":
            x = x - x.mean()
        if how == "sum":
            x = x + 1
        else:
            raise RuntimeError("unknown {}".format(how))
        name = f"n{x.size(0)}"
        if name.startswith("n4") and len(name) > 1:
            x = x * 2
        return x


@program()
class Talks(nn.Module):
    def forward(self, x):
        print("rows", x.size(0), x)
        if x.size(0) > 1:
            warnings.warn("careful")
        return x * 2


@program()
class Properties(nn.Module):
    def forward(self, x):
        return x.detach() * x + x.data, x.is_leaf, x.requires_grad, x.T, x.mT, x.shape, x.is_contiguous()


# --- regions and tasks ---


@program()
class NoGradRegions(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("running", torch.zeros(3))
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        with torch.no_grad():
            y = self.linear(x)
            if x.size(0) > 3:
                y = y * 2
            with torch.no_grad():
                self.running.mul_(0.9).add_(x.mean(0) * 0.1)
        return self.linear(x) + y - self.running


def scaled_sin(x: Tensor, n: int):
    return x.sin() * n


@program()
class Forks(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        tasks: List[torch.jit.Future[Tensor]] = []
        for i in range(3):
            tasks.append(torch.jit.fork(scaled_sin, x, i))
        first = torch.jit.fork(self.linear, x)
        result = torch.jit.wait(first)
        for task in tasks:
            result = result + torch.jit.wait(task)
        return result


@program()
class Dropouts(nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(0.5)

    def forward(self, x):
        return F.dropout(self.dropout(x), 0.3, self.training)


@program(inputs([leaf(2, 4, 3)], [{"tensor": 0}]))
class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, 2, batch_first=True, bidirectional=True)
        self.gru, self.cell = nn.GRU(8, 3), nn.GRUCell(3, 3)

    def forward(self, x, state: Optional[Tuple[Tensor, Tensor]] = None):
        y = self.gru(self.lstm(x, state)[0])[0]
        h, outputs = torch.zeros(4, 3), torch.jit.annotate(List[Tensor], [])
        for i in range(y.size(0)):
            h = self.cell(y[i], h)
            outputs.append(h)
        return torch.stack(outputs)


@program(inputs([leaf(4, 2, 3), integers(2, low=4, high=5)], [{"tensor": 0}, {"tensor": 1}]))
class Packed(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 4)

    def forward(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths)
        return nn.utils.rnn.pad_packed_sequence(self.rnn(packed)[0])[0]


# --- control flow over data ---


@program()
class DataBranch(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        y = self.linear(x)
        if bool(y.sum() > 0):
            return y * 2
        return y.sin()


@program()
class DataLoop(nn.Module):
    def forward(self, x):
        i = 0
        while bool(x.abs().max() > 0.1):
            x = x * 0.5
            i += 1
        return x, i


@program(inputs([leaf(4, 3), integers(2, low=2, high=3)], [{"tensor": 0}, {"tensor": 1}]))
class DataNumbers(nn.Module):
    def forward(self, x, n):
        sizes: List[int] = n.tolist()
        for i in sizes:
            x = x * i
        return x.view(sizes[0], -1) * int(x.argmax()) + float(x.detach().max()), x.argmin().item()


@program()
class DataShapes(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        y = self.linear(x)
        mask = y > 0
        places = torch.nonzero(mask)
        values, inverse = torch.unique((y * 2).detach().round(), return_inverse=True)
        repeated = torch.repeat_interleave(y.sum(1), torch.tensor([1, 2, 0, 1]))
        empty = x[x > 1e9]
        if empty.numel() == 0:
            x = x * 2
        return (y[mask] * 2, torch.masked_select(y, mask) * 2, values, inverse, torch.where(mask)[0], repeated,
                x[places[:, 0]])


@program(inputs([leaf(4, 3), leaf(4, 3), integers(1, low=1, high=3)], [{"tensor": 0}, {"tensor": 1}, {"tensor": 2}]))
class DataComparisons(nn.Module):
    def forward(self, x, y, at):
        if torch.equal(x, y):
            return x * 2
        if torch.allclose(x, y):
            return x
        if torch.all(x < 100) and not x.isnan().any():
            x = x + 1
        constant = torch.tensor([1.0, 2.0])
        if bool(constant.sum() > 2):
            x = x * 2
        x = x[:, torch.tensor([True, False, True])]
        return x * torch.tensor_split(x, at)[0].sum() + int(constant[0])


@program()
class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.experts = nn.Linear(3, 2), nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, x):
        weights, chosen = self.gate(x).softmax(1).topk(1)
        result = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            rows = torch.where(chosen[:, 0] == i)[0]
            if rows.numel() > 0:
                result = result.index_add(0, rows, expert(x[rows]) * weights[rows])
        return result


@program()
class MaskedUpdate(nn.Module):
    def forward(self, x):
        y = x.clone()
        y[x > 0] = 0.5
        y[x < 0] = y[x < 0] * 2
        return y


@program()
class DataText(nn.Module):
    def forward(self, x):
        assert bool(x.sum() < 1e6), f"the sum is {x.sum()}"
        return x * len(f"{x}")


@program()
class RandomBranch(nn.Module):
    def forward(self, x):
        if bool(torch.rand(1) > 0.5):
            return x * 2
        return x * 3


@program(trace=torch.ones(4, 3))
class TracedLayers(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.layers = nn.LayerNorm(3), nn.Sequential(nn.Linear(3, 4), nn.GELU(), nn.Linear(4, 3))

    def forward(self, x):
        return self.norm(x + self.layers(x)).masked_fill(torch.ones(4, 3).tril() == 0, -1.0)
