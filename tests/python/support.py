"""Small models, their gradients, and checks for leftovers."""

from __future__ import annotations

import copy
import os
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from functorch.compile import aot_module, make_boxed_func
from torch import nn
from torch.nn import functional as F


def mlp() -> nn.Module:
    layers = [
        nn.Linear(8, 16),
        nn.GELU(),
        nn.Linear(16, 16),
        nn.ReLU(),
        nn.Linear(16, 16),
        nn.SiLU(),
        nn.Linear(16, 4),
    ]
    return nn.Sequential(*layers)


class Attention(nn.Module):
    """A block of a transformer, without dropout."""

    def __init__(self, width: int = 16, heads: int = 2) -> None:
        super().__init__()
        self.heads = heads
        self.norm, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        shape = (batch, length, self.heads, width // self.heads)
        q, k, v = (part.view(shape).transpose(1, 2) for part in self.qkv(self.norm(x)).chunk(3, -1))
        weights = (q @ k.transpose(-1, -2) / shape[-1] ** 0.5).softmax(-1)
        x = x + self.project((weights @ v).transpose(1, 2).reshape(x.shape))
        return x + self.down(F.gelu(self.up(self.norm_2(x))))


class Convolutions(nn.Module):
    """Two convolutions with batch norm and a skip connection; `inplace` as in torchvision's ResNet."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace
        self.conv, self.norm = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.conv_2, self.norm_2 = nn.Conv2d(8, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.linear = nn.Linear(8, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.norm(self.conv(x)), inplace=self.inplace)
        y = self.norm_2(self.conv_2(x))
        y = F.relu(y.add_(x) if self.inplace else y + x, inplace=self.inplace)
        return self.linear(F.adaptive_avg_pool2d(F.max_pool2d(y, 2), 1).flatten(1))


class Words(nn.Module):
    """An embedding, a block, and log probabilities."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.block, self.linear = (
            nn.Embedding(20, 8),
            Attention(8),
            nn.Linear(8, 20),
        )

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return F.log_softmax(self.linear(self.block(self.embedding(words))), -1)


class Counter(nn.Module):
    """Writes to two buffers."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(6, 6)
        self.register_buffer("mean", torch.zeros(6))
        self.register_buffer("count", torch.zeros((), dtype=torch.long))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y = torch.tanh(self.linear(x))
        self.mean.mul_(0.9).add_(y.detach().mean(0) * 0.1)
        self.count.add_(1)
        return (y - self.mean).exp(), y.sigmoid()


class Overwriting(nn.Module):
    """Writes to a value that was read before."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.linear(x)
        z = y.exp()
        y.add_(1)
        return (y.sin() * z).sigmoid()


MODELS: dict[str, tuple[Callable[[], nn.Module], Callable[[], torch.Tensor]]] = {
    "mlp": (mlp, lambda: torch.randn(5, 8)),
    "attention": (Attention, lambda: torch.randn(2, 5, 16)),
    "convolutions": (Convolutions, lambda: torch.randn(2, 3, 8, 8)),
    "words": (Words, lambda: torch.randint(0, 20, (2, 5))),
    "counter": (Counter, lambda: torch.randn(4, 6)),
}


def model_and_input(name: str) -> tuple[nn.Module, torch.Tensor]:
    torch.manual_seed(0)
    make, example = MODELS[name]
    return make(), example()


def gradients(function: Callable[..., Any], parameters: list[nn.Parameter], *args: Any) -> list[torch.Tensor]:
    """Gradients of a loss that weights every element of every output differently."""
    for parameter in parameters:
        parameter.grad = None
    loss = torch.zeros(())
    for leaf in torch.utils._pytree.tree_leaves(function(*args)):
        if leaf.requires_grad:
            loss = loss + (leaf * torch.arange(leaf.numel(), dtype=leaf.dtype).view(leaf.shape)).sum()
    loss.backward()
    return [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in parameters]


def eager(model: nn.Module, *args: Any) -> list[torch.Tensor]:
    own = copy.deepcopy(model)
    return gradients(own, list(own.parameters()), *args)


class Halves:
    """The results of a partition function: the forward and the backward graph."""

    def __init__(self) -> None:
        self.graphs: dict[str, torch.fx.GraphModule] = {}

    def keep(self, kind: str) -> Callable[..., Any]:
        def compiler(module: torch.fx.GraphModule, _: Any) -> Any:
            self.graphs[kind] = module
            return make_boxed_func(module)

        return compiler

    def backend(self, partition_fn: Any, **options: Any) -> Any:
        """A backend of torch.compile that keeps its graphs."""
        from torch._dynamo.backends.common import aot_autograd

        return aot_autograd(
            fw_compiler=self.keep("forward"), bw_compiler=self.keep("backward"), partition_fn=partition_fn, **options
        )

    def saved(self) -> list[torch.Tensor]:
        """The tensors that the backward takes from the forward."""
        placeholders = self.graphs["backward"].graph.find_nodes(op="placeholder")
        values = [node.meta["val"] for node in placeholders if "tangents" not in str(node.target)]
        return [value for value in values if isinstance(value, torch.Tensor)]

    def saved_bytes(self) -> int:
        return sum(value.numel() * value.element_size() for value in self.saved())


def partitioned(model: nn.Module, partition_fn: Any, *args: Any) -> tuple[Halves, list[torch.Tensor]]:
    """Forward and backward, and the gradients that they compute."""
    own, halves = copy.deepcopy(model), Halves()
    compiled = aot_module(
        own,
        fw_compiler=halves.keep("forward"),
        bw_compiler=halves.keep("backward"),
        partition_fn=partition_fn,
    )
    return halves, gradients(compiled, list(own.parameters()), *args)


class TestCase(unittest.TestCase):
    """With a temporary folder of its own, which must be empty at the end."""

    def setUp(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self._before = os.environ.get("TMPDIR"), tempfile.tempdir
        os.environ["TMPDIR"] = tempfile.tempdir = str(self.temporary)

    def tearDown(self) -> None:
        left = [path.name for path in self.temporary.glob("aotscope*")]
        os.environ.pop("TMPDIR", None)
        if self._before[0] is not None:
            os.environ["TMPDIR"] = self._before[0]
        tempfile.tempdir = self._before[1]
        self._folder.cleanup()
        self.assertEqual(left, [], "temporary files were left")

    def assert_close(
        self,
        first: list[torch.Tensor],
        second: list[torch.Tensor],
        tolerance: float = 1e-5,
    ) -> None:
        self.assertEqual(len(first), len(second))
        for a, b in zip(first, second):
            torch.testing.assert_close(a, b, rtol=tolerance, atol=tolerance)


def script(path: Path, text: str) -> Path:
    """A program that stands for aotscope."""
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def running(pattern: str) -> list[int]:
    """Processes whose command line contains a text."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if pattern in words and int(process.name) != os.getpid():
            found.append(int(process.name))
    return found


def until(condition: Callable[[], bool]) -> bool:
    """Whether a condition becomes true in time. Signals are sent at once, but a busy machine ends processes later."""
    for _ in range(6000):
        if condition():
            return True
        time.sleep(0.01)
    return False
