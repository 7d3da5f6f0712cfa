// Operators that run subgraphs, as frames with their subgraphs.

#include "canvas/layout/layout_job.h"
#include "canvas/layout/open_to_fit.h"
#include "canvas/paint.h"
#include "canvas/view/zoomed_modules.h"
#include "canvas/visible.h"
#include "support/test_program.h"
#include "views/drawings.h"
#include "views/layout_rules.h"
#include "views/picture_rules.h"
#include "views/subgraph_graphs.h"

#include <QFontMetricsF>

#include <algorithm>

namespace aotscope::test::subgraph_frames_test {
namespace {

using Drawing = std::shared_ptr<const DrawnGraph>;

Drawing opened(const QByteArray& text) {
    return drawOpen(std::string_view(text.data(), static_cast<std::size_t>(text.size())));
}

const GroupFrame* frameOf(const GraphLayout& layout, int group) {
    const auto found = std::ranges::find(layout.frames, group, &GroupFrame::group);
    return found == layout.frames.end() ? nullptr : &*found;
}

/// A box that is not in all frames around it, or in another one.
QString misplaced(const DrawnGraph& graph, const GraphLayout& layout) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (const GroupFrame& frame : layout.frames) {
            const int box = static_cast<int>(i);
            const bool within = box == frame.box || graph.groups->isWithin(graph.nodes[i].within, frame.group);
            const bool member = within && graph.isBackward(box) == frame.backward;
            if (member ? !frame.rect.contains(layout.boxes[i]) : frame.rect.intersects(layout.boxes[i]))
                return graph.nodes[i].name + u" and " + (*graph.groups)[frame.group].key;
        }
    return {};
}

/// Two frames that overlap without nesting; or one that leaves the frame around it.
QString crossing(const DrawnGraph& graph, const GraphLayout& layout) {
    const GroupTree& tree = *graph.groups;
    for (const GroupFrame& a : layout.frames)
        for (const GroupFrame& b : layout.frames) {
            if (&a == &b || a.backward != b.backward || tree.isWithin(b.group, a.group)) continue;
            const bool good = tree.isWithin(a.group, b.group) ? b.rect.contains(a.rect) : !b.rect.intersects(a.rect);
            if (!good) return tree[a.group].key + u" and " + tree[b.group].key;
        }
    return {};
}

/// Every picture with some of its operators open.
std::vector<Drawing> picturesOf(const Drawing& whole) {
    std::vector<Drawing> pictures;
    for (int depth = 1; depth <= whole->groups->deepest() + 1; ++depth)
        pictures.push_back(visibleGraph(whole, collapsedTo(*whole->groups, depth)));
    return pictures;
}

}  // namespace

