// Closing the main window with unsaved changes, and the recovery copy that it keeps of them.

#include "app/session_steps.h"
#include "support/test_program.h"

#include <QDropEvent>
#include <QPushButton>
#include <QTabBar>

#include <sys/stat.h>
#include <unistd.h>

namespace aotscope::test::window_closing_test {
namespace {

QMessageBox* question(Driver& d) {
    for (auto* box : d.window.findChildren<QMessageBox*>(u"unsavedChanges"_s))
        if (box->isVisible()) return box;
    return nullptr;
}

/// Answers the question of a window, and waits until it has finished.
bool answer(Driver& d, QMessageBox::StandardButton button) {
    auto* box = question(d);
    if (!box) return false;
    box->button(button)->click();
    QCoreApplication::processEvents();
    return d.settle() && !question(d);
}

}  // namespace

class TestWindowClosing : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

    QString at(const char* name) const { return scratch_.at(QString::fromUtf8(name)); }

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void closingDoesNotAskWithoutChanges() {
        Driver d;
        d.window.close();
        QVERIFY(!d.window.isVisible());
        d.window.show();
        QVERIFY(d.openSample("mlp"));
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        d.menu("Open Sample")->actions().at(0)->trigger();
        QVERIFY(!question(d));
        QVERIFY(d.settle());
        d.window.close();
        QVERIFY(!question(d) && !d.window.isVisible());
    }

    void closingAsks() {
        Driver d;
        QVERIFY(d.openSample("gpt2-tiny"));
        d.window.time();
        QVERIFY(d.settle());
        QVERIFY(!d.window.close());
        auto* box = question(d);
        QVERIFY(box);
        QCOMPARE(box->text(), u"Save the changes to 'gpt2-tiny' before closing?"_s);
        QCOMPARE(box->defaultButton(), box->button(QMessageBox::Save));
        QTest::keyClick(box, Qt::Key_Escape);
        QVERIFY(!question(d) && d.window.isVisible() && d.window.isWindowModified());
        d.trigger("actionQuit");
        QVERIFY(answer(d, QMessageBox::Discard));
        QVERIFY(!d.window.isVisible());
    }

    void closingSaves() {
        const QString file = at("saved.aotscope");
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(saveSession(d, file));
        QVERIFY(keepVariant(d, "kept", 0));
        d.window.close();
        QCOMPARE(question(d)->text(), u"Save the changes to 'saved.aotscope' before closing?"_s);
        QVERIFY(answer(d, QMessageBox::Save));
        QVERIFY(!d.window.isVisible());
        QCOMPARE(contentOfFile(file).variants.size(), 1U);
    }

