// The window for newcomers: the start page with its cards, and the tour.

#include "app/window_driver.h"
#include "load/sample_list.h"
#include "models/manual.h"
#include "support/test_program.h"
#include "window/help/manual_window.h"
#include "window/start/sample_cards.h"

#include <QAccessible>
#include <QTextBrowser>

namespace aotscope::test::window_start_test {
namespace {

QStringList messages;

/// Captures what Qt would print, except remarks of the offscreen platform about itself.
class Listener {
public:
    Listener() {
        messages.clear();
        before_ = qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) {
            if (!text.startsWith("This plugin does not support"_L1)) messages << text;
        });
    }
    ~Listener() { qInstallMessageHandler(before_); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

private:
    QtMessageHandler before_;
};

/// A start page on its own, with the focus.
struct Start {
    explicit Start(const QStringList& recent = {}) {
        page.resize(1000, 700);
        page.refresh(recent);
        page.show();
        page.activateWindow();
        active = QTest::qWaitForWindowActive(&page, kPatience);
    }
    ChoiceList* list(const char* name) const { return page.findChild<ChoiceList*>(QString::fromUtf8(name)); }
    void click(ChoiceList* list, int row) const {
        list->scrollToItem(list->item(row));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(row)).center());
    }

    StartPage page;
    bool active;
};

QStringList chosenIn(const QSignalSpy& spy) {
    QStringList chosen;
    for (const auto& arguments : spy) chosen << arguments.front().toString();
    return chosen;
}

QStringList sampleModels() {
    QStringList models;
    for (const auto& sample : sampleList()) models << u"sample:"_s + q(sample.name);
    return models;
}

/// A window that offers the tour, as the program does.
struct Newcomer : Driver {
    Newcomer() {
        active = QTest::qWaitForWindowActive(&window, kPatience);
        window.guide()->offer();
    }
    GuideBubble* bubble() const { return window.findChild<GuideBubble*>(u"guideBubble"_s); }
    bool running() const { return window.guide()->running(); }
    QString title() const { return bubble()->accessibleName().section(u": "_s, 1); }
    bool click(const char* button) const {
        QTest::mouseClick(bubble()->findChild<QPushButton*>(QString::fromUtf8(button)), Qt::LeftButton);
        QCoreApplication::processEvents();
        return running();
    }

    bool active;
};

}  // namespace

