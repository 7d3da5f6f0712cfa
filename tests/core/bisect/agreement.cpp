// check, bisection, debugger and minify answer one question: they name the same node, or find nothing.

#include "faults.h"
#include "test_bisect.h"

#include "debug/debugger.h"
#include "program/inputs/short_inputs.h"
#include "record/results/minify_result.h"
#include "support/text.h"

#include <ATen/ops/full.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// "no graph shows ..." is an empty text.
QString minified(const Session& session, const char* condition) {
    MinifyOptions wanted;
    wanted.condition = condition;
    try {
        const MinifyResult result = session.minify(wanted, {});
        return q(result.graph->outputs().front().node()->name() + " of " + std::string(name(result.kind)));
    } catch (const Error& error) {
        const QString text = q(error.what());
        return text.startsWith(u"no graph shows"_s) ? QString() : text;
    }
}

/// `at`: the name of a node.
Options planted(const QString& at, const QString& graph, const QString& by) {
    return {.compilers = {.forward = "planted",
                          .settings = {{"planted.at", at.toStdString()},
                                       {"planted.graph", graph.toStdString()},
                                       {"planted.by", by.toStdString()}},
                          .plugins = {PLUGIN_PLANTED}}};
}

/// Two layers with a normalization between them, in a dtype.
QString layers(const char* cast) {
    return u"script:def f(x, w, v):\n"
           "    a, b, c = (x * 0.3).%1, (w * 0.3).%1, (v * 0.3).%1\n"
           "    h = torch.tanh(torch.mm(a, b))\n"
           "    h = h - h.mean(1, keepdim=True)\n"
           "    return (torch.sigmoid(torch.mm(h, c)) * 2).exp()"_s.replace(u"%1"_s, QLatin1String(cast));
}

}  // namespace

/// The same node by all four, whatever the size of the fault.
void TestBisect::plantedFaults_data() {
    columns<QString, QString, QString, QString, QString>("model", "inputs", "at", "graph", "by");
    const auto row = [](const QString& model, const char* inputs, const char* at, const char* graph, const char* by) {
        QTest::addRow("%s of the %s, %s: %s", at, graph, by, qPrintable(model.section(u'\n', 0, 1).right(30)))
            << model << inputs << at << graph << by;
    };
    const QString mlp = u"sample:mlp"_s, gpt = u"sample:gpt2-tiny"_s;
    for (const char* by : {"1.00006", "1.001", "-1", "nan"}) {
        row(mlp, "", "aten.addmm.default", "forward", by);
        row(mlp, "", "aten.mm.default", "backward", by);
    }
    for (const char* by : {"1.00006", "nan"}) {
        row(gpt, "", "aten.gelu.default", "forward", by);
        row(gpt, "", "aten.gelu_backward.default", "backward", by);
    }
    const char* tensors = "f32[16, 24] grad, f32[24, 32] grad, f32[32, 8] grad";
    const QString single = layers("float()"), low = layers("to(torch.bfloat16)"), half = layers("half()");
    row(single, tensors, "aten.exp.default", "forward", "1.00001");
    row(single, tensors, "aten.tanh_backward.default", "backward", "1.00002");
    row(low, tensors, "aten.exp.default", "forward", "1.02");
    row(low, tensors, "aten.sigmoid.default", "forward", "1.02");
    row(low, tensors, "aten.sigmoid_backward.default", "backward", "1.03");
    row(low, tensors, "aten.tanh_backward.default", "backward", "1.05");
    row(half, tensors, "aten.exp.default", "forward", "1.004");
    row(half, tensors, "aten.sigmoid_backward.default", "backward", "1.01");
}
void TestBisect::plantedFaults() {
    FETCH(QString, model, inputs, at);
    FETCH(QString, graph, by);
    const GraphKind kind = graphKindFromName(graph.toStdString()).value();
    const auto opened = [&](Options options) {
        options.model = model.toStdString();
        if (!inputs.isEmpty()) options.inputs = parseShortInputs(inputs.toStdString(), "inputs");
        return Session::open(options, {});
    };
    const auto right = opened({});
    QVERIFY2(right->record()->error.empty(), right->record()->error.c_str());
    const Node* wrong = nullptr;
    for (const Node* node : right->record()->graph(kind)->nodes())
        if (!wrong && node->isCall(at.toStdString())) wrong = node;
    QVERIFY(wrong);
    const auto session = opened(planted(q(wrong->name()), graph, by));
    QCOMPARE(session->check({}).verdict(), CheckVerdict::differs);
    const BisectResult bisected = session->bisect({});
    QVERIFY2(bisected.node == wrong->id() && bisected.graph == kind, describe(bisected).c_str());
    QCOMPARE(bisected.pass, PassId::compile);
    const auto debugger = session->debug({});
    debugger->compareWithEager({});
    debugger->run({});
    QVERIFY2(debugger->lastStop().reason == DebugStop::Reason::difference, debugger->lastStop().text.c_str());
    QVERIFY2(debugger->lastStop().node == wrong->id() && debugger->lastStop().graph == kind,
             debugger->lastStop().text.c_str());
    QCOMPARE(minified(*session, "check fails"), q(wrong->name()) + u" of "_s + graph);
}

