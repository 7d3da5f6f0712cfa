// Faults that a bisection finds.

#include "test_bisect.h"
#include "faults.h"
#include "support/test_program.h"

#include "aten/fake_tensor.h"
#include "support/text.h"
#include "trace/cross_check.h"
#include "verify/bisect.h"
#include "verify/check.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// The program's input may be mutated and takes part in the backward.
const std::string kDerivedInput =
    R"({"values":[{"leaf":{"shape":[3,3],"requires_grad":true}},{"op":"mul_scalar","of":0,"args":[1]}],)"
    R"("inputs":[{"tensor":1}]})";

}  // namespace

void TestBisect::verifyNamed(const Compiled& compiled, const char* pass, const char* node, const char* op) {
    QCOMPARE(q(compiled.record().error), QString());
    const CheckResult checked = check(compiled);
    QVERIFY(!checked.ok);
    const BisectResult result = bisect(compiled);
    const std::string sentence = describe(result);
    QVERIFY2(result.found, sentence.c_str());
    QVERIFY2(passName(result) == pass, sentence.c_str());
    QVERIFY2(result.nodeName == node, sentence.c_str());
    QVERIFY2(result.op == op, sentence.c_str());
    QVERIFY2(sentence.find(std::string("'") + pass + "'") != std::string::npos, sentence.c_str());
    QVERIFY2(sentence.find(std::string("%") + node) != std::string::npos, sentence.c_str());
    QVERIFY(!result.outputs.empty());
    QCOMPARE(q(result.passes.back()), q(pass));
}

// --- faults ---

void TestBisect::aWrongOperation_data() { rowsOf("pass", {"joint", "dead-code", "common-subexpressions"}); }
void TestBisect::aWrongOperation() {
    QFETCH(QString, pass);
    const auto fault = [](Graph& graph) {
        Node* sin = only(graph, "aten.sin.default");
        replace(graph, sin, "aten.tanh.default", {sin->args()[0]});
    };
    const auto compiled = withFault(
        unary("return (torch.mm(x, self.w).sin() * 2).sum(1)", {ModuleBuilder::parameter("w", learned({3, 3}))}),
        kInput, pass.toStdString(), fault, GraphKind::joint);
    verifyNamed(compiled, qPrintable(pass), "tanh", "aten.tanh.default");
    QVERIFY(bisect(compiled).place.find("model.py:3") != std::string::npos);
}

/// A decomposition of several operations, one of which is wrong.
void TestBisect::aWrongDecomposition() {
    const auto fault = [](Graph& graph) {
        Node* silu = only(graph, "aten.silu.default");
        Node* product = replace(graph, silu, "aten.mul.Tensor", {silu->args()[0], silu->args()[0]});
        replace(graph, product, "aten.sigmoid.default", {product});
    };
    const auto compiled =
        withFault(unary("return torch.silu(x).cos()"), kPlainInput, "dead-code", fault, GraphKind::inference, true);
    verifyNamed(compiled, "dead-code", "sigmoid", "aten.sigmoid.default");
}

/// The updated value of an input is no longer computed.
void TestBisect::aDroppedCopy() {
    const auto fault = [](Graph& graph) {
        Node* copy = only(graph, "aten.copy.default");
        graph.replaceAllUses(copy, copy->args()[0].node());
        graph.eraseIf([&](const Node* node) { return node == copy; });
    };
    for (const bool used : {true, false}) {
        const auto compiled = withFault(unary(used ? "x.copy_(x * 2)\nreturn x.sin()" : "x.copy_(x * 2)\nreturn x"),
                                        kDerivedInput, "dead-code", fault, GraphKind::joint);
        verifyNamed(compiled, "dead-code", "copy", "aten.copy.default");
        const BisectResult result = bisect(compiled);
        QCOMPARE(result.node, kNoNode);  // it no longer exists
        QVERIFY2(result.reason.find("removed") != std::string::npos, result.reason.c_str());
    }
}

