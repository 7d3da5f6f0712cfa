// Modules that open and close with the zoom, and the strip below the canvas.

#include "canvas/view/text_zoom.h"
#include "panels/graph/graph_pane.h"
#include "support/patience.h"
#include "support/test_program.h"
#include "views/records.h"

#include <QAction>
#include <QActionGroup>

namespace aotscope::test::zoomed_modules_test {
namespace {

struct Pane : GraphPane {
    explicit Pane(bool automatic = true) {
        resize(1000, 800);
        show();
        setAutomaticModules(automatic);
        setRecord(recordOf("gpt2-tiny"));
        settle();
        showDepth(2);
        settle();
    }
    bool settle() {
        return QTest::qWaitFor([this] { return !layoutRunning(); }, kPatience);
    }
    const GroupTree& tree() const { return *wholeGraph()->groups; }
    bool isClosed(const char* key) const { return viewState().collapsed.contains(QLatin1String(key)); }
    /// The place of the forward half of a group: its box or its frame.
    QRectF placeOf(const char* key) const {
        const int group = tree().byKey(QLatin1String(key));
        const DrawnGraph& graph = *view()->graph();
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            if (graph.nodes[i].group == group && !graph.isBackward(static_cast<int>(i)))
                return view()->layout()->boxes[i];
        for (const GroupFrame& frame : view()->layout()->frames)
            if (frame.group == group && !frame.backward) return frame.rect;
        return {};
    }
    QPoint middleOf(const char* key) const { return view()->mapFromScene(placeOf(key).center()); }
    void turnWheel(int notches, QPoint at) {
        for (int i = 0; i < std::abs(notches); ++i) {
            QWheelEvent event(at, view()->viewport()->mapToGlobal(QPointF(at)), {}, {0, notches > 0 ? 120 : -120},
                              Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(view()->viewport(), &event);
            settle();
        }
    }
    void lookAt(const char* key, double zoom = 1) { view()->goTo({placeOf(key).center(), zoom}); }
    template <typename T>
    T* part(const char* name) const {
        return strip()->findChild<T*>(QLatin1String(name));
    }
};

constexpr const char* kBlock = "blocks.1";

}  // namespace

class TestZoomedModules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void zoomingInOpensWhatFillsTheView() {
        Pane p;
        QVERIFY(p.isClosed(kBlock));
        p.lookAt(kBlock);
        p.turnWheel(1, p.middleOf(kBlock));
        QVERIFY(p.isClosed(kBlock));  // still small
        const QPoint pointer = p.middleOf(kBlock);
        const int steps = p.undoStack()->count();
        p.turnWheel(8, pointer);
        QVERIFY(!p.isClosed(kBlock));
        QVERIFY(p.isClosed("blocks.0"));
        QVERIFY(p.placeOf(kBlock).contains(p.view()->mapToScene(pointer)));  // keeps its place
        QVERIFY(p.view()->zoom() >= readableZoom() - 1e-9);
        QCOMPARE(p.undoStack()->count(), steps);
    }

    void zoomingOutClosesWhatCannotBeRead() {
        Pane p;
        p.lookAt(kBlock);
        p.turnWheel(8, p.middleOf(kBlock));
        QVERIFY(!p.isClosed(kBlock));
        const QPoint pointer = p.view()->viewport()->rect().center();
        QVERIFY(p.placeOf(kBlock).contains(p.view()->mapToScene(pointer)));
        p.turnWheel(-8, pointer);
        QVERIFY(p.isClosed(kBlock));
        // As large as it was, so that it is readable.
        p.lookAt(kBlock);
        QVERIFY(p.view()->zoom() >= readableZoom() - 1e-9);
    }

    void whatIsClosedIsAsWideAsItWas() {
        Pane p;
        p.lookAt(kBlock);
        p.turnWheel(8, p.middleOf(kBlock));
        QVERIFY(!p.isClosed(kBlock));
        p.lookAt(kBlock, 0.51);
        const QPoint pointer = p.middleOf(kBlock);
        const double wide = p.placeOf(kBlock).width() * p.view()->zoom();
        p.turnWheel(-1, pointer);
        QVERIFY(p.isClosed(kBlock));
        const QRectF box = p.placeOf(kBlock);
        QVERIFY(box.contains(p.view()->mapToScene(pointer)));
        const double now = box.width() * p.view()->zoom();
        const bool limited = p.view()->zoom() <= readableZoom() + 1e-9 || p.view()->zoom() >= usualZoom() - 1e-9;
        QVERIFY2(limited || std::abs(now - wide / 1.25) < 3, qPrintable(QString::number(now)));
    }

    void whatAPersonOpenedAndClosedStays() {
        Pane p;
        const int block = p.tree().byKey(QLatin1String(kBlock));
        Q_EMIT p.view()->groupToggled(block, true);
        QVERIFY(p.settle());
        p.lookAt(kBlock);
        p.turnWheel(-8, p.view()->viewport()->rect().center());
        QVERIFY(!p.isClosed(kBlock));
        Q_EMIT p.view()->groupToggled(block, false);
        QVERIFY(p.settle());
        p.lookAt(kBlock);
        p.turnWheel(9, p.middleOf(kBlock));
        QVERIFY(p.isClosed(kBlock));
    }

