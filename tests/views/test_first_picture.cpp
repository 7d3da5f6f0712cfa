// The initial pictures of the samples and of graphs in other styles, in windows of several sizes: readable text, both
// halves in sight, as much as fits, nothing overlapping. Also run with a scale of 2.

#include "canvas/layout/first_view.h"
#include "canvas/layout/open_to_fit.h"
#include "canvas/view/text_zoom.h"
#include "ir/parser.h"
#include "panels/graph/graph_pane.h"
#include "support/deep_graph.h"
#include "support/patience.h"
#include "support/test_program.h"
#include "views/first_sight.h"
#include "views/layout_rules.h"
#include "views/model_styles.h"
#include "views/picture_rules.h"
#include "views/records.h"
#include "views/subgraph_graphs.h"

#include <QFontInfo>

namespace aotscope::test::first_picture_test {
namespace {

/// The record of a printed graph; null: no style has this name.
std::shared_ptr<const CompileRecord> recordOfStyle(const QString& style) {
    for (const auto& [name, text] : allModelStyles()) {
        if (style != QLatin1String(name)) continue;
        auto record = std::make_shared<CompileRecord>();
        record->model.name = name;
        record->graphs[kindOf(text)] = parseGraph(text);
        return record;
    }
    return nullptr;
}

/// A style, a sample, or a model of the folder that AOTSCOPE_REFERENCE names.
std::shared_ptr<const CompileRecord> recordAt(const QString& model) {
    if (auto record = recordOfStyle(model)) return record;
    if (!model.endsWith(".pt2"_L1)) return recordOf(model.toStdString());
    return Session::open({.model = model.toStdString()}, {})->record();
}

/// Those in the folder that AOTSCOPE_REFERENCE names, whose names match one of the patterns.
QStringList referenceModels(const QStringList& patterns) {
    const QDir folder(qEnvironmentVariable("AOTSCOPE_REFERENCE") + u"/real"_s);
    QStringList models;
    for (const QString& name : folder.entryList(patterns, QDir::Files)) models << folder.filePath(name);
    return models;
}

struct Pane : GraphPane {
    Pane(QSize size, const QString& model) {
        resize(size);
        show();
        setAutomaticModules(true);
        setRecord(recordAt(model));
    }
    bool settle() {
        return QTest::qWaitFor([this] { return !layoutRunning(); }, kPatience);
    }
    /// Pixels.
    double smallestText() const {
        const double smallest = std::min(QFontInfo(lineFont()).pixelSize(), QFontInfo(titleFont()).pixelSize());
        return smallest * view()->zoom() / usualZoom();
    }
    bool seesAll() const {
        const QRect all = view()->mapFromScene(view()->layout()->bounds).boundingRect();
        return view()->viewport()->rect().adjusted(-2, -2, 2, 2).contains(all);
    }
    /// Whether everything except the margin is in view, in width.
    bool seesWidth() const {
        QRectF all;
        for (const QRectF& box : view()->layout()->boxes) all |= box;
        for (const GroupFrame& frame : view()->layout()->frames) all |= frame.rect;
        const QRect seen = view()->mapFromScene(all).boundingRect();
        return seen.left() >= 0 && seen.right() <= view()->viewport()->width();
    }
    /// The picture would not fit with closed modules either.
    bool isHardlyWiderThanClosed() const {
        const auto whole = wholeGraph();
        const auto closed = visibleGraph(whole, collapsedTo(*whole->groups, 1));
        return view()->layout()->bounds.width() <= 1.2 * layoutNow(*closed).bounds.width();
    }
    int depth() const {
        const auto whole = wholeGraph();
        return hasGroups(*whole) ? depthOf(*whole->groups, viewState()).closed : 0;
    }
    QWidget* part(const char* name) const { return findChild<QWidget*>(QLatin1String(name)); }
    QRect placeOf(const QWidget* widget) const { return {widget->mapTo(this, QPoint()), widget->size()}; }
};

/// A label of a stub that overlaps the title of a frame.
QString labelOnTitle(const DrawnGraph& graph, const GraphLayout& layout) {
    const QFontMetricsF metrics(lineFont());
    for (const GroupFrame& frame : layout.frames) {
        const double width = metrics.horizontalAdvance(frameTitle(*graph.groups, frame));
        const QRectF title(frameTitlePlace(frame).x(), frame.rect.top(), width, kFrameTitle);
        for (const EdgeShape& shape : layout.edges)
            for (const StubLabel* label : {&shape.startLabel, &shape.endLabel})
                if (!label->text.isEmpty() && label->place.intersects(title & frame.rect)) return label->text;
    }
    return {};
}

}  // namespace

class TestFirstPicture : public QObject {
    Q_OBJECT

