// The room that the graph has: windows of every size, large text, docks that are folded, closed and moved.

#include "app/window_driver.h"
#include "canvas/view/text_zoom.h"
#include "support/test_program.h"
#include "views/first_sight.h"
#include "window/run_window.h"
#include "window/window_theme.h"

#include <QDockWidget>
#include <QFontDatabase>
#include <QScreen>

namespace aotscope::test::window_room_test {
namespace {

const std::vector<QSize> kSizes{{1024, 640}, {1280, 720}, {1680, 1050}, {2560, 1440}};

struct Room : Driver {
    explicit Room(QSize size, const char* sample = "gpt2-tiny") {
        window.resize(size);
        opened = openSample(sample);
        QCoreApplication::processEvents();
    }
    QDockWidget* dock(const char* name) const { return find<QDockWidget>(name); }
    QToolButton* edge(const char* name) const { return find<QToolButton>(name); }
    bool shows(const char* name) const { return !dock(name)->isHidden(); }
    /// Of the area of the window.
    double graph() const {
        const QSize whole = window.size(), part = canvas()->size();
        return static_cast<double>(part.width()) * part.height() / whole.width() / whole.height();
    }
    void resize(QSize size) {
        window.resize(size);
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
    }
    void go(Perspective perspective) const {
        window.findChild<Perspectives*>()->show(perspective);
        QCoreApplication::processEvents();
    }
    QRect placeOf(const QWidget* widget) const { return {widget->mapTo(&window, QPoint()), widget->size()}; }