/// If a check finds nothing, the others find nothing.
void TestBisect::nothingIsFoundWhereACheckFindsNothing_data() {
    columns<QString, QString, QString>("model", "table", "compiler");
    for (const char* name : {"sincos", "mlp", "aliasing", "mutations", "gpt2-tiny", "bert-tiny"})
        for (const auto& [table, compiler] : {std::pair{"none", "interpreter"}, {"core-aten", "fused"}})
            QTest::addRow("%s, %s, %s", name, table, compiler)
                << u"sample:%1"_s.arg(QLatin1String(name)) << table << compiler;
    const auto file = [](const char* name) {
        QTest::addRow("%s", name)
            << QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/exported/%1").arg(QLatin1String(name)) << u"none"_s
            << u"interpreter"_s;
    };
    for (const char* name :
         {"false_alarms/cancelled_sum.pt2", "false_alarms/filled_later.pt2", "false_alarms/lstm_reserve.pt2",
          "false_alarms/scan.pt2", "false_alarms/constant_nan.pt2", "false_alarms/key_bias.pt2",
          "false_alarms/key_bias_alone.pt2", "false_alarms/dropout_transposed.pt2"})
        file(name);
}
void TestBisect::nothingIsFoundWhereACheckFindsNothing() {
    FETCH(QString, model, table, compiler);
    const auto session = Session::open({.model = model.toStdString(),
                                        .decompositions = DecompositionTable::load(table.toStdString()),
                                        .compilers = {.forward = compiler.toStdString()}},
                                       {});
    QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
    const CheckResult checked = session->check({});
    QVERIFY2(checked.verdict() == CheckVerdict::equal, checked.details.empty() ? "" : checked.details.front().c_str());
    const BisectResult bisected = session->bisect({});
    QVERIFY2(!bisected.found, describe(bisected).c_str());
    const auto debugger = session->debug({});
    debugger->compareWithEager({});
    debugger->run({});
    QVERIFY2(debugger->lastStop().reason == DebugStop::Reason::ended, debugger->lastStop().text.c_str());
    QCOMPARE(minified(*session, "check fails | compile fails | nan"), QString());
}

/// A backward that fails on both sides was compared with nothing, and a NaN on both sides is reported.
void TestBisect::verdictsOnWhatRan() {
    const char* derived =
        R"({"values":[{"leaf":{"shape":[3,3],"requires_grad":true}},{"op":"mul_scalar","of":0,"args":[1]}],)"
        R"("inputs":[{"tensor":1}]})";
    const CheckResult failing = check(compile(unary("x.mul_(x)\nreturn x * 2"), derived));
    QVERIFY(failing.ok && !failing.backwardRun);
    QCOMPARE(failing.verdict(), CheckVerdict::notCompared);
    QVERIFY2(backwardFailure(failing).starts_with("eager's backward fails"), backwardFailure(failing).c_str());
    const CheckResult nan = check(compile(unary("return (x - x).log() + x.exp() / (x - x) * 0"), kPlainInput));
    QCOMPARE(nan.verdict(), CheckVerdict::equal);
    QCOMPARE(equallyNotFinite(nan), (std::vector<std::string>{"1 output holds NaN in both"}));
    // Large numbers in the memory that later runs may get.
    for (int i = 0; i < 8; ++i) at::full({4, 4}, 1e20 * (i + 1), at::kFloat);
    const CheckResult unwritten =
        check(compile(unary("y = torch.empty([4, 4])\ny[0:2].fill_(1)\nreturn y * x.sum()"), kPlainInput));
    QVERIFY2(unwritten.verdict() == CheckVerdict::equal,
             unwritten.details.empty() ? "" : unwritten.details.front().c_str());
}

/// In place into tensors that are not contiguous, eager draws in the order of memory.
void TestBisect::randomNumbersInOrder() {
    for (const char* lines :
         {"y = x.t()\ny.bernoulli_(0.5)\nreturn x * 1", "y = (x * 2).t()\nreturn torch.dropout_(y, 0.5, True)"}) {
        const Compiled compiled = compile(unary(lines), R"([{"shape":[7,5]}])");
        const CheckResult result = check(compiled);
        QVERIFY2(result.verdict() == CheckVerdict::equal, result.details.empty() ? "" : result.details.front().c_str());
        QVERIFY2(!bisect(compiled).found, describe(bisect(compiled)).c_str());
    }
}
