// Printed graphs whose types have no strides: these follow from the operations.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "compile/compilers.h"
#include "debug/debugger.h"
#include "support/text.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// As print_readable() writes types without include_stride: "f32[4, 5]" for "f32[4, 5][5, 1]cpu".
QByteArray withoutStrides(const QByteArray& text) {
    static const QRegularExpression strided(u"\\b([a-z]+\\d+[a-z0-9]*\\[[^\\]\"]*\\])\\[[^\\]\"]*\\](cpu)?"_s);
    return QString::fromUtf8(text).replace(strided, u"\\1"_s).toUtf8();
}

/// Dimensions of one element have no stride that matters.
std::vector<std::int64_t> stridesOf(const TensorType& type) {
    std::vector<std::int64_t> strides;
    for (std::size_t i = 0; i < type.sizes.size(); ++i)
        if (type.sizes[i] != 1) strides.push_back(type.strides[i]);
    return strides;
}

}  // namespace

/// For every graph that PyTorch has printed with strides here, the derived ones are PyTorch's. Inputs are contiguous:
/// values that depend on others are left out.
void TestPrintedGraphs::derivedStridesArePytorchs() {
    int compared = 0, views = 0;
    for (const QString& file : QDir(dataFolder()).entryList({u"*.log"_s})) {
        const QByteArray text = contentOf(dataFolder() + file);
        const QString bare = scratch_.write(file, withoutStrides(text));
        QVERIFY(contentOf(bare) != text);
        for (const std::string& id : openFile(dataFolder() + file)->compileIds()) {
            const auto printed = openFile(dataFolder() + file, q(id))->record(),
                       derived = openFile(bare, q(id))->record();
            for (const auto& [kind, graph] : printed->graphs) {
                if (kind == GraphKind::source) continue;
                std::set<const Node*> strided;  // has strides that cannot be derived
                const auto other = derived->graph(kind);
                QVERIFY2(other, qPrintable(file));
                for (const Node* node : graph->nodes()) {
                    const TensorType* type = node->type.tensor();
                    const bool input = node->kind() == NodeKind::placeholder && type && !type->isContiguous();
                    const bool follows =
                        std::ranges::any_of(node->inputs(), [&](auto* n) { return strided.contains(n); });
                    if (input || follows || (type && type->symbolic)) strided.insert(node);
                    if (!type || node->kind() != NodeKind::call || strided.contains(node)) continue;
                    const Node* same = other->findByName(node->name());
                    QVERIFY2(same && same->type.tensor(), node->name().c_str());
                    QVERIFY2(stridesOf(*same->type.tensor()) == stridesOf(*type),
                             qPrintable(file + u' ' + q(node->name()) + u' ' + q(node->op())));
                    ++compared;
                    views += type->isContiguous() ? 0 : 1;
                }
            }
        }
    }
    qInfo("%d values compared, %d of them not contiguous", compared, views);
    QVERIFY(compared > 500 && views > 30);
}

void TestPrintedGraphs::graphsWithoutStridesRun_data() {
    const auto row = columns<QByteArray>("operations");
    row("gradient of sum",
        "        sum_1: \"f32[]\" = torch.ops.aten.sum.default(x)\n"
        "        out: \"f32[3, 4]\" = torch.ops.aten.expand.default(sum_1, [3, 4]);  sum_1 = None\n");
    row("gradient of a mean over a dimension",
        "        mean: \"f32[3, 1]\" = torch.ops.aten.mean.dim(x, [1], True)\n"
        "        out: \"f32[3, 4]\" = torch.ops.aten.expand.default(mean, [3, 4]);  mean = None\n");
    row("a view of an expanded value",
        "        sum_1: \"f32[1, 4]\" = torch.ops.aten.sum.dim_IntList(x, [0], True)\n"
        "        expand: \"f32[3, 4]\" = torch.ops.aten.expand.default(sum_1, [3, 4]);  sum_1 = None\n"
        "        out: \"f32[3, 4]\" = torch.ops.aten.alias.default(expand);  expand = None\n");
    row("a part of an expanded value",
        "        sum_1: \"f32[1, 4]\" = torch.ops.aten.sum.dim_IntList(x, [0], True)\n"
        "        expand: \"f32[6, 4]\" = torch.ops.aten.expand.default(sum_1, [6, 4]);  sum_1 = None\n"
        "        split = torch.ops.aten.split.Tensor(expand, 3);  expand = None\n"
        "        out: \"f32[3, 4]\" = split[1];  split = None\n");
    row("windows that overlap",
        "        sin: \"f32[3, 4]\" = torch.ops.aten.sin.default(x)\n"
        "        view: \"f32[12]\" = torch.ops.aten.view.default(sin, [12]);  sin = None\n"
        "        out: \"f32[3, 4]\" = torch.ops.aten.unfold.default(view, 0, 4, 4);  view = None\n");
    row("as_strided over itself",
        "        sin: \"f32[3, 4]\" = torch.ops.aten.sin.default(x)\n"
        "        out: \"f32[3, 4]\" = torch.ops.aten.as_strided.default(sin, [3, 4], [1, 1]);  sin = None\n");
}

/// On every compiler, and in the debugger, as in Python.
void TestPrintedGraphs::graphsWithoutStridesRun() {
    QFETCH(QByteArray, operations);
    const QString file = scratch_.write(
        u"unstrided.txt"_s,
        "class f(torch.nn.Module):\n    def forward(self, x: \"f32[3, 4]\"):\n" + operations +
            "        mul: \"f32[3, 4]\" = torch.ops.aten.mul.Tensor(out, x);  out = x = None\n        return mul\n");
    for (const char* compiler : {"interpreter", "torchscript", "fused"}) {
        const auto session = Session::open({.model = file.toStdString(), .compilers = {.forward = compiler}}, {});
        QCOMPARE(q(session->whyNotExecutable()), QString());
        const CheckResult check = session->check({});
        QVERIFY2(check.ok, compiler);
        const auto debugger = session->debug({});
        debugger->run({});
        QVERIFY(debugger->lastStop().reason != DebugStop::Reason::failed);
    }
}