    static QStringList samples() { return {u"mlp"_s, u"resnet18"_s, u"gpt2"_s, u"bert"_s, u"gpt2-deep"_s}; }
    static void addModels(const QStringList& models) {
        columns<QString, QSize>("sample", "window");
        for (const QString& model : models)
            for (const QSize window : {QSize(1280, 720), QSize(1480, 940), QSize(1680, 1050), QSize(2560, 1440)})
                QTest::addRow("%s, %d", qPrintable(QFileInfo(model).fileName()), window.width()) << model << window;
    }

private Q_SLOTS:
    /// The layout of a cancelled job has no boxes.
    void aPictureWithoutBoxesHasAView() {
        const auto graph = drawSample("mlp");
        QVERIFY(!firstView(graph, GraphLayout(), {400, 300}, 2).showsBoth);
    }
    void bothHalvesAreInSight_data() {
        columns<QString, QSize>("model", "pane");
        QStringList models =
            samples() + referenceModels({u"clip.pt2"_s, u"moe_where.pt2"_s, u"segformer.pt2"_s, u"t5.pt2"_s});
        for (const auto& style : modelStyles()) models << QLatin1String(style.first);
        for (const QString& model : models)
            for (const QSize pane : {QSize(810, 770), QSize(950, 880), QSize(1830, 1270)})
                QTest::addRow("%s, %d", qPrintable(QFileInfo(model).fileName()), pane.width()) << model << pane;
    }
    void bothHalvesAreInSight() {
        QFETCH(QString, model);
        QFETCH(QSize, pane);
        Pane shown(pane, model);
        QVERIFY(shown.settle());
        const Sight sight = sightOf(*shown.view());
        QVERIFY2(sight.good(), qPrintable(describe(sight)));
    }

    /// In 19 of 20 graphs in other styles, and models in the folder that AOTSCOPE_REFERENCE names; 9 of 10 on the
    /// smallest screen.
    void bothHalvesOfMostModelsAreInSight_data() {
        columns<QSize>("window");
        for (const QSize window : {QSize(1024, 640), QSize(1280, 720), QSize(1680, 1050), QSize(2560, 1440)})
            QTest::addRow("%d", window.width()) << window;
    }
    void bothHalvesOfMostModelsAreInSight() {
        QFETCH(QSize, window);
        QStringList models = referenceModels({u"*.pt2"_s}), others;
        for (const auto& style : allModelStyles()) models << QLatin1String(style.first);
        for (const QString& model : models) {
            Pane pane(paneIn(window), model);
            QVERIFY(pane.settle());
            const Sight sight = sightOf(*pane.view());
            if (!sight.good()) others << QFileInfo(model).baseName() + u": "_s + describe(sight);
        }
        const QString text = u"not in sight, of %1:\n%2"_s.arg(models.size()).arg(others.join(u'\n'));
        const int one = window.width() < 1100 ? 10 : 20;
        QVERIFY2(one * others.size() <= models.size() + one - 1, qPrintable(text));
        if (!others.isEmpty()) qInfo("%s", qPrintable(text));
    }

    /// Whatever does not fit: the canvas is never empty.
    void somethingIsSeenInSmallWindows() {
        for (const auto& style : modelStyles()) {
            Pane pane({400, 300}, QLatin1String(style.first));
            QVERIFY(pane.settle());
            const Sight sight = sightOf(*pane.view());
            QVERIFY2(!sight.empty() && sight.readable(),
                     qPrintable(u"%1: %2"_s.arg(QLatin1String(style.first), describe(sight))));
        }
    }

    void isReadable_data() {
        addModels(samples() + referenceModels({u"llama.pt2"_s, u"vit_eval.pt2"_s, u"cond_model.pt2"_s}));
    }
    void isReadable() {
        QFETCH(QString, sample);
        QFETCH(QSize, window);
        Pane pane(paneIn(window), sample);
        QVERIFY(pane.settle());
        const GraphView& view = *pane.view();
        // Smaller only if one half would be out of sight otherwise.
        const double smallest = window.width() < 1400 ? 6.49 : 8.99;
        QVERIFY2(pane.smallestText() > smallest, qPrintable(QString::number(pane.smallestText())));
        QVERIFY2(pane.seesAll() || pane.seesWidth() || pane.isHardlyWiderThanClosed(),
                 qPrintable(QString::number(pane.depth())));
        // The sides that continue say so.
        QVERIFY(pane.seesWidth() || pane.part("stripWide")->isVisible());
        QCOMPARE(overlap(*view.graph(), *view.layout()), QString());
        QCOMPARE(labelProblem(*view.layout()), QString());
        QCOMPARE(labelOnTitle(*view.graph(), *view.layout()), QString());
        const QRect canvas = pane.placeOf(view.viewport());
        const QWidget* strip = pane.part("canvasStrip");
        QVERIFY(strip && !canvas.intersects(pane.placeOf(strip)));
        if (!samples().contains(sample)) return;
        // The layers of a model are visible, however small the window; those not in view are reached by scrolling.
        const GroupTree& tree = *pane.wholeGraph()->groups;
        for (const DrawnNode& node : view.graph()->nodes)
            if (node.group >= 0)
                QVERIFY2(2 * tree[node.group].operations <= tree[0].operations, qPrintable(node.title));
        QVERIFY(sightOf(view).forward.begins);
    }

