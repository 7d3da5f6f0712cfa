// Perspectives: the pages of each, what raises them, and what is remembered.

#include "app/window_driver.h"
#include "controllers/action_list.h"
#include "support/test_program.h"

#include <QDockWidget>
#include <QTabBar>

namespace aotscope::test::window_perspectives_test {
namespace {

constexpr int kMostTabs = 5;

struct Desk : Driver {
    Desk() { active = QTest::qWaitForWindowActive(&window, kPatience); }
    Perspectives* perspectives() const { return window.findChild<Perspectives*>(); }
    QDockWidget* dock(const char* name) const { return find<QDockWidget>(name); }
    const Page& page(const char* name) const { return *window.pages().find(QString::fromUtf8(name)); }
    bool sees(const char* name) const { return sees(page(name).widget); }
    /// A panel is visible if its parts cover it.
    bool sees(const QWidget* widget) const {
        const auto parts = widget->findChildren<QWidget*>();
        return !widget->visibleRegion().isEmpty() ||
               std::ranges::any_of(parts, [](const QWidget* part) { return !part->visibleRegion().isEmpty(); });
    }
    void go(Perspective perspective) const {
        perspectives()->show(perspective);
        QCoreApplication::processEvents();
    }
    QStringList visibleDocks() const {
        QStringList names;
        for (const QDockWidget* each : window.findChildren<QDockWidget*>())
            if (!each->isHidden()) names << each->objectName();
        names.sort();
        return names;
    }

