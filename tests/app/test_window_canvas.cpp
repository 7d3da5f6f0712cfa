// Menu commands for the picture of a graph: modules, hidden boxes, following edges, remembered places.

#include "app/window_driver.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

struct Window : Driver {
    std::size_t boxes() const { return canvas()->nodeItemCount(); }
    bool run(const char* action) {
        trigger(action);
        return settle();
    }
    /// Boxes with a mark in the colour of the selection.
    bool marked(NodeId id) const {
        const QColor mark = canvas()->paintOptions().theme.selection;
        canvas()->select(kNoNode);
        canvas()->fitAll();
        const auto box = static_cast<std::size_t>(canvas()->graph()->indexOf.at(id));
        const QRect place =
            canvas()->mapFromScene(canvas()->layout()->boxes[box].adjusted(-5, -5, 5, 5)).boundingRect();
        const QImage image = canvas()->viewport()->grab().toImage();
        for (int y = place.top(); y <= place.bottom(); ++y)
            for (int x = place.left(); x <= place.right(); ++x)
                if (image.rect().contains(x, y) && image.pixelColor(x, y) == mark) return true;
        return false;
    }
};

}  // namespace

class TestWindowCanvas : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }
    void init() { isolation_.forget(); }

    void modulesOpenLevelByLevel() {
        Window w;
        QVERIFY(!w.find<QAction>("actionCloseAll")->isEnabled());
        QVERIFY(w.openSample("gpt2-tiny"));
        const std::size_t all = w.boxes();
        QVERIFY(w.run("actionCloseAll"));
        const std::size_t fewest = w.boxes();
        QVERIFY(fewest < all / 3);
        std::size_t before = fewest;
        for (int level = 0; level < 3 && before < all; ++level) {
            QVERIFY(w.run("actionOpenLevel"));
            QVERIFY(w.boxes() > before);
            before = w.boxes();
        }
        QCOMPARE(before, all);
        QVERIFY(w.run("actionCloseLevel"));
        QVERIFY(w.boxes() < all);
        QVERIFY(w.run("actionOpenAll"));
        QCOMPARE(w.boxes(), all);
    }

    void theModuleOfTheSelectionOpensAndCloses() {
        Window w;
        QVERIFY(w.openSample("gpt2-tiny"));
        const std::size_t all = w.boxes();
        w.clickNode(w.node(GraphKind::joint, "addmm")->id());
        QVERIFY(w.run("actionToggleModule"));
        const std::size_t one = all - w.boxes();
        QVERIFY(one > 0);
        QVERIFY(w.run("actionToggleModule"));
        QCOMPARE(w.boxes(), all);
        QVERIFY(w.run("actionToggleAlike"));
        QVERIFY(all - w.boxes() >= 2 * one);
        QVERIFY(w.run("actionUndo"));
        QCOMPARE(w.boxes(), all);
        QVERIFY(w.run("actionRedo"));
        QVERIFY(w.boxes() < all);
    }

    void boxesAreHiddenAndShown() {
        Window w;
        QVERIFY(w.openSample("mlp"));
        const std::size_t all = w.boxes();
        w.clickNode(w.node(GraphKind::joint, "relu")->id());
        QVERIFY(w.run("actionHide"));
        QCOMPARE(w.boxes(), all - 1);
        QVERIFY(w.run("actionShowAll"));
        QCOMPARE(w.boxes(), all);
        w.clickNode(w.node(GraphKind::joint, "relu")->id());
        QVERIFY(w.run("actionShowOnly"));
        QVERIFY(w.boxes() <= 2);  // and the output, which is no node
        QVERIFY(w.run("actionUndo"));
        QCOMPARE(w.boxes(), all);
    }

    void edgesAreFollowed() {
        Window w;
        QVERIFY(w.openSample("mlp"));
        const Node* relu = w.node(GraphKind::joint, "relu");
        const NodeId above = relu->inputs()[0]->id();
        w.clickNode(relu->id());
        w.trigger("actionInputs1");
        QVERIFY(w.marked(above));
        w.clickNode(relu->id());
        w.trigger("actionUsers1");
        QVERIFY(!w.marked(above));
        w.clickNode(relu->id());
        w.trigger("actionFanOut");
        QVERIFY(w.marked(w.node(GraphKind::joint, "relu_1")->id()));
        QVERIFY(!w.find<QAction>("actionPaths")->isEnabled());
    }

    void placesAreRemembered() {
        Window w;
        QVERIFY(w.openSample("gpt2-tiny"));
        w.canvas()->resetZoom();
        w.canvas()->centerOn(200, 900);
        const auto there = w.canvas()->position();
        const std::size_t all = w.boxes();
        w.trigger("actionRemember3");
        QVERIFY(w.run("actionCloseAll"));
        w.chooseTab(GraphKind::forward);
        QVERIFY(w.settle());
        QVERIFY(w.run("actionGoTo3"));
        QCOMPARE(w.pane()->kind(), GraphKind::joint);
        QCOMPARE(w.boxes(), all);
        const auto here = w.canvas()->position();
        QCOMPARE(here.zoom, there.zoom);
        QVERIFY((here.centre - there.centre).manhattanLength() < 4);
        QVERIFY(w.run("actionGoTo4"));  // nothing there: a sentence, no more
        QCOMPARE(w.boxes(), all);
    }

    void theMinimapIsASetting() {
        Window w;
        QVERIFY(w.openSample("gpt2-tiny"));
        w.canvas()->resetZoom();
        auto* map = w.canvas()->findChild<QWidget*>(QStringLiteral("minimap"));
        QVERIFY(map->isVisible());
        w.trigger("actionMinimap");
        QVERIFY(!map->isVisible());
        Window again;
        QVERIFY(!again.find<QAction>("actionMinimap")->isChecked());
    }

    void everyActionHasATip() {
        Window w;
        for (const char* name :
             {"actionToggleModule",   "actionToggleAlike", "actionOpenLevel",     "actionCloseLevel",
              "actionOpenAll",        "actionCloseAll",    "actionHide",          "actionShowOnly",
              "actionShowAll",        "actionInputs1",     "actionUsers1",        "actionFanIn",
              "actionFanOut",         "actionPaths",       "actionGoTo1",         "actionRemember9",
              "actionMinimap",        "actionSave",        "actionRecompute",     "actionLeave",
              "actionBackToCompiled", "actionKeep",        "actionSweep",         "actionNetwork",
              "actionFind",           "actionFindNext",    "actionNextChange",    "actionPreviousChange",
              "actionDifference",     "actionHistory",     "actionContinue",      "actionStep",
              "actionCompareWith",    "actionKeepRun",     "actionStopComparing", "actionLinkCameras"}) {
            const auto* action = w.find<QAction>(name);
            QVERIFY2(action, name);
            QVERIFY2(!action->statusTip().isEmpty() && !action->shortcut().isEmpty(), name);
        }
    }
};

QTEST_MAIN(TestWindowCanvas)
#include "test_window_canvas.moc"
