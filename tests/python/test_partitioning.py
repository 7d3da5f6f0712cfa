"""Partitions chosen by the program, made in Python: saved values, bytes, gradients."""

from __future__ import annotations

import copy
import math
from typing import Any

import aotscope
import torch
from aotscope.program import torch_version
from functorch.compile import aot_function, min_cut_rematerialization_partition
from torch import nn
from torch._functorch.aot_autograd import aot_module_simplified

from support import (
    MODELS,
    Attention,
    Halves,
    TestCase,
    eager,
    gradients,
    model_and_input,
    partitioned,
)

CHOICES = {
    "default": {"partition": "default"},
    "min-cut": {},
    "budget 0.3": {"budget": 0.3},
    "inputs only": {"budget": 0},
    "peak 0.8": {"peak": "0.8", "plan_seconds": 0},
    "views": {"recompute_views": True},
    "copies": {"drop_copies": True},
}
OVERRIDES = {
    "mlp": {"recompute": ["gelu", "relu"], "save": ["silu"]},
    "attention": {"recompute": ["_softmax", "gelu"]},
    "convolutions": {"recompute": ["relu", "relu_1"]},
    "words": {"policy": ["must_recompute=op:_softmax"]},
    "counter": {"recompute": ["tanh"]},
}


class Partitions(TestCase):
    def check(self, name: str, **options: object) -> None:
        model, x = model_and_input(name)
        report = aotscope.partition(model, x, **options)
        halves, found = partitioned(model, aotscope.partitioner(report), x)
        plan = report.plan
        self.assertEqual(len(halves.saved()), len(plan.tensors))
        self.assertEqual(halves.saved_bytes(), plan.saved_bytes)
        names = [node.name for node in halves.graphs["backward"].graph.nodes]
        self.assertEqual(len(names), len(set(names)))
        self.assert_close(found, eager(model, x))

    def test_are_those_of_the_plan(self) -> None:
        for name in MODELS:
            for what, options in CHOICES.items():
                with self.subTest(model=name, choice=what):
                    self.check(name, **options)

    def test_where_fake_tensors_have_other_strides_than_kernels(self) -> None:
        """Python copies the gradient of a norm before it views it, which no kernel needs."""

        class Pooled(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.linear, self.norm = nn.Linear(8, 8), nn.LayerNorm(8)

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return nn.functional.adaptive_avg_pool1d(self.norm(self.linear(x).tanh()).transpose(1, 2), 1)

        torch.manual_seed(0)
        model, x = Pooled(), torch.randn(2, 6, 8)
        for options in CHOICES.values():
            report = aotscope.partition(model, x, **options)
            halves, found = partitioned(model, aotscope.partitioner(report), x)
            self.assertEqual(halves.saved_bytes(), report.plan.saved_bytes)
            self.assert_close(found, eager(model, x))

    def test_of_a_copy_whose_constants_are_inputs(self) -> None:
        """A copy of a graph module has constants as buffers: the backward gets them as the plan's does not."""

        class Weighed(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.linear = nn.Linear(8, 4)

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return self.linear(x).sigmoid() * torch.tensor([1.0, 2.0, 3.0, 4.0])

        torch.manual_seed(0)
        x = torch.randn(3, 8)
        file = self.folder / "weighed.pt2"
        torch.export.save(torch.export.export(Weighed(), (x,)), file)
        for options in CHOICES.values():
            report = aotscope.partition(file, **options)
            model = copy.deepcopy(torch.export.load(file).module())
            _, found = partitioned(model, aotscope.partitioner(report), x)
            self.assert_close(found, eager(model, x))

    def test_of_a_copy_with_equal_values_of_random_ones(self) -> None:
        """Each is saved in its own place; otherwise the backward would draw other numbers for what it computes again."""

        class Shared(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.first, self.second = nn.Linear(8, 4), nn.Linear(8, 4)

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                y = nn.functional.dropout(x * torch.tensor(1.5), 0.5, True)
                return self.first(y).sigmoid() + self.second(y).tanh()

        torch.manual_seed(0)
        x = torch.randn(2, 3, 8)
        file = self.folder / "shared.pt2"
        torch.export.save(torch.export.export(Shared(), (x,)), file)
        for what, options in CHOICES.items():
            with self.subTest(choice=what):
                report = aotscope.partition(file, **options)
                model = copy.deepcopy(torch.export.load(file).module())
                torch.manual_seed(1)
                halves, found = partitioned(model, aotscope.partitioner(report), x)
                self.assertEqual(len(halves.saved()), len(report.plan.tensors))
                torch.manual_seed(1)
                self.assert_close(found, eager(model, x))

    def test_with_overrides(self) -> None:
        for name, options in OVERRIDES.items():
            with self.subTest(model=name):
                self.check(name, **options)

    def test_overrides_change_what_is_saved(self) -> None:
        model, x = model_and_input("mlp")
        before, after = (aotscope.partition(model, x, recompute=names) for names in ([], ["relu"]))
        for report, calls in ((before, 0), (after, 1)):
            halves, _ = partitioned(model, aotscope.partitioner(report), x)
            relus = halves.graphs["backward"].graph.find_nodes(op="call_function", target=torch.ops.aten.relu.default)
            self.assertEqual(len(relus), calls)
        self.assertIn("addmm_1", [row["name"] for row in after.saved])

    def test_random_operations_run_again_in_the_backward(self) -> None:
        model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 4), nn.Dropout(0.25))
        x = torch.randn(16, 8)
        report = aotscope.partition(model, x, policy=["must_recompute=op:native_dropout"])
        states = [value.draws for value in report.plan.saved if value.draws]
        self.assertEqual(len(states), 2)
        torch.manual_seed(3)
        halves, found = partitioned(model, aotscope.partitioner(report), x)
        self.assertEqual(len(halves.saved()), len(report.plan.tensors))
        self.assertEqual(halves.saved_bytes(), report.plan.saved_bytes)
        torch.manual_seed(3)
        self.assert_close(found, eager(model, x))

    def test_equal_python_s_own_min_cut(self) -> None:
        model, x = model_and_input("attention")
        ours, _ = partitioned(model, aotscope.partitioner(aotscope.partition(model, x)), x)
        theirs, _ = partitioned(model, min_cut_rematerialization_partition, x)
        self.assertEqual(len(ours.saved()), len(theirs.saved()))
        self.assertEqual(ours.saved_bytes(), theirs.saved_bytes())

    def test_from_files(self) -> None:
        model, x = model_and_input("mlp")
        report = aotscope.run(model, x, budget=0.3)
        for file in (self.folder / "report.json", self.folder / "run.aotscope"):
            report.save(file)
            halves, found = partitioned(model, aotscope.partitioner(file), x)
            self.assertEqual(halves.saved_bytes(), report.plan.saved_bytes)
            self.assert_close(found, eager(model, x))


class Doors(TestCase):
    """Where PyTorch takes a partition function."""

    def test_aot_function(self) -> None:
        def function(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return (x.sin() * y.exp()).tanh().sum(0)

        x, y = (
            torch.randn(3, 4, requires_grad=True),
            torch.randn(3, 4, requires_grad=True),
        )
        report = aotscope.partition(function, x, y, budget=0.5)
        halves = Halves()
        compiled = aot_function(
            function,
            halves.keep("forward"),
            halves.keep("backward"),
            partition_fn=aotscope.partitioner(report),
        )
        compiled(x, y).sum().backward()
        self.assertEqual(halves.saved_bytes(), report.plan.saved_bytes)
        expected = torch.autograd.grad(function(x, y).sum(), (x, y))
        self.assert_close([x.grad, y.grad], list(expected))

    def test_inputs_that_are_none(self) -> None:
        """They are inputs of the joint graph without a type, which nothing uses."""

        def function(x: torch.Tensor, mask: torch.Tensor | None, y: torch.Tensor) -> torch.Tensor:
            return (x.sin() * y.exp()).tanh() if mask is None else x

        x, y = (torch.randn(3, 4, requires_grad=True) for _ in range(2))
        chosen, halves = aotscope.partitioner(budget=0.5), Halves()
        compiled = aot_function(function, halves.keep("forward"), halves.keep("backward"), partition_fn=chosen)
        found = torch.autograd.grad(compiled(x, None, y).sum(), (x, y))
        self.assertEqual(halves.saved_bytes(), chosen.applied[0].saved_bytes)
        self.assert_close(list(found), list(torch.autograd.grad(function(x, None, y).sum(), (x, y))))

    def test_plan_of_a_scratch_pad(self) -> None:
        """TorchScript calls other overloads for numbers than Python."""
        source = "def f(x):\n    return ((x * 2 - 1.5) / 3 + (1 - x).sin()).exp().sum()"
        namespace: dict[str, Any] = {}
        exec(source, namespace)
        x = torch.randn(3, requires_grad=True)
        report = aotscope.partition(f"script:{source}", inputs="f32[3] grad", budget=0.5)
        chosen = aotscope.partitioner(report)
        halves = Halves()
        function = namespace["f"]
        compiled = aot_function(function, halves.keep("forward"), halves.keep("backward"), partition_fn=chosen)
        compiled(x).backward()
        self.assertEqual([plan is not None for plan in chosen.applied], [True])
        self.assert_close([x.grad], list(torch.autograd.grad(function(x), (x,))))

    def test_aot_module_simplified(self) -> None:
        model, x = model_and_input("mlp")
        report = aotscope.partition(model, x, budget=0.3)
        traced = torch.fx.symbolic_trace(copy.deepcopy(model))
        output = next(iter(traced.graph.find_nodes(op="output")))
        output.args = ((output.args[0],),)  # which it requires
        traced.recompile()
        halves = Halves()
        compiled = aot_module_simplified(
            traced,
            (x,),
            halves.keep("forward"),
            halves.keep("backward"),
            partition_fn=aotscope.partitioner(report),
        )
        found = gradients(compiled, list(traced.parameters()), x)
        self.assertEqual(halves.saved_bytes(), report.plan.saved_bytes)
        self.assert_close(found, eager(model, x))

    def test_torch_compile_orders_inputs_otherwise(self) -> None:
        for name in ("attention", "convolutions", "counter"):
            with self.subTest(model=name):
                model, x = model_and_input(name)
                report = aotscope.partition(model, x, budget=0.3)
                halves, own = Halves(), copy.deepcopy(model)
                torch.compiler.reset()
                backend = halves.backend(aotscope.partitioner(report), keep_inference_input_mutations=True)
                found = gradients(torch.compile(own, backend=backend), list(own.parameters()), x)
                self.assertEqual(halves.saved_bytes(), report.plan.saved_bytes)
                self.assert_close(found, eager(model, x))

    def test_dynamic_shapes(self) -> None:
        """A plan of either kind: symbolic sizes match those of the example inputs."""
        for dynamic in ({}, {"dynamic": "all"}):
            model, x = model_and_input("attention")
            report = aotscope.partition(model, x, budget=0.3, **dynamic)
            halves, own = Halves(), copy.deepcopy(model)
            torch.compiler.reset()
            compiled = torch.compile(own, backend=halves.backend(aotscope.partitioner(report)), dynamic=True)
            for example in (x, torch.cat([x, x])):
                self.assert_close(gradients(compiled, list(own.parameters()), example), eager(model, example))
            self.assertEqual(len(halves.saved()), len(report.plan.tensors))

    def test_dynamic_shapes_when_compiled(self) -> None:
        for options in ({"budget": 0.3}, {"partition": "default"}):
            model, x = model_and_input("attention")
            halves, own, partitioner = Halves(), copy.deepcopy(model), aotscope.partitioner(**options)
            torch.compiler.reset()
            compiled = torch.compile(own, backend=halves.backend(partitioner), dynamic=True)
            for example in (x, torch.cat([x, x])):
                self.assert_close(gradients(compiled, list(own.parameters()), example), eager(model, example))
            (plan,) = partitioner.applied
            assert plan is not None
            self.assertEqual(len(halves.saved()), len(plan.tensors))
            sizes = [[size if isinstance(size, int) else size.node.hint for size in t.shape] for t in halves.saved()]
            made = sum(math.prod(shape) * t.element_size() for shape, t in zip(sizes, halves.saved()))
            self.assertEqual(made, plan.saved_bytes)

    def test_sizes_that_follow_from_data(self) -> None:
        def function(x: torch.Tensor) -> torch.Tensor:
            return (x[x > 0].sin().exp()).sum()

        x = torch.randn(8, requires_grad=True)
        torch.compiler.reset()
        backend = Halves().backend(aotscope.partitioner(budget=0.3))
        with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
            with self.assertRaisesRegex(Exception, r"sizes of the joint graph follow from data \(u\d+\)"):
                torch.compile(function, backend=backend, fullgraph=True)(x)

    def test_operators_that_run_graphs(self) -> None:
        class Branches(nn.Module):
            def __init__(self, other: bool = False) -> None:
                super().__init__()
                self.linear, self.other = nn.Linear(4, 4), other

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                y = self.linear(x)
                no = torch.cosh if self.other else torch.cos
                return torch.cond(y.sum() > 0, lambda a: a.sin(), lambda a: no(a).exp(), (y,)).tanh()

        torch.manual_seed(0)
        model, x = Branches(), torch.randn(3, 4)
        report, halves = aotscope.partition(model, x), Halves()
        torch.compiler.reset()
        backend = halves.backend(aotscope.partitioner(report))
        own = copy.deepcopy(model)
        found = gradients(torch.compile(own, backend=backend), list(own.parameters()), x)
        self.assert_close(found, eager(model, x))
        self.assertEqual(halves.saved_bytes(), report.plan.saved_bytes)
        torch.compiler.reset()
        with self.assertRaisesRegex(Exception, r"%cond \(higher_order.cond\) of this graph is not in that of the plan"):
            torch.compile(Branches(other=True), backend=backend)(x)

    def test_several_graphs(self) -> None:
        """A graph for each plan, in any order, and one without."""
        plans = []
        for name, options in (
            ("mlp", {"budget": 0.3}),
            ("attention", {"partition": "default"}),
            ("mlp", {"recompute": ["gelu"]}),
        ):
            plans.append(aotscope.partition(*model_and_input(name), **options))
        chosen = aotscope.partitioner(plans[:2], otherwise="min-cut")
        for name, report in (("attention", plans[1]), ("mlp", plans[0])):
            model, x = model_and_input(name)
            halves, found = partitioned(model, chosen, x)
            self.assertEqual(halves.saved_bytes(), report.plan.saved_bytes)
            self.assert_close(found, eager(model, x))
        model, x = model_and_input("convolutions")
        _, found = partitioned(model, chosen, x)
        self.assert_close(found, eager(model, x))
        self.assertEqual(chosen.applied, [plans[1].plan, plans[0].plan, None])
        with self.assertRaisesRegex(aotscope.Error, "expected 'error', 'min-cut' or 'default'"):
            aotscope.partitioner(plans[0], otherwise="eager")

    def test_without_a_plan_the_program_partitions_each_graph(self) -> None:
        model, x = model_and_input("attention")
        chosen = aotscope.partitioner(budget=0.3)
        halves, found = partitioned(model, chosen, x)
        self.assertEqual(len(chosen.applied), 1)
        self.assertTrue(chosen.applied[0].names_are_pythons)
        self.assertEqual([s.name for s in chosen.applied[0].tensors], self.names_of_saved(halves))
        self.assertEqual(halves.saved_bytes(), chosen.applied[0].saved_bytes)
        self.assert_close(found, eager(model, x))
        self.assertEqual(
            chosen.applied[0].saved_bytes,
            aotscope.partition(model, x, budget=0.3).plan.saved_bytes,
        )

    def names_of_saved(self, halves: Halves) -> list[str]:
        placeholders = halves.graphs["backward"].graph.find_nodes(op="placeholder")
        return [node.name for node in placeholders if "tangents" not in node.name]

    def test_a_plan_of_the_graph_that_python_printed(self) -> None:
        model, x = model_and_input("attention")
        first = aotscope.partitioner()
        partitioned(model, first, x)
        graph, session = self.folder / "joint.txt", self.folder / "chosen.aotscope"
        graph.write_text(first.graphs[0], encoding="utf-8")
        aotscope.run(graph, partition="min-cut", recompute=["gelu", "_softmax"]).save(session)
        halves, found = partitioned(model, aotscope.partitioner(session), x)
        plan = aotscope.Plan.load(session)
        self.assertEqual([s.name for s in plan.tensors], self.names_of_saved(halves))
        self.assertIn("gelu", plan.recomputed)
        self.assert_close(found, eager(model, x))

    def test_inductor(self) -> None:
        """Only up to the partition: Inductor's own compilation takes long."""
        models = {name: model_and_input(name) for name in ("mlp", "convolutions", "counter")}
        models["group norm"] = nn.Sequential(nn.Conv2d(3, 8, 3), nn.GroupNorm(4, 8), nn.SiLU()), torch.randn(2, 3, 8, 8)
        encoder = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
        models["encoder"] = encoder, torch.randn(2, 5, 16)
        for name, (model, x) in models.items():
            with self.subTest(model=name):
                report = aotscope.partition(model, x, budget=0.3, decompose="inductor")
                try:
                    self.check_inductor(model, aotscope.partitioner(report), x, report.plan)
                except Exception as e:
                    if torch_version() == (2, 13):  # whose decompositions the program has
                        raise
                    self.assertIn("of this graph is not in that of the plan", str(e))
                self.check_inductor(model, aotscope.partitioner(budget=0.3), x)

    def check_inductor(
        self, model: nn.Module, chosen: aotscope.Partitioner, x: torch.Tensor, plan: aotscope.Plan | None = None
    ) -> None:
        made = self.compile_up_to_partition(model, chosen, x)
        applied = plan or chosen.applied[0]
        backward = made[1].graph.find_nodes(op="placeholder")
        saved = [node.meta["val"] for node in backward if "tangents" not in node.name]
        self.assertEqual(len(saved), len(applied.tensors))
        self.assertEqual(sum(v.numel() * v.element_size() for v in saved), applied.saved_bytes)

    def test_inductor_s_rewrites_are_named(self) -> None:
        model, x = model_and_input("attention")
        chosen = aotscope.partitioner(aotscope.partition(model, x, decompose="inductor"))
        with self.assertRaisesRegex(Exception, "flash_attention.* is not in that of the plan.*Inductor rewrites"):
            self.compile_up_to_partition(model, chosen, x)

    def compile_up_to_partition(self, model: torch.nn.Module, chosen: aotscope.Partitioner, x: torch.Tensor) -> list:
        class Partitioned(Exception):
            pass

        made: list = []

        class Stopping(type(chosen)):
            def __call__(self, *args: object, **kwargs: object) -> object:
                made.extend(super().__call__(*args, **kwargs))
                raise Partitioned

        stopping = copy.copy(chosen)
        stopping.__class__ = Stopping
        torch.compiler.reset()
        with torch._inductor.config.patch(custom_partitioner_fn=stopping, force_disable_caches=True):
            try:
                torch.compile(copy.deepcopy(model))(x)
            except Exception:
                if not made:
                    raise
        return made

    def test_inductor_tells_plans_apart(self) -> None:
        model, x = model_and_input("mlp")
        first, second = (aotscope.partitioner(aotscope.partition(model, x, budget=b)) for b in (1, 0.3))
        self.assertNotEqual(first.uuid(), second.uuid())
        self.assertEqual(first.uuid(), aotscope.partitioner(first.plans[0]).uuid())
        self.assertIsInstance(first, torch._inductor.custom_graph_pass.CustomPartitionerFn)


class Errors(TestCase):
    def test_plan_for_another_model(self) -> None:
        model, x = model_and_input("mlp")
        other = torch.nn.Sequential(*[torch.nn.ReLU() if isinstance(m, torch.nn.GELU) else m for m in model])
        plan = aotscope.partitioner(aotscope.partition(model, x))
        with self.assertRaisesRegex(
            aotscope.Error,
            r"%relu \(aten.relu.default.*of this graph is not in that of the plan",
        ):
            partitioned(other, plan, x)

    def test_plan_for_another_shape(self) -> None:
        model, x = model_and_input("mlp")
        plan = aotscope.partitioner(aotscope.partition(model, x))
        with self.assertRaisesRegex(aotscope.Error, r"f32\[7, 8\].*which has %primals_9 \(primal, f32\[5, 8\]\)"):
            partitioned(model, plan, torch.randn(7, 8))

    def test_more_than_the_plan_has(self) -> None:
        model, x = Attention(), torch.randn(2, 5, 16)
        plan = aotscope.partitioner(aotscope.partition(model, x))
        with self.assertRaisesRegex(aotscope.Error, "of this graph is not in that of the plan"):
            partitioned(torch.nn.Sequential(model, torch.nn.Tanh()), plan, x)

    def test_no_partition(self) -> None:
        report = aotscope.run(torch.nn.Linear(3, 3), torch.randn(2, 3), inference=True)
        with self.assertRaisesRegex(aotscope.Error, "has no partition"):
            aotscope.partitioner(report)

    def test_no_such_file(self) -> None:
        with self.assertRaisesRegex(aotscope.Error, "nowhere.json: expected a report"):
            aotscope.partitioner("nowhere.json")
        file = self.folder / "list.json"
        file.write_text("[]", encoding="utf-8")
        with self.assertRaisesRegex(aotscope.Error, "expected a report of 'aotscope run --report'"):
            aotscope.partitioner(file)
        for content in (b"[" * 100_000, b'{"schema": ' * 100_000, b'{"schema": ' + b"9" * 10_000, b"\xff", b"\0"):
            file.write_bytes(content)
            for load in (aotscope.partitioner, aotscope.Report.load):
                with self.subTest(content=content[:10]), self.assertRaisesRegex(aotscope.Error, "list.json: expected"):
                    load(file)

    def test_damaged_reports(self) -> None:
        model, x = model_and_input("mlp")
        whole = aotscope.partition(model, x).json
        for damaged in (
            {**whole, "partition": {**whole["partition"], "saved": [{}]}},
            {**whole, "partition": {"algorithm": "min-cut"}},
            {**whole, "graphs": {"joint": {}}},
            {**whole, "graphs": []},
            {**whole, "model": []},
            {**whole, "partition": 3},
            {**whole, "partition": {**whole["partition"], "saved": [{**whole["partition"]["saved"][0], "bytes": "x"}]}},
            {**whole, "graphs": {**whole["graphs"], "joint": {"text": 3}}},
        ):
            with self.assertRaises(aotscope.Error):
                aotscope.partitioner(damaged)
        text = whole["graphs"]["joint"]["text"]
        for other in ("graph joint\n", text[: len(text) // 2], text.replace("%relu :", "%other :")):
            report = {**whole, "graphs": {"joint": {"text": other}}}
            with self.assertRaises(aotscope.Error):
                partitioned(model, aotscope.partitioner(report), x)

    def test_plan_and_options(self) -> None:
        with self.assertRaisesRegex(aotscope.Error, "give one of them"):
            aotscope.partitioner("a.json", budget=0.3)
