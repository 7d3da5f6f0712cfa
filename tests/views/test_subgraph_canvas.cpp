// Operators that run subgraphs, opened by hand and by search; their nodes in the Inspector and in exported pictures.

#include "canvas/layout/layout_job.h"
#include "canvas/page_data.h"
#include "canvas/picture.h"
#include "canvas/view/graph_view.h"
#include "models/graph_text_model.h"
#include "panels/graph/graph_pane.h"
#include "panels/inspector/node_html.h"
#include "support/patience.h"
#include "support/test_program.h"
#include "views/drawings.h"
#include "views/subgraph_graphs.h"

namespace aotscope::test::subgraph_canvas_test {
namespace {

using Drawing = std::shared_ptr<const DrawnGraph>;

/// A shown pane with a run of one graph.
struct Pane {
    explicit Pane(std::string_view text, bool automatic = false) {
        pane.resize(1000, 800);
        pane.show();
        pane.setAutomaticModules(automatic);
        pane.setRecord(recordWith(text));
        settle();
    }
    bool settle() {
        return QTest::qWaitFor([this] { return !pane.layoutRunning(); }, kPatience);
    }
    QRectF placeOf(NodeId id) const {
        const auto& graph = *pane.view()->graph();
        return pane.view()->layout()->boxes[static_cast<std::size_t>(graph.indexOf.at(id))];
    }
    bool isClosed(const char* key) const { return pane.viewState().collapsed.contains(QLatin1String(key)); }
    GraphPane pane;
};

}  // namespace

class TestSubgraphCanvas : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDoubleClickOpensAndCloses() {
        Pane p(kNestedCond);
        p.pane.showDepth(1);
        p.settle();
        GraphView* view = p.pane.view();
        const auto doubleClick = [&](NodeId id) {
            QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, view->mapFromScene(p.placeOf(id).center()));
            p.settle();
        };
        const auto top = [&](NodeId id) { return view->mapFromScene(p.placeOf(id).topLeft()).y(); };
        const int before = top(3);
        doubleClick(3);
        QVERIFY(!p.isClosed("%cond"));
        QVERIFY(p.isClosed("%cond/true_fn: yes/%inner"));
        QVERIFY2(std::abs(top(3) - before) < 40, "the operator has moved away");
        doubleClick(3);
        QVERIFY(p.isClosed("%cond"));
        p.pane.undoStack()->undo();
        p.settle();
        QVERIFY(!p.isClosed("%cond"));
    }

    void keysOpenAndClose() {
        Pane p(kNestedCond);
        p.pane.showDepth(1);
        p.settle();
        GraphView* view = p.pane.view();
        const auto key = [&](Qt::Key pressed) {
            QTest::keyClick(view, pressed);
            p.settle();
        };
        view->select(3);
        QCOMPARE(view->selectedNode(), NodeId{3});
        key(Qt::Key_Return);
        QVERIFY(!p.isClosed("%cond"));
        QCOMPARE(view->selectedNode(), NodeId{3});
        key(Qt::Key_Minus);
        QVERIFY(p.isClosed("%cond"));
        key(Qt::Key_Plus);
        const NodeId sin = innerId(*p.pane.wholeGraph(), "sin");
        view->select(sin);
        QCOMPARE(view->selectedNode(), sin);
        key(Qt::Key_Minus);  // closes the operator around the selection, which stays selected
        QVERIFY(p.isClosed("%cond"));
        QCOMPARE(view->selectedNode(), sin);
    }

    void aClickSelectsANodeWithin() {
        Pane p(kNestedCond);
        QSignalSpy chosen(&p.pane, &GraphPane::nodeSelected);
        const NodeId tanh = innerId(*p.pane.wholeGraph(), "tanh");
        GraphView* view = p.pane.view();
        view->fitAll();
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->mapFromScene(p.placeOf(tanh).center()));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.last().first().toInt(), tanh);
        QCOMPARE(findNode(*p.pane.graph(), tanh)->op(), std::string("aten.tanh.default"));
    }

    void whatIsFoundIsOpenedAndShown() {
        Pane p(kNestedCond);
        p.pane.showDepth(1);
        p.settle();
        const NodeId tanh = innerId(*p.pane.wholeGraph(), "tanh");
        p.pane.view()->setHits({tanh});
        p.pane.select(tanh, {});
        p.pane.reveal(tanh);
        p.settle();
        QVERIFY(p.pane.viewState().collapsed.isEmpty());
        QCOMPARE(p.pane.view()->selectedNode(), tanh);
        const QRectF seen = p.pane.view()->mapToScene(p.pane.view()->viewport()->rect()).boundingRect();
        QVERIFY(seen.contains(p.placeOf(tanh)));
    }

    void theInspectorSaysWhereANodeIs() {
        const auto graph = parseSound(kNestedCond);
        const std::vector<SubgraphRun> runs = subgraphRuns(*graph);
        const SubgraphRun& yes = runs.front();
        const Node& sin = *yes.graph->findByName("sin");
        QString html;
        for (const InspectorSection& section : nodeSections({.node = sin, .run = yes})) html += section.html;
        QVERIFY2(html.contains(u"true_fn: yes of <a href='node:3'>"_s), qPrintable(html));
        const NodeId a = yes.idOf(*yes.graph->findByName("a"));
        QVERIFY2(html.contains(u"<a href='node:%1'>"_s.arg(a)), qPrintable(html));
    }

    void theTextHasALineForEveryNodeWithin() {
        const std::shared_ptr<const Graph> graph = parseSound(kNestedCond);
        const auto lines = GraphLines::of(graph);
        QCOMPARE(static_cast<int>(lines->nodes.size()), lines->count());
        for (const SubgraphRun& run : subgraphRuns(*graph))
            for (const Node* node : run.graph->nodes()) {
                const int row = lines->row(run.idOf(*node));
                QVERIFY(row >= 0);
                QCOMPARE(lines->nodes[static_cast<std::size_t>(row)], run.idOf(*node));
                const QString text = node->kind() == NodeKind::output ? u"return"_s : u'%' + q(node->name()) + u" :";
                QVERIFY2(lines->line(row).trimmed().startsWith(text), qPrintable(lines->line(row)));
            }
    }

    void exportedPicturesShowTheFrames_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void exportedPicturesShowTheFrames() {
        QFETCH(bool, dark);
        const Drawing whole = drawOpen(kNestedCond);
        PaintOptions options;
        options.theme = dark ? Theme::dark() : Theme::light();
        const auto svg = [&](const Drawing& seen) {
            return QString::fromUtf8(renderPicture(*seen, layoutNow(*seen), u"svg"_s, options, u"title"_s));
        };
        const QString frames = svg(whole), box = svg(closed(whole));
        for (const char* text : {">true_fn: yes<", ">false_fn: no<", ">true_fn: deep<", ">tanh<", ">cond<"})
            QVERIFY2(frames.contains(QLatin1String(text)), text);
        QVERIFY(!box.contains(u">tanh<"_s) && box.contains(u">@no: 1 operation<"_s));
        QVERIFY(renderPicture(*whole, layoutNow(*whole), u"png"_s, options, {}).startsWith("\x89PNG"));
    }

    void pagesKnowWhatIsWithin() {
        const auto graph = parseSound(kNestedCond);
        const Drawing whole = drawOpen(kNestedCond);
        const NodeId tanh = innerId(*whole, "tanh");
        const auto places = [&](const Drawing& seen) {
            std::pair<int, QString> found{-1, {}};
            const auto page = QJsonDocument::fromJson(pageData(*seen, *graph)).object();
            for (const auto node : page[u"nodes"_s].toArray())
                if (node[u"id"_s].toInt() == tanh) found = {node[u"box"_s].toInt(), node[u"op"_s].toString()};
            return found;
        };
        QCOMPARE(places(whole), std::pair(boxNamed(*whole, "tanh"), u"aten.tanh.default"_s));
        const Drawing seen = closed(whole);
        QCOMPARE(places(seen).first, boxNamed(*seen, "cond"));
    }
};

AOTSCOPE_TEST(TestSubgraphCanvas)

}  // namespace aotscope::test::subgraph_canvas_test

#include "test_subgraph_canvas.moc"
