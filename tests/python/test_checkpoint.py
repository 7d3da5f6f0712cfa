"""Plans as policies of selective activation checkpointing: gradients, recomputed operations, memory."""

from __future__ import annotations

import copy
from collections import Counter as Counts
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest import mock

import aotscope
import torch
from aotscope import checkpoint as checkpoint_module
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

from support import MODELS, Attention, Convolutions, Overwriting, TestCase, gradients, model_and_input

CHOICES = ({"partition": "default"}, {}, {"budget": 0.3}, {"budget": 0})


class Calls(TorchDispatchMode):
    """Counts the operations that eager runs."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counts[str] = Counts()

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.counts[str(function)] += 1
        return function(*args, **(kwargs or {}))


def counted(function: Callable[..., Any], model: nn.Module, x: torch.Tensor) -> tuple[list[torch.Tensor], Counts[str]]:
    torch.manual_seed(1)
    with Calls() as calls:
        return gradients(function, list(model.parameters()), x), calls.counts


class Policies(TestCase):
    def check(self, model: nn.Module, x: torch.Tensor, **options: object) -> aotscope.CheckpointPolicy:
        policy = aotscope.checkpoint_policy(aotscope.run(model, x, **options))
        plain, own = copy.deepcopy(model), copy.deepcopy(model)
        expected, once = counted(plain, plain, x)
        found, again = counted(lambda x: checkpoint(own, x, use_reentrant=False, context_fn=policy), own, x)
        self.assert_close(found, expected)
        for first, second in zip(plain.buffers(), own.buffers()):
            torch.testing.assert_close(first, second)
        self.again = {op: count - once[op] for op, count in again.items() if count > once[op]}
        return policy

    def test_gradients_and_buffers_are_those_of_eager(self) -> None:
        for name in MODELS:
            for options in CHOICES:
                with self.subTest(model=name, **options):
                    self.check(*model_and_input(name), **options)

    def test_operations_in_place(self) -> None:
        for options in CHOICES:
            with self.subTest(**options):
                torch.manual_seed(0)
                policy = self.check(Convolutions(inplace=True), torch.randn(2, 3, 8, 8), **options)
                self.assertNotIn("aten.native_batch_norm.default", self.again)
                self.check(Overwriting(), torch.randn(3, 8), **options)
        self.assertTrue(any("updates an input" in sentence for sentence in policy.not_expressed))

    def test_eager_s_own_operations(self) -> None:
        """Dropout draws the same numbers again; the encoder's first layer is folded where gradients are needed."""
        torch.manual_seed(0)
        dropout = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5), nn.Linear(8, 8), nn.Sigmoid())
        encoder = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.1, batch_first=True)
        for model, x in (
            (dropout, torch.randn(4, 8)),
            (encoder, torch.randn(2, 5, 16)),
            (nn.GRU(6, 8), torch.randn(3, 2, 6)),
        ):
            for options in CHOICES:
                with self.subTest(model=type(model).__name__, **options):
                    self.check(model, x, dialect="libtorch", **options)
        with self.assertRaisesRegex(aotscope.Error, "with dialect='libtorch', which has eager's operations"):
            self.check(dropout, torch.randn(4, 8))

    def test_results_that_policies_do_not_know(self) -> None:
        """As in PyTorch 2.11, which asks before it runs an operation, and asks again in the backward."""
        with mock.patch.object(checkpoint_module, "_KNOWS_RESULTS", False):
            model, x = model_and_input("attention")
            self.check(model, x, budget=0.3)
            policy = aotscope.checkpoint_policy(aotscope.run(model, x, budget=0.3))
            counting = checkpoint_module._Counting(policy)
            ops = [call.op for calls in policy.calls.values() for call in calls]
            first = [counting(SimpleNamespace(is_recompute=False), op) for op in ops]
            again = [counting(SimpleNamespace(is_recompute=True), op) for op in ops]
        self.assertEqual(first, again)
        self.assertGreater(len(set(first)), 1)

    def test_twice_backward(self) -> None:
        model, x = model_and_input("mlp")
        policy = aotscope.checkpoint_policy(aotscope.run(model, x, budget=0))
        loss = checkpoint(model, x, use_reentrant=False, context_fn=policy).sum()
        parameters = list(model.parameters())
        first = torch.autograd.grad(loss, parameters, retain_graph=True)
        self.assert_close(list(first), list(torch.autograd.grad(loss, parameters)))

    def test_what_is_saved_does_not_run_again(self) -> None:
        model, x = model_and_input("mlp")
        self.check(model, x, partition="default")
        self.assertNotIn("aten.gelu.default", self.again)
        self.check(model, x, recompute=["gelu", "relu"])
        self.assertEqual(self.again["aten.gelu.default"], 1)
        self.assertEqual(self.again["aten.relu.default"], 1)
        self.assertNotIn("aten.silu.default", self.again)
        self.check(model, x, budget=0)
        self.assertEqual(self.again["aten.addmm.default"], 3)

    def test_says_what_it_cannot_express(self) -> None:
        torch.manual_seed(0)
        policy = self.check(Overwriting(), torch.randn(3, 8), partition="default")
        self.assertRegex(
            policy.not_expressed[0], r"%addmm \(aten.addmm.default\) is computed again, not saved: eager overw"
        )
        self.assertIn("eager computes a region again as a whole", policy.not_expressed[-1])

    def test_memory_between_forward_and_backward(self) -> None:
        """The policy's storage has the values of the plan."""
        torch.manual_seed(0)
        model, x = nn.Sequential(*[nn.Sequential(nn.Linear(64, 64), nn.GELU()) for _ in range(6)]), torch.randn(256, 64)
        sizes = []
        for budget in (1, 0.5, 0.1):
            report = aotscope.run(model, x, budget=budget)
            policy, held = aotscope.checkpoint_policy(report), []
            contexts = policy()
            with contexts[0]:
                model(x)
            for entries in contexts[1].context.storage.values():
                own = entries.values() if isinstance(entries, dict) else entries  # a list in PyTorch 2.11
                held += [entry for entry in own if hasattr(entry, "val")]
            total = sum(tensor.untyped_storage().nbytes() for entry in held for tensor in tensors(entry.val))
            self.assertAlmostEqual(total / max(report.saved_bytes, 1), 1, delta=0.1)
            sizes.append(total)
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertLess(sizes[2], sizes[0] / 2)


