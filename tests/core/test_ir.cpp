// The graph itself: types, verifier, differences, mutation.

#include "ir/diff.h"
#include "ir/graph.h"
#include "ir/id_table.h"
#include "ir/node_changes.h"
#include "ir/place_with_code.h"
#include "ops/classify.h"
#include "ops/subgraph_role.h"
#include "support/enumerators.h"
#include "support/graph_files.h"
#include "support/test_program.h"
#include "support/text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace aotscope::test::ir_test {
namespace {

/// "-cos", "~sum: arguments ...", "+exp": in order of the graph before, then what is added.
std::vector<QString> describe(const NodePairs& pairs, const Graph& before, const Graph& after) {
    const std::map<NodeId, NodeId> twin(pairs.begin(), pairs.end());
    const auto corresponds = [&](const Node& a, const Node& b) {
        const auto it = twin.find(a.id());
        return it != twin.end() && it->second == b.id();
    };
    std::vector<QString> lines;
    std::set<NodeId> paired;
    for (const auto& [left, right] : pairs) paired.insert(right);
    for (const Node* node : before.nodes()) {
        const auto it = twin.find(node->id());
        if (it == twin.end()) {
            lines.push_back(q("-" + node->name()));
            continue;
        }
        const Node& now = *after.findById(it->second);
        const std::string change = describeChange(*node, now, corresponds);
        if (!change.empty()) lines.push_back(q("~" + now.name() + ": " + change));
    }
    for (const Node* node : after.nodes())
        if (!paired.contains(node->id())) lines.push_back(q("+" + node->name()));
    return lines;
}

bool has(const std::vector<std::string>& findings, std::string_view part) {
    return std::any_of(findings.begin(), findings.end(),
                       [&](const std::string& f) { return f.find(part) != std::string::npos; });
}

}  // namespace

