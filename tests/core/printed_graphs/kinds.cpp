// Kinds of printed graphs, and other contents of the print.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "record/level_map.h"

#include "io/text_report.h"
#include "ir/runtime_steps.h"
#include "support/text.h"

#include <algorithm>
#include <cstring>

using namespace aotscope;
using namespace aotscope::test;

namespace {

bool warns(const CompileRecord& record, std::string_view of) {
    return std::ranges::any_of(warningsOf(record),
                               [&](const std::string& text) { return text.find(of) != std::string::npos; });
}

}  // namespace

void TestPrintedGraphs::inputsThatGetAGradientHaveRequiredOne() {
    for (const char* file : {"mlp.log", "mlp.trace", "attention.log"}) {
        const auto record = recordOf(file);
        bool differentiable = false;
        for (const InputInfo& input : record->metadata->inputs) {
            QVERIFY2(!input.turnsDifferentiable(), input.name.c_str());
            differentiable = differentiable || input.requiresGrad;
        }
        QVERIFY(differentiable);
        for (const RuntimeStep& step : describeRuntime(*record->metadata, *record->metadata))
            QVERIFY2(step.text.find("requires_grad_") == std::string::npos, step.text.c_str());
    }
}

/// Without its backward, its saved values and results are distinguished by their order.
void TestPrintedGraphs::aForwardAloneKeepsItsSavedValues() {
    const auto record = recordOfText(
        "class GraphModule(torch.nn.Module):\n"
        "    def forward(self, primals_1: \"f32[4, 3]\", primals_2: \"f32[5, 3]\", primals_3: \"Sym(5)\"):\n"
        "        t: \"f32[3, 4]\" = torch.ops.aten.t.default(primals_1);  primals_1 = None\n"
        "        mm: \"f32[5, 4]\" = torch.ops.aten.mm.default(primals_2, t);  t = None\n"
        "        relu: \"f32[5, 4]\" = torch.ops.aten.relu.default(mm);  mm = None\n"
        "        sum_1: \"f32[]\" = torch.ops.aten.sum.default(relu)\n"
        "        return (sum_1, primals_2, relu, primals_3)\n");
    QVERIFY(!record->graph(GraphKind::inference));
    const auto forward = record->graph(GraphKind::forward);
    QVERIFY(forward);
    std::vector<Role> roles;
    for (const OutputSlot& slot : forward->outputSlots()) roles.push_back(slot.role);
    QVERIFY(roles == std::vector<Role>({Role::userOutput, Role::saved, Role::saved, Role::savedSymint}));
    QVERIFY(record->metadata->needsAutograd);
    const auto& log = record->passes.front().log;
    QVERIFY(std::any_of(log.begin(), log.end(), [](const std::string& line) {
        return line.find("the last 3 are assumed to be saved values") != std::string::npos;
    }));
    // A graph without primals is an inference graph, whatever its heading says.
    QVERIFY(recordOf("several.log", "2/0")->graph(GraphKind::inference));
}

void TestPrintedGraphs::graphsOfOtherOperatorsAreNoSource() {
    const auto kindOf = [&](const std::string& input, const std::string& call) {
        const auto record =
            recordOfText("def forward(self, " + input + ": \"f32[4][1]cpu\"):\n    y: \"f32[4][1]cpu\" = " + call +
                         "(" + input + ")\n    return (y,)\n");
        return record->graphs.begin()->first;
    };
    QVERIFY(kindOf("arg0_1", "torch.ops._c10d_functional.wait_tensor.default") == GraphKind::inference);
    QVERIFY(kindOf("arg0_1", "torch.ops.mylib.scale.default") == GraphKind::inference);
    QVERIFY(kindOf("primals_1", "torch.ops.mylib.scale.default") == GraphKind::forward);
    QVERIFY(kindOf("arg0_1", "torch.sym_float") == GraphKind::inference);
    QVERIFY(kindOf("L_x_", "torch.ops.mylib.scale.default") == GraphKind::source);
    QVERIFY(kindOf("x", "torch.nn.functional.relu") == GraphKind::source);
    QVERIFY(kindOf("x", "torch.ops.aten.relu") == GraphKind::source);
}