    bool active;
};

}  // namespace

class TestWindowPerspectives : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void theStartPageIsAlone() {
        Desk d;
        QCOMPARE(d.visibleDocks(), QStringList());
        QVERIFY(!d.perspectives()->bar()->isVisible());
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.perspectives()->bar()->isVisible());
        QCOMPARE(d.perspectives()->current(), Perspective::explore);
        const QStringList ofExplore = d.visibleDocks();
        QVERIFY(ofExplore.contains(u"inspectorDock"_s) && !ofExplore.contains(u"tablesDock"_s));
        d.trigger("actionStart");
        QCOMPARE(d.visibleDocks(), QStringList());
        QVERIFY(d.openSample("sincos"));
        QCOMPARE(d.visibleDocks(), ofExplore);
    }

    void theChosenTabIsMarked() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        for (QTabBar* bar : {d.perspectives()->bar(), d.find<QTabBar>("graphTabs")})
            for (int tab = 0; tab < bar->count(); ++tab) {
                if (!bar->isTabVisible(tab)) continue;
                const QRect place = bar->tabRect(tab);
                const QImage image = bar->grab(place).toImage();
                int marked = 0;
                for (int y = 0; y < image.height(); ++y)
                    marked += image.pixelColor(image.width() / 2, y) == bar->palette().color(QPalette::Highlight);
                QCOMPARE(marked > 0, tab == bar->currentIndex());
            }
    }

    void atMostFiveTabsAreVisible() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionContract");
        for (const PerspectiveInfo& info : perspectiveList()) {
            d.go(info.perspective);
            for (const QTabBar* bar : d.window.findChildren<QTabBar*>()) {
                int tabs = 0;
                for (int i = 0; i < bar->count(); ++i) tabs += bar->isTabVisible(i);
                if (bar->visibleRegion().isEmpty()) continue;
                QVERIFY2(tabs <= kMostTabs,
                         qPrintable(info.name + u": "_s + bar->objectName() + QString::number(tabs)));
            }
        }
    }

    void keysAndTheSwitchChoose() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        for (const PerspectiveInfo& info : perspectiveList()) {
            const auto digit = static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(info.perspective));
            QTest::keyClick(d.canvas(), digit, Qt::AltModifier);
            QCOMPARE(d.perspectives()->current(), info.perspective);
            QCOMPARE(d.perspectives()->bar()->currentIndex(), static_cast<int>(info.perspective));
            QVERIFY(d.perspectives()->actions()[static_cast<std::size_t>(info.perspective)]->isChecked());
        }
        QTest::mouseClick(d.perspectives()->bar(), Qt::LeftButton, {},
                          d.perspectives()->bar()->tabRect(static_cast<int>(Perspective::memory)).center());
        QCOMPARE(d.perspectives()->current(), Perspective::memory);
        QVERIFY(d.sees("whatIfDock"));
    }

    void aPageRaisesItsPerspective() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        for (const Page& page : d.window.pages().all()) {
            d.go(Perspective::explore);
            d.window.pages().opening(page.widget)->trigger();
            QCoreApplication::processEvents();
            if (page.perspective) QCOMPARE(d.perspectives()->current(), *page.perspective);
            if (page.widget != d.window.pages().tabs())  // which has nothing in Explore
                QVERIFY2(d.sees(page.widget), qPrintable(page.name));
        }
    }

    void everyPageIsInTheMenu() {
        const Desk d;
        std::set<QAction*> listed;
        for (const NamedAction& named : actionsOf(*d.window.menuBar())) listed.insert(named.action);
        for (const Page& page : d.window.pages().all())
            if (page.widget != d.window.pages().tabs())
                QVERIFY2(listed.contains(d.window.pages().opening(page.widget)), qPrintable(page.name));
        for (QAction* action : d.perspectives()->actions()) QVERIFY(listed.contains(action));
    }

    /// Each keeps the user's changes, also in the next window.
    void eachIsArrangedByItself() {
        {
            Desk d;
            QVERIFY(d.openSample("mlp"));
            d.go(Perspective::memory);
            d.dock("inspectorDock")->hide();
            d.window.pages().opening(d.page("pareto").widget)->trigger();
            d.go(Perspective::explore);
            QVERIFY(!d.dock("inspectorDock")->isHidden());
            d.go(Perspective::memory);
            QVERIFY(d.dock("inspectorDock")->isHidden());
            QVERIFY(d.window.pages().inFront(d.page("pareto").widget));
            d.window.close();
        }
        Desk d;
        QVERIFY(d.openSample("mlp"));
        QCOMPARE(d.perspectives()->current(), Perspective::memory);
        QVERIFY(d.dock("inspectorDock")->isHidden());
        d.go(Perspective::explore);
        QVERIFY(!d.dock("inspectorDock")->isHidden());
        d.trigger("actionDefaultLayout");
        d.go(Perspective::memory);
        QVERIFY(!d.dock("inspectorDock")->isHidden());
    }

    /// Which used to crash: the dock was still moving when the perspective restored its own arrangement.
    void aFlickedDockSurvivesTheSwitch() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        for (int round = 0; round < 8; ++round) {
            d.go(Perspective::memory);
            QDockWidget* dock = d.dock("whatIfDock");
            dock->raise();
            const QPoint title(dock->width() / 3, 8);
            QTest::mousePress(dock, Qt::LeftButton, {}, title);
            for (int step = 1; step <= 3; ++step)
                QTest::mouseMove(dock, title + QPoint(-40 * (step + round), 60 * step));
            QTest::mouseRelease(dock, Qt::LeftButton, {}, title + QPoint(-40 * (3 + round), 180));
            d.go(Perspective::explore);
            QTest::qWait(20);
        }
        QVERIFY(!d.window.isAnimated());
        QVERIFY(d.dock("whatIfDock")->isHidden());
    }

    void theContractIsADrawerOfAll() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionContract");
        for (const PerspectiveInfo& info : perspectiveList()) {
            d.go(info.perspective);
            QVERIFY2(!d.dock("contractDock")->isHidden(), qPrintable(info.name));
        }
        auto* button = d.find<QToolButton>("contractButton");
        QCOMPARE(button->arrowType(), Qt::DownArrow);
        button->click();
        QCOMPARE(button->arrowType(), Qt::UpArrow);
        for (const PerspectiveInfo& info : perspectiveList()) {
            d.go(info.perspective);
            QVERIFY2(d.dock("contractDock")->isHidden(), qPrintable(info.name));
        }
    }

    /// A bar that belongs to the current job is independent of the perspective.
    void barsStayAsTheyAre() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionDebug");
        QVERIFY(d.settle());
        auto* bar = d.find<QToolBar>("debugToolBar");
        for (const PerspectiveInfo& info : perspectiveList()) {
            d.go(info.perspective);
            QVERIFY2(bar->isVisible(), qPrintable(info.name));
        }
        d.trigger("actionDebug");
        QVERIFY(d.settle());
        for (const PerspectiveInfo& info : perspectiveList()) {
            d.go(info.perspective);
            QVERIFY2(!bar->isVisible(), qPrintable(info.name));
        }
    }
};

AOTSCOPE_TEST(TestWindowPerspectives)

}  // namespace aotscope::test::window_perspectives_test

#include "test_window_perspectives.moc"
