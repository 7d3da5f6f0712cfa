"""Values of two joint graphs are paired by structure."""

from __future__ import annotations

import unittest

from aotscope import Error
from aotscope.graph_text import Reference, read_graph
from aotscope.joint_graph import JointGraph
from aotscope.joint_of_text import joint_of_text, type_of_text
from aotscope.matching import match
from aotscope.simplify import simplified

PLAN = """graph joint
  %primals_1 : f32[4, 4] = placeholder(parameter)
  %primals_2 : f32[4, 4] = placeholder(input)
  %tangents_1 : f32[4, 4] = placeholder(tangent)
  %mm : f32[4, 4] = aten.mm.default(%primals_2, %primals_1)
  %relu : f32[4, 4] = aten.relu.default(%mm)
  %threshold_backward : f32[4, 4] = aten.threshold_backward.default(%tangents_1, %relu, 0)
  %t : f32[4, 4][1, 4] = aten.t.default(%primals_2)
  %mm_1 : f32[4, 4] = aten.mm.default(%t, %threshold_backward)
  return [%relu : output "output 0", %mm_1 : gradient "weight", None : gradient "input"]
"""


def pairs(first: str, second: str) -> dict[str, str]:
    plan, here = joint_of_text(first), joint_of_text(second)
    return {plan.values[i].name: here.values[j].name for i, j in match(plan, here).items()}


class Text(unittest.TestCase):
    def test_arguments(self) -> None:
        graph = read_graph(
            'graph g where s0 = 8 in 2..64 from "x.size(0)"\n'
            "  %x : f32[s0, 3] = placeholder(input)\n"
            '  %y : (f32[s0, 3], ?) = aten.op.name(%x, [1, -2], 1e-05, inf, "a \\"b\\"", None, True, [%x, None], '
            "dtype=torch.float32, device=device(cuda:0), other=complex(1.0, 2.0), body=@body)\n"
            '  return [%y : output "output, 0", None : gradient]\n'
            "graph g.body\n"
            "  return []\n"
        )
        self.assertEqual(graph.symbols, {"s0": 8})
        x, y = graph.nodes
        self.assertEqual((x.op, x.role, x.type), ("placeholder", "input", "f32[s0, 3]"))
        self.assertEqual(y.type, "(f32[s0, 3], ?)")
        expected = [
            Reference("x"),
            [1, -2],
            1e-05,
            float("inf"),
            'a "b"',
            None,
            True,
            [Reference("x"), None],
        ]
        self.assertEqual(y.args, expected)
        self.assertEqual(y.kwargs["dtype"].text, "torch.float32")
        self.assertEqual(y.kwargs["device"].text, "device(cuda:0)")
        self.assertEqual(y.kwargs["other"], 1 + 2j)
        self.assertEqual(y.kwargs["body"].text, "@body")
        self.assertEqual(
            [(o.role, o.label) for o in graph.outputs],
            [("output", "output, 0"), ("gradient", "")],
        )

    def test_sizes(self) -> None:
        symbols = {"s0": 8, "s1": 3}
        expressions = {"7": 7, "2*s0 + 1": 17, "s0//3": 2, "-(s0 - s1)": -5, "s0 % 3": 2, "s9": None, "9**9**9": None}
        for text, value in expressions.items():
            self.assertEqual(type_of_text(f"f32[{text}]", symbols), ("f32", (value,)), text)
        self.assertEqual(type_of_text("f32[]", {}), ("f32", ()))
        self.assertIsNone(type_of_text("(f32[3], ?)", {}))
        self.assertEqual(type_of_text("f32[" + "(" * 5000 + "]", {}), ("f32", (None,)))

    def test_hostile_text(self) -> None:
        lines = (
            "%b : f32[2] = op(" + "[" * 50000,
            "%b : f32[2] = op(complex(1))",
            "%b : f32[2] = op(complex([1], 2))",
            "%b : f32[2] = op(device(cpu)",
            "%b : float(x) = op(%primals_1)",
            "%b : f32[2] = op(" + "9" * 6000 + ")",
        )
        for line in lines:
            with self.subTest(line=line[:40]), self.assertRaises(Error):
                joint_of_text(PLAN.replace("  %mm ", f"  {line}\n  %mm ", 1))
        odd = "  %p : f32[4, 4] = aten.permute.default(%mm, 3)\n  %q : f32[4, 4] = aten.permute.default(%p, [1, 0])\n"
        simplified(joint_of_text(PLAN.replace("  %relu", odd + "  %relu", 1)))

    def test_not_a_graph(self) -> None:
        with self.assertRaisesRegex(Error, "uses %y before it is computed"):
            joint_of_text("graph g\n  %x : f32[1] = aten.sin.default(%y)\n")
        for text in (
            "",
            "class M:\n",
            "graph g\n  nonsense\n",
            "graph g\n  %x : f32[1] = aten.mm.default(%x, §)\n",
            "graph g\n  %x : " + " = a(" * 20_000 + "\n",  # in quadratic time: a minute
            "graph g\n  %x\x1b : f32[1] = aten.y()\n",
            "graph g\n  %x : f32[1] = aten.y(" + '"\\' * 50_000 + ")\n",
        ):
            with self.subTest(text=text[:40]), self.assertRaises(Error) as raised:
                read_graph(text)
            self.assertLess(len(str(raised.exception)), 200)
            self.assertTrue(str(raised.exception).isprintable())


