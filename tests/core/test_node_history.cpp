// Nodes across the graphs of a run: following them, comparing graphs, and the changes made by a pass.

#include "ir/subgraphs.h"
#include "record/history/node_history.h"
#include "record/pass_steps.h"
#include "support/processor_clock.h"
#include "support/test_program.h"
#include "support/text.h"

#include <map>

namespace aotscope::test::node_history_test {
namespace {

constexpr std::string_view kJoint = R"(graph joint
  %x : f32[4] = placeholder(input)  ; id=0 label="x"
  %g : f32[4] = placeholder(tangent)  ; id=1 stage=backward
  %sin : f32[4] = aten.sin.default(%x)  ; id=2 seq=1 module="a"
  %sin_1 : f32[4] = aten.sin.default(%x)  ; id=3 module="a"
  %dead : f32[4] = aten.exp.default(%sin)  ; id=4
  %mul : f32[4] = aten.mul.Tensor(%sin, %sin_1)  ; id=5
  %add : f32[4] = aten.add.Tensor(%mul, 1)  ; id=6
  %cos : f32[4] = aten.cos.default(%x)  ; id=7 stage=backward seq=1 fn="SinBackward0" forward=2
  %mul_1 : f32[4] = aten.mul.Tensor(%g, %cos)  ; id=8 stage=backward
  return [%add : output, %mul_1 : gradient]
)";

/// Removes %dead, merges %sin_1 into %sin, and changes %mul and %add.
constexpr std::string_view kClean = R"(graph joint
  %x : f32[4] = placeholder(input)  ; id=0 label="x"
  %g : f32[4] = placeholder(tangent)  ; id=1 stage=backward
  %cos : f32[4] = aten.cos.default(%x)  ; id=7 stage=backward seq=1 fn="SinBackward0" forward=2
  %sin : f32[4] = aten.sin.default(%x)  ; id=2 seq=1 module="a"
  %mul : f32[4] = aten.mul.Tensor(%sin, %sin)  ; id=5
  %add : f32[4] = aten.add.Tensor(%mul, 2)  ; id=6
  %mul_1 : f32[4] = aten.mul.Tensor(%g, %cos)  ; id=8 stage=backward
  %new : f32[4] = aten.neg.default(%mul_1)  ; id=20 stage=backward
  return [%add : output, %new : gradient]
)";

constexpr std::string_view kProgram = R"(graph source
  %x : f32[4] = placeholder(input)  ; id=0
  %w : f32[4] = placeholder(parameter)  ; id=1
  %conv2d : ? = aten.conv2d.default(%x, %w)  ; id=2 module="conv" file="model.py" line=4
  %batch_norm : ? = aten.batch_norm.default(%conv2d, %w)  ; id=3 module="norm" file="model.py" line=5
  %relu_ : ? = aten.relu_.default(%batch_norm)  ; id=4 file="model.py" line=6
  return [%relu_ : output]
)";

constexpr std::string_view kTraced = R"(graph traced
  %x : f32[4] = placeholder(input)  ; id=0
  %w : f32[4] = placeholder(parameter)  ; id=1
  %convolution : f32[4] = aten.convolution.default(%x, %w, False)  ; id=2 module="conv" file="model.py" line=4
  %empty : u8[0] = aten.empty.memory_format([0])  ; id=3 module="norm" file="model.py" line=5
  %norm : (f32[4], f32[4]) = aten.native_batch_norm.default(%convolution, %w)  ; id=4 module="norm" file="model.py" line=5
  %first : f32[4] = operator.getitem(%norm, 0)  ; id=5 module="norm" file="model.py" line=5
  %second : f32[4] = operator.getitem(%norm, 1)  ; id=6 module="norm" file="model.py" line=5
  %relu_ : f32[4] = aten.relu_.default(%first)  ; id=7 file="model.py" line=6
  return [%relu_ : output, %second : output]
)";

std::shared_ptr<CompileRecord> record() {
    auto r = std::make_shared<CompileRecord>();
    const auto add = [&](PassId id, std::string_view text, bool changed) {
        PassRecord pass;
        pass.id = id;
        pass.changed = changed;
        pass.graphs.emplace_back(GraphKind::joint, parseSound(text));
        r->graphs[GraphKind::joint] = pass.graphs.front().second;
        r->passes.push_back(pass);
    };
    add(PassId::joint, kJoint, true);
    add(PassId::dynamicShapes, kJoint, false);
    add(PassId::deadCode, kClean, true);
    r->passes.back().merged = {{3, 2}};
    return r;
}