    /// For a picture that is wider than the canvas, most of what fits beside the first box; both halves, if they do.
    void wideOnesAreEnteredWhereMostIsSeen() {
        Pane pane({610, 550}, u"resnet18"_s);
        QVERIFY(pane.settle());
        QVERIFY(!pane.seesWidth());
        const GraphView& view = *pane.view();
        const QRect canvas = view.viewport()->rect();
        std::map<Stage, int> seen;
        for (std::size_t i = 0; i < view.layout()->boxes.size(); ++i)
            if (canvas.contains(view.mapFromScene(view.layout()->boxes[i]).boundingRect()))
                ++seen[view.graph()->nodes[i].stage];
        QVERIFY2(seen[Stage::forward] >= 5 && seen[Stage::backward] >= 5,
                 qPrintable(u"%1, %2"_s.arg(seen[Stage::forward]).arg(seen[Stage::backward])));
        QVERIFY(canvas.contains(view.mapFromScene(view.layout()->boxes[0]).boundingRect()));
    }

    /// Another level would not have fitted.
    void isAsDeepAsFits() {
        Pane pane(paneIn({1680, 1050}), u"resnet18"_s);
        QVERIFY(pane.settle());
        const auto whole = pane.wholeGraph();
        const int depth = pane.depth();
        QVERIFY(depth >= 1 && depth <= whole->groups->deepest());
        const auto deeper = visibleGraph(whole, collapsedTo(*whole->groups, depth + 1));
        const QSizeF size = layoutNow(*deeper).bounds.size(), room = pane.view()->room().whole;
        QVERIFY(size.width() > room.width() || size.height() > room.height());
    }

    /// The layers of a model of 100,000 operations are visible one by one, too.
    void manyLayersAreSeen() {
        constexpr int layers = 704;
        const auto whole = withGroups(drawGraph(*parseGraph(deepGraphText(layers)), GraphKind::joint, nullptr));
        const OpenedGraph opened =
            openToFit(whole, Room{QSizeF(900, 700), 850}, [](const DrawnGraph& graph) { return layoutNow(graph); });
        std::size_t closed = 0;
        for (const DrawnNode& node : opened.seen->nodes) closed += node.group >= 0;
        QVERIFY2(closed >= layers, qPrintable(QString::number(closed)));
    }

    /// If opening that module would make the picture too wide, it stays closed.
    void widePicturesStayClosed() {
        Pane pane(paneIn({1000, 720}), u"gpt2"_s);
        QVERIFY(pane.settle());
        const auto whole = pane.wholeGraph();
        const ViewState closed = collapsedTo(*whole->groups, 1);
        const auto twiceAsWideOpen = [&](const DrawnGraph& graph) {
            GraphLayout layout = layoutNow(graph);
            if (graph.nodes.size() > visibleGraph(whole, closed)->nodes.size())
                layout.bounds.setWidth(2 * layout.bounds.width());
            return layout;
        };
        QCOMPARE(openToFit(whole, Room{QSizeF(100, 100), 100}, twiceAsWideOpen).state, closed);
    }

    void largeWindowsOpenMore() {
        std::size_t boxes = 0;
        for (const QSize window : {QSize(800, 600), QSize(1680, 1050), QSize(6000, 5000)}) {
            Pane pane(paneIn(window), u"bert"_s);
            QVERIFY(pane.settle());
            QVERIFY(pane.view()->nodeItemCount() >= boxes);
            boxes = pane.view()->nodeItemCount();
        }
        QVERIFY(boxes > 50);
    }

    void theSizeAtTheEndOfTheLayoutCounts() {
        Pane small(paneIn({1280, 720}), u"resnet18"_s), large(paneIn({6000, 8000}), u"resnet18"_s);
        QVERIFY(small.settle() && large.settle());
        Pane grown(paneIn({1280, 720}), u"resnet18"_s);
        grown.resize(paneIn({6000, 8000}));
        QVERIFY(grown.settle());
        QCOMPARE(grown.view()->nodeItemCount(), large.view()->nodeItemCount());
        QVERIFY(grown.view()->nodeItemCount() > small.view()->nodeItemCount());
    }

    void whatWasChosenIsKept() {
        Pane pane(paneIn({1680, 1050}), u"resnet18"_s);
        QVERIFY(pane.settle());
        pane.showDepth(1);
        QVERIFY(pane.settle());
        const ViewState chosen = pane.viewState();
        pane.setRecord(recordOf("mlp"));
        QVERIFY(pane.settle());
        pane.setRecord(recordOf("resnet18"));
        QVERIFY(pane.settle());
        QCOMPARE(pane.viewState(), chosen);
    }
};

AOTSCOPE_TEST(TestFirstPicture)

}  // namespace aotscope::test::first_picture_test

#include "test_first_picture.moc"
