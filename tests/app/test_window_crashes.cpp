// A window or a command that crashes: it leaves a report and the recovery copy, and the next start offers both.

#include "app/victim.h"
#include "crash/crash_reports.h"
#include "crash/data_folder.h"
#include "support/patience.h"
#include "support/program.h"
#include "support/test_program.h"

#include <QClipboard>

#include <unistd.h>

namespace aotscope::test::window_crashes_test {
namespace {

QString crashFolder() { return q((dataFolder() / "crashes").string()); }

/// Whether a process handles this signal already.
bool handles(qint64 process, int signal) {
    QFile status(u"/proc/%1/status"_s.arg(process));
    if (!status.open(QIODevice::ReadOnly)) return false;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith("SigCgt:")) return (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1)) & 1;
    return false;
}

/// The CPU time of a process.
double cpuSeconds(qint64 process) {
    QFile stat(u"/proc/%1/stat"_s.arg(process));
    if (!stat.open(QIODevice::ReadOnly)) return 0;
    const QByteArray all = stat.readAll();
    const QByteArrayList fields = all.mid(all.lastIndexOf(')') + 2).split(' ');  // from the third on
    return (fields.value(11).toDouble() + fields.value(12).toDouble()) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

void removeAll() {
    for (const CrashReport& report : crashReports()) QFile::remove(report.file);
    for (const LostSession& lost : RecoveryFile::lost()) RecoveryFile::remove(lost.file);
}

}  // namespace