class Pairs(unittest.TestCase):
    def test_other_names(self) -> None:
        found = pairs(PLAN, PLAN.replace("%relu", "%r").replace("%mm_1", "%z"))
        self.assertEqual((found["relu"], found["mm_1"], found["mm"]), ("r", "z", "mm"))

    def test_inputs_in_another_order(self) -> None:
        lines = PLAN.splitlines()
        lines[1], lines[2] = lines[2], lines[1]
        other = "\n".join(lines).replace(
            '%mm_1 : gradient "weight", None : gradient "input"',
            "None : gradient, %mm_1 : gradient",
        )
        self.assertEqual(pairs(PLAN, other)["primals_2"], "primals_2")
        swapped = PLAN.replace("mm.default(%primals_2, %primals_1)", "mm.default(%primals_1, %primals_2)")
        swapped = swapped.replace("t.default(%primals_2)", "t.default(%primals_1)")
        swapped = swapped.replace(
            '%mm_1 : gradient "weight", None : gradient "input"',
            "None : gradient, %mm_1 : gradient",
        )
        self.assertEqual(pairs(PLAN, swapped)["primals_2"], "primals_1")

    def test_a_constant_that_is_an_input_there(self) -> None:
        """A copy of a graph module has constants as buffers: inputs before those of the program."""

        def text(given: str) -> str:
            return (
                "graph joint\n"
                + given
                + "  %x : f32[2] = placeholder(input)\n"
                + "  %tangents_1 : f32[2] = placeholder(tangent)\n"
                + "  %mul : f32[2] = aten.mul.Tensor(%x, %weight)\n"
                + "  %mul_1 : f32[2] = aten.mul.Tensor(%tangents_1, %weight)\n"
                + '  return [%mul : output "output 0", %mul_1 : gradient "x"]\n'
            )

        plan, copied = text("  %weight : f32[] = constant(c)\n"), text("  %weight : f32[] = placeholder(buffer)\n")
        self.assertEqual(pairs(plan, copied), {name: name for name in ("x", "tangents_1", "weight", "mul", "mul_1")})
        with self.assertRaisesRegex(Error, "it has 2 inputs, the plan's 1"):
            match(joint_of_text(plan), joint_of_text(copied.replace("f32[] = placeholder", "f64[] = placeholder")))

    def test_detach_is_looked_through(self) -> None:
        other = PLAN.replace(
            "  %threshold_backward",
            "  %detach : f32[4, 4] = aten.detach.default(%relu)\n  %threshold_backward",
        )
        other = other.replace("(%tangents_1, %relu, 0)", "(%tangents_1, %detach, 0)")
        self.assertEqual(pairs(PLAN, other)["relu"], "relu")
        self.assertEqual(pairs(other, PLAN)["relu"], "relu")

    def test_defaults_and_numbers(self) -> None:
        self.assertEqual(pairs(PLAN, PLAN.replace("%relu, 0)", "%relu, 0.0)"))["relu"], "relu")
        add = PLAN.replace("aten.relu.default(%mm)", "aten.add.Tensor(%mm, 1)")
        self.assertEqual(pairs(add, add.replace("(%mm, 1)", "(%mm, 1, alpha=1)"))["relu"], "relu")
        with self.assertRaises(Error):
            pairs(add, add.replace("(%mm, 1)", "(%mm, 1, alpha=2)"))

    def test_equal_values_in_order(self) -> None:
        twice = PLAN.replace(
            "  %threshold",
            "  %again : f32[4, 4] = aten.relu.default(%mm)\n"
            "  %sum : f32[4, 4] = aten.add.Tensor(%relu, %again)\n  %threshold",
        ).replace("return [%relu", "return [%sum")
        found = pairs(twice, twice)
        self.assertEqual((found["relu"], found["again"]), ("relu", "again"))
        symmetric = twice.replace("aten.add.Tensor(%relu, %again)", "aten.stack.default([%relu, %again])")
        symmetric = symmetric.replace("(%tangents_1, %relu, 0)", "(%tangents_1, %sum, 0)")
        found = pairs(symmetric, symmetric)
        self.assertEqual((found["relu"], found["again"]), ("relu", "again"))

    def test_dead_values_do_not_matter(self) -> None:
        dead = PLAN.replace("  return", "  %dead : f32[4, 4] = aten.sin.default(%mm)\n  return")
        self.assertEqual(pairs(PLAN, dead)["relu"], "relu")

    def test_sizes_stand_for_their_values(self) -> None:
        header = 'graph joint where s0 = 4 in 2..64 from "x.size(0)"'
        dynamic = PLAN.replace("graph joint", header).replace(
            "f32[4, 4] = placeholder(input)", "f32[s0, 4] = placeholder(input)"
        )
        self.assertEqual(pairs(PLAN, dynamic)["relu"], "relu")
        with self.assertRaises(Error):
            pairs(PLAN, dynamic.replace("s0 = 4", "s0 = 8"))

    def test_the_first_difference_is_named(self) -> None:
        cases = {
            "%gelu (aten.gelu.default, f32[4, 4]) of this graph": PLAN.replace("%relu", "%gelu").replace(
                "aten.relu", "aten.gelu"
            ),
            "%primals_2 (primal, f32[5, 4]) of this graph is not in that of the plan, which has %primals_2 (p": (
                PLAN.replace("%primals_2 : f32[4, 4]", "%primals_2 : f32[5, 4]")
            ),
            "use or return them in different ways": PLAN.replace("return [%relu", "return [%mm"),
        }
        for message, other in cases.items():
            with self.subTest(message=message), self.assertRaises(Error) as caught:
                pairs(PLAN, other)
            self.assertIn(message, str(caught.exception))
        tied = PLAN.replace(
            "  %tangents_1", "  %primals_3 : f32[4, 4] = placeholder(parameter)\n  %tangents_1"
        ).replace("mm.default(%primals_2, %primals_1)", "mm.default(%primals_3, %primals_1)")
        with self.assertRaisesRegex(Error, r"\(it has 3 inputs, the plan's 2; tied weights may be one or several\)"):
            pairs(PLAN, tied)
        shorter = PLAN.replace("%relu : output", "%mm : output").replace(
            "(%tangents_1, %relu, 0)", "(%tangents_1, %mm, 0)"
        )
        with self.assertRaisesRegex(Error, "of this graph is not in that of the plan"):
            pairs(PLAN, shorter)

    def test_many_symmetric_values(self) -> None:
        lines = [
            "graph joint",
            "  %primals_1 : f32[4] = placeholder(input)",
            "  %tangents_1 : f32[4] = placeholder(tangent)",
        ]
        lines += [f"  %s{i} : f32[4] = aten.sin.default(%primals_1)" for i in range(300)]
        lines += ["  %cat : f32[1200] = aten.cat.default([" + ", ".join(f"%s{i}" for i in range(300)) + "])"]
        lines += ["  return [%cat : output, %tangents_1 : gradient]"]
        found = pairs("\n".join(lines), "\n".join(lines))
        self.assertTrue(all(name == other for name, other in found.items()))


