// Repainting, messages, themes and the legend.

#include "shown_canvas.h"
#include "test_graph_view.h"

#include "canvas/view/graph_view.h"
#include "views/drawings.h"

#include <QLabel>

using namespace aotscope;
using namespace aotscope::test;

namespace {

const QLabel* noteOf(const GraphView& view) { return view.findChild<QLabel*>(u"canvasNote"_s); }

}  // namespace

void TestGraphView::changesOfThePictureAreSeenAtOnce() {
    Canvas canvas(drawText(kTwoLayers));
    GraphView& view = canvas.view;
    QImage last = shown(view);
    const auto changes = [&](const auto& change) {
        change();
        const QImage now = shown(view);
        return view.picture().isWhole() && std::exchange(last, now) != now;
    };
    QVERIFY(changes([&] { view.select(canvas.idOf("relu")); }));
    QVERIFY(changes([&] { view.setAlsoSelected({canvas.idOf("mm")}); }));
    QVERIFY(changes([&] { view.setHits({canvas.idOf("mm"), canvas.idOf("sin")}); }));
    QVERIFY(changes([&] { view.setHits({}); }));
    QVERIFY(changes([&] { view.setColourBy(ColourBy::family); }));
    QVERIFY(changes([&] { view.setTheme(Theme::dark()); }));
    QVERIFY(changes([&] { view.resize(800, 720); }));
    QVERIFY(changes([&] {
        DrawnGraph restyled = canvas.graph();
        for (auto& node : restyled.nodes) node.placement.saved = !node.placement.saved;
        view.restyle(share(std::move(restyled)));
    }));
    QVERIFY(changes([&] { canvas.show(share(drawText(kTuple, GraphKind::functional))); }));
    QVERIFY(changes([&] { view.showMessage(u"gone"_s); }));
}

// --- messages, themes ---

void TestGraphView::aMessageClearsThePicture() {
    Canvas canvas(drawText(kTwoLayers));
    canvas.view.select(canvas.idOf("relu"));
    canvas.view.showMessage(u"nothing to see"_s);
    QCOMPARE(canvas.view.nodeItemCount(), std::size_t{0});
    QVERIFY(!canvas.view.graph() && !canvas.view.layout());
    QVERIFY(noteOf(canvas.view)->isVisible());
    QCOMPARE(noteOf(canvas.view)->text(), u"nothing to see"_s);
    QVERIFY(!canvas.shows(Theme::light().colours({}, ColourBy::stage).fill));
    // None of these has an object.
    canvas.view.select(3);
    canvas.view.fitAll();
    canvas.view.fitWidth();
    canvas.view.centreOnSelection();
    for (const int key : {Qt::Key_Down, Qt::Key_Plus, Qt::Key_Minus}) canvas.key(key);
    canvas.click({50, 50});
    canvas.show(share(drawText(kTuple, GraphKind::functional)));
    QVERIFY(!noteOf(canvas.view)->isVisible());
    QVERIFY(canvas.view.nodeItemCount() > 0);
}

void TestGraphView::aNoteOfTheLayoutIsShown() {
    Canvas canvas(drawText(kTwoLayers));
    QVERIFY(!noteOf(canvas.view)->isVisible());
    const auto drawn = share(drawText(kTwoLayers));
    canvas.view.showGraph(
        drawn, std::make_shared<const GraphLayout>(simpleLayout(*drawn, planLayout(*drawn), u"simple layout"_s)));
    QVERIFY(noteOf(canvas.view)->isVisible());
    QCOMPARE(noteOf(canvas.view)->text(), u"simple layout"_s);
    canvas.view.setNote({});
    QVERIFY(!noteOf(canvas.view)->isVisible());
}

void TestGraphView::anEmptyGraphIsShown() {
    Canvas canvas(drawText("graph empty\n  return []\n"));
    QCOMPARE(canvas.view.nodeItemCount(), std::size_t{0});
    canvas.view.fitAll();
    QCOMPARE(canvas.key(Qt::Key_Down), -2);
}

void TestGraphView::themesAndColoursAreFollowed() {
    Canvas canvas(drawText(kTwoLayers));
    const QColor forward = Theme::light().colours({}, ColourBy::stage).fill;
    QVERIFY(canvas.shows(Theme::light().background) && canvas.shows(forward));
    canvas.view.setColourBy(ColourBy::family);
    QVERIFY(!canvas.shows(forward));
    canvas.view.setTheme(Theme::dark());
    QVERIFY(canvas.shows(Theme::dark().background) && !canvas.shows(Theme::light().background));
}

// --- legend ---

/// As one line, or as a button, which lists it above the canvas.
void TestGraphView::theLegendFoldsIntoAButton() {
    CanvasState state;
    QWidget parent;
    Legend legend(state, &parent);
    legend.refresh();
    QVERIFY(legend.isEmpty());
    state.graph = share(drawSample("mlp"));
    legend.refresh();
    QVERIFY(!legend.isEmpty() && !legend.isFolded());
    QCOMPARE(legend.sizeHint().width(), legend.lineWidth());
    parent.show();
    legend.click();
    QVERIFY(!legend.findChild<QWidget*>(u"legendList"_s));
    legend.setFolded(true);
    QVERIFY(legend.sizeHint().width() < legend.lineWidth());
    legend.click();
    auto* list = legend.findChild<QWidget*>(u"legendList"_s);
    QVERIFY(list && list->isVisible());
    QTest::keyClick(list, Qt::Key_Escape);
    QVERIFY(!list->isVisible());
}

void TestGraphView::hitsHaveAColourOfTheirOwn() {
    Canvas canvas(drawText(kTwoLayers));
    canvas.view.fitAll();
    const Theme& theme = canvas.view.paintOptions().theme;
    const Legend* legend = canvas.view.legend();
    const QString meaning = theme.hitEntry().text;
    canvas.view.setHits({canvas.idOf("relu")});
    QVERIFY(canvas.shows(theme.hit) && !canvas.shows(theme.selection));
    QVERIFY(legend->accessibleName().contains(meaning));
    canvas.view.select(canvas.idOf("relu"));  // both are visible
    QVERIFY(canvas.shows(theme.hit) && canvas.shows(theme.selection));
    canvas.view.setHits({});
    QVERIFY(!canvas.shows(theme.hit) && canvas.shows(theme.selection));
    QVERIFY(!legend->accessibleName().contains(meaning));
}

void TestGraphView::theLegendNamesTheColours() {
    Canvas canvas(drawSample("mlp"));
    QVERIFY(canvas.view.legend()->accessibleName().contains(u"saved for backward"_s));
    canvas.view.showMessage(u"gone"_s);
    QVERIFY(canvas.view.legend()->isEmpty());
}
