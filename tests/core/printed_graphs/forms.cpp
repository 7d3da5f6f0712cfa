// Printed graphs in forms that PyTorch's compilers do not produce, and random inputs for them.

#include "printed_files.h"
#include "test_printed_graphs.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

std::string graphClass(const std::string& heading, const std::string& inputs, const std::string& lines) {
    return "===== " + heading + " =====\nclass GraphModule(torch.nn.Module):\n    def forward(self, " + inputs +
           "):\n" + lines;
}

}  // namespace

/// Values without a type that no operation reads, graphs that run as they are, operators that write into copies.
void TestPrintedGraphs::formsOfOtherToolsRun_data() {
    const auto row = columns<QString>("text");
    row("a number that nothing reads",
        function("x: \"f32[4]\", eps", "    y: \"f32[4]\" = torch.ops.aten.sin.default(x)\n    return (y, eps)\n"));
    row("a mesh that is handed through",
        graphClass("Joint graph 0", "primals, tangents",
                   "        primals_1: \"f32[4][1]cpu\"; tangents_1: \"f32[4][1]cpu\"; \n"
                   "        primals_1, primals_2, tangents_1, tangents_2, = fx_pytree.tree_flatten_spec([primals, "
                   "tangents], self._in_spec)\n"
                   "        cos: \"f32[4][1]cpu\" = torch.ops.aten.cos.default(primals_1)\n"
                   "        sin: \"f32[4][1]cpu\" = torch.ops.aten.sin.default(primals_1)\n"
                   "        mul: \"f32[4][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, cos)\n"
                   "        return pytree.tree_unflatten([sin, primals_2, mul, primals_2], self._out_spec)\n\n") +
            graphClass("Forward graph 0", "primals_1: \"f32[4][1]cpu\", primals_2",
                       "        cos: \"f32[4][1]cpu\" = torch.ops.aten.cos.default(primals_1)\n"
                       "        sin: \"f32[4][1]cpu\" = torch.ops.aten.sin.default(primals_1)\n"
                       "        return (sin, primals_2, cos, primals_2)\n\n") +
            graphClass("Backward graph 0", "cos: \"f32[4][1]cpu\", primals_2, tangents_1: \"f32[4][1]cpu\", tangents_2",
                       "        mul: \"f32[4][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, cos)\n"
                       "        return (mul, primals_2)\n"));
    row("a region without gradients",
        "class GraphModule(torch.nn.Module):\n    def forward(self, p: \"f32[4]\", x: \"f32[4]\"):\n"
        "        submod_1 = self.submod_1\n"
        "        wrapped = torch.ops.higher_order.wrap_with_set_grad_enabled(False, submod_1, p);  submod_1 = p = "
        "None\n"
        "        getitem: \"f32[4]\" = wrapped[0];  wrapped = None\n"
        "        add: \"f32[4]\" = torch.ops.aten.add.Tensor(x, getitem);  x = getitem = None\n"
        "        return (add,)\n\n"
        "    class submod_1(torch.nn.Module):\n        def forward(self, p: \"f32[4]\"):\n"
        "            div: \"f32[4]\" = torch.ops.aten.div.Tensor(p, 2);  p = None\n            return (div,)\n");
    row("a region under autocast",
        "class GraphModule(torch.nn.Module):\n    def forward(self, w: \"f32[4, 4]\", x: \"f32[2, 4]\"):\n"
        "        submod_1 = self.submod_1\n"
        "        wrapped = torch.ops.higher_order.wrap_with_autocast('cpu', torch.bfloat16, True, False, submod_1, w, "
        "x)\n"
        "        getitem: \"f32[2, 4]\" = wrapped[0];  wrapped = None\n"
        "        return (getitem,)\n\n"
        "    class submod_1(torch.nn.Module):\n        def forward(self, w: \"f32[4, 4]\", x: \"f32[2, 4]\"):\n"
        "            mm: \"bf16[2, 4]\" = torch.ops.aten.mm.default(x, w)\n"
        "            relu: \"bf16[2, 4]\" = torch.ops.aten.relu.default(mm)\n"
        "            softmax: \"f32[2, 4]\" = torch.ops.aten._softmax.default(relu, -1, False)\n"
        "            return (softmax,)\n");
    row("an operator that writes into a copy",
        function(
            "a: \"f32[4, 3]\"",
            "    f = torch.ops.higher_order.auto_functionalized_v2('torch.ops.aten.mul_.Scalar', other = 2, "
            "_self_base_index = 0, _self_slice_dim = 0, _self_slice_start = 1, _self_slice_end = 3, _all_bases = [a])\n"
            "    y: \"f32[2, 3]\" = f[0]\n    z: \"f32[4, 3]\" = f[1]\n    return (y, z, a)\n"));
}
void TestPrintedGraphs::formsOfOtherToolsRun() {
    QFETCH(QString, text);
    const auto session = openFile(scratch_.write(u"form.txt"_s, text.toUtf8()));
    QVERIFY(session);
    QCOMPARE(q(session->whyNotExecutable()), QString());
    const CheckResult check = session->check({});
    QVERIFY2(check.ok && check.backwardError.empty(), qPrintable(firstDifference(check)));
    QCOMPARE(check.backwardRun, session->record()->partition != nullptr);
    if (!text.contains(u"mul_.Scalar"_s)) return;
    const auto outputs = valuesOf(*session, scratch_)[0];
    const at::Tensor z = outputs[1].toTensor(), a = outputs[2].toTensor();
    QVERIFY(at::equal(z.slice(0, 1, 3), a.slice(0, 1, 3) * 2));
    QVERIFY(at::equal(z.slice(0, 0, 1), a.slice(0, 0, 1)));
}