class Simplified(unittest.TestCase):
    def test_copies_in_other_layouts(self) -> None:
        """One of two graphs copies before a view of other strides; a plan's copy is a copy here, too."""
        copied = PLAN.replace("relu.default(%mm)", "relu.default(%v)").replace(
            "  %relu",
            "  %c : f32[4, 4] = aten.clone.default(%mm, memory_format=torch.contiguous_format)\n"
            "  %v : f32[4, 4] = aten._unsafe_view.default(%c, [4, 4])\n  %relu",
            1,
        )
        other = PLAN.replace("relu.default(%mm)", "relu.default(%v)").replace(
            "  %relu", "  %v : f32[4, 4] = aten.view.default(%mm, [4, 4])\n  %relu", 1
        )
        graphs = [joint_of_text(text) for text in (copied, other)]
        with self.assertRaises(Error):
            match(*map(simplified, graphs))
        first, second = (simplified(graph, copies=True) for graph in graphs)
        self.assertEqual(second.values[match(first, second)[first.by_name["relu"]]].name, "relu")
        self.assertEqual([copy.name for copy in first.copies[first.by_name["mm"]]], ["c"])
        self.assertEqual(second.copies, {})

    def test_roundabout_views(self) -> None:
        text = PLAN.replace("aten.relu.default(%mm)", "aten.relu.default(%v)").replace(
            "  %relu",
            "  %p : f32[4, 4][1, 4] = aten.permute.default(%mm, [1, 0])\n"
            "  %q : f32[4, 4] = aten.permute.default(%p, [-1, 0])\n"
            "  %u : f32[16] = aten.view.default(%q, [16])\n"
            "  %v : f32[4, 4] = aten.reshape.default(%u, [4, 4])\n  %relu",
            1,
        )
        plan, here = simplified(joint_of_text(PLAN)), simplified(joint_of_text(text))
        found = match(plan, here)
        self.assertEqual(here.values[found[plan.by_name["relu"]]].name, "relu")
        self.assertEqual(here.by_name["q"], here.by_name["mm"])

    def test_other_names(self) -> None:
        def joint(*lines: str) -> JointGraph:
            more = "".join(f"  {line}\n" for line in lines)
            text = PLAN.replace("  %relu", more + "  %relu", 1).replace("relu.default(%mm)", "relu.default(%x)")
            return simplified(joint_of_text(text))

        alike = {
            "%x : f32[4, 4] = aten.flip.default(%mm, [0])": "%x : f32[4, 4] = prims.rev.default(%mm, [0])",
            "%x : f32[4, 4] = aten.clone.default(%mm)": "%x : f32[4, 4] = aten.view.default(%mm, [4, 4])",
            "%x : f32[4, 1] = aten.unsqueeze.default(%mm, -1)": "%x : f32[4, 1] = aten.unsqueeze.default(%mm, 2)",
            "%x : f32[] = aten.scalar_tensor.default(2)": "%x : f32[] = aten.full.default([], 2.0)",
            "%x : f32[4, 4] = aten.mul.Scalar(%mm, 2)": "%x : f32[4, 4] = aten.mul.Tensor(%mm, 2)",
            "%x : f32[4, 4] = aten.copy.default(%mm, %mm)": "%x : f32[4, 4] = aten.clone.default(%mm)",
        }
        for first, second in alike.items():
            with self.subTest(first=first):
                self.assertIn(joint(first).by_name["relu"], match(joint(first), joint(second)))
        flip = next(iter(alike))
        others = (
            "%x : f32[4, 4] = aten.flip.default(%mm, [1])",
            "%x : f32[4, 4] = aten.clone.default(%mm, memory_format=torch.contiguous_format)",
        )
        for first, second in ((other, flip) for other in others):
            with self.assertRaises(Error):
                match(joint(first), joint(second))
        negated = joint("%n : f32[4, 4] = aten.neg.default(%mm)", "%x : f32[4, 4] = aten.add.Scalar(%n, 1)")
        self.assertIn(negated.by_name["relu"], match(negated, joint("%x : f32[4, 4] = aten.rsub.Scalar(%mm, 1)")))

    def test_repeated_operations(self) -> None:
        """An ignored detach distinguishes two operations; random ones are always two."""

        def joint(op: str, second: str) -> JointGraph:
            lines = f"  %a : f32[4, 4] = {op}(%mm)\n  %b : f32[4, 4] = {op}(%mm)\n"
            lines += f"  %x : f32[4, 4] = aten.mul.Tensor(%a, {second})\n"
            text = PLAN.replace("  %relu", lines + "  %relu", 1).replace("relu.default(%mm)", "relu.default(%x)")
            return simplified(joint_of_text(text))

        twice, once = (joint("aten.exp.default", second) for second in ("%b", "%a"))
        self.assertEqual(twice.by_name["a"], twice.by_name["b"])
        self.assertIn(once.by_name["relu"], match(once, twice))
        with self.assertRaises(Error):
            match(joint("aten.bernoulli.default", "%a"), joint("aten.bernoulli.default", "%b"))


if __name__ == "__main__":
    unittest.main()