    void itCanBeSwitchedOff() {
        Pane p(false);
        p.lookAt(kBlock);
        p.turnWheel(9, p.middleOf(kBlock));
        QVERIFY(p.isClosed(kBlock));
    }

    void theStripSaysHowDeep() {
        Pane p;
        const auto* depth = p.part<QLabel>("stripDepth");
        const int deepest = p.tree().deepest() + 1;
        QCOMPARE(depth->text(), u"Modules open to depth 2 of %1"_s.arg(deepest));
        QVERIFY(p.part<QLabel>("stripClosed")->text().endsWith(u" modules closed"_s));
        QTest::mouseClick(p.part<QToolButton>("stripClose"), Qt::LeftButton);
        QVERIFY(p.settle());
        QCOMPARE(depth->text(), u"Modules open to depth 1 of %1"_s.arg(deepest));
        QVERIFY(!p.part<QToolButton>("stripClose")->isEnabled());
        for (int i = 1; i < deepest; ++i) {
            QTest::mouseClick(p.part<QToolButton>("stripOpen"), Qt::LeftButton);
            QVERIFY(p.settle());
        }
        QCOMPARE(p.part<QLabel>("stripClosed")->text(), u"All modules open"_s);
        QVERIFY(!p.part<QToolButton>("stripOpen")->isEnabled());
        Q_EMIT p.view()->groupToggled(p.tree().byKey(QLatin1String(kBlock)), false);
        QVERIFY(p.settle());
        QVERIFY2(depth->text().endsWith(u"some deeper"_s), qPrintable(depth->text()));
        QCOMPARE(p.part<QLabel>("stripClosed")->text(), u"1 module closed"_s);
    }

    void theStripSaysTheZoom() {
        Pane p;
        p.view()->goTo({{}, 0.75 * usualZoom()});
        QCOMPARE(p.part<QToolButton>("stripZoom")->text(), u"75 %"_s);
        QTest::mouseClick(p.part<QToolButton>("stripZoom"), Qt::LeftButton);
        QCOMPARE(p.view()->zoom(), usualZoom());
    }

    void theStripNamesTheColours() {
        Pane p;
        QMenu menu;
        QActionGroup group(&menu);
        for (const char* text : {"&Part: Forward, Backward", "&Fate: Saved, Recomputed"}) {
            QAction* action = group.addAction(menu.addAction(QLatin1String(text)));
            action->setCheckable(true);
        }
        group.actions().first()->setChecked(true);
        p.strip()->setColours(&menu);
        const auto* colours = p.part<QToolButton>("stripColours");
        QCOMPARE(colours->text().trimmed(), u"Colour: Part"_s);
        // The menu indicator at the right does not cover the last letters.
        QVERIFY(colours->text().size() > colours->text().trimmed().size() + 1);
        group.actions().last()->trigger();
        QCOMPARE(colours->text().trimmed(), u"Colour: Fate"_s);
    }

    void aNarrowStripLeavesOutWhatMattersLess() {
        Pane p;
        for (const int width : {1000, 300, 120, 30}) {
            p.strip()->resize(width, 24);
            for (const QWidget* part : p.strip()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
                QVERIFY2(!part->isVisible() || part->width() >= part->sizeHint().width(),
                         qPrintable(part->objectName()));
        }
        // The depth is shortened before it is hidden.
        const auto* depth = p.part<QLabel>("stripDepth");
        const int inShort = p.strip()->fontMetrics().horizontalAdvance(u"Depth 2 of 9"_s);
        bool wasShort = false;
        for (int width = 1000; width > 0; width -= inShort / 4) {
            p.strip()->resize(width, 24);
            if (!depth->isVisible()) break;
            wasShort = wasShort || depth->text().startsWith(u"Depth 2 of "_s);
        }
        QVERIFY(wasShort);
        p.strip()->resize(1000, 24);
        QVERIFY(p.part<QLabel>("stripClosed")->isVisible());
        p.setRecord(recordOf("sincos"));
        QVERIFY(p.settle());
        QVERIFY(!p.part<QLabel>("stripDepth")->isVisible());
    }

    void everyPartHasAName() {
        Pane p;
        for (const auto* button : p.strip()->findChildren<QToolButton*>()) {
            QVERIFY2(!button->accessibleName().isEmpty(), qPrintable(button->objectName()));
            QVERIFY2(!button->toolTip().isEmpty(), qPrintable(button->objectName()));
            if (button != p.view()->legend())  // a button only where it is folded
                QVERIFY2(button->focusPolicy() & Qt::TabFocus, qPrintable(button->objectName()));
        }
        p.view()->legend()->setFolded(true);
        QVERIFY(p.view()->legend()->focusPolicy() & Qt::TabFocus);
    }
};

AOTSCOPE_TEST(TestZoomedModules)

}  // namespace aotscope::test::zoomed_modules_test

#include "test_zoomed_modules.moc"