class TestIr : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- nodes by id ---

    void valuesByIdHaveNoLimit() {
        IdTable<std::size_t> table(99);
        QCOMPARE(table.at(0), std::size_t{99});
        for (const NodeId id : {3, 0, 70'000, 1 << 22, std::numeric_limits<NodeId>::max(), kNoNode})
            table.set(id, static_cast<std::size_t>(id) + 2);
        for (const NodeId id : {3, 0, 70'000, 1 << 22}) QCOMPARE(table.at(id), static_cast<std::size_t>(id) + 2);
        QVERIFY(table.contains(std::numeric_limits<NodeId>::max()));
        QVERIFY(table.contains(kNoNode));
        for (const NodeId id : {1, 69'999, (1 << 22) - 1, (1 << 22) + 1, -2}) QVERIFY(!table.contains(id));
    }

    // --- types ---

    void dtypeNames_data() {
        columns<QString, int, int>("name", "dtype", "bytes");
        QTest::newRow("short") << "f32" << 6 << 4;
        QTest::newRow("long") << "float32" << 6 << 4;
        QTest::newRow("torch.") << "torch.int64" << 4 << 8;
        QTest::newRow("bool") << "bool" << 11 << 1;
        QTest::newRow("python float") << "float" << 6 << 4;
        QTest::newRow("python double") << "double" << 7 << 8;
        QTest::newRow("half") << "torch.half" << 5 << 2;
        QTest::newRow("complex") << "complex128" << 10 << 16;
        QTest::newRow("fp8") << "float8_e4m3fn" << 24 << 1;
        QTest::newRow("unknown") << "f33" << -1 << 0;
        QTest::newRow("empty") << "" << -1 << 0;
        QTest::newRow("prefix alone") << "torch." << -1 << 0;
    }
    void dtypeNames() {
        QFETCH(QString, name);
        FETCH(int, dtype, bytes);
        const auto found = dtypeFromName(name.toStdString());
        QCOMPARE(found ? static_cast<int>(*found) : -1, dtype);
        if (!found) return;
        QCOMPARE(static_cast<int>(itemSize(*found)), bytes);
        QCOMPARE(dtypeFromName(shortName(*found)), found);
        QCOMPARE(dtypeFromName(longName(*found)), found);
    }

    void contiguity_data() {
        columns<QList<int>, QList<int>, bool>("sizes", "strides", "contiguous");
        QTest::newRow("scalar") << QList<int>{} << QList<int>{} << true;
        QTest::newRow("row major") << QList<int>{2, 3} << QList<int>{3, 1} << true;
        QTest::newRow("column major") << QList<int>{2, 3} << QList<int>{1, 2} << false;
        QTest::newRow("any stride for size 1") << QList<int>{2, 1, 3} << QList<int>{3, 99, 1} << true;
        QTest::newRow("empty") << QList<int>{0, 3} << QList<int>{1, 7} << true;
        QTest::newRow("expanded") << QList<int>{2, 3} << QList<int>{0, 1} << false;
        QTest::newRow("gap") << QList<int>{2, 3} << QList<int>{4, 1} << false;
    }
    void contiguity() {
        QFETCH(QList<int>, sizes);
        QFETCH(QList<int>, strides);
        QFETCH(bool, contiguous);
        TensorType type;
        type.sizes.assign(sizes.begin(), sizes.end());
        type.strides.assign(strides.begin(), strides.end());
        QCOMPARE(type.isContiguous(), contiguous);
        type.strides = contiguousStrides(type.sizes);
        QVERIFY(type.isContiguous());
    }

    void sizesInBytes() {
        const auto graph = parseSound(graphText("every_type"));
        QCOMPARE(graph->findByName("scalar")->type.tensor()->bytes(), 8);
        QCOMPARE(graph->findByName("empty")->type.tensor()->bytes(), 0);
        QCOMPARE(graph->findByName("expanded")->type.tensor()->numel(), 20);
        QCOMPARE(graph->findByName("strided_gpu")->type.tensor()->bytes(), 32);
    }

    /// Python prints no type for None.
    void noneDiffersFromOtherTypesOnly() {
        const ValueType none{OtherType::none}, text{OtherType::text}, unknown, tensor{TensorType()};
        QVERIFY(differingAspects(none, none, true).empty() && differingAspects(none, unknown, true).empty());
        for (const ValueType& other : {text, tensor}) {
            QVERIFY(!differingAspects(none, other, true).empty());
            QVERIFY(!differingAspects(other, none, true).empty());
        }
    }

    void codeHasNoComment() {
        for (const auto& [line, code] :
             {std::pair("x.add_(1)      # user input mutation", "x.add_(1)"),
              std::pair("f('#', \"a # b\")  # c", "f('#', \"a # b\")"), std::pair("f('\\'#', x)", "f('\\'#', x)"),
              std::pair("# only", ""), std::pair("x + 1", "x + 1")})
            QCOMPARE(q(std::string(codeIn(line))), QString::fromUtf8(code));
        const auto graph = parseSound(
            "graph g\n%x : f32[2] = placeholder\n%y : f32[2] = aten.sin.default(%x) ; id=1 "
            "file=\"model.py\" line=3 text=\"x.sin()  # why\"\nreturn [%y]");
        QCOMPARE(q(placeWithCode(*graph->findByName("y"))), u"model.py:3: x.sin()"_s);
    }

    void operatorNames() {
        QCOMPARE(packetOf("aten.add.Tensor"), std::string_view("aten.add"));
        QCOMPARE(shortOpName("aten.add.Tensor"), std::string_view("add"));
        QCOMPARE(packetOf("operator.getitem"), std::string_view("operator.getitem"));
        QCOMPARE(shortOpName("operator.getitem"), std::string_view("getitem"));
        QCOMPARE(shortOpName("bare"), std::string_view("bare"));
        for (int i = 0; i <= static_cast<int>(Role::gradient); ++i)
            QCOMPARE(roleFromName(name(static_cast<Role>(i))), std::optional(static_cast<Role>(i)));
        QVERIFY(!roleFromName("no such role"));
    }

    void enumeratorsAreSpelled() {
        QCOMPARE(name(Role::savedSymint), std::string_view("saved_symint"));
        QCOMPARE(spelled(SavedOutput::detached), std::string_view("detached"));
        QCOMPARE(spelled<'-'>(CheckpointPolicy::mustSave), std::string_view("must-save"));
        QCOMPARE(enumeratorSpelled<Stage>("backward"), std::optional(Stage::backward));
        QVERIFY(!enumeratorSpelled<Stage>("sideways"));
    }

    void dtypesOfFiles() {
        QCOMPARE(dtypeSpelled(&DTypeSpellings::numpy, "f4"), std::optional(DType::f32));
        QCOMPARE(dtypeSpelled(&DTypeSpellings::safetensors, "F8_E8M0"), std::optional(DType::f8e8m0fnu));
        QCOMPARE(dtypeSpelled(&DTypeSpellings::storage, "BFloat16"), std::optional(DType::bf16));
        QVERIFY(!dtypeSpelled(&DTypeSpellings::numpy, ""));
        QCOMPARE(epsilonOf(DType::f32), static_cast<double>(std::numeric_limits<float>::epsilon()));
        QCOMPARE(epsilonOf(DType::c128), std::numeric_limits<double>::epsilon());
        QCOMPARE(epsilonOf(DType::f8e8m0fnu), 1.0);
    }

    // --- verifier ---

    void soundGraphsHaveNoFindings() {
        for (const char* file : {"every_argument", "every_type", "full_detail", "chain"})
            QVERIFY(verifyGraph(*parseGraph(graphText(file))).empty());
    }

    void everyInvariantIsChecked_data() {
        rowsOf("finding",
               {"does not end with an output node", "its id 0 is used twice", "which is not defined above it",
                "an output node must be the last", "a call needs an operation", "takes element 2 of a tuple of 2",
                "takes element -1 of a tuple of 2", "getitem takes a node and an index",
                "a placeholder must stand before all calls"});
    }
    void everyInvariantIsChecked() {
        QFETCH(QString, finding);
        Graph graph("g");
        Node* x = graph.addPlaceholder("x", {TensorType{}});
        Node* pair = graph.addCall("aten.split.default", {x}, {}, {TupleType{{TensorType{}}, {TensorType{}}}});
        const auto is = [&](const char* row) { return finding == QLatin1String(row); };
        if (is("a call needs an operation")) graph.addCall("", {x}, {}, {}, "nameless");
        if (is("takes element 2 of a tuple of 2")) graph.addCall("operator.getitem", {pair, 2}, {}, {});
        if (is("takes element -1 of a tuple of 2")) graph.addCall("operator.getitem", {pair, -1}, {}, {});
        if (is("getitem takes a node and an index")) graph.addCall("operator.getitem", {0, pair}, {}, {});
        if (is("a placeholder must stand before all calls")) graph.addPlaceholder("late", {TensorType{}});
        if (!is("does not end with an output node")) graph.setOutput({x}, {{}});
        if (is("its id 0 is used twice")) graph.setIdentity(pair, x->id());
        if (is("which is not defined above it")) graph.reorder({pair, x, graph.output()});
        if (is("an output node must be the last")) graph.reorder({x, graph.output(), pair});
        const auto findings = verifyGraph(graph);
        QVERIFY2(has(findings, finding.toStdString()), findings.empty() ? "no finding" : findings.front().c_str());
        try {
            requireSound(graph, "some-pass");
            QFAIL("an unsound graph passed");
        } catch (const std::logic_error& e) {
            QVERIFY2(std::string_view(e.what()).find("after pass 'some-pass': ") != std::string_view::npos, e.what());
        }
    }

    // --- mutation ---

    void edgesStaySymmetric() {
        const auto graph = parseSound(graphText("chain"));
        Node *x = graph->findByName("x"), *sin = graph->findByName("sin"), *cos = graph->findByName("cos");
        QCOMPARE(sin->users().size(), std::size_t(2));
        graph->replaceAllUses(cos, x);
        QVERIFY(cos->users().empty());
        QCOMPARE(q(printNode(*graph->output())), u"return [%add, [%x, %x]]"_s);
        QCOMPARE(q(printArguments(*graph->findByName("add"))), u"%x, %sin, alpha=2"_s);
        QVERIFY(verifyGraph(*graph).empty());
        QCOMPARE(graph->eraseIf([&](const Node* n) { return n == cos; }), std::size_t(1));
        QCOMPARE(sin->users().size(), std::size_t(1));
        QVERIFY(verifyGraph(*graph).empty());
        graph->setArguments(graph->findByName("add"), {x, 1.0}, {{"alpha", sin}});
        QCOMPARE(q(printArguments(*graph->findByName("add"))), u"%x, 1.0, alpha=%sin"_s);
        QVERIFY(verifyGraph(*graph).empty());
    }

    void reorderTakesPermutationsOnly() {
        const auto graph = parseSound(graphText("chain"));
        auto order = graph->nodes();
        order.pop_back();
        QVERIFY_THROWS_EXCEPTION(std::logic_error, graph->reorder(order));
        order.push_back(order.front());
        QVERIFY_THROWS_EXCEPTION(std::logic_error, graph->reorder(order));
    }

    void namesAreUnique() {
        Graph graph("g");
        Node* x = graph.addPlaceholder("x", {});
        graph.addCall("aten.add.Tensor", {x, 1}, {}, {}, "add_1");
        QCOMPARE(q(graph.addCall("aten.add.Tensor", {x, 1}, {}, {})->name()), u"add"_s);
        QCOMPARE(q(graph.addCall("aten.add.Scalar", {x, 1}, {}, {})->name()), u"add_2"_s);
        QCOMPARE(q(graph.addCall("operator.add", {1, 1}, {}, {})->name()), u"add_3"_s);
        QCOMPARE(q(graph.addPlaceholder("x", {})->name()), u"x_1"_s);
        const auto copy = graph.clone();
        QCOMPARE(q(copy->addCall("aten.add.Tensor", {1, 1}, {}, {})->name()), u"add_4"_s);
        QCOMPARE(copy->nodes().back()->id(), 6);
        graph.setIdentity(x, 40);
        QCOMPARE(graph.addCall("aten.add.Tensor", {x, 1}, {}, {})->id(), 41);
    }

    void clonesAreIndependent() {
        const auto graph = parseSound(graphText("full_detail"));
        const auto copy = graph->clone();
        QCOMPARE(q(printGraph(*copy, Detail::full)), q(printGraph(*graph, Detail::full)));
        Node* relu = copy->findById(7);
        copy->replaceAllUses(relu, copy->findById(0));
        relu->type = {};
        QCOMPARE(q(printGraph(*graph, Detail::full)), q(graphText("full_detail")));
        QVERIFY(verifyGraph(*copy).empty());
    }

    void outputsNeedSlotsAndComeLast() {
        Graph graph("g");
        QVERIFY_THROWS_EXCEPTION(std::logic_error, graph.output());
        Node* x = graph.addPlaceholder("x", {});
        QVERIFY_THROWS_EXCEPTION(std::logic_error, graph.setOutput({x, x}, {{}}));
        graph.setOutput({x}, {{}});
        QVERIFY_THROWS_EXCEPTION(std::logic_error, graph.setOutput({x}, {{}}));
        graph.addCall("aten.sin.default", {x}, {}, {});
        QVERIFY(graph.nodes().back() == graph.output());
    }

    void countsCalls() {
        const auto graph = parseSound(graphText("full_detail"));
        QCOMPARE(graph->callCount(), std::size_t(2));
        QCOMPARE(graph->placeholders().size(), std::size_t(5));
        const std::map<std::string, int> expected = {{"aten.relu.default", 1}, {"aten.threshold_backward.default", 1}};
        QVERIFY(opHistogram(*graph) == expected);
    }

    // --- differences ---

    void diffOfEqualGraphsIsEmpty() {
        const auto graph = parseSound(graphText("full_detail"));
        const auto copy = graph->clone();
        for (const NodePairs& pairs : {matchById(*graph, *copy), matchByStructure(*graph, *copy)}) {
            QVERIFY(describe(pairs, *graph, *copy).empty());
            QCOMPARE(pairs.size(), graph->size());
        }
    }

    void diffById() {
        const auto before = parseSound(graphText("chain"));
        const auto after = before->clone();
        Node *x = after->findByName("x"), *cos = after->findByName("cos"), *add = after->findByName("add");
        after->replaceAllUses(cos, x);
        after->eraseIf([&](const Node* n) { return n == cos; });
        after->setArguments(add, {x, after->findByName("sin")}, {{"alpha", 3}});
        add->type.tensor()->sizes = {2, 2};
        add->type.tensor()->strides = {2, 1};
        const std::vector<QString> expected = {
            u"-cos"_s, u"~add: type f32[4] -> f32[2, 2]; arguments (%cos, %sin, alpha=2) -> (%x, %sin, alpha=3)"_s,
            u"~output: arguments (%add, [%cos, %cos]) -> (%add, [%x, %x])"_s};
        QCOMPARE(describe(matchById(*before, *after), *before, *after), expected);
        const NodePairs back = matchById(*after, *before);
        QCOMPARE(back.size(), std::size_t(4));
        QVERIFY(describe(back, *after, *before).back() == u"+cos"_s);
    }

    void diffByStructure() {
        const auto before = parseSound(graphText("chain"));
        const auto after = parseSound(
            "graph renamed\n%arg : f32[4] = placeholder(input)\n"
            "%first : f32[4] = aten.sin_.default(%arg)\n"
            "%exp : f32[4] = aten.exp.default(%first)\n"
            "%sum : f32[4] = aten.add.Tensor(%exp, %first, alpha=2)\n"
            "return [%sum : output, [%exp, %exp] : output \"both\"]");
        const std::vector<QString> expected = {u"~first: op aten.sin.default -> aten.sin_.default"_s, u"-cos"_s,
                                               u"~sum: arguments (%cos, %sin, alpha=2) -> (%exp, %first, alpha=2)"_s,
                                               u"~output: arguments (%add, [%cos, %cos]) -> (%sum, [%exp, %exp])"_s,
                                               u"+exp"_s};
        QCOMPARE(describe(matchByStructure(*before, *after), *before, *after), expected);
    }

    void inputsMatchByNameThenInOrder() {
        const auto before = parseSound(
            "graph g\n%a : f32[1] = placeholder(input) ; label=\"x\"\n%b : f32[1] = placeholder(input) ; label=\"y\"\n"
            "%c : f32[1] = placeholder(input) ; label=\"old\"\nreturn [%a]");
        const auto after = parseSound(
            "graph g\n%a : f32[1] = placeholder(input) ; label=\"new\"\n%b : f32[1] = placeholder(input) ; "
            "label=\"y\"\n"
            "%c : f32[1] = placeholder(input) ; label=\"x\"\nreturn [%c]");
        std::vector<QString> pairs;
        for (const auto& [left, right] : matchByStructure(*before, *after))
            pairs.push_back(q(before->findById(left)->name()) + q(after->findById(right)->name()));
        QCOMPARE(pairs, (std::vector<QString>{u"ac"_s, u"bb"_s, u"ca"_s, u"outputoutput"_s}));
    }

    void equalCallsMatchInOrder() {
        const auto graph = parseSound(
            "graph g\n%x : f32[1] = placeholder\n%a : f32[1] = aten.sin.default(%x)\n"
            "%b : f32[1] = aten.sin.default(%a)\nreturn [%b]");
        const auto longer = parseSound(
            "graph g\n%x : f32[1] = placeholder\n%c : f32[1] = aten.sin.default(%x)\n"
            "%d : f32[1] = aten.sin.default(%c)\n%e : f32[1] = aten.sin.default(%d)\nreturn [%e]");
        const std::vector<QString> expected = {u"~output: arguments (%b) -> (%e)"_s, u"+e"_s};
        QCOMPARE(describe(matchByStructure(*graph, *longer), *graph, *longer), expected);
    }

    /// 2^64 paths lead to the innermost graph.
    void sharedSubgraphsAreVisitedOnce() {
        std::shared_ptr<const Graph> inner = parseSound("graph g\n%x : f32[1] = placeholder\nreturn [%x]");
        const ValueType type = inner->at(0)->type;
        for (int depth = 0; depth < 64; ++depth) {
            auto outer = std::make_unique<Graph>("g");
            Node* x = outer->addPlaceholder("x", type);
            for (int times = 0; times < 2; ++times)
                x = outer->addCall("higher_order.map_impl", {inner, Argument::List{x}, Argument::List{}}, {}, type);
            outer->setOutput({x}, {OutputSlot{}});
            inner = std::move(outer);
        }
        QVERIFY(!drawsRandomNumbers(*inner->at(1)));
        QVERIFY(!hasEffect(*inner->at(1)));
        const std::size_t runs = subgraphRuns(*inner).size();
        QVERIFY2(runs > 1000 && runs < 10'000, qPrintable(QString::number(runs)));
    }

    /// Two operators share a graph, which runs another one.
    void nodesOfSubgraphsHaveIdsOfTheirOwn() {
        const auto graph = parseSound(
            "graph g\n%x : f32[1] = placeholder ; id=0\n"
            "%a : (f32[1]) = higher_order.invoke_subgraph(@block, [%x]) ; id=5\n"
            "%b : (f32[1]) = higher_order.invoke_subgraph(@block, [%x]) ; id=7\nreturn [%a, %b]\n"
            "graph g.block\n%x : f32[1] = placeholder\n"
            "%c : (f32[1]) = higher_order.cond(%x, @yes, @no, [%x])\nreturn [%c]\n"
            "graph g.block.yes\n%x : f32[1] = placeholder\n%sin : f32[1] = aten.sin.default(%x)\nreturn [%sin]\n"
            "graph g.block.no\n%x : f32[1] = placeholder\nreturn [%x]\n");
        const std::vector<SubgraphRun> runs = subgraphRuns(*graph);
        QStringList titles;
        std::set<NodeId> ids;
        std::size_t nodes = 0;
        for (const SubgraphRun& run : runs) {
            titles << q(subgraphTitle(run));
            for (const Node* node : run.graph->nodes()) {
                ids.insert(run.idOf(*node));
                ++nodes;
                QVERIFY(isInner(run.idOf(*node)));
                QCOMPARE(findNode(*graph, run.idOf(*node)), node);
            }
        }
        QCOMPARE(titles.join(u'|'),
                 u"subgraph: block|subgraph: block|true_fn: yes|false_fn: no|"
                 "true_fn: yes|false_fn: no"_s);
        QCOMPARE(ids.size(), nodes);
        QCOMPARE(runs[0].ownerId, NodeId{5});
        QCOMPARE(runs[1].ownerId, NodeId{7});
        QCOMPARE(runs[4].ownerId, runs[1].idOf(*runs[1].graph->findByName("c")));
        const NodeId sin = runs[4].idOf(*runs[4].graph->findByName("sin"));
        QCOMPARE(runAround(*graph, sin)->ownerId, runs[4].ownerId);
        QCOMPARE(outermostOwner(*graph, sin), NodeId{7});
        QCOMPARE(outermostOwner(*graph, 5), NodeId{5});
        QVERIFY(findNode(*graph, 7) == graph->findById(7));
        QVERIFY(!runAround(*graph, 7) && !findNode(*graph, 1 << 29) && !findNode(*graph, kNoNode));
    }
};

AOTSCOPE_TEST(TestIr)

}  // namespace aotscope::test::ir_test

#include "test_ir.moc"