/// The value is there, but another one is returned for the input.
void TestBisect::aMutationThatIsNotReturned() {
    const auto fault = [](Graph& graph) {
        std::vector<Argument> outputs = graph.outputs();
        outputs[0] = graph.placeholders()[0];
        graph.setArguments(graph.output(), std::move(outputs));
    };
    const auto module = unary("x.mul_(2)\nreturn x.sin()");
    verifyNamed(withFault(module, kPlainInput, "functional", fault, GraphKind::functional, true), "functional",
                "arg0_1", "");
    verifyNamed(withFault(module, kPlainInput, "common-subexpressions", fault, GraphKind::inference, true),
                "common-subexpressions", "arg0_1", "");
}

/// The program as written loses a write: nothing is compiled from that graph, so only a bisection sees it.
void TestBisect::aWriteLostFromTheProgramAsWritten() {
    const auto fault = [](Graph& graph) {
        Node* copy = only(graph, "aten.copy_.default");
        graph.replaceAllUses(copy, copy->args()[0].node());
        graph.eraseIf([&](const Node* node) { return node == copy; });
    };
    const auto compiled = withFault(unary("x.copy_(x.cos())\nreturn x * 0"), kPlainInput, "forward-traced", fault,
                                    GraphKind::preFunctionalization, true);
    QVERIFY(check(compiled).ok);
    const BisectResult result = bisect(compiled);
    QVERIFY(result.found);
    QCOMPARE(q(passName(result)), u"forward-traced"_s);
    QVERIFY2(result.reason.find("'copy' 1 time, the graph 0 times") != std::string::npos, result.reason.c_str());
}

void TestBisect::aWrongStride_data() { rowsOf("pass", {"joint", "common-subexpressions"}); }
void TestBisect::aWrongStride() {
    QFETCH(QString, pass);
    const auto fault = [](Graph& graph) {
        Node* view = only(graph, "aten.as_strided.default");
        std::vector<Argument> arguments = view->args();
        arguments[2] = Argument::List{3, 1};
        graph.setArguments(view, std::move(arguments));
    };
    const auto compiled = withFault(unary("return (x.sin().as_strided([3, 3], [1, 3]) * self.w).sum(0)",
                                          {ModuleBuilder::parameter("w", learned({3, 3}))}),
                                    kPlainInput, pass.toStdString(), fault, GraphKind::joint);
    verifyNamed(compiled, qPrintable(pass), "as_strided", "aten.as_strided.default");
    const BisectResult result = bisect(compiled);
    QVERIFY(result.node != kNoNode && result.value && result.value->count > 0);
    QVERIFY2(result.reason.find("[3, 1]") != std::string::npos, result.reason.c_str());
}

void TestBisect::aFlippedSignInTheBackward() {
    const auto negate = [](Graph& graph) {
        Node* product = nullptr;
        for (Node* node : graph.nodes())
            if (node->isCall("aten.mul.Tensor") && node->stage == Stage::backward) product = node;
        replace(graph, product, "aten.neg.default", {product});
    };
    const auto module = unary("return torch.mm(x.sin(), x)");
    for (const auto& [pass, kind] : {std::pair{"joint", GraphKind::joint}, std::pair{"dead-code", GraphKind::joint},
                                     std::pair{"partition", GraphKind::backward}}) {
        const auto compiled = withFault(module, kInput, pass, negate, kind);
        verifyNamed(compiled, pass, "neg", "aten.neg.default");
        const CheckResult checked = check(compiled);
        QCOMPARE(checked.outputsMaxError, 0.0);
        QVERIFY(checked.gradsMaxError > 0.01);
    }
}

/// A backward operation whose numbers change.
void TestBisect::aWrongNumberInTheBackward() {
    const auto fault = [](Graph& graph) {
        Node* scaled = nullptr;
        for (Node* node : graph.nodes())
            if (node->isCall("aten.mul.Tensor") && node->args()[1].integer()) scaled = node;
        if (!scaled) throw Error("the graph multiplies by no number");
        graph.setArguments(scaled, {scaled->args()[0], -3});
    };
    const auto compiled =
        withFault(unary("return (x.sin() * 3).cos()"), kInput, "partition", fault, GraphKind::backward);
    const BisectResult result = bisect(compiled);
    QCOMPARE(q(result.op), u"aten.mul.Tensor"_s);
    QCOMPARE(result.graph, std::optional(GraphKind::backward));
    QVERIFY2(result.reason.find("-3") != std::string::npos, result.reason.c_str());
}

