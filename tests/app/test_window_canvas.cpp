// Menu commands for the picture of a graph: modules, hidden boxes, following edges, remembered places, colours.

#include "app/window_driver.h"
#include "ir/provenance.h"
#include "ir/subgraphs.h"
#include "support/test_program.h"

#include <QCheckBox>

namespace aotscope::test::window_canvas_test {
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
    /// Selects a node and looks beside it, at a zoom that nothing sets by itself.
    void lookAt(const char* name) {
        clickNode(node(pane()->kind(), name)->id());
        canvas()->goTo({placeOf(name) + kBeside, kZoom});
    }
    QPointF placeOf(const char* name) const {
        const NodeId id = node(pane()->kind(), name)->id();
        return canvas()->layout()->boxes[static_cast<std::size_t>(canvas()->graph()->indexOf.at(id))].center();
    }
    /// The differences of camera and selection from lookAt(name); empty: none.
    QString strayed(const char* name) const {
        const auto [centre, zoom] = canvas()->position();
        const QPointF off = (placeOf(name) + kBeside - centre) * zoom;
        const Node* selected = window.selection().object();
        const QString who = selected ? q(selected->name()) : u"nothing"_s;
        const bool same = selected && canvas()->selectedNode() == selected->id() && who == QString::fromUtf8(name);
        return zoom == kZoom && off.manhattanLength() <= kNear && same
                   ? QString()
                   : u"off by %1, %2 at %3; %4 is selected"_s.arg(off.x()).arg(off.y()).arg(zoom).arg(who);
    }
    void chooseDecomposition(const char* name) const {
        auto* box = find<QComboBox>("decompose");
        const int item = box->findData(QString::fromUtf8(name));
        box->setCurrentIndex(item);
        Q_EMIT box->activated(item);
    }
    static constexpr double kZoom = 0.85, kNear = 6;
    static constexpr QPointF kBeside{20, 30};
};

}  // namespace