class TestWindowStart : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    // --- the start page ---

    /// `ninja sample_pictures` updates them.
    void everySampleHasACard() {
        const Start start;
        const ChoiceList* cards = start.list("samples");
        QCOMPARE(cards->count(), static_cast<int>(sampleList().size()));
        int row = 0;
        for (const auto& sample : sampleList()) {
            const QListWidgetItem* card = cards->item(row++);
            QCOMPARE(card->text(), q(sample.name));
            QVERIFY(SampleCards::operationsOf(card->text()) > 0);
            const QString said = card->data(Qt::AccessibleTextRole).toString();
            QVERIFY2(said.contains(q(sample.help)) && said.contains(u"operation"_s), qPrintable(said));
            const QImage light(SampleCards::pictureOf(card->text(), false)),
                dark(SampleCards::pictureOf(card->text(), true));
            QVERIFY2(light.width() >= 600 && light.size() == dark.size(), sample.name.c_str());
            QVERIFY(light.pixelColor(0, 0).lightness() > 128 && dark.pixelColor(0, 0).lightness() < 128);
        }
    }

    void cardsSayHowManyOperationsThereAre_data() {
        rowsOf("sample", {"sincos", "mlp", "aliasing", "mutations", "resnet18", "gpt2-tiny", "bert-tiny"});
    }
    void cardsSayHowManyOperationsThereAre() {
        QFETCH(QString, sample);
        const auto joint =
            Session::open({.model = "sample:" + sample.toStdString()}, {})->record()->graph(GraphKind::joint);
        QCOMPARE(static_cast<std::size_t>(SampleCards::operationsOf(sample)), joint->callCount());
    }

    void everythingOpensByMouse() {
        const QStringList recent{u"sample:mlp"_s, u"/models/50% of a #b? c'd \"e\" <f> ü.pt2"_s};
        const Start start(recent);
        const Listener listener;
        const QSignalSpy models(&start.page, &StartPage::modelChosen), files(&start.page, &StartPage::openRequested),
            manual(&start.page, &StartPage::manualRequested);
        for (const char* name : {"recentModels", "samples", "lessons", "learn"})
            for (int row = 0; row < start.list(name)->count(); ++row) start.click(start.list(name), row);
        QTest::mouseClick(start.page.findChild<QPushButton*>(u"startOpen"_s), Qt::LeftButton);
        QCOMPARE(chosenIn(models), recent + sampleModels());
        QCOMPARE(files.size(), 1);
        QCOMPARE(manual.size(), start.list("learn")->count());
        for (const QString& place : chosenIn(manual)) QVERIFY2(Manual::instance().find(place), qPrintable(place));
        QVERIFY2(messages.isEmpty(), qPrintable(messages.join(u'\n')));
    }

    void everythingOpensByKeyboard() {
        const Start start({u"sample:sincos"_s});
        QVERIFY(start.active);
        const QSignalSpy models(&start.page, &StartPage::modelChosen), files(&start.page, &StartPage::openRequested);
        QCOMPARE(QApplication::focusWidget(), start.list("samples"));
        std::set<QWidget*> visited;
        for (int stop = 0; stop < 8; ++stop) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            visited.insert(QApplication::focusWidget());
            QVERIFY(!QApplication::focusWidget()->accessibleName().isEmpty() ||
                    qobject_cast<QPushButton*>(QApplication::focusWidget()));
        }
        for (const char* name : {"recentModels", "samples", "learn"})
            QVERIFY2(visited.contains(start.list(name)), name);
        QVERIFY(visited.contains(start.page.findChild<QPushButton*>(u"startOpen"_s)));
        start.list("samples")->setFocus();
        QTest::keyClick(start.list("samples"), Qt::Key_Home);
        QTest::keyClick(start.list("samples"), Qt::Key_Right);
        QTest::keyClick(start.list("samples"), Qt::Key_Return);
        start.list("recentModels")->setFocus();
        QTest::keyClick(start.list("recentModels"), Qt::Key_Down);
        QTest::keyClick(start.list("recentModels"), Qt::Key_Enter);
        QCOMPARE(chosenIn(models), (QStringList{sampleModels().at(1), u"sample:sincos"_s}));
        QVERIFY(files.isEmpty());
    }

    void recentFilesThatAreGoneAreDimmed() {
        const Scratch folder;
        QFile there(folder.path() + u"/there.pt2"_s);
        QVERIFY(there.open(QIODevice::WriteOnly));
        const QString gone = folder.path() + u"/gone.pt2"_s;
        const Start start({there.fileName(), gone, u"sample:mlp"_s});
        const ChoiceList* recent = start.list("recentModels");
        QCOMPARE(recent->item(0)->text(), u"there.pt2"_s);
        QTRY_VERIFY(recent->item(1)->toolTip().contains(u"does not exist"_s));
        QVERIFY(recent->item(1)->toolTip().contains(gone));
        QCOMPARE(recent->item(0)->toolTip(), there.fileName());
        QVERIFY(recent->item(1)->foreground() != recent->item(0)->foreground());
        QCOMPARE(recent->item(2)->foreground(), recent->item(0)->foreground());
    }

    void withoutRecentModelsNothingIsSaidOfThem() {
        const Start start;
        QVERIFY(!start.list("recentModels")->isVisible());
        for (const QLabel* label : start.page.findChildren<QLabel*>())
            QVERIFY(label->text() != u"Recent"_s || !label->isVisible());
    }

    void aSampleOpensSilently() {
        const Listener listener;
        Driver d;
        auto* cards = d.find<ChoiceList>("samples");
        const int row = static_cast<int>(sampleModels().indexOf(u"sample:mlp"_s));
        QTest::mouseClick(cards->viewport(), Qt::LeftButton, {}, cards->visualItemRect(cards->item(row)).center());
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"mlp"_s);
        QVERIFY2(messages.isEmpty(), qPrintable(messages.join(u'\n')));
    }

    void theManualOpensFromTheStartPage() {
        Driver d;
        Q_EMIT d.window.findChild<StartPage*>()->manualRequested(u"first-steps.md"_s);
        QCOMPARE(d.find<ManualWindow>("manualWindow")->place(), u"first-steps.md"_s);
    }

    // --- the tour ---

    void theTourIsShownOnceBesideTheFirstModel() {
        {
            Newcomer d;
            QVERIFY(d.active && !d.running());
            QVERIFY(d.openSample("mlp"));
            QVERIFY(d.running() && d.bubble()->isVisible());
            QCOMPARE(QApplication::focusWidget(), d.canvas());
            QVERIFY(!d.click("guideDismiss"));
            QVERIFY(d.openSample("sincos"));
            QVERIFY(!d.running());
        }
        Settings().clearRecentModels();
        Newcomer again;
        QVERIFY(again.openSample("mlp"));
        QVERIFY(!again.running());
    }

    void theTourIsNotForThoseWhoHaveBeenHere() {
        Settings().addRecentModel(u"sample:mlp"_s);
        Newcomer d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(!d.running());
    }

    void theTourHasFourSteps() {
        Newcomer d;
        QVERIFY(d.openSample("mlp"));
        const auto sees = [&](const QWidget* part) { return part->isVisible() && !part->visibleRegion().isEmpty(); };
        QCOMPARE(d.title(), u"The graph"_s);
        QVERIFY(d.click("guideNext"));
        QCOMPARE(d.title(), u"Why"_s);
        QVERIFY(sees(d.find<QTextBrowser>("inspector")));
        QVERIFY(d.window.selection().object());  // Why has something to say
        QVERIFY(d.click("guideNext"));
        QCOMPARE(d.title(), u"What If"_s);
        QVERIFY(sees(d.window.whatIf()->panel()));
        QVERIFY(d.click("guideNext"));
        QCOMPARE(d.title(), u"Check"_s);
        QVERIFY(d.window.rect().contains(d.bubble()->geometry()));
        d.click("guideBack");
        QCOMPARE(d.title(), u"What If"_s);
        d.click("guideNext");
        QVERIFY(!d.click("guideNext"));
        QCOMPARE(d.window.findChild<Perspectives*>()->current(), Perspective::explore);
    }

    void theBubbleStaysInTheWindow() {
        Newcomer d;
        QVERIFY(d.openSample("mlp"));
        for (int step = 0; step < 4; ++step) {
            for (const QSize& size : {QSize(800, 560), QSize(1480, 940)}) {
                d.window.resize(size);
                QCoreApplication::processEvents();
                QVERIFY2(d.window.rect().contains(d.bubble()->geometry()), qPrintable(d.title()));
            }
            d.click("guideNext");
        }
    }

    /// The colours that it mentions are in the legend.
    void theFirstBubbleLeavesTheLegendFree() {
        Newcomer d;
        QVERIFY(d.openSample("resnet18"));
        QCOMPARE(d.title(), u"The graph"_s);
        const QSize usual = d.window.size();
        for (const QSize& size : {usual, QSize(1024, 700)}) {
            d.window.resize(size);
            QCoreApplication::processEvents();
            for (const char* name : {"legend", "canvasStrip"}) {
                const auto* part = d.pane()->findChild<QWidget*>(QLatin1String(name));
                const QRect place(part->mapTo(&d.window, QPoint()), part->size());
                QVERIFY2(part->isVisible() && !d.bubble()->geometry().intersects(place), name);
            }
        }
    }

    void keysWorkWhereTheTourHasTheFocus() {
        Newcomer d;
        QVERIFY(d.active && d.openSample("mlp"));
        QTest::keyClick(d.canvas(), Qt::Key_Escape);
        QVERIFY(!d.running());
        QTRY_VERIFY(!d.bubble());
        d.trigger("actionTour");
        QCOMPARE(QApplication::focusWidget(), d.bubble());
        QTest::keyClick(d.bubble(), Qt::Key_Return);
        QCOMPARE(d.title(), u"Why"_s);
        QCOMPARE(QApplication::focusWidget(), d.bubble());
        QTest::keyClick(d.bubble(), Qt::Key_Escape);
        QVERIFY(!d.running());
        QCOMPARE(QApplication::focusWidget(), d.canvas());
        QTRY_VERIFY(!d.bubble());
        d.trigger("actionTour");
        QVERIFY(d.running());
        QCOMPARE(d.title(), u"The graph"_s);
    }

    void theTourIsSaidToScreenReaders() {
        Newcomer d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(!d.bubble()->accessibleDescription().isEmpty());
        QVERIFY(d.bubble()->accessibleName().contains(u"1 of 4"_s));
    }
};

AOTSCOPE_TEST(TestWindowStart)

}  // namespace aotscope::test::window_start_test

#include "test_window_start.moc"
