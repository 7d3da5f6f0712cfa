// Saving session files: titles, options, several windows, files that cannot be written.

#include "test_window_sessions.h"

#include <QDropEvent>
#include <QMessageBox>

#include <sys/stat.h>
#include <unistd.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// `a` and `b` have `file` open, and `a` has saved the variant "of a" to it without the knowledge of `b`.
bool changeBehind(Driver& a, Driver& b, const QString& file) {
    if (!a.openSample("mlp") || !saveSession(a, file) || !b.open(file) || !keepVariant(a, "of a", 0)) return false;
    a.trigger("actionSaveSession");
    return a.settle();
}

}  // namespace

void TestWindowSessions::titleShowsWhatIsNotSaved() {
    const QString file = at("title.aotscope");
    Driver d;
    QVERIFY(d.openSample("mlp"));
    QVERIFY(!d.window.isWindowModified());
    d.window.time();
    QVERIFY(d.settle());
    QVERIFY(d.window.isWindowModified());
    QVERIFY(saveSession(d, file));
    QVERIFY(!d.window.isWindowModified());
    QCOMPARE(d.window.sessionFile()->file(), file);
    QVERIFY(keepVariant(d, "other", 0));
    QVERIFY(d.window.isWindowModified());
    d.trigger("actionSaveSession");  // to the same file, without a question
    QVERIFY(d.settle());
    QVERIFY(!d.window.isWindowModified());
    QCOMPARE(contentOfFile(file).variants.size(), 1U);
}

void TestWindowSessions::droppedSessionOpens() {
    const QString file = at("dropped.aotscope");
    Driver d;
    QVERIFY(d.openSample("mlp"));
    QVERIFY(saveSession(d, file));
    QVERIFY(d.openSample("aliasing"));
    QVERIFY(d.drop(file));
    QVERIFY(d.settle());
    QCOMPARE(d.modelName(), u"mlp"_s);
    QCOMPARE(d.window.sessionFile()->file(), file);
}

/// An opened session is recompiled with other options and then saved to the same file.
void TestWindowSessions::otherOptionsGoIntoTheSameFile() {
    const QString file = at("options.aotscope");
    Driver d;
    QVERIFY(d.openSample("mlp"));
    QVERIFY(saveSession(d, file));
    QVERIFY(d.open(file));
    d.choosePartition(PartitionAlgorithm::defaultPartition);
    QVERIFY(d.settle());
    QVERIFY(!d.window.session()->saved());
    QVERIFY(d.window.isWindowModified());
    d.trigger("actionSaveSession");
    QVERIFY(d.settle());
    const SessionContent content = contentOfFile(file);
    QCOMPARE(content.options.partition.algorithm, PartitionAlgorithm::defaultPartition);
    QCOMPARE(content.options.model, std::string("sample:mlp"));
}

/// What the command line says about the partition splits the file's joint graph again.
void TestWindowSessions::typedOptionsApplyToAFile() {
    const QString file = at("typed.aotscope");
    Driver d;
    QVERIFY(d.openSample("resnet18"));
    const auto before = d.record()->partition->recomputed.size();
    QVERIFY(saveSession(d, file));
    Options options{.model = file.toStdString()};
    options.partition.memoryBudget = 0;
    options.repartition = true;
    options.given = std::make_shared<GivenOptions>();
    options.given->add("--memory-budget");
    Driver other;
    other.window.setOptions(options);
    QVERIFY(other.open(file));
    QCOMPARE(other.window.session()->options().partition.memoryBudget, 0.0);
    QVERIFY(other.record()->partition->recomputed.size() > before);
}

void TestWindowSessions::twoWindowsDoNotLoseEachOthersChanges() {
    const QString file = at("two.aotscope");
    Driver a, b;
    QVERIFY(changeBehind(a, b, file));
    QVERIFY(keepVariant(b, "of b", 0.5));
    b.trigger("actionSaveSession");
    QVERIFY(b.settle());
    auto* box = b.find<QMessageBox>("changedOnDisk");
    QVERIFY(box && box->isVisible());
    QCOMPARE(contentOfFile(file).variants.at(0).name, std::string("of a"));
    QVERIFY(b.window.isWindowModified());
    buttonOf(box, "Replace")->click();
    QVERIFY(b.settle());
    QCOMPARE(contentOfFile(file).variants.at(0).name, std::string("of b"));
    QVERIFY(!b.window.isWindowModified());
}

