// The smallest part of a graph that still shows what the whole one shows.

#include "test_debugger.h"

#include "debug/minify.h"
#include "debug/minify_condition.h"
#include "ir/printer.h"
#include "ir/verifier.h"
#include "support/text.h"
#include "verify/judge/graph_values.h"
#include "verify/printed/cut_graph.h"

#include <ATen/ops/ones.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// x is ones.
const char* const kChain =
    "graph chain\n%x : f32[4] = placeholder ; id=0\n%y : f32[4] = placeholder ; id=1\n"
    "%a : f32[4] = aten.sin.default(%x) ; id=2\n%b : f32[4] = aten.cos.default(%a) ; id=3\n"
    "%c : f32[4] = aten.sub.Tensor(%b, %b) ; id=4\n%d : f32[4] = aten.add.Tensor(%a, %y) ; id=5\n"
    "%e : f32[4] = aten.div.Tensor(%c, %c) ; id=6\n%f : f32[4] = aten.mul.Tensor(%e, %d) ; id=7\n"
    "%g : (f32[], i64[]) = aten.max.dim(%f, 0) ; id=8\n%h : f32[] = operator.getitem(%g, 0) ; id=9\n"
    "%i : i64[] = operator.getitem(%g, 1) ; id=10\n%j : f32[4] = aten.exp.default(%d) ; id=11\n"
    "return [%h : output, %j : output, %i : output, None : output]";

RecordedGraph recordedChain() {
    RecordedGraph whole{parseSound(kChain), {}};
    const std::vector<c10::IValue> inputs{at::ones({4}), at::ones({4})};
    whole.values = {{0, inputs[0]}, {1, inputs[1]}};
    runGraph(*whole.graph, {}, inputs,
             [&](const Node& node, const c10::IValue& value) { whole.values[node.id()] = value; });
    return whole;
}

SmallestGraph smallest(const std::string& condition, const RecordedGraph& whole, const Progress& progress = {}) {
    const MinifyCondition shown(condition);
    static const CompileRecord record;
    const GraphTest test = [&](const Graph& graph, const std::vector<c10::IValue>& inputs) {
        return shown.shownBy({graph, GraphKind::forward, {}, inputs}, nullptr, record, {});
    };
    const auto found = test(*whole.graph, {whole.values.at(0), whole.values.at(1)});
    return smallestGraph(whole, found.value(), test, progress);
}

}  // namespace

void TestDebugger::smallestGraphs_data() {
    columns<QString, QString>("condition", "text");
    QTest::newRow("NaN") << "nan"
                         << "graph chain\n  %c : f32[4] = placeholder\n  %e : f32[4] = aten.div.Tensor(%c, %c)\n"
                            "  return [%e : output \"e\"]\n";
    QTest::newRow("operation") << "op:exp"
                               << "graph chain\n  %d : f32[4] = placeholder\n"
                                  "  %j : f32[4] = aten.exp.default(%d)\n  return [%j : output \"j\"]\n";
    QTest::newRow("element of a tuple") << "op:getitem or op:max"
                                        << "graph chain\n  %f : f32[4] = placeholder\n"
                                           "  %g : (f32[], i64[]) = aten.max.dim(%f, 0)\n"
                                           "  %i : i64[] = operator.getitem(%g, 1)\n  return [%i : output \"i\"]\n";
    QTest::newRow("value") << "bytes>1M | absmax>5"
                           << "graph chain\n  %d : f32[4] = placeholder\n"
                              "  %j : f32[4] = aten.exp.default(%d)\n  return [%j : output \"j\"]\n";
}
void TestDebugger::smallestGraphs() {
    FETCH(QString, condition, text);
    const RecordedGraph whole = recordedChain();
    const SmallestGraph part = smallest(condition.toStdString(), whole);
    QCOMPARE(q(printGraph(*part.graph)), text);
    QCOMPARE(part.inputs.size(), part.graph->placeholders().size());
    QVERIFY(part.tried > 3);
    QCOMPARE(q(printGraph(*smallest(condition.toStdString(), whole).graph)), text);
}

/// A fault that needs two operations keeps both, and what joins them.
void TestDebugger::faultsOfSeveralOperations() {
    const RecordedGraph whole = recordedChain();
    const GraphTest test = [](const Graph& graph, const std::vector<c10::IValue>&) -> std::optional<std::string> {
        const Node *sin = graph.findByName("a"), *max = graph.findByName("g");
        const bool both = sin && max && sin->kind() == NodeKind::call && max->kind() == NodeKind::call;
        return both ? std::optional<std::string>("both") : std::nullopt;
    };
    const SmallestGraph part = smallestGraph(whole, "both", test, {});
    QStringList calls;
    for (const Node* call : callsOf(*part.graph)) calls << q(call->name());
    calls.sort();
    QCOMPARE(calls.join(u' '), u"a d f g i"_s);
    QCOMPARE(verifyGraph(*part.graph).size(), std::size_t{0});
}

void TestDebugger::whatNoGraphShows() {
    const RecordedGraph whole = recordedChain();
    QVERIFY_THROWS_EXCEPTION(std::bad_optional_access, smallest("op:softmax", whole));
    for (const char* condition : {"", "nan |", "(", "bytes>"})
        QVERIFY_THROWS_EXCEPTION(Error, MinifyCondition(std::string(condition)));
    Progress progress;
    progress.cancel();
    QVERIFY_THROWS_EXCEPTION(Cancelled, smallest("nan", whole, progress));
}