/// A saved value that is wrong in the forward graph only.
void TestBisect::aWrongSavedValue() {
    const auto fault = [](Graph& graph) {
        std::vector<Argument> outputs = graph.outputs();
        const auto& slots = graph.outputSlots();
        const auto saved = std::find_if(slots.begin(), slots.end(), [](auto& s) { return s.role == Role::saved; });
        Argument& output = outputs[static_cast<std::size_t>(saved - slots.begin())];
        output = graph.addCall("aten.exp.default", {output.node()}, {}, output.node()->type);
        graph.setArguments(graph.output(), std::move(outputs));
    };
    const auto compiled =
        withFault(unary("return torch.mm(x.sin(), x.sin()).tanh()"), kInput, "partition", fault, GraphKind::forward);
    QVERIFY(!check(compiled).ok);
    const BisectResult result = bisect(compiled);
    QCOMPARE(q(passName(result)), u"partition"_s);
    QVERIFY2(result.nodeName.starts_with("exp") && result.graph == GraphKind::forward, describe(result).c_str());
}

void TestBisect::anOperationThatFails() {
    const auto fault = [](Graph& graph) {
        Node* view = only(graph, "aten.view.default");
        graph.setArguments(view, {view->args()[0], Argument::List{7}});
    };
    const auto compiled =
        withFault(unary("return x.sin().view([9]).cos()"), kPlainInput, "dead-code", fault, GraphKind::inference, true);
    const BisectResult result = bisect(compiled);
    QCOMPARE(q(passName(result)), u"dead-code"_s);
    QCOMPARE(q(result.nodeName), u"view"_s);
}

// --- no false positives ---

void TestBisect::everyProgramIsRight_data() {
    columns<QString, bool>("name", "inference");
    for (const auto& program : programTexts())
        for (const bool inference : {false, true})
            QTest::addRow("%s%s", program.name.c_str(), inference ? ", inference" : "") << q(program.name) << inference;
}
void TestBisect::everyProgramIsRight() {
    QFETCH(QString, name);
    QFETCH(bool, inference);
    const ProgramText& program = programText(name.toStdString());
    const Options options{.mode = program.mode, .inference = inference, .seed = 11, .crossCheckFake = true};
    const Compiled compiled = compile(program.module(), program.inputs, options);
    const BisectResult result = bisect(compiled);
    QVERIFY2(!result.found, describe(result).c_str());
    const bool plain = compiled.record().metadata->convention.isPlain();  // else a pass has other inputs
    QVERIFY2(result.notes.empty() || !plain, result.notes.empty() ? "" : result.notes.front().c_str());
    // Every pass but the source has run.
    QCOMPARE(result.passes.size() + (plain ? 1 : 2), compiled.record().passes.size());
    const CrossCheckReport& report = *compiled.record().crossCheck;
    QVERIFY(report.checked > 0);
    QVERIFY2(report.mismatches.empty(), report.mismatches.empty() ? "" : compiled.record().warnings.back().c_str());
}

/// A rule of the table draws random numbers differently from the operation, and graphs that still have the
/// operation draw them like the rule.
void TestBisect::decomposedRandomNumbersAreRight() {
    const auto session = Session::open(
        {.model = "sample:gpt2-tiny", .decompositions = DecompositionTable::load("inductor"), .seed = 5}, {});
    QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
    const BisectResult result = session->bisect({});
    QVERIFY2(!result.found, describe(result).c_str());
    QVERIFY(result.passes.size() > 3);
}

AOTSCOPE_TEST(TestBisect)
#include "test_bisect.moc"
