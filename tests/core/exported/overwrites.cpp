// Exported programs that overwrite values, and those from which export has lost something.

#include "loaded_files.h"
#include "test_exported.h"

#include "load/model.h"
#include "session/session.h"
#include "support/text.h"

using namespace aotscope;
using namespace aotscope::test;
using nlohmann::json;

/// torch.export does not keep a region that it has traced through: the stack shows that it existed.
void TestExported::lostCheckpointsAreSaid() {
    const auto warningsOf = [&](const char* stack) {
        json mul = mulNode();
        mul["metadata"]["stack_trace"] = stack;
        QStringList warnings;
        for (const std::string& text : load(write(exportedProgram(json::array({mul}), {"mul"}))).warnings)
            warnings << q(text);
        return warnings.filter(u"torch.utils.checkpoint"_s);
    };
    const char* inner = "\n  File \"/home/user/m.py\", line 5, in forward\n    return self.a(x)";
    const auto calling = [&](const char* text) {
        return "File \"/home/user/m.py\", line 9, in forward\n    " + std::string(text) + inner;
    };
    for (const char* text :
         {"x = x + checkpoint(block, x, use_reentrant=False)", "x = cp.checkpoint(block, x)",
          "h = self._gradient_checkpointing_func(layer, h)", "checkpoint_sequential(self.blocks, 2, x)"}) {
        const QStringList found = warningsOf(calling(text).c_str());
        QVERIFY2(found.size() == 1 && found[0].contains(u"m.py:9"_s), text);
    }
    for (const char* text : {"x = self.load_checkpoint(x)", "x = block(x)  # no checkpoint", "recheckpoint(x)"})
        QVERIFY2(warningsOf(calling(text).c_str()).isEmpty(), text);
    QVERIFY(warningsOf("File \"/home/user/m.py\", line 9, in forward\n    y = checkpoint(f, x) * w").isEmpty());
}

namespace {

json atenNode(const char* op, const nlohmann::ordered_json& inputs, const char* result) {
    return exportedNode(std::string("torch.ops.aten.") + op, inputs, json::array({exportedTensor(result)}));
}

nlohmann::ordered_json sliceOf(const char* value) {
    return {{"self", exportedTensor(value)},
            {"dim", {{"as_int", 1}}},
            {"start", {{"as_int", 1}}},
            {"end", {{"as_int", 3}}}};
}

std::shared_ptr<const Session> trained(const std::string& model) {
    return Session::open({.model = model, .inputs = parseInputSpec(R"([{"shape":[3,4]}])", "spec")}, {});
}

}  // namespace

/// "self.steps += 1" ends with a copy of the buffer into itself, which does nothing but fail the backward.
void TestExported::copiesOntoThemselves_data() {
    QTest::addColumn<QByteArray>("nodes");
    const json clone = atenNode("clone.default", {{"self", exportedTensor("x")}}, "clone"),
               mul =
                   atenNode("mul.Tensor", {{"self", exportedTensor("clone")}, {"other", exportedTensor("p_w")}}, "mul");
    const auto write = [](const char* op, const char* into, const char* result) {
        return atenNode(op, {{"self", exportedTensor(into)}, {"other", exportedTensor("x")}}, result);
    };
    const auto copy = [](const char* into, const char* from) {
        return atenNode("copy_.default", {{"self", exportedTensor(into)}, {"src", exportedTensor(from)}}, "copy_");
    };
    const auto row = [](const char* name, const json& nodes) {
        QTest::newRow(name) << QByteArray::fromStdString(nodes.dump());
    };
    for (const char* op : {"add_.Tensor", "sub_.Tensor", "mul_.Tensor", "div_.Tensor"})
        row(op, json::array({clone, write(op, "clone", "written"), mul, copy("clone", "written")}));
    row("itself", json::array({clone, mul, copy("clone", "clone")}));
    row("a slice", json::array({clone, atenNode("slice.Tensor", sliceOf("clone"), "part"),
                                atenNode("neg_.default", {{"self", exportedTensor("part")}}, "written"), mul,
                                atenNode("slice.Tensor", sliceOf("clone"), "again"), copy("again", "written")}));
    row("a view",
        json::array({clone, atenNode("t.default", {{"self", exportedTensor("clone")}}, "part"),
                     atenNode("neg_.default", {{"self", exportedTensor("part")}}, "written"), mul,
                     atenNode("t.default", {{"self", exportedTensor("clone")}}, "again"), copy("again", "written")}));
}
void TestExported::copiesOntoThemselves() {
    QFETCH(QByteArray, nodes);
    const auto session = trained(write(exportedProgram(json::parse(nodes.constData()), {"mul"})));
    QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
    QVERIFY(session->record()->warnings.empty());
    const CheckResult check = session->check({});
    QVERIFY(check.ok);
    QVERIFY2(check.backwardRun, check.backwardError.c_str());
    QCOMPARE(opHistogram(*session->record()->graph(GraphKind::preFunctionalization))["aten.copy_.default"], 0);
}

/// A copy of the same memory without its history differs: no gradient flows through it.
void TestExported::copiesThatCutTheGradientStay() {
    const auto session = trained(write(exportedProgram(
        json::array(
            {atenNode("mul.Tensor", {{"self", exportedTensor("x")}, {"other", exportedTensor("p_w")}}, "mul"),
             atenNode("detach.default", {{"self", exportedTensor("mul")}}, "detach"),
             atenNode("copy_.default", {{"self", exportedTensor("mul")}, {"src", exportedTensor("detach")}}, "copy_"),
             atenNode("mul.Tensor", {{"self", exportedTensor("copy_")}, {"other", exportedTensor("p_w")}}, "out")}),
        {"out"})));
    const CheckResult check = session->check({});
    QVERIFY(check.ok && check.backwardRun);  // eager runs the copy
}

/// If the model itself overwrites what its backward needs, the value and the lines are named.
void TestExported::overwrittenValuesAreNamed() {
    json mul = atenNode("mul.Tensor", {{"self", exportedTensor("clone")}, {"other", exportedTensor("p_w")}}, "mul"),
         neg = atenNode("neg_.default", {{"self", exportedTensor("clone")}}, "neg_");
    mul["metadata"]["stack_trace"] = "File \"/home/user/m.py\", line 7, in forward\n    y = c * self.w";
    neg["metadata"]["stack_trace"] = "File \"/home/user/m.py\", line 8, in forward\n    c.neg_()";
    const auto session = trained(write(exportedProgram(
        json::array({atenNode("clone.default", {{"self", exportedTensor("x")}}, "clone"), mul, neg}), {"mul"})));
    const auto& warnings = session->record()->warnings;
    QCOMPARE(warnings.size(), std::size_t(1));
    for (const char* part : {"%neg_", "m.py:8", "c.neg_()", "overwrites", "%mul", "m.py:7"})
        QVERIFY2(warnings[0].find(part) != std::string::npos, warnings[0].c_str());
}