class Peak(TestCase):
    """The peak of eager's memory, as its allocator counts it, falls as predicted."""

    def check(self, blocks: list[nn.Module], x: torch.Tensor, policies: list[aotscope.CheckpointPolicy]) -> None:
        whole = aotscope.run(nn.Sequential(*blocks), x, partition="default", dialect="libtorch")
        predicted = [
            aotscope.EagerMemory.peak([aotscope.checkpoint_policy(whole).memory_without]),
            aotscope.EagerMemory.peak([policy.memory for policy in policies]),
        ]
        measured = [peak(blocks, x, []), peak(blocks, x, policies)]
        for found, expected in zip(measured, predicted):
            self.assertAlmostEqual(found / expected, 1, delta=0.1)
        self.assertAlmostEqual((measured[0] - measured[1]) / (predicted[0] - predicted[1]), 1, delta=0.1)

    def test_of_blocks(self) -> None:
        torch.manual_seed(0)
        makes: dict[str, tuple[Callable[[], nn.Module], torch.Tensor]] = {
            "mlp": (lambda: nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64)), torch.randn(256, 64)),
            "attention": (lambda: Attention(64, 4), torch.randn(4, 64, 64)),
        }
        for name, (make, x) in makes.items():
            blocks = [make() for _ in range(5)]
            inner = torch.randn_like(x, requires_grad=True)
            for budget in (0.6, 0.3, 0):
                with self.subTest(model=name, budget=budget):
                    reports = [
                        aotscope.run(blocks[0], given, budget=budget, dialect="libtorch") for given in (x, inner)
                    ]
                    first, others = map(aotscope.checkpoint_policy, reports)
                    self.check(blocks, x, [first, *[others] * 4])

    def test_whole_results_are_held(self) -> None:
        """Batch norm runs once, so all of its results are saved, not only the statistics in the plan."""
        torch.manual_seed(0)
        block = nn.Sequential(nn.Conv2d(16, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU())
        x = torch.randn(4, 16, 16, 16, requires_grad=True)
        report = aotscope.run(block, x, budget=0, dialect="libtorch")
        policy = aotscope.checkpoint_policy(report)
        self.assertEqual(report.saved_bytes, 0)
        self.assertGreaterEqual(policy.memory.held, 2 * x.nbytes)  # its input, and the result of the norm
        found = peak([block], x, [policy])
        self.assertAlmostEqual(found / aotscope.EagerMemory.peak([policy.memory]), 1, delta=0.25)  # convolutions pack

    def test_dynamic_shapes_stand_for_those_of_the_examples(self) -> None:
        model, x = model_and_input("attention")
        policies = [
            aotscope.checkpoint_policy(aotscope.run(model, x, budget=0.3, dialect="libtorch", **dynamic))
            for dynamic in ({}, {"dynamic": "all"})
        ]
        self.assertEqual(*[policy.memory for policy in policies])
        self.assertEqual(*[policy.memory_without for policy in policies])

    def test_what_is_in_place_takes_no_memory_of_its_own(self) -> None:
        x = torch.randn(64, 64, requires_grad=True)
        sizes = []
        for inplace in (False, True):
            model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(inplace=inplace))
            policy = aotscope.checkpoint_policy(aotscope.run(model, x, partition="default", dialect="libtorch"))
            sizes.append(policy.memory_without.forward_peak)
        self.assertEqual(sizes[0] - sizes[1], x.nbytes)