    void aFailedSaveKeepsTheWindow() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(saveSession(d, at("gone.aotscope")));
        QVERIFY(QFile::remove(at("gone.aotscope")));
        QVERIFY(QDir().mkdir(at("gone.aotscope")));  // nothing can be written there
        QVERIFY(keepVariant(d, "kept", 0));
        d.window.close();
        QVERIFY(answer(d, QMessageBox::Save));
        if (auto* box = d.find<QMessageBox>("changedOnDisk")) buttonOf(box, "Replace")->click();
        QVERIFY(d.settle());
        QVERIFY(d.window.isVisible() && d.window.isWindowModified());
        QVERIFY2(d.lastProblem().contains("gone.aotscope"_L1), qPrintable(d.lastProblem()));
        QVERIFY(QDir().rmdir(at("gone.aotscope")));
    }

    /// The window waits until saving has finished.
    void closingRightAfterSaving() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(saveSession(d, at("hasty.aotscope")));
        QVERIFY(keepVariant(d, "kept", 0));
        d.trigger("actionSaveSession");
        d.window.close();
        QVERIFY(question(d));
        QVERIFY(d.settle());
        QVERIFY(!question(d) && !d.window.isVisible());
        QCOMPARE(contentOfFile(at("hasty.aotscope")).variants.size(), 1U);
    }

    /// It stays in its tab.
    void openingAnotherModelAsksNothing() {
        const QString other = at("other.aotscope");
        Driver d;
        QVERIFY(d.openSample("aliasing"));
        QVERIFY(saveSession(d, other));
        QVERIFY(d.openSample("gpt2-tiny"));
        d.window.time();
        QVERIFY(d.settle());
        const std::vector<std::function<void()>> ways = {
            [&] { d.drop(other); },
            [&] { d.menu("Open Recent")->actions().at(1)->trigger(); },
            [&] { d.menu("Open Sample")->actions().at(0)->trigger(); },
            [&] { Q_EMIT d.window.findChild<StartPage*>()->modelChosen(u"sample:sincos"_s); },
        };
        for (const auto& open : ways) {
            open();
            QVERIFY(!question(d));
            QVERIFY(d.settle());
            QVERIFY(d.modelName() != u"gpt2-tiny"_s);
            QVERIFY(!d.window.isWindowModified());
            d.find<QTabBar>("models")->setCurrentIndex(1);
            QVERIFY(d.settle());
            QCOMPARE(d.modelName(), u"gpt2-tiny"_s);
            QVERIFY(d.window.timing() && d.window.isWindowModified());
        }
    }

    /// A model that does not open leaves the unsaved session open and unsaved.
    void aFailedOpeningLosesNothing() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(keepVariant(d, "kept", 0));
        d.drop(scratch_.write(u"broken.pt"_s, "no model"));
        QVERIFY(d.settle());
        QCOMPARE(d.window.whatIf()->variants()->list().size(), 2U);
        QVERIFY(d.window.isWindowModified());
    }

    /// What is found in no time is no reason to ask; what took a while is, under whatever options.
    void onlyWhatTookTimeIsAskedAbout() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.window.check();
        QVERIFY(d.settle());
        QVERIFY(!d.window.isWindowModified());
        d.window.time();
        QVERIFY(d.settle());
        QVERIFY(d.window.isWindowModified());
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        QVERIFY(d.window.isWindowModified());
    }

    // --- the recovery copy ---

    void everyChangeIsKeptUntilItIsSaved() {
        const QString file = at("own.aotscope");
        Driver d;
        d.window.sessionFile()->startAutosave(20);
        const QString copy = d.window.sessionFile()->recoveryFile();
        QVERIFY(d.openSample("mlp"));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(copy), kPatience);  // compiling may have taken long
        QVERIFY(RecoveryFile::lost().empty());                     // its window lives
        QVERIFY(saveSession(d, file));
        QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(copy), kPatience);
        markWith(d.window, u"first"_s);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(copy), kPatience);
        QVERIFY(q(contentOfFile(copy).view).contains(u"first"_s));
        markWith(d.window, u"second"_s);
        QTRY_VERIFY_WITH_TIMEOUT(q(contentOfFile(copy).view).contains(u"second"_s), kPatience);
        const QDateTime written = QFileInfo(copy).lastModified();
        QTest::qWait(300);
        QCOMPARE(QFileInfo(copy).lastModified(), written);  // nothing new
        d.window.close();
        QVERIFY(answer(d, QMessageBox::Discard));
        QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(copy), kPatience);
    }

    void aMissingCopyIsReportedOnce() {
        Driver d;
        d.window.sessionFile()->startAutosave(20);
        QVERIFY(QDir(RecoveryFile::folder()).removeRecursively());
        QVERIFY(d.openSample("mlp"));
        QTRY_VERIFY_WITH_TIMEOUT(d.lastProblem().contains("cannot write"_L1), kPatience);
        const int problems = d.problems()->count();
        markWith(d.window, u"more"_s);
        QTest::qWait(300);
        QCOMPARE(d.problems()->count(), problems);
    }
};

AOTSCOPE_TEST(TestWindowClosing)

}  // namespace aotscope::test::window_closing_test

#include "test_window_closing.moc"