void TestPrintedGraphs::sizesWithoutValuesAreShownAsPrinted() {
    const auto record = recordOf("dynamic.log");
    QVERIFY(record->partition);
    int unsized = 0;
    for (const SavedValue& value : record->partition->saved) {
        if (value.kind == SavedValue::Kind::symint) continue;
        if (value.unsized.empty()) continue;
        ++unsized;
        QVERIFY2(value.unsized.find("[s") != std::string::npos, value.unsized.c_str());
        QCOMPARE(q(value.bytesText()), u"?"_s);
    }
    QVERIFY(unsized > 0);
    const std::string text = partitionText(*record->partition, 100);
    QVERIFY2(text.find("f32[0]") == std::string::npos, text.c_str());
    QVERIFY2(text.find("int(0)") == std::string::npos, text.c_str());
    for (const auto& [kind, graph] : record->graphs)
        for (const Node* node : graph->nodes())
            if (node->type.scalar()) QVERIFY2(printType(node->type).find("Sym(") == 0, printType(node->type).c_str());
    // If values are logged, nothing is unknown.
    const auto logged = recordOf("dynamic.trace");
    for (const SavedValue& value : logged->partition->saved) QVERIFY(value.unsized.empty());
}

void TestPrintedGraphs::annotationsAreKept() {
    const auto record = recordOfText(
        "def forward(self, arg0_1: \"f32[4][1]cpu\"):\n"
        "    # Annotation: {'stage': 0} recompute: MUST_SAVE File: /x/model.py:12 in forward, code: y = x.sin()\n"
        "    sin: \"f32[4][1]cpu\" = torch.ops.aten.sin.default(arg0_1)\n"
        "    # Annotation: {'stage': 1} No stacktrace found for following nodes\n"
        "    cos: \"f32[4][1]cpu\" = torch.ops.aten.cos.default(sin)\n"
        "    return (cos,)\n");
    const auto graph = record->graph(GraphKind::inference);
    const Node *sin = graph->findByName("sin"), *cos = graph->findByName("cos");
    QCOMPARE(q(sin->source->text), u"y = x.sin()  # {'stage': 0}"_s);
    QCOMPARE(sin->source->line, 12);
    QVERIFY(sin->checkpoint.policy == CheckpointPolicy::mustSave);
    QCOMPARE(q(cos->source->text), u"# {'stage': 1}"_s);
}

/// Inductor prints the joint graph, rewrites it, and then prints forward and backward of the result.
void TestPrintedGraphs::inductorsRewritingIsNamed() {
    const auto halvesWith = [&](const char* name, const char* op, const char* other) {
        QByteArray log = contentOf(dataFolder() + u"mlp.log"_s);
        const auto backward = log.indexOf("Backward graph");
        log.replace(log.indexOf(op, backward), static_cast<int>(std::strlen(op)), other);
        return repartitioned(scratch_.write(QLatin1String(name), log), {}, PartitionAlgorithm::minCut);
    };
    QVERIFY(warns(*halvesWith("added.log", "aten.sum.dim_IntList", "aten.mean.dim"),
                  "(aten.mean.dim): Inductor rewrites the joint graph"));
    // Parts of the joint graph that exist elsewhere, too, are missed where they were.
    QVERIFY(warns(*halvesWith("removed.log", "aten.threshold_backward.default", "aten.relu.default"),
                  "lack operations of the printed joint graph (aten.threshold_backward.default): Inductor rewrites"));
    QVERIFY(!warns(*repartitioned(dataFolder() + u"mlp.log"_s, {}, PartitionAlgorithm::minCut), "Inductor"));
}

void TestPrintedGraphs::differencesFromPythonHaveReasons() {
    const auto same = repartitioned(dataFolder() + u"mlp.log"_s, {}, PartitionAlgorithm::minCut);
    QVERIFY(same->warnings.empty());
    QCOMPARE(same->notes.size(), 3u);
    QCOMPARE(same->notes.back(), "saved for backward: 3 values here, 3 in the printed graphs; the same values");
    const auto norm = repartitioned(dataFolder() + u"batch_norm.trace"_s, {}, PartitionAlgorithm::minCut);
    QVERIFY(warns(*norm, "; only there: getitem_3, getitem_4"));
    QVERIFY(warns(*norm, "the running statistics of batch norm (getitem_3, getitem_4), which it does not read"));
    QByteArray log;
    for (const char* line :
         {" ===== Joint graph 0 =====",
          " class joint(torch.nn.Module):",
          R"(    def forward(self, primals_1: "f32[4][1]cpu", primals_2: "f32[4][1]cpu", tangents_1: "f32[4][1]cpu"):)",
          "        mul: \"f32[4][1]cpu\" = torch.ops.aten.mul.Tensor(primals_1, primals_2)",
          "        add: \"f32[4][1]cpu\" = torch.ops.aten.add.Tensor(primals_2, 1)",
          "        mul_1: \"f32[4][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, primals_2)",
          "        copy_: \"f32[4][1]cpu\" = torch.ops.aten.copy_.default(primals_2, add)",
          "        return (mul, mul_1, None)",
          " ===== Forward graph 0 =====",
          " class forward(torch.nn.Module):",
          "    def forward(self, primals_1: \"f32[4][1]cpu\", primals_2: \"f32[4][1]cpu\"):",
          "        mul: \"f32[4][1]cpu\" = torch.ops.aten.mul.Tensor(primals_1, primals_2)",
          "        add: \"f32[4][1]cpu\" = torch.ops.aten.add.Tensor(primals_2, 1)",
          "        copy_: \"f32[4][1]cpu\" = torch.ops.aten.copy_.default(primals_2, add)",
          "        return (mul, primals_2)",
          " ===== Backward graph 0 =====",
          " class backward(torch.nn.Module):",
          "    def forward(self, primals_2: \"f32[4][1]cpu\", tangents_1: \"f32[4][1]cpu\"):",
          "        mul_1: \"f32[4][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, primals_2)",
          "        return (mul_1, None)"})
        log += QByteArray("I1126 10:00:00.000000 1 torch/x.py:1] [0/0] [__aot_graphs] ") + line + '\n';
    const auto path = scratch_.write(u"overwritten.log"_s, log);
    QVERIFY(warns(*repartitioned(path, {}, PartitionAlgorithm::minCut),
                  "Python saves inputs that its forward overwrites afterwards (primals_2)"));
}

