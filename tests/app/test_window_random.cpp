// Somebody who presses, types, drags and resizes at random. The window must not crash, must not contradict itself, and
// must not lose the keyboard. AOTSCOPE_FUZZ=N in the environment makes N times as many events; AOTSCOPE_SEED=N starts
// with that seed.

#include "app/window_driver.h"
#include "record/options/option_values.h"
#include "record/partition_figures.h"
#include "support/formatted.h"
#include "support/scratch.h"

#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QScreen>
#include <QTabBar>
#include <QTimer>

#include <random>

namespace aotscope::test::window_random_test {
namespace {

constexpr int kEventsBetweenLooks = 200;
constexpr int kBlocked = 100;  ///< ms that people notice

class Hands {
public:
    Hands(Driver& driver, unsigned seed, const QStringList& files)
        : d_(driver), window_(driver.window), random_(seed), files_(files) {
        // Dialogs of the system wait in loops of their own.
        closer_.setInterval(5);
        QObject::connect(&closer_, &QTimer::timeout, [this] {
            if (QWidget* modal = QApplication::activeModalWidget()) {
                if (auto* dialog = qobject_cast<QDialog*>(modal)) dialog->reject();
                else modal->close();
            } else if (QWidget* popup = QApplication::activePopupWidget(); popup && ++popupAge_ > 3) {
                popup->close();
                popupAge_ = 0;
            }
        });
        closer_.start();
        for (QAction* action : window_.findChildren<QAction*>())
            if (!action->objectName().isEmpty() && !kLeftAlone.contains(action->objectName())) actions_ << action;
    }

    /// One event; says what it was.
    QString act() {
        QElapsedTimer clock;
        clock.start();
        const QString what = choose();
        QCoreApplication::processEvents();
        const auto ms = static_cast<int>(clock.elapsed());
        if (ms > kBlocked) {
            ++blocked_;
            slow_[what] = std::max(slow_[what], ms);
        }
        if (!window_.isVisible()) window_.show();  // it was closed
        return what;
    }
    /// How many events took more than kBlocked, and which.
    QString slow() const {
        QString text = u"%1 events over %2 ms"_s.arg(blocked_).arg(kBlocked);
        for (const auto& [what, ms] : slow_) text += u"\n%1 ms: %2"_s.arg(ms, 5).arg(what);
        return text;
    }

private:
    static inline const QStringList kLeftAlone{u"actionQuit"_s, u"actionLimits"_s};

    int below(int n) { return std::uniform_int_distribution<int>(0, std::max(0, n - 1))(random_); }
    template <typename List>
    const auto& oneOf(const List& list) {
        return list[below(static_cast<int>(list.size()))];
    }

    QString choose() {
        const int kind = below(100);
        if (kind < 35) return click();
        if (kind < 55) return type();
        if (kind < 70) return trigger();
        if (kind < 78) return wheel();
        if (kind < 84) return drag();
        if (kind < 89) return resize();
        if (kind < 94) return moveDock();
        if (kind < 95) return drop();
        if (kind < 96) return u"waits"_s + (QTest::qWait(below(30)), QString());
        return sweep();
    }

    /// A visible widget and a place in it.
    std::pair<QWidget*, QPoint> somewhere() {
        const QPoint at(below(window_.width()), below(window_.height()));
        QWidget* part = window_.childAt(at);
        return part ? std::pair{part, part->mapFrom(&window_, at)} : std::pair<QWidget*, QPoint>{&window_, at};
    }
    static QString nameOf(const QWidget* part) {
        return QString::fromLatin1(part->metaObject()->className()) + u' ' + part->objectName();
    }
    Qt::KeyboardModifiers modifiers() {
        static constexpr Qt::KeyboardModifier kAll[] = {Qt::NoModifier,    Qt::NoModifier,      Qt::NoModifier,
                                                        Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier};
        return kAll[below(6)];
    }