class TestSubgraphFrames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void framesHoldWhatTheOperatorsRun_data() { addSubgraphTexts(); }
    void framesHoldWhatTheOperatorsRun() {
        QFETCH(QByteArray, text);
        for (const Drawing& seen : picturesOf(opened(text))) {
            const GraphLayout layout = layoutNow(*seen);
            QCOMPARE(layout.note, QString());
            QCOMPARE(layoutProblem(*seen, layout), QString());
            QCOMPARE(overlap(*seen, layout), QString());
            QCOMPARE(misplaced(*seen, layout), QString());
            QCOMPARE(crossing(*seen, layout), QString());
            QCOMPARE(edgesThroughBoxes(*seen, layout), 0);
        }
    }

    void theSameHoldsWithoutGraphviz_data() { addSubgraphTexts(); }
    void theSameHoldsWithoutGraphviz() {
        QFETCH(QByteArray, text);
        const Drawing whole = opened(text);
        const GraphLayout layout = layoutSimply(*whole, u"why"_s);
        QCOMPARE(overlap(*whole, layout), QString());
        QCOMPARE(misplaced(*whole, layout), QString());
        QCOMPARE(crossing(*whole, layout), QString());
    }

    void everyBoxIsInOneGroup_data() { addSubgraphTexts(); }
    void everyBoxIsInOneGroup() {
        QFETCH(QByteArray, text);
        const Drawing whole = opened(text);
        std::size_t boxes = 0;
        QSet<QString> keys;
        for (std::size_t g = 0; g < whole->groups->size(); ++g) {
            const ModuleGroup& group = whole->groups->groups[g];
            boxes += group.boxes.size();
            QVERIFY2(!keys.contains(group.key), qPrintable(group.key));
            keys.insert(group.key);
            QVERIFY(group.parent < static_cast<int>(g));
            for (const int box : group.boxes)
                QCOMPARE(whole->nodes[static_cast<std::size_t>(box)].within, static_cast<int>(g));
        }
        QCOMPARE(boxes, whole->nodes.size());
    }

    void framesSayWhatTheyAre() {
        const Drawing whole = drawOpen(kNestedCond);
        const GroupTree& tree = *whole->groups;
        const int op = tree.byKey(u"%cond"_s), yes = tree.byKey(u"%cond/true_fn: yes"_s);
        QVERIFY(op > 0 && yes > 0);
        QCOMPARE(titleOf(tree, op), u"cond"_s);
        QCOMPARE(titleOf(tree, yes), u"true_fn: yes"_s);
        QCOMPARE(tree[yes].parent, op);
        const int nested = tree.byKey(u"%cond/true_fn: yes/%inner"_s);
        QCOMPARE(tree[nested].parent, yes);
        QCOMPARE(tree[op].operations, 7);  // the element that the cond returns is one
        // The title of an operator is its box.
        const GraphLayout layout = layoutNow(*whole);
        const int box = boxNamed(*whole, "cond");
        QCOMPARE(whole->nodes[static_cast<std::size_t>(box)].frame, op);
        QCOMPARE(frameOf(layout, op)->box, box);
        QCOMPARE(layout.boxes[static_cast<std::size_t>(box)].topLeft(), frameOf(layout, op)->rect.topLeft());
        QCOMPARE(layout.boxes[static_cast<std::size_t>(box)].width(), frameOf(layout, op)->rect.width());
    }

    void titlesAreNotCutOff_data() { addSubgraphTexts(); }
    void titlesAreNotCutOff() {
        QFETCH(QByteArray, text);
        const Drawing whole = opened(text);
        const GraphLayout layout = layoutNow(*whole);
        for (const GroupFrame& frame : layout.frames) {
            const QString title = frameTitle(*whole->groups, frame);
            if ((*whole->groups)[frame.group].kind == ModuleGroup::Kind::module) continue;
            QVERIFY2(QFontMetricsF(lineFont()).horizontalAdvance(title) <= frame.rect.width() - 12, qPrintable(title));
            if (frame.box < 0) continue;
            const auto box = static_cast<std::size_t>(frame.box);
            QCOMPARE(titleInFrame(whole->nodes[box], layout.boxes[box]), whole->nodes[box].title);
        }
    }

    void inputsAndResultsAreDrawn() {
        const Drawing whole = drawOpen(kWhileLoop);
        QStringList inBody;
        for (const DrawnNode& node : whole->nodes)
            if (node.subgraph >= 0 &&
                whole->subgraphs[static_cast<std::size_t>(node.subgraph)].title == "body_fn: body"_L1)
                inBody << node.title;
        QCOMPARE(inBody, (QStringList{u"j"_s, u"v"_s, u"add"_s, u"sin"_s, u"output 0"_s, u"output 1"_s}));
    }

    void inputsNameTheirOperands() {
        const auto linesOf = [](std::string_view text) {
            QStringList lines;
            for (const DrawnNode& node : drawOpen(text)->nodes)
                if (node.subgraph >= 0 && node.kind == DrawnNode::Kind::input)
                    lines << node.title + u' ' + node.lines.last();
            return lines.join(u'|');
        };
        QCOMPARE(linesOf(kNestedCond), u"a from %mm|q from p|a from %mm|b from %sin|b from %sin"_s);
        QCOMPARE(linesOf(kWhileLoop), u"j from i|j from i|v from x"_s);
        QCOMPARE(linesOf(kScan), u"c from h|v from x"_s);
        QCOMPARE(linesOf(kMap), u"v from x|u from w"_s);
        QCOMPARE(linesOf(kShared), u"v from x|v from %y"_s);
    }

    void aClosedOperatorIsTheBoxThatItWas_data() { addSubgraphTexts(); }
    void aClosedOperatorIsTheBoxThatItWas() {
        QFETCH(QByteArray, text);
        const std::string_view source(text.data(), static_cast<std::size_t>(text.size()));
        const DrawnGraph plain = drawText(source, kindOf(source));
        const Drawing seen = closed(opened(text));
        QCOMPARE(seen->nodes.size(), plain.nodes.size());
        QCOMPARE(seen->edges.size(), plain.edges.size());
        for (std::size_t i = 0; i < plain.nodes.size(); ++i) {
            QCOMPARE(seen->nodes[i].name, plain.nodes[i].name);
            QCOMPARE(seen->nodes[i].title, plain.nodes[i].title);
            QCOMPARE(seen->nodes[i].kind, plain.nodes[i].kind);
            QCOMPARE(seen->nodes[i].frame, -1);
        }
        const GraphLayout layout = layoutNow(*seen);
        QVERIFY(layout.frames.empty());
        QCOMPARE(layoutProblem(*seen, layout), QString());
    }

    void oneOpensAtATime() {
        const Drawing whole = drawOpen(kNestedCond);
        const GroupTree& tree = *whole->groups;
        const int outer = tree.byKey(u"%cond"_s);
        ViewState state = toggled(tree, collapsedTo(tree, 1), outer, true);
        const Drawing seen = visibleGraph(whole, state);
        QVERIFY(nodeNamed(*seen, "cond").frame == outer && nodeNamed(*seen, "sin").id > 0);
        QVERIFY(nodeNamed(*seen, "inner").group > 0);
        QCOMPARE(boxNamed(*seen, "tanh"), -1);
        // Nodes in a closed operator are at its box.
        QCOMPARE(seen->indexOf.at(innerId(*whole, "tanh")), boxNamed(*seen, "inner"));
        // A subgraph closes with its operator.
        state = toggled(tree, state, tree.byKey(u"%cond/true_fn: yes"_s), false);
        QCOMPARE(state, collapsedTo(tree, 1));
        state = revealed(*whole, state, boxNamed(*whole, "tanh"));
        QVERIFY(state.collapsed.isEmpty());
    }

    void depthsAreThoseOfOperators() {
        const Drawing whole = drawOpen(kNestedCond);
        const GroupTree& tree = *whole->groups;
        QCOMPARE(depthOf(tree, collapsedTo(tree, 1)).closed, 1);
        QCOMPARE(depthOf(tree, collapsedTo(tree, 1)).modules, 1);
        const ViewState half = collapsedTo(tree, depthOf(tree, collapsedTo(tree, 1)).closed + 1);
        QCOMPARE(half.collapsed, QSet<QString>{u"%cond/true_fn: yes/%inner"_s});
        QCOMPARE(depthOf(tree, half).open, 1);
        QVERIFY(collapsedTo(tree, depthOf(tree, half).closed + 1).collapsed.isEmpty());
        const ViewState back = closedByZoom(tree, {}, {});
        QCOMPARE(back, half);
        QCOMPARE(closedByZoom(tree, back, {}), collapsedTo(tree, 1));
    }

    void openWhereThereIsRoom() {
        const Drawing whole = drawOpen(kNestedCond);
        const auto layOut = [](const DrawnGraph& graph) { return layoutNow(graph); };
        QVERIFY(openToFit(whole, {{4000, 4000}, 4000}, layOut).state.collapsed.isEmpty());
        QVERIFY(!openToFit(whole, {{150, 150}, 100}, layOut).state.collapsed.isEmpty());
    }

    void hiddenWithTheirOperator() {
        const Drawing whole = drawOpen(kNestedCond);
        ViewState state;
        state.hidden = {nodeNamed(*whole, "cond").id};
        const Drawing without = visibleGraph(whole, state);
        for (const char* name : {"cond", "sin", "inner", "tanh"}) QCOMPARE(boxNamed(*without, name), -1);
        QCOMPARE(without->note, u"1 box is hidden"_s);
        // With nothing in it, an operator is a box.
        state.hidden.clear();
        for (const DrawnNode& node : whole->nodes)
            if (node.subgraph >= 0 && node.id != kNoNode) state.hidden.insert(node.id);
        const GraphLayout layout = layoutNow(*visibleGraph(whole, state));
        for (const GroupFrame& frame : layout.frames) QVERIFY(frame.rect.width() > 20 && frame.rect.height() > 20);
    }

    void equalOperatorsLookAlike() {
        const Drawing whole = drawOpen(kShared);
        const GroupTree& tree = *whole->groups;
        const int first = tree.byKey(u"%first"_s), second = tree.byKey(u"%second"_s);
        QCOMPARE(tree[first].alike, 2);
        QCOMPARE(tree[second].alike, 2);
        const GraphLayout layout = layoutNow(*whole);
        QCOMPARE(frameOf(layout, first)->rect.size(), frameOf(layout, second)->rect.size());
        QVERIFY(innerId(*whole, "sin") > 0);
        QCOMPARE(std::ranges::count(whole->nodes, u"%sin"_s, &DrawnNode::name), std::ptrdiff_t{2});
    }

    void whatTheBackwardRunsIsInTheBackward() {
        const Drawing whole = drawOpen(kBothHalves);
        const GraphLayout layout = layoutNow(*whole);
        const GroupTree& tree = *whole->groups;
        QVERIFY(!frameOf(layout, tree.byKey(u"%cond"_s))->backward);
        QVERIFY(frameOf(layout, tree.byKey(u"%back"_s))->backward);
        const int back = boxNamed(*whole, "back");
        for (std::size_t i = 0; i < whole->nodes.size(); ++i)
            if (const int owner = whole->ownerOf(static_cast<int>(i)); owner >= 0)
                QCOMPARE(whole->isBackward(static_cast<int>(i)), owner == back);
    }
};

AOTSCOPE_TEST(TestSubgraphFrames)

}  // namespace aotscope::test::subgraph_frames_test

#include "test_subgraph_frames.moc"