/// A forward and a backward alone: the backward of every sum begins with expand. It must run, in both.
void TestPrintedGraphs::halvesWithoutStridesRun() {
    const QString file = scratch_.write(
        u"halves.txt"_s,
        "class GraphModule(torch.nn.Module):\n"
        "    def forward(self, primals_1: \"f32[4, 5]\"):\n"
        "        sin: \"f32[4, 5]\" = torch.ops.aten.sin.default(primals_1)\n"
        "        permute: \"f32[5, 4]\" = torch.ops.aten.permute.default(sin, [1, 0])\n"
        "        sum_1: \"f32[5]\" = torch.ops.aten.sum.dim_IntList(permute, [1])\n"
        "        return (sum_1, primals_1, permute)\n"
        "class GraphModule(torch.nn.Module):\n"
        "    def forward(self, primals_1: \"f32[4, 5]\", permute: \"f32[5, 4]\", tangents_1: \"f32[5]\"):\n"
        "        unsqueeze: \"f32[5, 1]\" = torch.ops.aten.unsqueeze.default(tangents_1, 1);  tangents_1 = None\n"
        "        neg: \"f32[5, 1]\" = torch.ops.aten.neg.default(unsqueeze);  unsqueeze = None\n"
        "        expand: \"f32[5, 4]\" = torch.ops.aten.expand.default(neg, [5, 4]);  neg = None\n"
        "        mul: \"f32[5, 4]\" = torch.ops.aten.mul.Tensor(expand, permute);  expand = permute = None\n"
        "        permute_1: \"f32[4, 5]\" = torch.ops.aten.permute.default(mul, [1, 0]);  mul = None\n"
        "        return (permute_1,)\n");
    const auto session = openFile(file);
    const CompileRecord& record = *session->record();
    const auto backward = record.graph(GraphKind::backward);
    QCOMPARE(backward->findByName("permute")->type.tensor()->strides, (std::vector<std::int64_t>{1, 5}));
    QCOMPARE(backward->findByName("expand")->type.tensor()->strides, (std::vector<std::int64_t>{1, 0}));
    const CheckResult check = session->check({});
    QVERIFY(check.ok);
    QCOMPARE(q(check.backwardError), QString());
    QVERIFY(check.backwardRun);
}

/// The backward repeats a random operation with the RNG state that the forward saves.
void TestPrintedGraphs::repeatedDrawsOfPython() {
    const QString file = scratch_.write(
        u"repeated.txt"_s,
        "class GraphModule(torch.nn.Module):\n"
        "    def forward(self, primals_1: \"f32[4]\"):\n"
        "        run_and_save_rng_state = torch.ops.higher_order.run_and_save_rng_state(torch.ops.aten.rand.default, "
        "[4], "
        "dtype = torch.float32, device = device(type='cpu'), pin_memory = False)\n"
        "        getitem: \"u8[s21]\" = run_and_save_rng_state[0]\n"
        "        getitem_1: \"f32[4]\" = run_and_save_rng_state[1];  run_and_save_rng_state = None\n"
        "        mul: \"f32[4]\" = torch.ops.aten.mul.Tensor(primals_1, getitem_1)\n"
        "        return (mul, primals_1, getitem)\n"
        "class GraphModule(torch.nn.Module):\n"
        "    def forward(self, primals_1: \"f32[4]\", rng_state_output_0: \"u8[s21]\", tangents_1: \"f32[4]\"):\n"
        "        run_with_rng_state = torch.ops.higher_order.run_with_rng_state(rng_state_output_0, "
        "torch.ops.aten.rand.default, [4], dtype = torch.float32, device = device(type='cpu'), pin_memory = False)\n"
        "        mul_1: \"f32[4]\" = torch.ops.aten.mul.Tensor(tangents_1, run_with_rng_state)\n"
        "        return (mul_1,)\n");
    const auto session = openFile(file);
    QVERIFY2(session->whyNotExecutable().empty(), session->whyNotExecutable().c_str());
    const CheckResult check = session->check({});
    QVERIFY(check.ok);
    QVERIFY(check.backwardRun);
}

/// Wrong types in the text have no effect: the results of operations count.
void TestPrintedGraphs::wrongTypesDecideNothing() {
    const QString file =
        scratch_.write(u"wrong.txt"_s,
                       "class f(torch.nn.Module):\n    def forward(self, x: \"f32[3][1]cpu\", y: \"f64[3][1]cpu\"):\n"
                       "        sin: \"f32[3][1]cpu\" = torch.ops.aten.sin.default(x)\n"
                       "        mul: \"f32[3][1]cpu\" = torch.ops.aten.mul.Tensor(sin, y);  sin = None\n"
                       "        mean: \"f32[3][1]cpu\" = torch.ops.aten.mean.dim(mul, [0], True)\n"
                       "        add: \"f32[3][1]cpu\" = torch.ops.aten.add.Tensor(mean, y);  mean = None\n"
                       "        return (mul, add)\n");
    const auto session = openFile(file);
    const CheckResult check = session->check({});
    QVERIFY(check.ok);
    const auto values = scratch_.at(u"values.pt"_s);
    session->saveValues(values.toStdString(), {});
    const QByteArray bytes = contentOf(values);
    QVERIFY2(bytes.contains("DoubleStorage") && !bytes.contains("FloatStorage"), "the result is a double");
}
