// The tour and the whole window with keys only: each part is reached, shows the focus, and releases it.

#include "app/key_hands.h"
#include "support/test_program.h"
#include "window/focus_ring.h"
#include "window/help/command_palette.h"
#include "window/start/sample_cards.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMenuBar>

namespace aotscope::test::window_keys_only_test {
namespace {

constexpr auto kAlt = Qt::AltModifier, kControl = Qt::ControlModifier, kShift = Qt::ShiftModifier;

/// With a small model, and an operation selected: then every page has content.
struct Reader : KeyHands {
    Reader() {
        opened = active && openSample("mlp");
        press(Qt::Key_Down);
        opened = opened && settle();
    }
    /// A choice made by arrow keys: Tab moves to the chosen one.
    static bool isOneOfSeveral(const QWidget* widget) {
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const bool exclusive = button && (button->autoExclusive() || (button->group() && button->group()->exclusive()));
        return exclusive && !button->isChecked();
    }
    /// Where the focus can be: shown, enabled, and reached by Tab.
    static std::vector<const QWidget*> controlsOf(const QWidget* part) {
        std::vector<const QWidget*> controls;
        for (const QWidget* widget : part->findChildren<QWidget*>())
            if (widget->isVisibleTo(part) && widget->isEnabled() && widget->focusPolicy() & Qt::TabFocus &&
                !widget->focusProxy() && !isOneOfSeveral(widget))
                controls.push_back(widget);
        return controls;
    }
    bool sees(const Page& page) const { return page.widget->isVisible() && !page.widget->visibleRegion().isEmpty(); }

