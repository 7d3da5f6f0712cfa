// Lost sessions: all are listed, open next to the current session, and stay until they are saved or discarded.

#include "app/session_steps.h"
#include "support/test_program.h"

#include <QPushButton>
#include <QTreeWidget>

#include <utime.h>

namespace aotscope::test::window_recovery_test {
namespace {

/// Creates what a crashed window with this sample leaves; `file`: its session file.
QString lose(const char* sample, const QString& file = {}) {
    const QString lost = RecoveryFile::folder() + u'/' + QString::fromUtf8(sample) + u".aotscope"_s;
    Driver d;
    if (!d.openSample(sample)) return {};
    if (!file.isEmpty() && !saveSession(d, file)) return {};
    if (!keepVariant(d, "unsaved", 0)) return {};
    d.window.sessionFile()->startAutosave(20);
    const QString copy = d.window.sessionFile()->recoveryFile();
    const bool kept = QTest::qWaitFor([&] { return QFile::exists(copy); }, kPatience);
    return kept && QFile::copy(copy, lost) ? lost : QString();
}

struct Offer {
    explicit Offer(Driver& d) {
        QObject::connect(d.window.recovery(), &RecoveryController::openElsewhereRequested, &d.window,
                         [this](const QString& file) { elsewhere << file; });
        d.window.recovery()->offer();
        dialog = d.find<RecoveryDialog>("recoveryDialog");
    }
    QTreeWidget* list() const { return dialog->findChild<QTreeWidget*>(); }
    QPushButton* button(const char* name) const { return dialog->findChild<QPushButton*>(QString::fromUtf8(name)); }
    QStringList models() const {
        QStringList names;
        for (int row = 0; row < list()->topLevelItemCount(); ++row) names << list()->topLevelItem(row)->text(0);
        return names;
    }

    QPointer<RecoveryDialog> dialog;
    QStringList elsewhere;
};

}  // namespace

class TestWindowRecovery : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

private Q_SLOTS:
    void init() { isolation_.forget(); }
    void cleanup() {
        for (const LostSession& lost : RecoveryFile::lost()) RecoveryFile::remove(lost.file);
    }

    void nothingIsOfferedWhereNothingIsLost() {
        Driver d;
        QVERIFY(!Offer(d).dialog);
        d.trigger("actionRecover");
        auto* dialog = d.find<RecoveryDialog>("recoveryDialog");
        QVERIFY(dialog && dialog->losses().empty());
        QVERIFY(dialog->findChild<QLabel*>()->text().contains(u"no lost sessions"_s));
    }

    void aLostSessionComesBack() {
        const QString belongs = scratch_.at(u"belongs.aotscope"_s);
        const QString lost = lose("mlp", belongs);
        QCOMPARE(RecoveryFile::lost().size(), 1U);  // including the window's own copy
        Driver d;
        const Offer offer(d);
        QVERIFY(offer.dialog && offer.dialog->isVisible());
        QCOMPARE(offer.list()->topLevelItem(0)->text(0), u"mlp"_s);
        QCOMPARE(offer.list()->topLevelItem(0)->text(1),
                 QLocale().toString(QFileInfo(lost).lastModified(), QLocale::ShortFormat));
        QCOMPARE(offer.list()->topLevelItem(0)->text(2), u"exited without closing it"_s);
        QTest::keyClick(offer.list(), Qt::Key_Return);
        QVERIFY(!offer.dialog || !offer.dialog->isVisible());
        QVERIFY(d.settle());
        QVERIFY(offer.elsewhere.isEmpty());
        QCOMPARE(d.modelName(), u"mlp"_s);
        QCOMPARE(d.window.whatIf()->variants()->list().at(1).name, u"unsaved"_s);
        QVERIFY(d.window.isWindowModified());
        QCOMPARE(d.window.sessionFile()->file(), belongs);
        QVERIFY(!d.recent().contains(lost));
        QVERIFY(contentOfFile(belongs).variants.empty());
        QVERIFY(RecoveryFile::lost().empty());  // others are not offered what is open here
        QVERIFY(QFile::exists(lost));
        d.trigger("actionSaveSession");
        QVERIFY(d.settle());
        QCOMPARE(contentOfFile(belongs).variants.size(), 1U);
        QVERIFY(!QFile::exists(lost));  // it is saved now
    }

    /// A lost session whose window is lost again is offered again.
    void aLostSessionIsOfferedUntilItIsSafe() {
        const QString lost = lose("mlp");
        {
            Driver d;
            QVERIFY(d.open(lost));
        }
        QCOMPARE(RecoveryFile::lost().size(), 1U);
        Driver d;
        QVERIFY(d.open(lost));
        d.window.close();
        d.find<QMessageBox>("unsavedChanges")->button(QMessageBox::Discard)->click();
        QTRY_VERIFY_WITH_TIMEOUT(!d.window.isVisible(), kPatience);
        QVERIFY(!QFile::exists(lost));
    }