std::map<QString, QString> changesOf(const GraphDifference& difference) {
    std::map<QString, QString> changes;
    for (const DifferenceRow& row : difference.rows) {
        const Node* node =
            row.after != kNoNode ? difference.after->findById(row.after) : difference.before->findById(row.before);
        if (row.kind != DifferenceKind::same)
            changes[q(node->kind() == NodeKind::output ? "return" : node->name())] =
                q(std::string(name(row.kind)) + (row.what.empty() ? "" : " " + row.what));
    }
    return changes;
}

}  // namespace

class TestNodeHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDifferenceClassifiesEveryNode() {
        const auto r = record();
        const auto before = r->passes[0].graphs[0].second, after = r->passes[2].graphs[0].second;
        const GraphDifference d = compareGraphs(*r, before, GraphKind::joint, after, GraphKind::joint);
        const auto changes = changesOf(d);
        QCOMPARE(changes.at(u"new"_s), u"added"_s);
        QCOMPARE(changes.at(u"dead"_s), u"removed"_s);
        QCOMPARE(changes.at(u"sin_1"_s), u"removed merged into %sin"_s);
        QCOMPARE(changes.at(u"add"_s), u"changed arguments (%mul, 1) -> (%mul, 2)"_s);
        QCOMPARE(changes.at(u"cos"_s), u"moved from line 8 to 3"_s);
        QVERIFY(!changes.contains(u"x"_s) && !changes.contains(u"sin"_s));
        QCOMPARE(d.added, std::size_t{1});
        QCOMPARE(d.removed, std::size_t{2});
        QCOMPARE(d.moved, std::size_t{1});
        QCOMPARE(q(summaryOf(d)), u"1 added, 2 removed, 3 changed, 1 moved"_s);
        // Every node of both graphs appears once.
        std::size_t left = 0, right = 0;
        for (const DifferenceRow& row : d.rows) left += row.before != kNoNode, right += row.after != kNoNode;
        QCOMPARE(left, before->size());
        QCOMPARE(right, after->size());
    }

    void aGraphDoesNotDifferFromItself() {
        const auto r = record();
        const auto graph = r->passes[0].graphs[0].second, copy = r->passes[1].graphs[0].second;
        QVERIFY(compareGraphs(*r, graph, GraphKind::joint, graph, GraphKind::joint).empty());
        const GraphDifference d = compareGraphs(*r, graph, GraphKind::joint, copy, GraphKind::joint);
        QVERIFY(d.empty());
        QCOMPARE(q(summaryOf(d)), u"no difference"_s);
    }

    /// The same operations by other names, as tracing renames them.
    void replacedOperationsArePaired() {
        const auto r = std::make_shared<CompileRecord>();
        const auto add = [&](PassId id, GraphKind kind, std::string_view text) {
            PassRecord pass;
            pass.id = id;
            pass.changed = true;
            pass.lineage = MatchBy::structure;
            pass.graphs.emplace_back(kind, parseSound(text));
            r->passes.push_back(pass);
            return r->passes.back().graphs.front().second;
        };
        const auto before = add(PassId::source, GraphKind::source, kProgram),
                   after = add(PassId::preFunctionalization, GraphKind::preFunctionalization, kTraced);
        const GraphDifference d = compareGraphs(*r, before, GraphKind::source, after, GraphKind::preFunctionalization);
        QCOMPARE(q(summaryOf(d)), u"2 replaced, 2 changed"_s);
        const auto changes = changesOf(d);
        QCOMPARE(changes.at(u"convolution"_s), u"replaced conv2d -> convolution"_s);
        // One operation became several: all of them say so, and one of them is shown beside it.
        const QString norm = u"replaced batch_norm -> native_batch_norm, empty"_s;
        for (const char* name : {"empty", "norm", "first", "second"})
            QCOMPARE(changes.at(QString::fromUtf8(name)), norm);
        const auto beside = std::ranges::find(d.rows, NodeId{3}, &DifferenceRow::before);
        QCOMPARE(beside->after, after->findByName("norm")->id());
        // It is the same operation, on the successor of its operand.
        QCOMPARE(changes.at(u"relu_"_s), u"changed type ? -> f32[4]"_s);
        // The history of a node says the same.
        NodeFollower follower(r);
        const auto steps = historyOf(follower, before, GraphKind::source, 2);
        QCOMPARE(steps.size(), std::size_t{2});
        QCOMPARE(q(name(steps[1].state)) + u' ' + q(steps[1].change), changes.at(u"convolution"_s));
        const auto back = historyOf(follower, after, GraphKind::preFunctionalization, beside->after);
        QCOMPARE(q(name(back[1].state)) + u' ' + q(back[1].change), norm);
        QCOMPARE(back[0].nodes, std::vector<NodeId>{3});
    }

    /// A synthetic base comes first and represents two of the inputs: the others are unchanged.
    void inputsAroundSyntheticBasesGoByName() {
        const auto r = std::make_shared<CompileRecord>();
        const auto add = [&](PassId id, GraphKind kind, std::string_view text) {
            PassRecord pass;
            pass.id = id;
            pass.changed = true;
            pass.lineage = MatchBy::structure;
            pass.graphs.emplace_back(kind, parseSound(text));
            r->passes.push_back(pass);
            return r->passes.back().graphs.front().second;
        };
        const auto before = add(PassId::functional, GraphKind::functional, R"(graph functional
  %a : f32[4] = placeholder(parameter)  ; id=0 label="scale"
  %b : f32[4] = placeholder(input)  ; id=1 label="left"
  %c : f32[4] = placeholder(input)  ; id=2 label="right"
  %d : f32[4] = placeholder(input)  ; id=3 label="again"
  %e : f32[4] = placeholder(input)  ; id=4 label="x"
  return [%e : output]
)");
        constexpr std::string_view packed = R"(graph packed
  %a : f32[8] = placeholder(input)  ; id=0 label="base of left, right"
  %b : f32[4] = placeholder(parameter)  ; id=1 label="scale"
  %c : f32[4] = placeholder(input)  ; id=2 label="x"
  return [%c : output]
)";
        const auto after = add(PassId::syntheticBases, GraphKind::functional, packed);
        const auto metadata = [](const std::vector<const char*>& names) {
            auto made = std::make_shared<FunctionMetadata>();
            for (const char* name : names) made->inputs.emplace_back().name = name;
            return made;
        };
        const auto function = metadata({"scale", "left", "right", "again", "x"});
        function->convention.inputs = {{{1, 2}, true}, {{0}, false}, {{4}, false}};
        function->convention.arguments = {{1, {}}, {0, {}}, {0, {}}, {2, {}}, {2, {}}};  // "again" is "x", passed twice
        r->metadata = function;
        r->graphMetadata = metadata({"base of left, right", "scale", "x"});

        const LevelMap map(*r, *before, GraphKind::functional, *after, GraphKind::functional);
        QCOMPARE(map.twinOf(0), 1);
        QCOMPARE(map.twinOf(4), 2);
        for (const NodeId gone : {1, 2, 3}) QCOMPARE(map.twinOf(gone), kNoNode);
        QCOMPARE(map.toB(1), std::vector<NodeId>{0});
        QCOMPARE(map.toB(3), std::vector<NodeId>{2});
        QCOMPARE(map.toA(0), (std::vector<NodeId>{1, 2}));
        const LevelMap same(*r, *after, GraphKind::functional, *parseSound(packed), GraphKind::functional);
        QCOMPARE(same.twinOf(0), 0);
        const auto changes = changesOf(compareGraphs(*r, before, GraphKind::functional, after, GraphKind::functional));
        QCOMPARE(changes.at(u"d"_s), u"removed"_s);
        QVERIFY(!changes.contains(u"return"_s));
    }

    /// Two calls on one line, each of which becomes two: those that use the same values belong together.
    void replacementsOfOneLineAreToldApart() {
        const auto before = parseSound(
            "graph source\n%x : ? = placeholder(input) ; id=0\n%v : ? = placeholder(parameter) ; id=1\n"
            "%w : ? = placeholder(parameter) ; id=2\n"
            "%a : ? = aten.linear.default(%x, %v) ; id=3 file=\"m.py\" line=3\n"
            "%b : ? = aten.linear.default(%a, %w) ; id=4 file=\"m.py\" line=3\nreturn [%b : output]\n");
        const auto after = parseSound(
            "graph traced\n%x : f32[4, 4] = placeholder(input) ; id=0\n"
            "%v : f32[4, 4] = placeholder(parameter) ; id=1\n%w : f32[4, 4] = placeholder(parameter) ; id=2\n"
            "%t : f32[4, 4][1, 4] = aten.t.default(%v) ; id=3 file=\"m.py\" line=3\n"
            "%mm : f32[4, 4] = aten.mm.default(%x, %t) ; id=4 file=\"m.py\" line=3\n"
            "%t_1 : f32[4, 4][1, 4] = aten.t.default(%w) ; id=5 file=\"m.py\" line=3\n"
            "%mm_1 : f32[4, 4] = aten.mm.default(%mm, %t_1) ; id=6 file=\"m.py\" line=3\nreturn [%mm_1 : output]\n");
        const LevelMap map({}, *before, GraphKind::source, *after, GraphKind::functional);
        QCOMPARE(map.replacementOf(3)->after, (std::vector<NodeId>{4, 3}));
        QCOMPARE(map.replacementOf(4)->after, (std::vector<NodeId>{6, 5}));
        // Conversely, two operations become one.
        const LevelMap back({}, *after, GraphKind::functional, *before, GraphKind::source);
        QCOMPARE(back.replacementOf(5)->after, std::vector<NodeId>{4});
        QVERIFY(back.corresponds(6, 4) && !back.corresponds(6, 3));
    }

    /// Node ids of two runs are unrelated.
    void runsAreComparedByStructure() {
        CompileRecord a, b;
        a.model.name = "a", b.model.name = "b";
        a.graphs[GraphKind::joint] = parseSound(
            "graph joint\n  %x : f32[2] = placeholder(input)  ; id=0\n  %sin : f32[2] = aten.sin.default(%x)  ; id=1\n"
            "  %cos : f32[2] = aten.cos.default(%sin)  ; id=2\n  return [%cos : output]\n");
        b.graphs[GraphKind::joint] = parseSound(
            "graph joint\n  %y : f32[2] = placeholder(input)  ; id=5\n  %s : f32[2] = aten.sin.default(%y)  ; id=2\n"
            "  %exp : f32[2] = aten.exp.default(%s)  ; id=1\n  return [%exp : output]\n");
        const auto partition = [](NodeId saved) {
            Partition made;
            if (saved != kNoNode) made.saved.push_back({saved});
            return std::make_shared<const Partition>(std::move(made));
        };
        a.partition = partition(1), b.partition = partition(kNoNode);
        const auto changes = changesOf(compareRuns(a, b, GraphKind::joint));
        QCOMPARE(changes.size(), std::size_t{3});
        QCOMPARE(changes.at(u"y"_s), u"renamed name %x -> %y"_s);
        QCOMPARE(changes.at(u"s"_s), u"changed name %sin -> %s; saved -> neither"_s);
        QCOMPARE(changes.at(u"exp"_s), u"changed op aten.cos.default -> aten.exp.default; name %cos -> %exp"_s);
        b.partition = partition(2);
        QVERIFY(!changesOf(compareRuns(a, b, GraphKind::joint, {{Aspect::names}})).contains(u"s"_s));
        QVERIFY(
            errorOf([&] { compareRuns(a, b, GraphKind::backward); }).contains(u"the run of a has no backward graph"_s));
    }

    void nodesAreFollowed() {
        const auto r = record();
        NodeFollower follower(r);
        const auto before = r->passes[0].graphs[0].second, after = r->passes[2].graphs[0].second;
        const auto follow = [&](NodeId id) {
            return follower.follow(before, GraphKind::joint, id, after, GraphKind::joint);
        };
        QCOMPARE(follow(5).how, Followed::How::same);
        QCOMPARE(follow(3).how, Followed::How::merged);
        QCOMPARE(follow(3).first(), NodeId{2});
        QCOMPARE(follow(4).how, Followed::How::related);  // it was computed from %sin
        QCOMPARE(follow(4).first(), NodeId{2});
        QCOMPARE(follow(kNoNode).first(), kNoNode);
        QCOMPARE(follow(77).first(), kNoNode);
    }

    void aHistoryFollowsANode() {
        const auto r = record();
        NodeFollower follower(r);
        const auto after = r->passes[2].graphs[0].second, before = r->passes[1].graphs[0].second;
        const auto states = [&](const std::shared_ptr<const Graph>& graph, NodeId id) {
            QStringList list;
            for (const HistoryStep& step : historyOf(follower, graph, GraphKind::joint, id))
                list << q(name(step.state));
            return list.join(u' ');
        };
        QCOMPARE(graphsOf(*r).size(), std::size_t{2});  // a pass without changes has no entry
        QCOMPARE(states(after, 20), u"not there appears"_s);
        QCOMPARE(states(after, 2), u"appears unchanged"_s);
        QCOMPARE(states(after, 6), u"appears changed"_s);
        QCOMPARE(states(before, 4), u"appears gone"_s);
    }

    void thePassesDescribeTheirChanges() {
        const auto r = record();
        QVERIFY(stepsOf(*r, 0).empty());
        QVERIFY(stepsOf(*r, 1).empty());
        QStringList kinds;
        for (const PassStep& step : stepsOf(*r, 2)) {
            kinds << q(step.kind);
            if (step.kind == "removed") QCOMPARE(step.node, NodeId{2});  // the operands of %dead
            if (step.kind == "merged") QVERIFY(q(step.text).contains(u"%sin_1"_s));
        }
        kinds.sort();
        QCOMPARE(kinds.join(u' '), u"added changed changed changed merged moved removed"_s);
        r->rewrites = {{"aten.t.default", "t", "aten.t.default(%x)", {0}, {2, 5}, {5}, -1}};
        r->passes[2].id = PassId::joint;
        const auto steps = stepsOf(*r, 2);
        QCOMPARE(steps.size(), std::size_t{1});
        QCOMPARE(q(steps[0].text), u"aten.t.default(%x) became %sin, %mul, by the rule t"_s);
        QCOMPARE(steps[0].node, NodeId{5});
        QVERIFY(stepsOf(*r, 99).empty());
    }

    void tenThousandNodes() {
        const auto text = [](int first) {
            std::string lines = "graph joint\n  %x : f32[4] = placeholder(input)  ; id=0\n", last = "x";
            for (int i = first; i < 10'000; ++i) {
                const std::string name = "n" + std::to_string(i);
                lines += "  %" + name + " : f32[4] = aten.add.Tensor(%" + last +
                         ", %x)  ; id=" + std::to_string(i + 1) + "\n";
                last = name;
            }
            return lines + "  return [%" + last + " : output]\n";
        };
        CompileRecord r;
        const std::shared_ptr<const Graph> a = parseSound(text(0)), b = parseSound(text(500));
        const ProcessorClock clock;
        const GraphDifference d = compareGraphs(r, a, GraphKind::joint, b, GraphKind::joint);
        qInfo("difference in %.0f ms", clock.milliseconds());
        QCOMPARE(d.removed, std::size_t{500});
        QVERIFY(clock.milliseconds() < 5000);
        NodeFollower follower(std::make_shared<CompileRecord>());
        const ProcessorClock following;
        follower.follow(a, GraphKind::functional, 5000, b, GraphKind::joint);
        qInfo("a node followed between lineages in %.0f ms", following.milliseconds());
    }

    /// With the operator that runs the subgraph, by name.
    void nodesOfSubgraphsAreFollowed() {
        const std::shared_ptr<const Graph> a = parseSound(
            "graph g\n%x : f32[1] = placeholder ; id=0\n"
            "%c : (f32[1]) = higher_order.cond(%x, @yes, @no, [%x]) ; id=1\nreturn [%c]\n"
            "graph g.yes\n%x : f32[1] = placeholder\n%sin : f32[1] = aten.sin.default(%x)\nreturn [%sin]\n"
            "graph g.no\n%x : f32[1] = placeholder\nreturn [%x]\n");
        const SubgraphRun yes = subgraphRuns(*a).front();
        const NodeId sin = yes.idOf(*yes.graph->findByName("sin"));
        std::shared_ptr<Graph> b = a->clone();
        b->addCall("aten.neg.default", {b->at(0)}, {}, b->at(0)->type);
        NodeFollower follower(std::make_shared<CompileRecord>());
        const Followed same = follower.follow(a, GraphKind::joint, sin, b, GraphKind::joint);
        QCOMPARE(same.how, Followed::How::same);
        QCOMPARE(findNode(*b, same.first())->name(), std::string("sin"));
        const std::shared_ptr<const Graph> without = parseSound("graph g\n%x : f32[1] = placeholder\nreturn [%x]\n");
        QVERIFY(!isInner(follower.follow(a, GraphKind::joint, sin, without, GraphKind::joint).first()));
    }
};

AOTSCOPE_TEST(TestNodeHistory)

}  // namespace aotscope::test::node_history_test

#include "test_node_history.moc"