/// Also if the second window has returned to the file's options without reading the file again.
void TestWindowSessions::aChangeIsNoticedAfterOtherOptions() {
    const QString file = at("back.aotscope");
    Driver a, b;
    QVERIFY(changeBehind(a, b, file));
    b.choosePartition(PartitionAlgorithm::defaultPartition);
    QVERIFY(b.settle());
    b.choosePartition(PartitionAlgorithm::minCut);
    QVERIFY(b.settle());
    QVERIFY(b.window.session()->saved());
    QVERIFY(keepVariant(b, "of b", 0.5));
    b.trigger("actionSaveSession");
    QVERIFY(b.settle());
    auto* box = b.find<QMessageBox>("changedOnDisk");
    QVERIFY(box && box->isVisible());
    buttonOf(box, "Cancel")->click();
    QCOMPARE(contentOfFile(file).variants.at(0).name, std::string("of a"));
    QVERIFY(b.window.isWindowModified());
}

/// Closing the second window asks twice; either its changes are saved or it stays open.
void TestWindowSessions::twoWindowsAreClosed() {
    const QString file = at("closed.aotscope");
    Driver a, b;
    QVERIFY(a.openSample("mlp"));
    QVERIFY(saveSession(a, file));
    QVERIFY(b.open(file));
    QVERIFY(keepVariant(a, "of a", 0));
    QVERIFY(keepVariant(b, "of b", 0.5));
    const auto closeAndSave = [](Driver& d) {
        d.window.close();
        auto* box = d.find<QMessageBox>("unsavedChanges");
        if (!box) return false;
        box->button(QMessageBox::Save)->click();
        QCoreApplication::processEvents();  // saving begins after the question
        return d.settle();
    };
    QVERIFY(closeAndSave(a));
    QVERIFY(!a.window.isVisible());
    for (const char* answer : {"Cancel", "Replace"}) {
        QVERIFY(closeAndSave(b));
        QVERIFY(b.window.isVisible());
        auto* box = b.find<QMessageBox>("changedOnDisk");
        QVERIFY(box && box->isVisible());
        QCOMPARE(contentOfFile(file).variants.at(0).name, std::string("of a"));
        buttonOf(box, answer)->click();
        QVERIFY(b.settle());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    QVERIFY(!b.window.isVisible());
    QCOMPARE(contentOfFile(file).variants.at(0).name, std::string("of b"));
}

void TestWindowSessions::aReadOnlyFolderKeepsWhatIsThere() {
    const QString file = at("kept.aotscope");
    Driver d;
    QVERIFY(d.openSample("mlp"));
    QVERIFY(saveSession(d, file));
    QVERIFY(keepVariant(d, "new", 0));
    const QByteArray before = contentOf(file);
    QVERIFY(chmod(qPrintable(scratch_.path()), 0555) == 0);
    // Permissions of folders do not apply to root.
    const bool root = geteuid() == 0, bound = !root || seteuid(65534) == 0;
    d.trigger("actionSaveSession");
    const bool settled = d.settle();
    if (root && bound) QVERIFY(seteuid(0) == 0);
    QVERIFY(chmod(qPrintable(scratch_.path()), 0700) == 0);
    if (!bound) QSKIP("SKIPPED: cannot give up rights");
    QVERIFY(settled);
    QVERIFY2(d.lastProblem().contains("Permission denied"_L1), qPrintable(d.lastProblem()));
    QCOMPARE(contentOf(file), before);
    QVERIFY(d.window.isWindowModified());
    QCOMPARE(d.window.sessionFile()->file(), file);
    d.trigger("actionSaveSession");  // it can be written again
    QVERIFY(d.settle());
    QCOMPARE(contentOfFile(file).variants.at(0).name, std::string("new"));
}

void TestWindowSessions::unwritableFilesAreReported() {
    Driver d;
    QVERIFY(d.openSample("mlp"));
    QVERIFY(saveSession(d, at("missing/folder.aotscope")));
    QVERIFY2(d.lastProblem().contains("cannot write"_L1), qPrintable(d.lastProblem()));
    QVERIFY(d.window.sessionFile()->file().isEmpty());
}

void TestWindowSessions::damagedSessionLeavesTheShownOne() {
    const QString file = at("damaged.aotscope");
    Driver d;
    QVERIFY(d.openSample("mlp"));
    QVERIFY(saveSession(d, file));
    const QByteArray whole = contentOf(file);
    QVERIFY(d.openSample("aliasing"));
    scratch_.write(u"damaged.aotscope"_s, whole.left(whole.size() / 2));
    QVERIFY(d.open(file));
    QVERIFY2(d.lastProblem().contains("cut off"_L1), qPrintable(d.lastProblem()));
    QCOMPARE(d.modelName(), u"aliasing"_s);
}