/// Random inputs fit the bounds in the graph.
void TestPrintedGraphs::inputsFitTheirBounds() {
    const QString file = scratch_.write(
        u"bounds.txt"_s,
        QByteArray::fromStdString(function(
            "ids: \"i64[3]\", table: \"f32[9, 2]\", classes: \"i64[6]\", scores: \"f32[6, 5]\", p: \"f32[4]\", t: "
            "\"f32[4]\", places: \"i64[2, 2]\", hot: \"i64[3]\", begins: \"i64[2]\", bag: \"i64[4]\"",
            "    add: \"i64[3]\" = torch.ops.aten.add.Tensor(ids, 2)\n"
            "    e: \"f32[3, 2]\" = torch.ops.aten.embedding.default(table, add)\n"
            "    sub: \"i64[3]\" = torch.ops.aten.sub.Tensor(hot, 1)\n"
            "    h: \"i64[3, 4]\" = torch.ops.aten.one_hot.default(sub, 4)\n"
            "    ce: \"f32[]\" = torch.ops.aten.cross_entropy_loss.default(scores, classes)\n"
            "    bce: \"f32[]\" = torch.ops.aten.binary_cross_entropy.default(p, t)\n"
            "    g: \"f32[2, 2]\" = torch.ops.aten.gather.default(table, 1, places)\n"
            "    b = torch.ops.aten._embedding_bag.default(table, bag, begins)\n"
            "    b0: \"f32[2, 2]\" = b[0]\n"
            "    return (e, h, ce, bce, g, b0)\n")));
    const auto session = openFile(file);
    const InputSpec spec = session->inputSpec();
    const auto range = [&](std::size_t i) {
        const auto& fill = std::get<Fill::Randint>(std::get<LeafSpec>(spec.values[i]).fill.how);
        return std::pair(fill.low, fill.high);
    };
    using Range = std::pair<std::int64_t, std::int64_t>;
    QVERIFY(range(0) == Range(0, 7));
    QVERIFY(range(2) == Range(0, 5));
    QVERIFY(range(6) == Range(0, 2));
    QVERIFY(range(7) == Range(1, 5));
    QVERIFY(range(8) == Range(0, 1));
    QVERIFY(range(9) == Range(0, 9));
    for (const std::size_t i : {std::size_t{4}, std::size_t{5}})
        QVERIFY(std::get<Fill::Plain>(std::get<LeafSpec>(spec.values[i]).fill.how) == Fill::Plain::rand);
    for (int run = 0; run < 5; ++run) QVERIFY(session->check({}).ok);
}
