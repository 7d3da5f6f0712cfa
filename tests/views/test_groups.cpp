// Modules as nested groups: which groups exist, what is visible when they are closed, and their layout.

#include "canvas/difference_picture.h"
#include "canvas/layout/layout_job.h"
#include "canvas/visible.h"
#include "record/pass_graphs.h"
#include "support/deep_graph.h"
#include "support/test_program.h"
#include "views/drawings.h"
#include "views/layout_rules.h"
#include "views/picture_rules.h"

#include <algorithm>
#include <map>
#include <set>

namespace aotscope::test::groups_test {
namespace {

using Drawing = std::shared_ptr<const DrawnGraph>;

Drawing grouped(const QString& source, GraphKind kind = GraphKind::joint) {
    return withGroups(source.contains(u'\n') ? drawText(source.toStdString(), kind)
                                             : drawSample(source.toStdString(), kind));
}

Drawing deep(int layers) {
    return withGroups(drawGraph(*parseGraph(deepGraphText(layers)), GraphKind::joint, nullptr));
}

void addGraphs() {
    columns<QString, GraphKind>("source", "kind");
    for (const char* sample : {"sincos", "mlp", "aliasing", "mutations", "resnet18", "gpt2-tiny", "bert-tiny"})
        for (const auto& [kind, graph] : recordOf(sample)->graphs)
            QTest::addRow("%s, %s", sample, name(kind).data()) << QString::fromUtf8(sample) << kind;
    QTest::addRow("deep") << q(deepGraphText(3)) << GraphKind::joint;
    QTest::addRow("chain without modules") << q(chainText(900)) << GraphKind::functional;
}

/// A box on a cycle of the flow; empty: none.
QString cycle(const DrawnGraph& graph) {
    std::vector<int> open(graph.nodes.size(), 0);
    for (const auto& edge : graph.edges) ++open[static_cast<std::size_t>(edge.to)];
    std::vector<int> ready;
    for (std::size_t i = 0; i < open.size(); ++i)
        if (open[i] == 0) ready.push_back(static_cast<int>(i));
    for (std::size_t i = 0; i < ready.size(); ++i)
        for (const auto& edge : graph.edges)
            if (edge.from == ready[i] && --open[static_cast<std::size_t>(edge.to)] == 0) ready.push_back(edge.to);
    if (ready.size() == graph.nodes.size()) return {};
    const auto stuck = std::find_if(open.begin(), open.end(), [](int count) { return count > 0; });
    return graph.nodes[static_cast<std::size_t>(stuck - open.begin())].name;
}

/// Checks frames: a box is inside those of its groups, and in no other.
QString frameProblem(const DrawnGraph& graph, const GraphLayout& layout) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (const auto& frame : layout.frames) {
            const bool backward = graph.isLadder() && graph.nodes[i].stage == Stage::backward;
            const bool member =
                graph.groups->isWithin(graph.nodes[i].within, frame.group) && backward == frame.backward;
            if (member ? !frame.rect.contains(layout.boxes[i]) : frame.rect.intersects(layout.boxes[i]))
                return graph.nodes[i].name + (member ? u" is outside of "_s : u" is in "_s) +
                       (*graph.groups)[frame.group].key;
        }
    return {};
}

QString problem(const DrawnGraph& graph, const GraphLayout& layout) {
    QString found = layoutProblem(graph, layout);
    if (found.isEmpty()) found = frameProblem(graph, layout);
    return found.isEmpty() ? overlap(graph, layout) : found;
}

int groupNamed(const DrawnGraph& graph, const char* key) { return graph.groups->byKey(QString::fromUtf8(key)); }

}  // namespace

