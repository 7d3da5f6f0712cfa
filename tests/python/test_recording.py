"""Everything that torch.compile compiles is recorded."""

from __future__ import annotations

import gc
import logging

import aotscope
import torch

from support import TestCase, eager, gradients, model_and_input

TRACE = logging.getLogger("torch.__trace")


def ours() -> list[logging.Handler]:
    """Without PyTorch's own handler, which goes at the first event unless TORCH_TRACE is set."""
    return [handler for handler in TRACE.handlers if getattr(handler, "root_dir", None)]


class Recording(TestCase):
    def setUp(self) -> None:
        super().setUp()
        torch.compiler.reset()
        self.handlers = ours()

    def tearDown(self) -> None:
        gc.collect()
        self.assertEqual(ours(), self.handlers)
        super().tearDown()


class Captures(Recording):
    def test_every_compilation(self) -> None:
        model, x = model_and_input("mlp")

        def broken(x: torch.Tensor) -> torch.Tensor:
            y = model(x)
            torch._dynamo.graph_break()
            return y.sin()

        compiled = torch.compile(broken, backend="aot_eager", dynamic=False)
        with aotscope.capture() as record:
            compiled(x).sum().backward()
            compiled(x[:3]).sum().backward()
        found = record.compilations()
        self.assertEqual([c.id for c in found], ["0/0", "1/0", "0/1", "1/1"])
        for compilation in found:
            self.assertEqual(list(compilation.graphs), ["source", "joint", "forward", "backward"])
            self.assertIn("TREE_GUARD_MANAGER", compilation.guards)
        self.assertIn("aten.gelu.default", found[0].graphs["joint"])
        self.assertEqual(record.run().json["partition"]["algorithm"], "printed")
        report = record.run("0/1", partition="min-cut")
        self.assertIn("f32[3, 8]", report.graph("joint"))
        self.assertEqual(report.partition["algorithm"], "min-cut")
        record.close()
        self.assertFalse(record.folder.exists())

    def test_results_of_the_cache_are_recorded(self) -> None:
        model, x = model_and_input("mlp")
        for _ in range(2):
            torch.compiler.reset()
            with aotscope.capture() as record:
                torch.compile(model, backend="aot_eager")(x).sum().backward()
            self.assertEqual(list(record.compilations()[0].graphs), ["source", "joint", "forward", "backward"])
            record.close()

    def test_nothing_compiled(self) -> None:
        with aotscope.capture() as record:
            pass
        with self.assertRaisesRegex(aotscope.Error, "nothing was compiled while recording"):
            record.run()
        del record

    def test_errors_pass_through(self) -> None:
        with self.assertRaises(ZeroDivisionError), aotscope.capture() as record:
            raise ZeroDivisionError
        record.close()

    def test_two_at_a_time(self) -> None:
        with aotscope.capture() as outer:
            torch.compile(lambda x: x.sin(), backend="aot_eager")(torch.randn(3))
            with aotscope.capture() as inner:
                torch.compile(lambda x: x.cos(), backend="aot_eager")(torch.randn(3))
        self.assertEqual((len(outer.compilations()), len(inner.compilations())), (2, 1))
        self.assertIn("lambda x: x.cos()", inner.text())
        for record in (outer, inner):
            record.close()


class Backends(Recording):
    def test_compiles_as_the_other_and_records(self) -> None:
        model, x = model_and_input("mlp")
        recorded = aotscope.backend("aot_eager")
        torch.compile(lambda x: x.cos(), backend="aot_eager")(torch.randn(3))  # of another backend
        compiled = torch.compile(model, backend=recorded)
        self.assert_close(gradients(compiled, list(model.parameters()), x), eager(model, x))
        found = recorded.compilations()
        self.assertEqual(len(found), 1)
        self.assertEqual(list(found[0].graphs), ["source", "joint", "forward", "backward"])
        self.assertIn("f32[5, 8]", recorded.graphs[0].inputs)
        self.assertEqual(recorded.graphs[0].compile_id, found[0].id)
        self.assertIn("TREE_GUARD_MANAGER", found[0].guards)
        self.assertNotIn("x.cos()", recorded.record.text())
        self.assertIn("gelu", recorded.run(partition="min-cut").graph("joint"))
        recorded.close()

    def test_every_graph(self) -> None:
        model, x = model_and_input("mlp")
        recorded = aotscope.backend("aot_eager")

        def broken(x: torch.Tensor) -> torch.Tensor:
            y = model(x)
            torch._dynamo.graph_break()
            return y.sin()

        torch.compile(broken, backend=recorded)(x).sum().backward()
        self.assertEqual(len(recorded.graphs), 2)
        self.assertEqual([c.id for c in recorded.compilations()], [g.compile_id for g in recorded.graphs])
        recorded.close()

    def test_a_function_as_backend(self) -> None:
        seen = []

        def mine(module: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> object:
            seen.append(module)
            return module.forward

        recorded = aotscope.backend(mine)
        torch.compile(lambda x: x.sin(), backend=recorded)(torch.randn(3))
        self.assertEqual((len(seen), len(recorded.graphs)), (1, 1))
        with self.assertRaisesRegex(aotscope.Error, "without AOTAutograd"):
            recorded.run()
        recorded.close()

    def test_unknown(self) -> None:
        with self.assertRaisesRegex(aotscope.Error, "no backend 'nothing'; it has .*inductor"):
            aotscope.backend("nothing")