    QString click() {
        const auto [part, at] = somewhere();
        const QPointer<QWidget> there = part;
        const auto button = below(8) ? Qt::LeftButton : Qt::RightButton;
        const QString what = u"click on "_s + nameOf(part);
        if (below(6)) QTest::mouseClick(part, button, modifiers(), at);
        else QTest::mouseDClick(part, button, modifiers(), at);
        return what;
    }
    QString type() {
        static constexpr Qt::Key kKeys[] = {
            Qt::Key_Up,    Qt::Key_Down,   Qt::Key_Left, Qt::Key_Right, Qt::Key_Tab, Qt::Key_Escape, Qt::Key_Return,
            Qt::Key_Space, Qt::Key_Delete, Qt::Key_Home, Qt::Key_End,   Qt::Key_F,   Qt::Key_J,      Qt::Key_K,
            Qt::Key_M,     Qt::Key_X,      Qt::Key_H,    Qt::Key_W,     Qt::Key_1,   Qt::Key_2,      Qt::Key_3,
            Qt::Key_4,     Qt::Key_Z,      Qt::Key_Plus, Qt::Key_Minus, Qt::Key_S,   Qt::Key_R};
        QWidget* focus = QApplication::focusWidget() ? QApplication::focusWidget() : &window_;
        const Qt::Key key = kKeys[below(static_cast<int>(std::size(kKeys)))];
        const QString what = u"key %1 in "_s.arg(key) + nameOf(focus);
        QTest::keyClick(focus, key, modifiers());
        return what;
    }
    QString trigger() {
        QAction* action = oneOf(actions_);
        const QString what = u"action "_s + action->objectName();
        action->trigger();
        return what;
    }
    QString wheel() {
        const auto [part, at] = somewhere();
        QWheelEvent event(at, part->mapToGlobal(at), {}, {0, below(2) ? 120 : -120}, Qt::NoButton, modifiers(),
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(part, &event);
        return u"wheel on "_s + nameOf(part);
    }
    QString drag() {
        const auto [part, at] = somewhere();
        const QPointer<QWidget> there = part;
        const QString what = u"drag on "_s + nameOf(part);
        QTest::mousePress(part, Qt::LeftButton, Qt::NoModifier, at);
        for (int i = 0; i < 3 && there; ++i) QTest::mouseMove(there, at + QPoint(below(200) - 100, below(200) - 100));
        if (there) QTest::mouseRelease(there, Qt::LeftButton, Qt::NoModifier, at + QPoint(below(200), below(100)));
        return what;
    }
    QString resize() {
        window_.resize(500 + below(1200), 400 + below(700));
        return u"resize"_s;
    }
    QString moveDock() {
        QDockWidget* dock = oneOf(window_.findChildren<QDockWidget*>());
        switch (below(4)) {
            case 0: dock->setFloating(!dock->isFloating()); break;
            case 1: dock->setVisible(!dock->isVisible()); break;
            case 2: dock->raise(); break;
            default:
                if (dock->isFloating()) dock->move(below(3000) - 500, below(2000) - 300);
        }
        return u"dock "_s + dock->objectName();
    }
    QString drop() {
        auto* data = new QMimeData;
        data->setUrls({QUrl::fromLocalFile(oneOf(files_))});
        QDropEvent event({200, 200}, Qt::CopyAction, data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window_, &event);
        delete data;
        return u"drop"_s;
    }
    /// What only a hand that knows the window does quickly.
    QString sweep() {
        static const QStringList kQuick{u"actionUndo"_s,   u"actionRedo"_s,       u"actionCheck"_s,
                                        u"actionRun"_s,    u"actionRecompute"_s,  u"actionSave"_s,
                                        u"actionApply"_s,  u"actionNextRun"_s,    u"actionNextModel"_s,
                                        u"actionCancel"_s, u"actionPreviousRun"_s};
        const QString& name = oneOf(kQuick);
        if (auto* action = window_.findChild<QAction*>(name)) action->trigger();
        return name;
    }

    Driver& d_;
    MainWindow& window_;
    std::mt19937 random_;
    QStringList files_;
    QList<QAction*> actions_;
    QTimer closer_;
    int popupAge_ = 0, blocked_ = 0;
    std::map<QString, int> slow_;  ///< the most milliseconds, by what was done
};

/// What two places of the window say differently; empty: nothing.
QString contradiction(Driver& d) {
    const auto& session = d.window.session();
    if (!session) return {};
    const auto record = session->record();
    const Run& run = *d.window.runs().shown();
    if (!d.window.windowTitle().startsWith(q(record->model.name)))
        return u"the title is '%1', and %2 is open"_s.arg(d.window.windowTitle(), q(record->model.name));
    if (run.session != session) return u"the list shows another run than the window"_s;
    const TableContent& runs = d.table("runTable")->content();
    const auto& all = d.window.runs().all();
    if (runs.rows.size() < all.size()) return u"runs are missing in the list"_s;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (runs.rows[i].cells[0].text != all[i]->name())
            return u"row %1 is '%2', the run %3"_s.arg(i).arg(runs.rows[i].cells[0].text, all[i]->name());
    const auto partition = d.window.whatIf()->shown().partition;
    if (record->partition && partition && !d.window.whatIf()->notCompiled()) {
        const PartitionFigures figures = figuresOf(*record->partition);
        const PartitionFigures shown = figuresOf(*partition);
        if (figures.savedBytes != shown.savedBytes || figures.recomputedOps != shown.recomputedOps)
            return u"what-if says that it shows the compiled partition, and shows another"_s;
        const QString saved = q(formatBytes(figures.savedBytes));
        if (!d.summary().isEmpty() && d.summary().contains(u"saved"_s) && !d.summary().contains(saved))
            return u"the status bar says '%1', and %2 are saved"_s.arg(d.summary(), saved);
    }
    if (d.window.timing().has_value() != run.results.timed.has_value()) return u"the times are of another run"_s;
    return {};
}

}  // namespace

class TestWindowRandom : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void nothingIsLost() {
        const int events = 1500 * std::max(1, qEnvironmentVariableIntValue("AOTSCOPE_FUZZ"));
        const int seed = qEnvironmentVariableIntValue("AOTSCOPE_SEED");
        const QStringList files{scratch_.write(u"broken.pt2"_s, "no model"), scratch_.write(u"values.json"_s, "{}"),
                                scratch_.write(u"list.txt"_s, "graph")};
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.openSample("sincos"));
        Hands hands(d, static_cast<unsigned>(seed), files);
        QStringList last;
        for (int event = 1; event <= events; ++event) {
            last << hands.act();
            if (last.size() > 12) last.removeFirst();
            if (event % kEventsBetweenLooks) continue;
            d.trigger("actionCancel");
            QVERIFY2(d.settle(), qPrintable(last.join(u'\n')));
            const QString why = contradiction(d);
            QVERIFY2(why.isEmpty(), qPrintable(u"after %1 events: %2\n%3"_s.arg(event).arg(why, last.join(u'\n'))));
        }
        qInfo("%s", qPrintable(hands.slow()));
    }
};

AOTSCOPE_TEST(TestWindowRandom)

}  // namespace aotscope::test::window_random_test

#include "test_window_random.moc"