/// Repeated layers share their lines: the replacement of an operation uses the values of the same layer.
void TestPrintedGraphs::layersThatRepeatKeepTheirOrigins() {
    constexpr int layers = 3;
    const std::string place = "        # File: /m.py:5 in forward, code: x = (norm(x) @ w).softmax(-1)\n";
    const auto type = std::string(": \"f32[4, 4]\" = ");
    std::string parameters, inputs, program, lowered;
    for (int i = 0; i < layers; ++i) {
        const std::string n = std::to_string(i), before = i == 0 ? "L_x_" : "y" + std::to_string(i - 1);
        const std::string x = i == 0 ? "arg0_1" : "div" + std::to_string(i - 1),
                          w = "arg" + std::to_string(i + 1) + "_1";
        parameters += ", L_w" + n + "_: \"f32[4, 4]\"";
        inputs += ", " + w + ": \"f32[4, 4]\"";
        program += place + "        norm" + n + type + "torch.nn.functional.layer_norm(" + before + ", (4,))\n";
        program += place + "        linear" + n + type + "torch._C._nn.linear(norm" + n + ", L_w" + n + "_)\n";
        program += place + "        y" + n + type + "torch.nn.functional.softmax(linear" + n + ", -1)\n";
        lowered += place + "        mean" + n + ": \"f32[4, 1]\" = torch.ops.aten.mean.dim(" + x + ", [1], True)\n";
        lowered += place + "        sub" + n + type + "torch.ops.aten.sub.Tensor(" + x + ", mean" + n + ")\n";
        lowered += place + "        permute" + n + type + "torch.ops.aten.permute.default(" + w + ", [1, 0])\n";
        lowered += place + "        mm" + n + type + "torch.ops.aten.mm.default(sub" + n + ", permute" + n + ")\n";
        lowered += place + "        exp" + n + type + "torch.ops.aten.exp.default(mm" + n + ")\n";
        lowered +=
            place + "        sum" + n + ": \"f32[4, 1]\" = torch.ops.aten.sum.dim_IntList(exp" + n + ", [-1], True)\n";
        lowered += place + "        div" + n + type + "torch.ops.aten.div.Tensor(exp" + n + ", sum" + n + ")\n";
    }
    const auto record = recordOfText(
        "===== __compiled_fn_1 =====\nclass GraphModule(torch.nn.Module):\n    def forward(self, L_x_: \"f32[4, 4]\"" +
        parameters + "):\n" + program + "        return (y2,)\n\n===== Forward graph 0 =====\n" +
        "class GraphModule(torch.nn.Module):\n    def forward(self, arg0_1: \"f32[4, 4]\"" + inputs + "):\n" + lowered +
        "        return (div2,)\n");
    const auto source = record->graph(GraphKind::source), graph = record->graph(GraphKind::inference);
    QVERIFY(source && graph);
    const LevelMap map(*record, *source, GraphKind::source, *graph, GraphKind::inference);
    for (int i = 0; i < layers; ++i) {
        const std::string n = std::to_string(i);
        const auto origins = map.toA(graph->findByName("mm" + n)->id());
        QVERIFY(!origins.empty());
        QCOMPARE(q(source->findById(origins.front())->name()), q("linear" + n));
    }
}