    bool opened;
};

}  // namespace

class TestWindowRoom : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }
    void cleanup() { applyTextSize(100); }

    void theGraphHasHalfOfTheWindow_data() {
        columns<QSize, int>("size", "text");
        for (const QSize& size : kSizes)
            for (const int text : {100, 200}) QTest::addRow("%d, %d %%", size.width(), text) << size << text;
    }
    void theGraphHasHalfOfTheWindow() {
        QFETCH(QSize, size);
        QFETCH(int, text);
        Settings().setTextSize(text);
        Room d(size);
        QVERIFY(d.opened);
        QCOMPARE(d.window.size(), size);
        QVERIFY2(d.graph() >= 0.5, qPrintable(QString::number(d.graph())));
        if (text == 100) {
            const QSize pane = d.pane()->size(), expected = paneIn(size);
            QVERIFY2(pane.width() >= expected.width() && pane.height() >= expected.height(),
                     qPrintable(u"%1 x %2"_s.arg(pane.width()).arg(pane.height())));
        }
        const auto* legend = d.canvas()->legend();
        if (legend->isVisible()) QVERIFY(!d.placeOf(legend).intersects(d.placeOf(d.canvas())));
        const auto* tabs = d.find<QTabBar>("graphTabs");
        QCOMPARE(tabs->width(), tabs->sizeHint().width());  // none is cut off
        for (const QDockWidget* dock : d.window.findChildren<QDockWidget*>())
            if (dock->isVisible()) QVERIFY2(dock->width() < size.width() / 2, qPrintable(dock->objectName()));
        // Whatever is hidden for lack of room can be opened at the edge.
        for (const char* name : {"modulesDock", "passesDock", "inspectorDock"})
            if (!d.shows(name)) {
                const auto* button = d.edge((std::string(name) + "Button").c_str());
                QVERIFY2(button && button->isVisible() && d.window.rect().contains(d.placeOf(button)), name);
            }
    }

    /// As on a small screen with a scale of 2.
    void aSmallWindowStaysSmall() {
        constexpr QSize size(640, 360);
        Room d(size);
        QVERIFY(d.opened);
        QCOMPARE(d.window.size(), size);
    }

    void tablesAreLow() {
        for (const QSize& size : kSizes) {
            Room d(size);
            for (const PerspectiveInfo& info : perspectiveList()) {
                d.go(info.perspective);
                if (!d.shows("tablesDock")) continue;
                const int tables = d.dock("tablesDock")->height();
                QVERIFY2(5 * tables <= 2 * size.height(),
                         qPrintable(u"%1: %2 of %3"_s.arg(info.name).arg(tables).arg(size.height())));
                QVERIFY2(d.graph() > 0.2, qPrintable(info.name + u' ' + QString::number(d.graph())));
            }
        }
    }

    void docksFollowTheSizeOfTheWindow() {
        Room d({1680, 1050});
        QVERIFY(d.shows("modulesDock") && d.shows("inspectorDock"));
        QVERIFY(!d.find<QWidget>("leftEdge")->isVisible());
        d.resize({1024, 640});
        QVERIFY(!d.shows("modulesDock") && d.shows("inspectorDock"));
        QVERIFY(d.graph() >= 0.5);
        d.resize({1680, 1050});
        QVERIFY(d.shows("modulesDock") && d.shows("passesDock"));
        QVERIFY(!d.find<QWidget>("leftEdge")->isVisible());
    }

    /// At the edge as anywhere else.
    void whatTheUserShowsAndHidesStays() {
        Room d({1024, 640});
        d.edge("modulesDockButton")->click();
        QVERIFY(d.shows("modulesDock") && !d.shows("passesDock"));
        QVERIFY(d.edge("modulesDockButton")->isChecked());
        d.resize({1000, 600});
        QVERIFY(d.shows("modulesDock"));
        d.resize({1680, 1050});
        d.dock("inspectorDock")->close();
        QCoreApplication::processEvents();
        QVERIFY(d.edge("inspectorDockButton")->isVisible());
        d.resize({2560, 1440});
        QVERIFY(!d.shows("inspectorDock") && d.shows("passesDock"));
        d.edge("inspectorDockButton")->click();
        QVERIFY(d.shows("inspectorDock"));
        QVERIFY(!d.find<QWidget>("rightEdge")->isVisible());
    }

    /// Unless it was made for a larger window.
    void anArrangementIsKept() {
        {
            Room d({1680, 1050});
            d.window.resizeDocks({d.dock("inspectorDock")}, {600}, Qt::Horizontal);
            QTest::mousePress(&d.window, Qt::LeftButton, {}, {1, 1});
            d.window.resizeDocks({d.dock("inspectorDock")}, {640}, Qt::Horizontal);
            QTest::mouseRelease(&d.window, Qt::LeftButton, {}, {1, 1});
            d.window.close();
        }
        {
            Room d({1680, 1050});
            QVERIFY(qAbs(d.dock("inspectorDock")->width() - 640) < 8);
            d.resize({1500, 1000});
            QVERIFY(d.shows("modulesDock"));
        }
        Room d({1024, 640});
        QVERIFY(d.graph() >= 0.5);
    }

    void aDockOffTheScreenComesBack() {
        {
            Room d({1680, 1050});
            d.dock("inspectorDock")->setFloating(true);
            d.dock("inspectorDock")->move(9000, 7000);
            d.window.close();
        }
        Room d({1680, 1050});
        const auto* dock = d.dock("inspectorDock");
        QVERIFY(dock->isFloating());
        QVERIFY(dock->screen()->availableGeometry().intersects(dock->frameGeometry()));
        bringOnScreen(*d.dock("inspectorDock"));
        d.dock("inspectorDock")->move(-5000, -5000);
        bringOnScreen(*d.dock("inspectorDock"));
        QVERIFY(dock->screen()->availableGeometry().contains(dock->frameGeometry().topLeft() + QPoint(90, 12)));
    }

    void theWindowIsNoLargerThanTheScreen() {
        Room d({1480, 940});
        fitToScreen(d.window, {1920, 1080});
        QCOMPARE(d.window.size(), QSize(1480, 940));
        QVERIFY(!d.window.isMaximized());
        fitToScreen(d.window, {1280, 720});
        QVERIFY(d.window.isMaximized());
    }

    void theTextSizeIsThatOfEverything() {
        Settings().setTextSize(150);
        const Room d({1680, 1050});
        const double usual = QFontDatabase::systemFont(QFontDatabase::GeneralFont).pointSizeF();
        for (const QWidget* widget : d.window.findChildren<QWidget*>())
            QVERIFY2(widget->font().pointSizeF() >= 1.4 * usual, widget->metaObject()->className());
        QVERIFY(usualZoom() > 1.4);
    }

    void theCanvasFollowsTheTextSize() {
        Room d({1680, 1050});
        const double before = d.canvas()->zoom();
        d.canvas()->resetZoom();
        applyTextSize(200);
        QTRY_COMPARE_WITH_TIMEOUT(d.canvas()->zoom(), usualZoom(), kPatience);
        QVERIFY(d.canvas()->zoom() > 1.5 * before);
        QVERIFY(d.graph() >= 0.5);
    }
};

AOTSCOPE_TEST(TestWindowRoom)

}  // namespace aotscope::test::window_room_test

#include "test_window_room.moc"