    bool opened;
};

}  // namespace

class TestWindowKeysOnly : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    /// From the start page through the four steps, and the focus returns.
    void theTourIsTaken() {
        KeyHands d;
        QVERIFY(d.active);
        d.window.guide()->offer();
        auto* cards = d.find<SampleCards>("samples");
        QVERIFY(KeyHands::has(cards));
        d.press(Qt::Key_Home);
        for (int card = 0; card < cards->count() && cards->currentItem()->text() != "mlp"_L1; ++card)
            d.press(Qt::Key_Right);
        d.press(Qt::Key_Return);
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"mlp"_s);
        QTRY_VERIFY(d.window.guide()->running());
        QVERIFY2(KeyHands::has(d.canvas()), qPrintable(KeyHands::nameOf(KeyHands::focus())));
        d.press(Qt::Key_F1, kShift);
        auto* bubble = d.find<GuideBubble>("guideBubble");
        QVERIFY(KeyHands::has(bubble));
        for (const char* title : {"The graph", "Why", "What If", "Check"}) {
            QVERIFY2(bubble->accessibleName().endsWith(QLatin1String(title)), qPrintable(bubble->accessibleName()));
            QVERIFY(KeyHands::has(bubble) && !bubble->visibleRegion().isEmpty());
            d.press(Qt::Key_Return);
            QVERIFY(d.settle());
        }
        QVERIFY(!d.window.guide()->running());
        QVERIFY2(KeyHands::has(d.canvas()), qPrintable(KeyHands::nameOf(KeyHands::focus())));
    }

    void theTourIsDismissed() {
        Reader d;
        QVERIFY(d.opened);
        d.press(Qt::Key_F1, kShift);
        QVERIFY(d.window.guide()->running());
        d.press(Qt::Key_Tab);
        d.press(Qt::Key_Tab);
        QVERIFY2(d.tabTo(d.find<GuideBubble>("guideBubble")), "its buttons are among the others");
        d.press(Qt::Key_F1, kShift);
        d.press(Qt::Key_Escape);
        QVERIFY(!d.window.guide()->running());
    }

    void theStartPageIsWalked() {
        KeyHands d;
        QVERIFY(d.active);
        const KeyHands::Walk walk = d.walk();
        QVERIFY(walk.round);
        QVERIFY2(walk.unseen.isEmpty(), qPrintable(walk.unseen.join(u'\n')));
        for (const char* stop : {"samples", "startOpen", "startScratch", "lessons", "learn"})
            QVERIFY2(walk.visited.contains(d.find<QWidget>(stop)), stop);
    }

    // --- perspectives, pages, drawers ---

    void everyPerspectiveIsWalked_data() {
        const auto row = columns<int>("number");
        for (std::size_t i = 0; i < perspectiveList().size(); ++i) row(perspectiveList()[i].name, static_cast<int>(i));
    }
    /// Each of its tabs is brought to the front with the arrow keys on the tab bar.
    void everyPerspectiveIsWalked() {
        QFETCH(int, number);
        Reader d;
        QVERIFY(d.opened);
        d.press(Qt::Key_1 + number, kAlt);
        const Perspective perspective = perspectiveList()[static_cast<std::size_t>(number)].perspective;
        QCOMPARE(d.window.pages().perspective(), perspective);
        QTabWidget* row = d.window.pages().tabs();
        std::vector<const Page*> pages;
        for (const Page& page : d.window.pages().all())
            if (page.place == Page::Place::tab && row->isTabVisible(row->indexOf(page.widget))) pages.push_back(&page);
        if (pages.empty()) pages.push_back(d.window.pages().find(u"inspectorDock"_s));
        for (const Page* page : pages) {
            if (page->place == Page::Place::tab && row->currentWidget() != page->widget) {
                QVERIFY2(d.tabTo(row->tabBar()), qPrintable(page->name));
                d.press(Qt::Key_Right);
                QVERIFY(d.settle());
                QCOMPARE(row->currentWidget(), page->widget);
            }
            const KeyHands::Walk walk = d.walk();
            QVERIFY2(walk.round, qPrintable(page->name));
            QVERIFY2(walk.unseen.isEmpty(), qPrintable(page->name + u'\n' + walk.unseen.join(u'\n')));
            for (const QWidget* control : Reader::controlsOf(page->widget))
                QVERIFY2(walk.visited.contains(control) || !control->isVisible(),
                         qPrintable(page->name + u' ' + KeyHands::nameOf(control)));
            for (const char* part : {"graphPane", "mainToolBar", "perspectives", "modulesDock", "passesDock"})
                QVERIFY2(KeyHands::reached(walk, d.find<QWidget>(part)), part);
            for (const Page& dock : d.window.pages().all())
                if (dock.isDock() && d.sees(dock) && !Reader::controlsOf(dock.widget).empty())
                    QVERIFY2(KeyHands::reached(walk, dock.widget), qPrintable(dock.name));
        }
    }

    void everyPageOpensByItsName() {
        Reader d;
        QVERIFY(d.opened);
        const auto commands = actionsOf(*d.window.menuBar());
        for (const Page& page : d.window.pages().all()) {
            if (page.widget == d.window.pages().tabs()) continue;
            const QAction* command = d.window.pages().opening(page.widget);
            const QString text = command->text().remove(u'&').remove(u'…');
            d.press(Qt::Key_K, kControl);
            auto* palette = d.find<CommandPalette>("commandPalette");
            QVERIFY(palette && palette->isVisible());
            d.type(text);
            // Some pages and commands have the same name.
            auto* list = palette->findChild<QListWidget*>();
            const auto isIt = [&](const QListWidgetItem* item) {
                const int i = item->data(Qt::UserRole).toInt();
                return i >= 0 && commands[static_cast<std::size_t>(i)].action == command;
            };
            QVERIFY2(list->count() > 0, qPrintable(text));
            for (int row = 1; row < list->count() && !isIt(list->currentItem()); ++row) d.press(Qt::Key_Down);
            QVERIFY2(isIt(list->currentItem()), qPrintable(text));
            d.press(Qt::Key_Return);
            QVERIFY(d.settle());
            QTRY_VERIFY2(d.sees(page), qPrintable(page.name));
            QTRY_VERIFY(!d.find<CommandPalette>("commandPalette"));
            if (!Reader::controlsOf(page.widget).empty()) QVERIFY2(d.tabTo(page.widget), qPrintable(page.name));
        }
    }

    void theContractIsADrawer() {
        Reader d;
        QVERIFY(d.opened);
        d.press(Qt::Key_J, kControl);
        QTabWidget* row = d.window.pages().contract();
        QVERIFY(row->isVisible());
        QVERIFY(d.tabTo(row->tabBar()));
        for (int tab = 0; tab < row->count(); ++tab) {
            QCOMPARE(row->currentIndex(), tab);
            const KeyHands::Walk walk = d.walk();
            QVERIFY(walk.round);
            QVERIFY2(walk.unseen.isEmpty(), qPrintable(walk.unseen.join(u'\n')));
            for (const QWidget* control : Reader::controlsOf(row->currentWidget()))
                QVERIFY2(walk.visited.contains(control), qPrintable(KeyHands::nameOf(control)));
            QVERIFY(d.tabTo(row->tabBar()));
            d.press(Qt::Key_Right);
        }
    }

    void theListOfProblemsOpensAndCloses() {
        Reader d;
        QVERIFY(d.opened);
        const QWidget* before = KeyHands::focus();
        d.press(Qt::Key_M, kControl);
        QVERIFY2(KeyHands::has(d.find<QWidget>("problemDrawer")), qPrintable(KeyHands::nameOf(KeyHands::focus())));
        d.press(Qt::Key_Escape);
        QVERIFY(!d.problemsAreInFront());
        QCOMPARE(KeyHands::focus(), before);
    }

    // --- popovers, menus ---

    void everyOptionIsReached() {
        Reader d;
        QVERIFY(d.opened);
        const QWidget* before = KeyHands::focus();
        d.press(Qt::Key_O, kControl | kShift);
        auto* popover = d.find<QWidget>("options");
        QVERIFY(popover->isVisible() && KeyHands::has(popover));
        std::set<const QWidget*> wanted;
        for (const QWidget* control : Reader::controlsOf(popover)) wanted.insert(control);
        QVERIFY(wanted.size() > 20);
        // Tab closes it at its end, Shift+Tab at its beginning.
        for (const auto modifier : {Qt::KeyboardModifiers(), Qt::KeyboardModifiers(kShift)}) {
            if (!popover->isVisible()) d.press(Qt::Key_O, kControl | kShift);
            for (int stop = 0; stop < 250 && KeyHands::has(popover); ++stop) {
                wanted.erase(KeyHands::focus());
                QVERIFY2(!d.seenOf(KeyHands::focus()).isEmpty(), qPrintable(KeyHands::nameOf(KeyHands::focus())));
                d.press(modifier ? Qt::Key_Backtab : Qt::Key_Tab, modifier);
            }
            QVERIFY(!KeyHands::has(popover) && !popover->isVisible());
        }
        QStringList missed;
        for (const QWidget* control : wanted) missed << KeyHands::nameOf(control);
        QVERIFY2(missed.isEmpty(), qPrintable(missed.join(u'\n')));
        QVERIFY(d.tabTo(before));
        d.press(Qt::Key_O, kControl | kShift);
        d.press(Qt::Key_Escape);
        QVERIFY(!popover->isVisible());
        QCOMPARE(KeyHands::focus(), before);
    }

    void everyMenuOpens() {
        Reader d;
        QVERIFY(d.opened);
        for (const QAction* menu : d.window.menuBar()->actions()) {
            const QChar letter = menu->text().at(menu->text().indexOf(u'&') + 1).toUpper();
            d.press(letter.unicode(), kAlt);
            QVERIFY2(menu->menu()->isVisible(), qPrintable(menu->text()));
            d.press(Qt::Key_Down);
            QVERIFY2(menu->menu()->activeAction(), qPrintable(menu->text()));
            d.press(Qt::Key_Escape);
            QVERIFY(!QApplication::activePopupWidget());
            d.press(Qt::Key_Escape);
            QVERIFY2(KeyHands::has(d.canvas()), qPrintable(KeyHands::nameOf(KeyHands::focus())));
        }
    }

    // --- the canvas ---

    void theCanvasIsWalked() {
        Reader d;
        QVERIFY(d.opened);
        QVERIFY(KeyHands::has(d.canvas()));
        std::set<NodeId> visited;
        for (int step = 0; step < 60; ++step) {
            visited.insert(d.window.selection().node());
            d.press(step % 12 < 8 ? Qt::Key_Down : Qt::Key_Right);
        }
        QVERIFY2(visited.size() > 4, qPrintable(QString::number(visited.size())));
        const double zoom = d.canvas()->zoom();
        d.press(Qt::Key_Plus, kControl);
        QTRY_VERIFY(d.canvas()->zoom() > zoom);
        // The events that a window system sends for the Menu key.
        QContextMenuEvent menuKey(QContextMenuEvent::Keyboard, {}, {});
        QApplication::sendEvent(d.canvas(), &menuKey);
        const QWidget* menu = QApplication::activePopupWidget();
        QVERIFY(menu);
        const QRect canvas(d.canvas()->mapToGlobal(QPoint()), d.canvas()->size());
        QVERIFY(canvas.contains(menu->pos()));  // beside the selected box
        d.press(Qt::Key_Escape);
        QTRY_VERIFY(!QApplication::activePopupWidget());
        d.press(Qt::Key_Tab);
        QVERIFY(!KeyHands::has(d.canvas()));
        d.press(Qt::Key_Backtab, kShift);
        QVERIFY(KeyHands::has(d.canvas()));
    }

    void theSearchLeadsBackToTheCanvas() {
        Reader d;
        QVERIFY(d.opened);
        d.press(Qt::Key_Slash);
        auto* edit = d.window.navigation()->search()->panel()->edit();
        QVERIFY(KeyHands::has(edit));
        d.type(u"op=mm"_s);
        QVERIFY(d.settle());
        d.press(Qt::Key_Return);
        QVERIFY(d.settle());
        QVERIFY(QString::fromStdString(d.record()->graph(GraphKind::joint)->findById(d.window.selection().node())->op())
                    .contains(u"mm"_s));
        d.press(Qt::Key_Escape);
        QVERIFY(KeyHands::has(d.canvas()));
    }

    // --- what shows the focus ---

    /// Mouse users do not need it.
    void theRingIsThereForKeysOnly() {
        Reader d;
        QVERIFY(d.opened);
        const auto* ring = d.window.findChild<FocusRing*>();
        auto* passes = d.find<QWidget>("passList");
        QVERIFY(d.tabTo(passes));
        QCOMPARE(ring->target(), passes);
        QVERIFY(ring->isVisible());
        const QRect place(passes->mapTo(&d.window, QPoint()), passes->size());
        QVERIFY(ring->geometry().intersects(place) && ring->geometry().contains(place.center()));
        QTest::mouseClick(d.window.windowHandle(), Qt::LeftButton, {}, place.center());
        QVERIFY(!ring->isVisible());
        d.press(Qt::Key_Tab);
        QVERIFY(ring->isVisible() && ring->target() != passes);
        ring->target()->hide();
        QTRY_VERIFY(ring->target() == nullptr || !ring->isVisible() || ring->target()->isVisible());
    }
};

AOTSCOPE_TEST(TestWindowKeysOnly)

}  // namespace aotscope::test::window_keys_only_test

#include "test_window_keys_only.moc"