class TestGroups : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- groups ---

    void modulesBecomeGroups() {
        const Drawing graph = grouped(u"gpt2-tiny"_s);
        const int first = groupNamed(*graph, "blocks.0"), inner = groupNamed(*graph, "blocks.0.c_attn");
        QVERIFY(first > 0 && inner > 0);
        QCOMPARE((*graph->groups)[inner].parent, first);
        QCOMPARE((*graph->groups)[first].type, u"GPTBlock"_s);
        QCOMPARE(titleOf(*graph->groups, inner), u"c_attn · Linear"_s);
        QVERIFY(groupNamed(*graph, "nothing") < 0);
        for (std::size_t g = 0; g < graph->groups->size(); ++g)
            for (const int box : (*graph->groups)[static_cast<int>(g)].boxes)
                QCOMPARE(graph->nodes[static_cast<std::size_t>(box)].within, static_cast<int>(g));
    }

    void everyBoxIsInOneGroup_data() { addGraphs(); }
    void everyBoxIsInOneGroup() {
        QFETCH(QString, source);
        QFETCH(GraphKind, kind);
        const Drawing graph = grouped(source, kind);
        std::size_t boxes = 0;
        for (const auto& group : graph->groups->groups) boxes += group.boxes.size();
        QCOMPARE(boxes, graph->nodes.size());
        std::set<QString> keys;
        for (const auto& group : graph->groups->groups) QVERIFY2(keys.insert(group.key).second, qPrintable(group.key));
    }

    void bothHalvesOfAModuleAreOneGroup() {
        const Drawing graph = deep(2);
        const int attention = groupNamed(*graph, "blocks.1.attn");
        QVERIFY(attention > 0);
        std::set<Stage> stages;
        for (const auto& node : graph->nodes)
            if (graph->groups->isWithin(node.within, attention)) stages.insert(node.stage);
        QCOMPARE(stages.size(), std::size_t{2});
        QVERIFY(groupNamed(*graph, "blocks.1.attn#2") < 0);
    }

    void equalModulesAreRecognised() {
        const Drawing graph = deep(5);
        QCOMPARE((*graph->groups)[groupNamed(*graph, "blocks.2.mlp.act")].alike, 5);
        QVERIFY((*graph->groups)[groupNamed(*graph, "blocks.2")].alike >= 3);
        QVERIFY((*graph->groups)[groupNamed(*graph, "blocks.2")].structure !=
                (*graph->groups)[groupNamed(*graph, "blocks.2.mlp.act")].structure);
    }

    void aModuleCalledTwiceIsTwoGroups() {
        std::string text = "graph twice\n  %x : f32[4] = placeholder(input)\n";
        std::string last = "x";
        for (int i = 0; i < 15; ++i) {
            const std::string value = "n" + std::to_string(i), module = i / 5 == 1 ? "other" : "shared";
            text += "  %" + value + " : f32[4] = aten.sin.default(%" + last + ")  ; module=\"" + module + "\"\n";
            last = value;
        }
        const Drawing graph = grouped(q(text + "  return [%" + last + " : output \"o\"]\n"), GraphKind::functional);
        QVERIFY(groupNamed(*graph, "shared") > 0);
        QVERIFY(groupNamed(*graph, "shared#2") > 0);
    }

    /// They are folded instead.
    void longChainsAreNotDivided() {
        const Drawing graph = grouped(q(chainText(900)), GraphKind::functional);
        QCOMPARE(graph->groups->deepest(), 0);
    }

    /// They have no frames, and are closed only by themselves.
    void operationsOutsideOfModulesAreRuns() {
        const Drawing graph = grouped(q(chainText(100)), GraphKind::functional);
        QVERIFY(graph->groups->size() > 5);
        for (const DrawnNode& node : graph->nodes) QVERIFY(node.within == 0);
        QCOMPARE(collapsedTo(*graph->groups, 1), ViewState());
        const Drawing closed = visibleGraph(graph, withRunsClosed(*graph->groups, {}));
        QVERIFY(closed->nodes.size() <= graph->groups->size() + 2);
        QCOMPARE(cycle(*closed), QString());
        QCOMPARE(grouped(q(chainText(20)), GraphKind::functional)->groups->size(), std::size_t{1});
    }

    // --- visible boxes ---

    void closedGroupsHaveNoCycles_data() { addGraphs(); }
    void closedGroupsHaveNoCycles() {
        QFETCH(QString, source);
        QFETCH(GraphKind, kind);
        const Drawing graph = grouped(source, kind);
        for (int depth = 1; depth <= graph->groups->deepest() + 1; ++depth)
            QCOMPARE(cycle(*visibleGraph(graph, collapsedTo(*graph->groups, depth))), QString());
        for (std::size_t g = 1; g < graph->groups->size(); ++g) {
            ViewState one;
            one.collapsed.insert((*graph->groups)[static_cast<int>(g)].key);
            QCOMPARE(cycle(*visibleGraph(graph, one)), QString());
        }
    }

    void aClosedGroupStandsForItsBoxes() {
        const Drawing graph = grouped(u"gpt2-tiny"_s);
        const ViewState closed = collapsedTo(*graph->groups, 1);
        const Drawing seen = visibleGraph(graph, closed);
        QVERIFY(seen->nodes.size() < graph->nodes.size() / 3);
        for (const auto& [id, box] : graph->indexOf) {
            const int place = seen->indexOf.at(id);
            const DrawnNode &own = graph->nodes[static_cast<std::size_t>(box)],
                            &stand = seen->nodes[static_cast<std::size_t>(place)];
            if (stand.group < 0) QCOMPARE(stand.name, own.name);
            else QVERIFY(graph->groups->isWithin(own.within, stand.group) && own.stage == stand.stage);
        }
        int bundled = 0;
        for (const auto& edge : seen->edges) bundled += edge.count;
        QVERIFY(bundled > static_cast<int>(seen->edges.size()));
        QCOMPARE(visibleGraph(graph, {}), graph);
    }

    void aWhatIfLeavesTheBoxesOfGroupsAsTheyAre() {
        const Drawing graph = grouped(u"gpt2-tiny"_s);
        DrawnGraph changed = *graph;
        for (auto& node : changed.nodes) {
            node.placement.saved = false;
            node.placement.savedBytes = 0;
            node.placement.change = u"no longer saved"_s;
        }
        const ViewState closed = collapsedTo(*graph->groups, 1);
        const Drawing before = visibleGraph(graph, closed),
                      after = visibleGraph(std::make_shared<const DrawnGraph>(changed), closed);
        QCOMPARE(before->nodes.size(), after->nodes.size());
        for (std::size_t i = 0; i < before->nodes.size(); ++i) {
            QCOMPARE(before->nodes[i].size, after->nodes[i].size);
            if (after->nodes[i].group >= 0) QVERIFY(after->nodes[i].placement.change.endsWith(u" changed"_s));
        }
    }

    void hiddenBoxesAreNotSeen() {
        const Drawing graph = grouped(u"mlp"_s);
        ViewState state;
        const NodeId relu = nodeNamed(*graph, "relu").id;
        state.hidden.insert(relu);
        const Drawing seen = visibleGraph(graph, state);
        QCOMPARE(seen->nodes.size(), graph->nodes.size() - 1);
        QVERIFY(!seen->indexOf.contains(relu));
        QCOMPARE(seen->note, u"1 box is hidden"_s);
        for (const auto& edge : seen->edges)
            QVERIFY(edge.to < static_cast<int>(seen->nodes.size()) && edge.from < static_cast<int>(seen->nodes.size()));
    }

    void largeGraphsOpenReadable() {
        QVERIFY(opening(*grouped(u"resnet18"_s)).collapsed.isEmpty());
        const Drawing graph = deep(12);
        QVERIFY(graph->nodes.size() > 1500);
        const Drawing seen = visibleGraph(graph, opening(*graph));
        QVERIFY2(seen->nodes.size() <= 260 && seen->nodes.size() > 5, qPrintable(QString::number(seen->nodes.size())));
    }

    void groupsOpenAndClose() {
        const Drawing graph = deep(3);
        const GroupTree& tree = *graph->groups;
        const int block = groupNamed(*graph, "blocks.1"), inner = groupNamed(*graph, "blocks.1.attn");
        ViewState state = collapsedTo(tree, 1);
        state = toggled(tree, state, block, true);
        QVERIFY(!state.collapsed.contains(u"blocks.1"_s) && !state.collapsed.contains(u"blocks"_s));
        QVERIFY(state.collapsed.contains(u"blocks.1.attn"_s));
        state = toggledAlike(tree, state, inner, true);
        for (const char* key : {"blocks.0.attn", "blocks.1.attn", "blocks.2.attn"})
            QCOMPARE(state.collapsed.contains(QString::fromUtf8(key)),
                     tree[groupNamed(*graph, key)].structure != tree[inner].structure);
        QVERIFY(toggled(tree, state, block, false).collapsed.contains(u"blocks.1"_s));
    }

    // --- layout ---

    void layoutsAreSound_data() { addGraphs(); }
    void layoutsAreSound() {
        QFETCH(QString, source);
        QFETCH(GraphKind, kind);
        const Drawing graph = grouped(source, kind);
        LayoutCache cache;
        for (int depth = 1; depth <= graph->groups->deepest() + 1; ++depth) {
            const Drawing seen = visibleGraph(graph, collapsedTo(*graph->groups, depth));
            const GraphLayout layout = layoutNow(*seen, cache);
            QCOMPARE(layout.note, QString());
            QCOMPARE(problem(*seen, layout), QString());
        }
        QCOMPARE(problem(*graph, layoutSimply(*graph, u"because"_s)), QString());
    }

    /// The last box of the module has neither inputs nor users: it stands beside another one, inside of its frame.
    void boxesWithoutEdgesStayInTheirFrames() {
        const Drawing graph = grouped(q(R"(graph functional
  %n : i64[] = placeholder(buffer)  ; id=0 label="m.number_of_batches_tracked"
  %x : f32[4] = placeholder(input)  ; id=1
  %neg : f32[4] = aten.neg.default(%x)  ; id=2
  %a : f32[4] = aten.sin.default(%neg)  ; id=3 module="m"
  %b : f32[4] = aten.cos.default(%a)  ; id=4 module="m"
  %count : i64[] = aten.add.Tensor(%n, 1)  ; id=6 module="m"
  %c : f32[4] = aten.exp.default(%b)  ; id=5 module="m"
  %count_1 : i64[] = aten.add.Tensor(%n, 2)  ; id=7 module="m"
  %out : f32[4] = aten.abs.default(%c)  ; id=8
  return [%count_1 : mutated_input "m.number_of_batches_tracked", %out : output "o"]
)"),
                                      GraphKind::functional);
        const GraphLayout layout = layoutNow(*graph);
        QVERIFY(!layout.frames.empty());
        QCOMPARE(frameProblem(*graph, layout), QString());
        QCOMPARE(overlap(*graph, layout), QString());
    }

    void differencesDoNotOverlap_data() {
        QTest::addColumn<QString>("sample");
        for (const char* sample : {"sincos", "mlp", "resnet18", "gpt2-tiny", "aliasing", "mutations"})
            QTest::addRow("%s", sample) << QString::fromUtf8(sample);
    }
    void differencesDoNotOverlap() {
        QFETCH(QString, sample);
        const auto record = recordOf(sample.toStdString());
        const auto graphs = graphsOf(*record);
        LayoutCache cache;
        for (std::size_t to = 1; to < graphs.size(); ++to)
            for (const std::size_t from : {to - 1, std::size_t{0}}) {
                const GraphDifference difference =
                    compareGraphs(*record, graphs[from].graph, graphs[from].kind, graphs[to].graph, graphs[to].kind);
                const Drawing whole = withGroups(drawDifference(*record, difference));
                for (const auto& seen : {whole, visibleGraph(whole, collapsedTo(*whole->groups, 1))}) {
                    const GraphLayout layout = layoutNow(*seen, cache);
                    const QString found = overlap(*seen, layout) + frameProblem(*seen, layout);
                    QVERIFY2(found.isEmpty(), qPrintable(u"%1 to %2: %3"_s.arg(from).arg(to).arg(found)));
                }
            }
    }

    void equalGroupsLookEqual() {
        const Drawing graph = deep(5);
        const GraphLayout layout = layoutNow(*graph);
        std::map<std::uint64_t, QSizeF> sizes;
        for (const auto& frame : layout.frames) {
            const auto& group = (*graph->groups)[frame.group];
            if (group.path.count(u'.') < 2) continue;  // blocks.1.attn and the like: nothing of another group in them
            const auto [known, isNew] =
                sizes.emplace(group.structure * 2 + (frame.backward ? 1 : 0), frame.rect.size());
            if (!isNew) QCOMPARE(frame.rect.size(), known->second);
        }
        QVERIFY(sizes.size() >= 4);
    }

    void aChangeInOneBlockLeavesTheOthersAsTheyAre() {
        const std::string text = deepGraphText(4);
        std::string changed = text;
        const std::size_t tanh = changed.find("aten.tanh", changed.find("blocks.1.mlp.act"));
        QVERIFY(tanh != std::string::npos);
        changed.replace(tanh, 9, "aten.hardswish");
        const Drawing before = grouped(q(text)), after = grouped(q(changed));
        const GraphLayout first = layoutNow(*before), second = layoutNow(*after);
        const auto inside = [](const Drawing& graph, const GraphLayout& layout, const char* key) {
            std::map<NodeId, QPointF> places;
            const int group = groupNamed(*graph, key);
            for (const auto& frame : layout.frames)
                for (std::size_t i = 0; frame.group == group && i < graph->nodes.size(); ++i)
                    if (graph->groups->isWithin(graph->nodes[i].within, group) && frame.rect.contains(layout.boxes[i]))
                        places[graph->nodes[i].id] = layout.boxes[i].topLeft() - frame.rect.topLeft();
            return places;
        };
        for (const char* key : {"blocks.0", "blocks.2", "blocks.3"}) {
            QVERIFY(inside(before, first, key).size() > 100);
            QCOMPARE(inside(before, first, key), inside(after, second, key));
        }
    }

    void openingAGroupLeavesTheOthersAsTheyAre() {
        const Drawing graph = deep(4);
        const GroupTree& tree = *graph->groups;
        const ViewState closed = collapsedTo(tree, 2);
        LayoutCache cache;
        const Drawing before = visibleGraph(graph, closed),
                      after = visibleGraph(graph, toggled(tree, closed, groupNamed(*graph, "blocks.1"), true));
        const GraphLayout first = layoutNow(*before, cache), second = layoutNow(*after, cache);
        const auto distance = [](const DrawnGraph& seen, const GraphLayout& layout, int a, int b) {
            const auto place = [&](int group) {
                for (std::size_t i = 0; i < seen.nodes.size(); ++i)
                    if (seen.nodes[i].group == group && seen.nodes[i].stage == Stage::forward)
                        return layout.boxes[i].center();
                return QPointF();
            };
            return place(b).y() - place(a).y();
        };
        const int a = groupNamed(*graph, "blocks.2"), b = groupNamed(*graph, "blocks.3");
        QCOMPARE(distance(*before, first, a, b), distance(*after, second, a, b));
        QVERIFY(second.bounds.height() > first.bounds.height());
    }
};

AOTSCOPE_TEST(TestGroups)

}  // namespace aotscope::test::groups_test

#include "test_groups.moc"
