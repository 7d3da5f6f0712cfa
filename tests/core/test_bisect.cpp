// Faults put into the pipeline on purpose: a check must notice each one, and a bisection must name pass and node.
// Also: how a check explains a difference, and fake results against real kernels.

#include "aten/fake_tensor.h"
#include "session/session.h"
#include "support/programs.h"
#include "support/text.h"
#include "trace/cross_check.h"
#include "verify/bisect.h"
#include "verify/check.h"

#include <ATen/ops/empty_strided.h>
#include <torch/library.h>

#include <QtTest>

using namespace aotscope;
using namespace aotscope::test;

namespace {

at::Tensor twice(const at::Tensor& x) { return x.mul(2); }
/// Differs from the result of the kernel above.
at::Tensor twiceOnMeta(const at::Tensor& x) { return at::empty_strided(x.sizes(), {1, x.size(0)}, x.options()); }

// In the namespace in which TorchScript looks up operators by their bare names.
TORCH_LIBRARY_FRAGMENT(aten, library) { library.def("twice_for_test(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(aten, CPU, library) { library.impl("twice_for_test", twice); }
TORCH_LIBRARY_IMPL(aten, Meta, library) { library.impl("twice_for_test", twiceOnMeta); }

ScriptModule unary(const std::string& lines, Attributes attributes = {}) {
    std::string text = "def forward(self, x: Tensor) -> Tensor:\n    ";
    for (const char c : lines) text += c == '\n' ? std::string("\n    ") : std::string(1, c);
    return moduleFrom(text, std::move(attributes));
}

const std::string kInput = R"([{"shape":[3,3],"requires_grad":true}])", kPlainInput = R"([{"shape":[3,3]}])";
/// The program's input may be mutated and takes part in the backward.
const std::string kDerivedInput =
    R"({"values":[{"leaf":{"shape":[3,3],"requires_grad":true}},{"op":"mul_scalar","of":0,"args":[1]}],)"
    R"("inputs":[{"tensor":1}]})";

Node* only(Graph& graph, std::string_view op) {
    Node* found = nullptr;
    for (Node* node : graph.nodes())
        if (node->isCall(op)) found = node;
    if (!found) throw Error("the graph has no " + std::string(op));
    return found;
}

/// Replaces `node` by a call. The node is removed unless it is an argument of the call.
Node* replace(Graph& graph, Node* node, const std::string& op, std::vector<Argument> arguments) {
    const bool wraps = !arguments.empty() && arguments[0].node() == node;
    Node* call = graph.addCall(op, arguments, {}, node->type);
    call->stage = node->stage;
    call->source = node->source;
    call->autograd = node->autograd;
    graph.replaceAllUses(node, call);
    graph.setArguments(call, std::move(arguments));
    std::vector<Node*> order;
    for (Node* other : graph.nodes()) {
        if (other != call) order.push_back(other);
        if (other == node) order.push_back(call);
    }
    graph.reorder(order);
    if (!wraps) graph.eraseIf([&](const Node* other) { return other == node; });
    return call;
}

/// Compiles, applying `fault` to the result of `pass`.
Compiled withFault(const ScriptModule& module, const std::string& spec, const std::string& pass,
                   const std::function<void(Graph&)>& fault, GraphKind kind, bool inference = false) {
    Options options;
    options.inference = inference;
    return compile(module, spec, options, [=](PassId id, GraphKind made, Graph& graph) {
        if (name(id) == pass && made == kind) fault(graph);
    });
}

BisectResult bisect(const Compiled& compiled) {
    return bisectAgainstEager(compiled.workload, compiled.compilation, compiled.options, {});
}

std::string allDetails(const CheckResult& result) {
    std::string text;
    for (const auto& detail : result.details) text += detail + "\n";
    return text;
}

const Difference* find(const CheckResult& result, Difference::Kind kind) {
    for (const auto& d : result.differences)
        if (d.kind == kind) return &d;
    return nullptr;
}

/// Checks `compiled` against the program `eager`.
CheckResult compare(const std::string& eager, const std::string& compiled, const std::string& spec) {
    return checkAgainst(workloadOf(unary(eager), spec), compile(unary(compiled), spec));
}

}  // namespace

class TestBisect : public QObject {
    Q_OBJECT

    void verifyNamed(const Compiled& compiled, const char* pass, const char* node, const char* op) {
        QCOMPARE(q(compiled.record().error), QString());
        const CheckResult checked = check(compiled);
        QVERIFY(!checked.ok);
        const BisectResult result = bisect(compiled);
        const std::string sentence = describe(result);
        QVERIFY2(result.found, sentence.c_str());
        QVERIFY2(result.pass == pass, sentence.c_str());
        QVERIFY2(result.nodeName == node, sentence.c_str());
        QVERIFY2(result.op == op, sentence.c_str());
        QVERIFY2(sentence.find(std::string("'") + pass + "'") != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find(std::string("%") + node) != std::string::npos, sentence.c_str());
        QVERIFY(!result.outputs.empty());
        QCOMPARE(q(result.passes.back()), q(pass));
    }

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }

    // --- faults ---

    void aWrongOperation_data() {
        QTest::addColumn<QString>("pass");
        for (const char* pass : {"joint", "dead-code", "common-subexpressions"}) QTest::newRow(pass) << pass;
    }
    void aWrongOperation() {
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
    void aWrongDecomposition() {
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
    void aDroppedCopy() {
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
            QCOMPARE(result.node, kNoNode);  // it is gone
            QVERIFY2(result.reason.find("removed") != std::string::npos, result.reason.c_str());
        }
    }

    /// The value is there, but another one is returned for the input.
    void aMutationThatIsNotReturned() {
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
    void aWriteLostFromTheProgramAsWritten() {
        const auto fault = [](Graph& graph) {
            Node* copy = only(graph, "aten.copy_.default");
            graph.replaceAllUses(copy, copy->args()[0].node());
            graph.eraseIf([&](const Node* node) { return node == copy; });
        };
        const auto compiled = withFault(unary("x.copy_(x.cos())\nreturn x * 0"), kPlainInput, "forward-traced", fault,
                                        GraphKind::forwardTraced, true);
        QVERIFY(check(compiled).ok);
        const BisectResult result = bisect(compiled);
        QVERIFY(result.found);
        QCOMPARE(q(result.pass), QStringLiteral("forward-traced"));
        QVERIFY2(result.reason.find("'copy' 1 times, the graph 0 times") != std::string::npos, result.reason.c_str());
    }

    void aWrongStride_data() {
        QTest::addColumn<QString>("pass");
        for (const char* pass : {"joint", "common-subexpressions"}) QTest::newRow(pass) << pass;
    }
    void aWrongStride() {
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

    void aFlippedSignInTheBackward() {
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
    void aWrongNumberInTheBackward() {
        const auto fault = [](Graph& graph) {
            Node* scaled = only(graph, "aten.mul.Scalar");
            graph.setArguments(scaled, {scaled->args()[0], -3});
        };
        const auto compiled =
            withFault(unary("return (x.sin() * 3).cos()"), kInput, "partition", fault, GraphKind::backward);
        const BisectResult result = bisect(compiled);
        QCOMPARE(q(result.op), QStringLiteral("aten.mul.Scalar"));
        QCOMPARE(q(result.graph), QStringLiteral("backward"));
        QVERIFY2(result.reason.find("-3") != std::string::npos, result.reason.c_str());
    }

    /// A saved value that is wrong in the forward graph only.
    void aWrongSavedValue() {
        const auto fault = [](Graph& graph) {
            std::vector<Argument> outputs = graph.outputs();
            const auto& slots = graph.outputSlots();
            const auto saved = std::find_if(slots.begin(), slots.end(), [](auto& s) { return s.role == Role::saved; });
            Argument& output = outputs[static_cast<std::size_t>(saved - slots.begin())];
            output = graph.addCall("aten.exp.default", {output.node()}, {}, output.node()->type);
            graph.setArguments(graph.output(), std::move(outputs));
        };
        const auto compiled = withFault(unary("return torch.mm(x.sin(), x.sin()).tanh()"), kInput, "partition", fault,
                                        GraphKind::forward);
        QVERIFY(!check(compiled).ok);
        const BisectResult result = bisect(compiled);
        QCOMPARE(q(result.pass), QStringLiteral("partition"));
        QVERIFY2(result.nodeName.starts_with("exp") && result.graph == "forward", describe(result).c_str());
    }

    void anOperationThatFails() {
        const auto fault = [](Graph& graph) {
            Node* view = only(graph, "aten.view.default");
            graph.setArguments(view, {view->args()[0], Argument::List{7}});
        };
        const auto compiled = withFault(unary("return x.sin().view([9]).cos()"), kPlainInput, "dead-code", fault,
                                        GraphKind::inference, true);
        const BisectResult result = bisect(compiled);
        QCOMPARE(q(result.pass), QStringLiteral("dead-code"));
        QCOMPARE(q(result.nodeName), QStringLiteral("view"));
    }

    // --- no false positives ---

    void everyProgramIsRight_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("inference");
        for (const auto& program : programTexts())
            for (const bool inference : {false, true})
                QTest::addRow("%s%s", program.name.c_str(), inference ? ", inference" : "")
                    << q(program.name) << inference;
    }
    void everyProgramIsRight() {
        QFETCH(QString, name);
        QFETCH(bool, inference);
        const ProgramText& program = programText(name.toStdString());
        Options options;
        options.mode = program.mode;
        options.inference = inference;
        options.seed = 11;
        options.crossCheckFake = true;
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
    void decomposedRandomNumbersAreRight() {
        Options options;
        options.model = "sample:gpt2-tiny";
        options.decompositions = DecompositionTable::load("inductor");
        options.seed = 5;
        const auto session = Session::open(options, {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        const BisectResult result = session->bisect({});
        QVERIFY2(!result.found, describe(result).c_str());
        QVERIFY(result.passes.size() > 3);
    }

    // --- explanations ---

    /// A gradient that is exactly zero is computed as the rounding error of numbers that cancel.
    void noiseIsNoDifference() {
        for (const char* body : {"-x / x", "torch.layer_norm(x, [1])"})
            for (const char* table : {"none", "core-aten"}) {
                Options options;
                options.decompositions = DecompositionTable::load(table);
                const auto module =
                    moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return " + std::string(body));
                const BisectResult result =
                    bisect(compile(module, R"([{"shape":[40,1],"requires_grad":true}])", options));
                QVERIFY2(!result.found, qPrintable(q(c10::str(body, ", ", table, ": ", result.pass))));
            }
    }

    /// A relative error of 1e-5.
    void aSmallError() {
        const auto scale = [](Graph& graph) {
            Node* result = graph.outputs()[0].node();
            replace(graph, result, "aten.mul.Scalar", {result, 1.00001});
        };
        const auto compiled =
            withFault(unary("return x.sin() + 1"), kPlainInput, "inference", scale, GraphKind::inference);
        const BisectResult result = bisect(compiled);
        QVERIFY(result.found);
        QCOMPARE(q(result.pass), QStringLiteral("inference"));
    }

    void valuesAreExplained() {
        const CheckResult result =
            compare("return x.sin()", "return x.sin() + torch.tril(torch.ones([3, 3]), -2) * 0.5", kPlainInput);
        QCOMPARE(result.differences.size(), std::size_t{1});
        const Difference& d = result.differences.front();
        QCOMPARE(d.kind, Difference::Kind::value);
        QCOMPARE(q(d.what), QStringLiteral("output 0"));
        QCOMPARE(d.index, (std::vector<std::int64_t>{2, 0}));
        QCOMPARE(d.count, std::int64_t{1});
        QCOMPARE(d.total, std::int64_t{9});
        QVERIFY(std::abs(d.maxAbs - 0.5) < 1e-5 && d.maxRel > 0.1);
        QVERIFY(std::abs(std::stod(d.actual) - std::stod(d.expected) - 0.5) < 1e-4);
        QVERIFY2(result.details.front().find("at [2, 0]: " + d.actual + ", eager has " + d.expected +
                                             "; 1 of 9 elements differ") != std::string::npos,
                 result.details.front().c_str());
    }

    void gradientsAreExplained() {
        const CheckResult result = compare("return x.sin()", "return x.sin() + (x - x.detach())", kInput);
        QCOMPARE(result.differences.size(), std::size_t{1});
        QCOMPARE(q(result.differences.front().what), QStringLiteral("gradient of 'input leaf 0'"));
        QCOMPARE(result.outputsMaxError, 0.0);
        QVERIFY(result.gradsMaxError > 0.1);
    }

    void infinitiesAndNans() {
        const CheckResult result = compare("return x.sin()", "return x.sin() / torch.ones([3, 3]).tril()", kPlainInput);
        const Difference* d = find(result, Difference::Kind::value);
        QVERIFY(d && d->count == 3 && !std::isfinite(d->maxAbs));
        QVERIFY2(allDetails(result).find("inf") != std::string::npos, allDetails(result).c_str());
        QVERIFY(compare("return (x - x) / (x - x)", "return (x - x) / (x - x)", kPlainInput).ok);
    }

    void stridesOfOutputs() {
        const CheckResult result = compare("return x.sin().t()", "return x.sin().t().contiguous()", kPlainInput);
        QCOMPARE(result.differences.size(), std::size_t{1});
        const Difference* d = find(result, Difference::Kind::strides);
        QVERIFY(d);
        QCOMPARE(q(d->expected), QStringLiteral("[1, 3]"));
        QCOMPARE(q(d->actual), QStringLiteral("[3, 1]"));
    }

    void offsetsOfAliases() {
        const std::string ones = R"([{"shape":[4],"fill":"ones"}])";
        const CheckResult result = compare("return x[1:3]", "return x[2:4]", ones);
        QCOMPARE(result.differences.size(), std::size_t{1});
        const Difference* d = find(result, Difference::Kind::offset);
        QVERIFY2(d && d->expected == "1" && d->actual == "2", allDetails(result).c_str());
    }

    void versionCounters() {
        CheckResult result = compare("x.mul_(1)\nreturn x.sin()", "return x.sin()", kPlainInput);
        QCOMPARE(result.differences.size(), std::size_t{1});
        QVERIFY(find(result, Difference::Kind::version) && !result.inputsAfterOk);
        result = compare("return x.sin()", "x.mul_(1)\nreturn x.sin()", kPlainInput);
        QVERIFY(result.differences.size() == 1 && find(result, Difference::Kind::version));
    }

    /// Neither eager nor the compiled function increments version counters for these writes.
    void writesBehindAutograd() {
        for (const char* lines : {"x.data.mul_(2)\nreturn x.sin()", "y = x.data\ny.add_(1)\nreturn y * 1"}) {
            const CheckResult result = compare(lines, lines, kPlainInput);
            QVERIFY2(result.ok, allDetails(result).c_str());
        }
        // A write that is visible here only.
        const char* back = "y = torch.zeros([3, 3])\nold = x.view([3, 3])\nx.set_(y)\nx.set_(old)\nreturn x + 1";
        const Compiled set = compile(unary(back), kPlainInput);
        QVERIFY(set.record().metadata->inputs[0].countsAsWritten && !set.record().metadata->inputs[0].mutatesData);
        QVERIFY2(check(set).ok, allDetails(check(set)).c_str());
        const ProgramText& norm = programText("batch_norm_train");
        const Compiled compiled = compile(norm.module(), norm.inputs);
        for (const InputInfo& input : compiled.record().metadata->inputs)
            if (input.mutatesData) QCOMPARE(input.countsAsWritten, input.name == "num_batches_tracked");
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok, allDetails(result).c_str());
    }

    /// Eager computes no gradient for an input that starts to require one during the run.
    void inputsThatComeToRequireAGradient() {
        const Compiled compiled = compile(unary("x.requires_grad_()\nreturn x * 3"), kPlainInput);
        QVERIFY(check(compiled).ok);
        const BisectResult result = bisect(compiled);
        QVERIFY2(!result.found, describe(result).c_str());
    }

    /// A write through an input that is a view may reach the rest of its base.
    void memoryBehindViews() {
        const std::string view =
            R"({"values":[{"leaf":{"shape":[4]}},{"op":"slice","of":0,"args":[0,2,4]}],"inputs":[{"tensor":1}]})";
        const CheckResult result =
            compare("x.as_strided([2], [1], 0).add_(3)\nreturn x.sin()", "x.add_(0)\nreturn x.sin()", view);
        const Difference* d = find(result, Difference::Kind::memory);
        QVERIFY2(d && d->count == 2 && d->total == 4, allDetails(result).c_str());
        QVERIFY(!result.inputsAfterOk);
    }

    // --- fake results ---

    void aWrongMetaKernelIsReported() {
        Options options;
        options.crossCheckFake = true;
        options.inference = true;
        const Compiled compiled = compile(unary("return torch.twice_for_test(x.sin()).cos()"), kPlainInput, options);
        QCOMPARE(q(compiled.record().error), QString());
        const CrossCheckReport& report = *compiled.record().crossCheck;
        QCOMPARE(report.mismatches.size(), std::size_t{1});
        const FakeMismatch& m = report.mismatches.front();
        QCOMPARE(q(m.op), QStringLiteral("aten.twice_for_test.default"));
        QVERIFY2(m.expected.find("strides [3, 1]") != std::string::npos, m.expected.c_str());
        QVERIFY2(m.found.find("strides [1, 3]") != std::string::npos, m.found.c_str());
        QCOMPARE(m.count, 2);  // as written and functionalized
        QVERIFY(compiled.record().warnings.back().find("twice") != std::string::npos);
        QVERIFY(!compile(unary("return x.sin()"), kPlainInput).record().crossCheck);
    }

    /// Each result is wrong in one way.
    void wrongFakeResults() {
        const Workload workload = workloadOf(unary("return x.sin()"), kPlainInput);
        const auto fake = [](at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type = at::kFloat) {
            return makeFake(emptyMeta(sizes, strides, type), c10::Device(at::kCPU));
        };
        const auto tried = [&](const char* name, const std::vector<c10::IValue>& arguments, const c10::IValue& result) {
            CrossCheck check(workload.function());
            const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
            auto call = check.begin(op, arguments);
            check.finish(op, std::move(call), c10::ArrayRef<c10::IValue>(result));
            return check.report();
        };
        const at::Tensor x = fake({2, 3}, {3, 1});
        const at::Tensor view = makeFake(asFake(x)->meta().t(), c10::Device(at::kCPU));
        QVERIFY(tried("aten::t", {x}, view).mismatches.empty());
        QCOMPARE(tried("aten::t", {x}, view).checked, 1);
        QCOMPARE(tried("aten::t", {x}, fake({3, 2}, {1, 3})).mismatches.size(), std::size_t{1});  // no view
        QCOMPARE(tried("aten::sin", {x}, fake({2, 3}, {1, 2})).mismatches.size(), std::size_t{1});
        QCOMPARE(tried("aten::sin", {x}, fake({3, 2}, {2, 1})).mismatches.size(), std::size_t{1});
        QCOMPARE(tried("aten::sin", {x}, fake({2, 3}, {3, 1}, at::kDouble)).mismatches.size(), std::size_t{1});
        QCOMPARE(tried("aten::sin", {x}, x).mismatches.size(), std::size_t{1});  // in place, which it is not
        QVERIFY(tried("aten::sin", {x}, fake({2, 3}, {3, 1})).mismatches.empty());
        const CrossCheckReport refused = tried("aten::cholesky_inverse", {x, false}, x);
        QVERIFY(refused.checked == 0 && refused.skipped.size() == 1);
    }
};

QTEST_GUILESS_MAIN(TestBisect)
#include "test_bisect.moc"