class TestWindowCrashes : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }
    void cleanup() { removeAll(); }

    void leavesAReportAndTheCopy_data() {
        columns<QString, QString, int, QString, QString>("how", "where", "signal", "sentence", "function");
        const QString fault = u"signal 11, segmentation fault"_s;
        const auto add = [](const char* how, const char* where, int signal, const QString& sentence,
                            const char* function) {
            QTest::addRow("%s in %s", how, where)
                << QString::fromUtf8(how) << QString::fromUtf8(where) << signal << sentence << function;
        };
        for (const char* where : {"window", "worker", "confined"})  // the last one must not create files
            add("stack", where, SIGSEGV, fault, "overflowOnPurpose");
        for (const char* where : {"window", "confined"}) {
            add("fault", where, SIGSEGV, fault, "crashOnPurpose");
            add("terminate", where, SIGABRT, u"signal 6, uncaught exception: nobody catches this"_s, "throwOnPurpose");
        }
        add("abort", "worker", SIGABRT, u"signal 6, aborted"_s, "");
    }
    void leavesAReportAndTheCopy() {
        FETCH(QString, how, where, sentence, function);
        QFETCH(int, signal);
        Victim victim({u"crash"_s, how, where});
        QCOMPARE(victim.signal(), signal);
        const QString all = QString::fromUtf8(victim.errors());  // Qt prints warnings
        const QString said = all.mid(all.indexOf(u"aotscope: "_s));
        const auto reports = crashReports();
        QVERIFY2(reports.size() == 1, qPrintable(said));
        QVERIFY2(said.startsWith(u"aotscope: crashed (%1) in "_s.arg(sentence)), qPrintable(said));
        QVERIFY2(said.endsWith(u", with mlp open; a report is in %1\n"_s.arg(reports[0].file)), qPrintable(said));
        QCOMPARE(said.count(u'\n'), 1);

        const QString text = readableCrashReport(reports[0].file);
        QVERIFY2(text.contains(u"aotscope::test::%1"_s.arg(function)) || function.isEmpty(), qPrintable(text));
        QVERIFY(text.contains(QRegularExpression(u"#00  0x[0-9a-f]{16}  \\S+\\+0x[0-9a-f]+"_s)));
        QVERIFY(text.contains(u"LibTorch: %1\n"_s.arg(q(torchVersion()))));
        QVERIFY(text.contains(u"command: "_s) && text.contains(how));
        QCOMPARE(reports[0].model, u"mlp"_s);
        QVERIFY(qAbs(reports[0].time.secsTo(QDateTime::currentDateTime())) < 600);

        const auto lost = RecoveryFile::lost();
        QCOMPARE(lost.size(), 1U);
        QCOMPARE(reports[0].recoveryCopy, lost[0].file);
        QCOMPARE(markIn(lost[0].file), 1);
    }

    void theNextStartOffersBoth() {
        QCOMPARE(Victim({u"crash"_s, u"fault"_s, u"window"_s}).signal(), SIGSEGV);
        Driver d;
        d.window.recovery()->offer();
        auto* dialog = d.find<RecoveryDialog>("recoveryDialog");
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(!dialog->isModal());
        auto* list = dialog->findChild<QTreeWidget*>();
        QCOMPARE(list->topLevelItemCount(), 1);
        QCOMPARE(list->topLevelItem(0)->text(0), u"mlp"_s);
        QCOMPARE(list->topLevelItem(0)->text(2), u"crashed: signal 11 (segmentation fault)"_s);
        auto* report = dialog->findChild<QPlainTextEdit*>(u"crashReport"_s);
        QVERIFY(!report->isVisible());
        dialog->findChild<QPushButton*>(u"showReport"_s)->click();
        QVERIFY(report->isVisible());
        QVERIFY(report->toPlainText().contains(u"aotscope::test::crashOnPurpose()"_s));
        dialog->findChild<QPushButton*>(u"copyReport"_s)->click();
        QCOMPARE(QApplication::clipboard()->text(), report->toPlainText());
        dialog->findChild<QPushButton*>(u"recover"_s)->click();
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"mlp"_s);
        QVERIFY(d.window.isWindowModified());
    }

    /// With nothing to recover, the report is offered once.
    void aCrashAtStartIsReportedOnce() {
        QCOMPARE(Victim({u"crash"_s, u"early"_s}).signal(), SIGSEGV);
        QVERIFY(RecoveryFile::lost().empty());
        Driver d;
        d.window.recovery()->offer();
        auto* dialog = d.find<RecoveryDialog>("recoveryDialog");
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(!dialog->findChild<QPushButton*>(u"recover"_s)->isEnabled());
        QVERIFY(dialog->findChild<QPushButton*>(u"copyReport"_s)->isEnabled());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        d.window.recovery()->offer();
        QVERIFY(!d.find<RecoveryDialog>("recoveryDialog"));
        d.trigger("actionRecover");  // found on request
        QCOMPARE(d.find<RecoveryDialog>("recoveryDialog")->losses().size(), 1U);
    }

    void aCommandSaysWhereItsReportIs() {
        QProcess process;
        process.start(QStringLiteral(AOTSCOPE_PROGRAM), {u"run"_s, u"sample:gpt2-tiny"_s, u"--time"_s, u"1000000"_s});
        QVERIFY(process.waitForStarted(kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(handles(process.processId(), SIGSEGV), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(cpuSeconds(process.processId()) > 1, kPatience);  // it is running
        ::kill(static_cast<pid_t>(process.processId()), SIGSEGV);
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(process.exitStatus(), QProcess::CrashExit);
        QCOMPARE(process.exitCode(), int(SIGSEGV));
        const QString said = QString::fromUtf8(process.readAllStandardError());
        const auto reports = crashReports();
        QCOMPARE(reports.size(), 1U);
        QCOMPARE(said,
                 u"aotscope: crashed (signal 11, segmentation fault), with sample:gpt2-tiny open; "
                 "a report is in %1\n"_s.arg(reports[0].file));
        QVERIFY(reports[0].recoveryCopy.isEmpty());
        // The command itself reported it; the window does not.
        Driver d;
        d.window.recovery()->offer();
        QVERIFY(!d.find<RecoveryDialog>("recoveryDialog"));
    }

    void oldReportsAreRemoved() {
        QVERIFY(QDir().mkpath(crashFolder()));
        for (int day = 10; day < 26; ++day) {
            QFile report(crashFolder() + u"/202601%1-120000-1.txt"_s.arg(day));
            QVERIFY(report.open(QIODevice::WriteOnly));
        }
        QCOMPARE(runProgram({u"samples"_s}).code, 0);
        const QStringList left = QDir(crashFolder()).entryList(QDir::Files, QDir::Name);
        QCOMPARE(left.size(), 10);
        QCOMPARE(left.first(), u"20260116-120000-1.txt"_s);
    }

    /// Without a crash, no folder for reports is created.
    void nothingIsWrittenWithoutACrash() {
        QVERIFY(QDir(crashFolder()).removeRecursively());
        QCOMPARE(runProgram({u"passes"_s, u"sample:mlp"_s}).code, 0);
        QVERIFY(!QDir(crashFolder()).exists());
    }
};

AOTSCOPE_TEST(TestWindowCrashes)

}  // namespace aotscope::test::window_crashes_test

#include "test_window_crashes.moc"