def peak(blocks: list[nn.Module], x: torch.Tensor, policies: list[aotscope.CheckpointPolicy]) -> int:
    """Bytes of one training step with its input, without parameters and the initial gradient."""
    own, tangent = copy.deepcopy(nn.ModuleList(blocks)), torch.ones_like(nn.Sequential(*blocks)(x))

    def step() -> None:
        y = x
        for index, block in enumerate(own):
            y = checkpoint(block, y, use_reentrant=False, context_fn=policies[index]) if policies else block(y)
        y.backward(tangent)

    step()
    for parameter in own.parameters():
        parameter.grad = None
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
        step()
    events = [event for event in profile.profiler.kineto_results.events() if event.name() == "[memory]"]
    now = most = x.nbytes
    for event in sorted(events, key=lambda event: event.start_ns()):
        now += event.nbytes()
        most = max(most, now)
    return most


def tensors(value: Any) -> list[torch.Tensor]:
    return [leaf for leaf in torch.utils._pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]


class Errors(TestCase):
    def test_plan_for_another_module(self) -> None:
        model, x = model_and_input("mlp")
        policy = aotscope.checkpoint_policy(aotscope.run(model, x))
        for other in (nn.Sequential(*list(model)[:-2]), nn.Sequential(model, nn.Linear(4, 4))):
            with self.assertRaisesRegex(
                aotscope.Error, r"made for another forward: it has aten\.\w+\.default with \d+ elements \d times"
            ):
                checkpoint(other, x, use_reentrant=False, context_fn=policy)

    def test_plan_that_is_not_of_eager_s_operations(self) -> None:
        model, x = model_and_input("mlp")
        with self.assertRaisesRegex(aotscope.Error, "decompose='none'"):
            aotscope.checkpoint_policy(aotscope.run(model, x, decompose="core-aten"))
        graph = self.folder / "joint.txt"
        printed = aotscope.partitioner()
        from support import partitioned

        partitioned(model, printed, x)
        graph.write_text(printed.graphs[0], encoding="utf-8")
        with self.assertRaisesRegex(aotscope.Error, "only the graphs that Python printed"):
            aotscope.checkpoint_policy(aotscope.run(graph, partition="min-cut"))