class TestWindowCanvas : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
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
        QVERIFY(w.boxes() <= 2);  // and the output, which is not a node
        QVERIFY(w.run("actionUndo"));
        QCOMPARE(w.boxes(), all);
    }

    /// Subgraphs of an operator are shown with it, including a hit in one.
    void whatOperatorsRunIsHiddenAndMarked() {
        Window w;
        QVERIFY(w.open(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/control_flow.log")));
        w.chooseTab(GraphKind::joint);
        QVERIFY(w.settle());
        const Node* cond = w.node(GraphKind::joint, "cond");
        const std::vector<SubgraphRun> runs = subgraphRuns(*w.pane()->graph());
        const NodeId sin = runs[0].idOf(*runs[0].graph->findByName("sin")),
                     input = runs[0].idOf(*runs[0].graph->placeholders().front());
        const auto seen = [&](NodeId id) { return w.canvas()->graph()->indexOf.contains(id); };
        w.clickNode(sin);
        QVERIFY2(w.inspector().contains(u"aten.sin.default"_s), qPrintable(w.inspector()));
        w.trigger("actionInputs1");
        QVERIFY(w.marked(input));
        QVERIFY(w.run("actionShowOnly"));
        QVERIFY(seen(sin) && seen(cond->id()) && !seen(input));
        QVERIFY(w.run("actionShowAll"));
        w.clickNode(cond->id());
        QVERIFY(w.run("actionShowOnly"));
        QVERIFY(seen(cond->id()) && seen(sin) && seen(input));
        QVERIFY(!seen(w.node(GraphKind::joint, "cond_1")->id()));
        QVERIFY(w.run("actionShowAll"));
        w.clickNode(cond->id());
        QVERIFY(w.run("actionHide"));
        QVERIFY(!seen(cond->id()) && !seen(sin));
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
        QVERIFY(w.run("actionGoTo4"));  // nothing there: only a sentence
        QCOMPARE(w.boxes(), all);
    }

    void thePlaceStaysInAWindowOfAnotherSize() {
        Window w;
        QVERIFY(w.openSample("resnet18"));
        w.lookAt("relu_8");
        for (const QSize size : {QSize(1200, 760), QSize(1600, 1000), QSize(1480, 940)}) {
            const QSize before = w.canvas()->viewport()->size();
            w.window.resize(size);
            QTRY_VERIFY_WITH_TIMEOUT(w.canvas()->viewport()->size() != before, kPatience);
            QCOMPARE(w.strayed("relu_8"), QString());
        }
    }

    void thePlaceStaysBesideASecondGraph() {
        Window w;
        QVERIFY(w.openSample("resnet18"));
        w.lookAt("relu_8");
        for (const bool linked : {false, true}) {
            w.find<QAction>("actionLinkCameras")->setChecked(linked);
            for (int i = 0; i < 2; ++i) {  // split, and whole again
                const int before = w.canvas()->viewport()->width();
                QVERIFY(w.run("actionBeside"));
                QTRY_VERIFY_WITH_TIMEOUT(w.canvas()->viewport()->width() != before, kPatience);
                QCOMPARE(w.strayed("relu_8"), QString());
            }
        }
    }

    void thePlaceStaysWhenAnOptionChanges() {
        Window w;
        QVERIFY(w.openSample("resnet18"));
        w.lookAt("relu_8");
        w.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(w.settle());
        QCOMPARE(w.strayed("relu_8"), QString());
        for (const char* flag : {"keepInputMutations", "inference", "inference"}) {
            w.find<QCheckBox>(flag)->click();
            QVERIFY(w.settle());
            QCOMPARE(w.strayed("relu_8"), QString());
        }
        w.chooseDecomposition("inductor");
        QVERIFY(w.settle());
        QCOMPARE(w.strayed("relu_8"), QString());
    }

    /// A removed node leaves the camera at its nearest relative.
    void thePlaceStaysNearANodeThatIsGone() {
        Window w;
        QVERIFY(w.openSample("resnet18"));
        w.lookAt("convolution_backward_5");
        const auto forward = provenanceOf(*w.window.selection().object()).forward;
        const std::string convolution = w.record()->graph(GraphKind::joint)->findById(forward)->name();
        const auto fromCentre = [&w](const char* name) {
            const auto [centre, zoom] = w.canvas()->position();
            return (w.placeOf(name) - centre) * zoom;
        };
        const QPointF before = fromCentre("convolution_backward_5");
        w.find<QCheckBox>("inference")->click();
        QVERIFY(w.settle());
        QCOMPARE(w.window.selection().object()->name(), convolution);
        const QPointF after = fromCentre(convolution.c_str());
        QVERIFY((after - before).manhattanLength() <= 12);  // the boxes have other heights
        QCOMPARE(w.canvas()->position().zoom, Window::kZoom);
    }

    void anotherModelHasNothingSelected() {
        Window w;
        QVERIFY(w.openSample("resnet18"));
        w.lookAt("relu_8");
        QVERIFY(w.openSample("gpt2-tiny"));
        QVERIFY(!w.window.selection().object());
    }

    void theMinimapIsASetting() {
        Window w;
        QVERIFY(w.openSample("gpt2-tiny"));
        w.canvas()->resetZoom();
        auto* map = w.canvas()->findChild<QWidget*>(u"minimap"_s);
        QVERIFY(map->isVisible());
        w.trigger("actionMinimap");
        QVERIFY(!map->isVisible());
        Window again;
        QVERIFY(!again.find<QAction>("actionMinimap")->isChecked());
    }

    void everyActionHasATip() {
        Window w;
        for (const char* name : {"actionToggleModule",   "actionToggleAlike", "actionOpenLevel", "actionCloseLevel",
                                 "actionOpenAll",        "actionCloseAll",    "actionHide",      "actionShowOnly",
                                 "actionShowAll",        "actionInputs1",     "actionUsers1",    "actionFanIn",
                                 "actionFanOut",         "actionPaths",       "actionGoTo1",     "actionRemember9",
                                 "actionMinimap",        "actionSave",        "actionRecompute", "actionLeave",
                                 "actionBackToCompiled", "actionKeep",        "actionSweep",     "actionNetwork",
                                 "actionApply",          "actionFind",        "actionFindNext",  "actionNextChange",
                                 "actionPreviousChange", "actionDifference",  "actionHistory",   "actionContinue",
                                 "actionStep",           "actionCompareWith", "actionKeepRun",   "actionStopComparing",
                                 "actionLinkCameras"}) {
            const auto* action = w.find<QAction>(name);
            QVERIFY2(action, name);
            QVERIFY2(!action->statusTip().isEmpty() && !action->shortcut().isEmpty(), name);
        }
    }

    // --- colours ---

    void colouredByValues() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const QImage plain = d.canvas()->grab().toImage();
        d.trigger("colourBy-bytes");
        QVERIFY(d.settle());
        QVERIFY(!d.canvas()->graph()->tints.empty());
        QVERIFY(d.canvas()->grab().toImage() != plain);
        d.chooseTab(GraphKind::forward);
        QVERIFY(d.settle());
        QVERIFY(!d.canvas()->graph()->tints.empty());
        d.trigger("colourBy-live");
        QVERIFY(d.settle());
        const auto& live = d.canvas()->graph()->nodes;
        QVERIFY(std::any_of(live.begin(), live.end(),
                            [](const DrawnNode& node) { return node.value.startsWith(u"Live memory: "_s); }));
        d.trigger("colourBy-measured");  // nothing was timed
        QVERIFY(d.settle());
        QVERIFY(d.lastProblem().contains(u"there are no measured times"_s));
        QVERIFY(d.canvas()->graph()->tints.empty());
        d.window.time();
        QVERIFY(d.settle());
        d.trigger("colourBy-measured");
        QVERIFY(d.settle());
        QVERIFY(!d.canvas()->graph()->tints.empty());
        d.trigger("colourBy-part");
        QVERIFY(d.settle());
        QVERIFY(d.canvas()->graph()->tints.empty());
    }

    void colouredByAFile() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const QString good = isolation_.folder().write(u"good.json"_s, R"({"relu": 1, "relu_1": 5})"),
                      bad = isolation_.folder().write(u"bad.json"_s, R"({"nobody": 1})");
        d.window.navigation()->colours()->openOverlay(good);
        QVERIFY(d.settle());
        QVERIFY(d.canvas()->graph()->tints.size() >= 3);
        d.window.navigation()->colours()->openOverlay(bad);
        QVERIFY(d.settle());
        QVERIFY(d.lastProblem().contains(u"none for a node of the"_s));
        QVERIFY(d.canvas()->graph()->tints.empty());
    }

    /// Colour modes that any model has stay; others are dropped silently.
    void coloursOfTheNextModel() {
        Driver d;
        const ColourController* colours = d.window.navigation()->colours();
        const QString values = isolation_.folder().write(u"values.json"_s, R"({"relu": 1})");
        QVERIFY(d.openSample("mlp"));
        d.trigger("colourBy-bytes");
        QVERIFY(d.openSample("sincos"));
        QCOMPARE(colours->by(), std::optional(ColourBy::bytes));
        for (const bool overlay : {true, false}) {
            QVERIFY(d.openSample("mlp"));
            d.window.time();
            QVERIFY(d.settle());
            if (overlay) d.window.navigation()->colours()->openOverlay(values);
            else d.trigger("colourBy-measured");
            QVERIFY(d.settle());
            QVERIFY(!d.canvas()->graph()->tints.empty());
            const int problems = d.problems()->count();
            d.window.sessionFile()->discard();
            QVERIFY(d.openSample("sincos"));
            QVERIFY(!colours->by());
            QVERIFY(d.find<QAction>("colourBy-part")->isChecked());
            QVERIFY(d.canvas()->graph()->tints.empty());
            QCOMPARE(d.problems()->count(), problems);
        }
    }

    /// Names stay the same in another run of the model.
    void anOverlayOutlivesOtherOptions() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.window.navigation()->colours()->openOverlay(isolation_.folder().write(u"values.json"_s, R"({"relu": 1})"));
        QVERIFY(d.settle());
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        QVERIFY(!d.canvas()->graph()->tints.empty());
    }
};

AOTSCOPE_TEST(TestWindowCanvas)

}  // namespace aotscope::test::window_canvas_test

#include "test_window_canvas.moc"