    void theOpenSessionIsNotReplaced() {
        const QString lost = lose("mlp");
        Driver d;
        d.window.openModel(u"sample:aliasing"_s);  // as on the command line
        Offer offer(d);
        QVERIFY(offer.dialog && !offer.dialog->isModal());
        offer.button("recover")->click();
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"aliasing"_s);
        QCOMPARE(offer.elsewhere, QStringList{lost});
    }

    void allAreListedAndOpened() {
        QStringList lost;
        for (const char* sample : {"mlp", "aliasing", "sincos"}) lost << lose(sample);
        Driver d;
        Offer offer(d);
        QStringList models = offer.models();
        QCOMPARE(models.size(), 3);
        const QString first = models.first();
        models.sort();
        QCOMPARE(models, (QStringList{u"aliasing"_s, u"mlp"_s, u"sincos"_s}));
        offer.button("recoverAll")->click();
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), first);
        QCOMPARE(offer.elsewhere.size(), 2);
        for (const QString& file : offer.elsewhere) QVERIFY(lost.contains(file));
        QVERIFY(!offer.dialog || !offer.dialog->isVisible());
    }

    /// The damage is reported, and nothing is deleted.
    void aDamagedCopyStays() {
        const QString lost = lose("mlp");
        const QByteArray whole = contentOf(lost);
        const QString damaged =
            Scratch(RecoveryFile::folder()).write(u"damaged.aotscope"_s, whole.left(whole.size() / 2));
        QVERIFY(QFile::remove(lost));
        Driver d;
        const Offer offer(d);
        QCOMPARE(offer.list()->topLevelItem(0)->text(2), u"exited without closing it; the copy cannot be opened"_s);
        QVERIFY(offer.list()->topLevelItem(0)->toolTip(2).contains(u"cut off"_s));
        QVERIFY(!offer.button("recover")->isEnabled() && !offer.button("recoverAll")->isEnabled());
        QTest::keyClick(offer.dialog, Qt::Key_Escape);
        QVERIFY(d.open(damaged));
        QVERIFY2(d.lastProblem().contains("cut off"_L1), qPrintable(d.lastProblem()));
        QVERIFY(QFile::exists(damaged));
    }

    void discardingAsks() {
        const QString lost = lose("mlp");
        const QString kept = lose("aliasing");
        Driver d;
        const Offer offer(d);
        QCOMPARE(offer.models().size(), 2);
        const int row = static_cast<int>(offer.models().indexOf(u"mlp"_s));
        offer.list()->setCurrentItem(offer.list()->topLevelItem(row));
        for (const bool sure : {false, true}) {
            offer.button("discard")->click();
            auto* box = offer.dialog->findChild<QMessageBox*>(u"discardLosses"_s);
            QVERIFY(box && box->text().startsWith(u"Discard 'mlp' of "_s));
            QCOMPARE(box->defaultButton(), box->button(QMessageBox::Cancel));
            buttonOf(box, sure ? "Discard" : "Cancel")->click();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QCOMPARE(QFile::exists(lost), !sure);
        }
        QCOMPARE(offer.models(), QStringList{u"aliasing"_s});
        QVERIFY(QFile::exists(kept));
    }

    /// A window that is killed while it writes leaves temporary files; the next one removes them.
    void leftoversAreRemoved() {
        QVERIFY(QDir().mkpath(RecoveryFile::folder()));
        const Scratch folder(RecoveryFile::folder());
        const QString old = folder.write(u".aotscope-1-1.tmp"_s, "half a session");
        const QString lock = folder.write(u"gone.aotscope.lock"_s, {});
        const QString fresh = folder.write(u".aotscope-2-1.tmp"_s, "being written");
        const utimbuf longAgo{1'600'000'000, 1'600'000'000};
        for (const QString& file : {old, lock}) QCOMPARE(::utime(qPrintable(file), &longAgo), 0);
        const RecoveryFile window;
        QVERIFY(!QFile::exists(old) && !QFile::exists(lock));
        QVERIFY(QFile::exists(fresh) && RecoveryFile::lost().empty());
        QVERIFY(QFile::remove(fresh));
    }

    /// "Close" postpones the decision.
    void closingTheOfferKeepsAll() {
        lose("mlp");
        Driver d;
        {
            const Offer offer(d);
            QTest::keyClick(offer.dialog, Qt::Key_Escape);
            QVERIFY(!offer.dialog->isVisible());
        }
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCOMPARE(Offer(d).models(), QStringList{u"mlp"_s});
    }
};

AOTSCOPE_TEST(TestWindowRecovery)

}  // namespace aotscope::test::window_recovery_test

#include "test_window_recovery.moc"
