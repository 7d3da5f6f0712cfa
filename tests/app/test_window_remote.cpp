// A model on another machine, which is this one: the whole window, with a program in between that delays or ends.

#include "app/remote_driver.h"
#include "controllers/train_controller.h"
#include "ir/printer.h"
#include "panels/trace_panel.h"
#include "support/long_tests.h"
#include "support/processes.h"
#include "support/test_program.h"

#include <QSpinBox>

#include <csignal>
#include <random>

namespace aotscope::test::window_remote_test {
namespace {

/// Everything that late_pipe has recorded.
bool noneRuns(const QString& counts) {
    return QTest::qWaitFor(
        [&] {
            const auto numbers = contentOf(counts + u".processes"_s).simplified().split(' ');
            return std::ranges::none_of(numbers, [](const QByteArray& number) { return runs(number.toInt()); });
        },
        kPatience);
}

/// The duration of each step of a tour, for people: AOTSCOPE_TOUR prints it.
class Steps {
public:
    explicit Steps(QString counts) : counts_(std::move(counts)) { timer_.start(); }
    void note(const char* step) {
        if (qEnvironmentVariableIsSet("AOTSCOPE_TOUR"))
            qInfo("%-20s %6lld ms, bytes sent and received: %s", step, timer_.elapsed(),
                  contentOf(counts_).trimmed().constData());
        timer_.restart();
    }

private:
    QString counts_;
    QElapsedTimer timer_;
};

}  // namespace

class TestWindowRemote : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void everythingWorksAsIfItWereHere_data() {
        columns<int, QString, QString>("delay", "model", "link");
        const QString sample = u"sample:mlp"_s;
        QTest::newRow("near") << 0 << sample << QString();
        QTest::newRow("25 ms each way") << 25 << sample << QString();
        // On demand: a command such as "ssh -p 2222 localhost" that reaches this machine.
        if (const QString link = qEnvironmentVariable("AOTSCOPE_LINK"); !link.isEmpty()) {
            QTest::newRow("through the command") << 0 << sample << link + u' ';
            QTest::newRow("a file through the command")
                << 0 << QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/exported/dynamic_batch.pt2") << link + u' ';
        }
    }
    void everythingWorksAsIfItWereHere() {
        QFETCH(int, delay);
        FETCH(QString, model, link);
        Far d;
        const QString counts = scratch_.at(u"counts"_s);
        const QString command = u"%1 %2 %3 %4%p"_s.arg(QStringLiteral(LATE_PIPE)).arg(delay).arg(counts, link);
        Steps steps(counts);
        QVERIFY2(d.open(Far::model(model, command)) && d.window.session(), qPrintable(d.lastProblem()));
        steps.note("open");
        const QString name = QFileInfo(model).fileName(), place = u" on "_s + QStringLiteral(LATE_PIPE);
        QVERIFY(d.window.windowTitle().contains(d.modelName() + place));
        QVERIFY2(d.recent().value(0).startsWith(name + place), qPrintable(d.recent().value(0)));
        QVERIFY(d.act("actionCheck"));
        steps.note("check");
        QVERIFY(d.table("checkTable")->content().rows.size() > 2);
        QVERIFY(d.act("actionTime"));
        steps.note("time");
        QVERIFY(!d.table("stepTimes") || d.table("stepTimes")->content().rows.size() > 3);
        auto* perspectives = d.window.findChild<Perspectives*>();
        for (const PerspectiveInfo& info : perspectiveList()) {
            perspectives->show(info.perspective);
            QVERIFY(d.settle());
        }
        steps.note("all perspectives");
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        QCOMPARE(d.record()->partition->algorithm, PartitionAlgorithm::defaultPartition);
        steps.note("another partition");
        d.choosePartition(PartitionAlgorithm::minCut);
        QVERIFY(d.settle());
        d.find<QSpinBox>("trainSteps")->setValue(3);
        auto* training = d.window.findChild<TrainController*>();
        training->start();
        QVERIFY(d.settle());
        QTRY_COMPARE_WITH_TIMEOUT(training->result().steps.size(), std::size_t{3}, kPatience);
        steps.note("train 3 steps");
        QVERIFY(d.act("actionDebug"));
        steps.note("start the debugger");
        QVERIFY(d.window.debugger()->state().has_value());
        QVERIFY(d.act("actionDebugStep"));
        steps.note("one step");
        QCOMPARE(d.window.debugger()->state()->position().step, std::size_t{1});
        QCOMPARE(errorsIn(d), QStringList());
    }

    /// Another partition is computed here.
    void whatIfAsksNobody() {
        Far d;
        const QString log = scratch_.at(u"asked"_s);
        QVERIFY(d.openFar("mlp", u"sh -c \"tee %1 | %p serve --stdio\" aotscope"_s.arg(log)));
        const auto asked = QFileInfo(log).size();
        const auto before = d.record();
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        QVERIFY(d.record() != before);
        QCOMPARE(d.record()->partition->algorithm, PartitionAlgorithm::defaultPartition);
        QCOMPARE(QFileInfo(log).size(), asked);
        QVERIFY(d.act("actionCheck"));
        QVERIFY(QFileInfo(log).size() > asked);
        QCOMPARE(errorsIn(d), QStringList());
    }

    void logsTellOfCompilations() {
        Far d;
        QVERIFY(d.open(Far::model(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/story.log"))));
        auto* panel = d.window.findChild<TracePanel*>();
        d.trigger("perspective-passes");
        d.trigger("show-traceLog");
        QVERIFY(panel->isVisible());
        QVERIFY2(panel->note()->text().contains(u"graph break"_s), qPrintable(panel->note()->text()));
        QVERIFY(panel->page()->toPlainText().contains(u"Graph breaks, by place"_s));
        Q_EMIT panel->page()->anchorClicked(QUrl(u"open:3/1"_s));
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"story [3/1]"_s);
        QCOMPARE(panel->tree()->currentIndex().data().toString(), u"3/1"_s);
        QCOMPARE(errorsIn(d), QStringList());
    }

    /// The ranks of a folder of logs are compared without asking.
    void foldersOfLogsAreRanks() {
        const QString folder = scratch_.at(u"ranks"_s);
        QVERIFY(QDir().mkpath(folder));
        for (const int rank : {0, 1})
            QVERIFY(QFile::copy(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/rank_%1.log").arg(rank),
                                folder + u"/dedicated_log_torch_trace_rank_%1_x.log"_s.arg(rank)));
        Far d;
        QVERIFY2(d.open(Far::model(folder)), qPrintable(d.lastProblem()));
        QVERIFY(d.act("actionCompareRanks"));
        QVERIFY(d.table("comparedRuns")->content().rows.size() > 2);
        QCOMPARE(errorsIn(d), QStringList());
    }

    void aBrokenConnectionIsSaidOnce() {
        Far d;
        const QString file = scratch_.at(u"process"_s);
        QVERIFY(d.openFar("mlp", u"sh -c \"echo $$ > %1; exec %p serve --stdio\" aotscope"_s.arg(file)));
        const auto record = d.record();
        kill(contentOf(file).trimmed().toInt(), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(d.lastProblem().endsWith(u"; choose Reconnect to go on"_s), kPatience);
        QTest::qWait(1200);
        QCOMPARE(errorsIn(d).filter(u"is broken"_s).size(), 1);
        QCOMPARE(d.record(), record);
        QVERIFY(d.act("actionCheck"));  // also connects automatically
        QVERIFY(d.table("checkTable")->content().rows.size() > 1);
        QVERIFY(d.act("actionRun"));
        QCOMPARE(errorsIn(d).size(), 1);
    }

    /// Everything shown is kept, and the debugger keeps its position.
    void reconnects() {
        Far d;
        const QString file = scratch_.at(u"other"_s);
        QVERIFY(d.openFar("mlp", u"sh -c \"echo $$ > %1; exec %p serve --stdio\" aotscope"_s.arg(file)));
        auto* offered = d.find<QToolButton>("offered");
        QVERIFY(!d.canReconnect() && offered->isHidden());
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        QVERIFY(d.act("actionCheck"));
        QVERIFY(d.act("actionDebug"));
        for (int step = 0; step < 2; ++step) QVERIFY(d.act("actionDebugStep"));
        const auto session = d.window.session();
        const NodeId selected = d.window.selection().node();
        QVERIFY(d.find<QToolButton>("machine")->isVisible());
        QVERIFY2(!d.machine().contains(u"disconnected"_s), qPrintable(d.machine()));

        kill(contentOf(file).trimmed().toInt(), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(d.canReconnect(), kPatience);
        QVERIFY(offered->isVisible());
        QVERIFY2(d.machine().endsWith(u": disconnected"_s), qPrintable(d.machine()));
        for (const auto& [node, index] : d.canvas()->graph()->indexOf) {
            if (node == selected) continue;
            d.clickNode(node);
            break;
        }
        QVERIFY(d.settle());
        d.clickNode(selected);
        QVERIFY(d.settle());
        QCOMPARE(errorsIn(d).size(), 1);
        QTest::mouseClick(d.find<QToolButton>("machine"), Qt::LeftButton);
        QVERIFY(d.settle());
        QVERIFY(!d.canReconnect() && offered->isHidden());
        QVERIFY2(!d.machine().contains(u"disconnected"_s), qPrintable(d.machine()));
        QCOMPARE(d.window.session(), session);
        QCOMPARE(d.window.selection().node(), selected);
        QCOMPARE(d.table("checkTable")->content().rows.size(), std::size_t{1 + 6});
        QCOMPARE(errorsIn(d).size(), 1);
        QVERIFY(d.window.debugger()->state().has_value());
        QCOMPARE(d.window.debugger()->state()->position().step, std::size_t{2});
        QVERIFY(d.act("actionDebugStep"));
        QCOMPARE(d.window.debugger()->state()->position().step, std::size_t{3});
        QCOMPARE(errorsIn(d).size(), 1);
        d.openSample("sincos");
        QVERIFY(d.find<QToolButton>("machine")->isHidden());
    }

    void triesAgain() {
        Far d;
        const QString flag = scratch_.at(u"was-here"_s);
        const QString command =
            u"sh -c \"[ -e %1 ] || { touch %1; exit 1; }; exec %p serve --stdio\" aotscope"_s.arg(flag);
        QVERIFY(!d.find<QAction>("actionRun")->isEnabled());
        QVERIFY(!d.openFar("mlp", command));
        QVERIFY(d.lastProblem().contains(u"cannot start aotscope"_s));
        QVERIFY(d.find<QAction>("actionRun")->isEnabled() && !d.find<QAction>("actionCheck")->isEnabled());
        QVERIFY(d.act("actionRun"));
        QVERIFY2(d.window.session(), qPrintable(d.lastProblem()));
        QVERIFY(d.find<QAction>("actionCheck")->isEnabled());
    }

    /// After any number of bytes: nothing is lost, nothing keeps running, and it can reconnect.
    void cutsAnywhere() {
        const QString counts = scratch_.at(u"cuts"_s);
        const QString command = u"%1 0 %2 %p"_s.arg(QStringLiteral(LATE_PIPE), counts);
        std::string graph;
        {
            Far d;
            QVERIFY2(d.openFar("mlp", command), qPrintable(d.lastProblem()));
            d.lookAround();
            graph = printGraph(*d.record()->graph(GraphKind::forward));
            QCOMPARE(errorsIn(d), QStringList());
        }
        QVERIFY(noneRuns(counts));
        const auto numbers = contentOf(counts).simplified().split(' ');
        const long total = numbers.value(0).toLong() + numbers.value(1).toLong();
        QVERIFY(total > 10'000);
        std::mt19937 random(2026);
        int inTheMiddle = 0;
        for (int round = 0; round < (longTests() ? 100 : 2); ++round) {
            const long cut = std::uniform_int_distribution<long>(1, total)(random);
            scratch_.write(u"cuts.cut"_s, QByteArray::number(qlonglong(cut)));
            Far d;
            if (!d.openFar("mlp", command)) {
                QVERIFY2(!d.lastProblem().isEmpty(), qPrintable(QString::number(cut)));
                QVERIFY2(d.openFar("mlp", command), qPrintable(d.lastProblem()));
            }
            // What needs the other machine reconnects automatically, or the user does.
            d.lookAround(round % 2 == 0 ? Far::WhenBroken::stop : Far::WhenBroken::goOn);
            if (d.isBroken()) {
                ++inTheMiddle;
                const auto session = d.window.session();
                const NodeId selected = d.window.selection().node();
                QTRY_VERIFY_WITH_TIMEOUT(d.canReconnect(), kPatience);
                QVERIFY(d.act("actionReconnect"));
                QVERIFY2(!d.isBroken(), qPrintable(d.lastProblem()));
                QCOMPARE(d.window.session(), session);
                QCOMPARE(d.window.selection().node(), selected);
            }
            d.lookAround();
            QCOMPARE(d.record()->partition->algorithm, PartitionAlgorithm::minCut);
            QCOMPARE(q(printGraph(*d.record()->graph(GraphKind::forward))), q(graph));
            QVERIFY(d.act("actionCheck"));
            QCOMPARE(d.table("checkTable")->content().rows.size(), std::size_t{1 + 6});
            QVERIFY(d.window.debugger()->state().has_value());
        }
        QVERIFY(noneRuns(counts));
        if (longTests()) QVERIFY(inTheMiddle > 0);
    }

    /// Slow ends are not waited for.
    void closingADialogWaitsForNobody() {
        const QString file = scratch_.at(u"slow"_s);
        const QString command =
            u"sh -c \"trap '' TERM; echo $$ > %1; %2 serve --stdio; sleep 60\" aotscope"_s.arg(file, forkedProgram());
        bool stillThere = false;
        for (int attempt = 0; attempt < 3 && !stillThere; ++attempt) {
            Far d;
            d.trigger("actionOpenRemote");
            RemoteDialog* dialog = d.remote()->dialog();
            dialog->host()->setCurrentText(u"box"_s);
            dialog->command()->setText(command);
            dialog->path()->setText(scratch_.path());
            Q_EMIT dialog->folderWanted();
            QVERIFY(d.settle());
            QVERIFY2(dialog->entries()->topLevelItemCount() > 0, qPrintable(dialog->message()));
            dialog->reject();
            const pid_t process = contentOf(file).trimmed().toInt();
            stillThere = runs(process);
            QTRY_VERIFY_WITH_TIMEOUT(!runs(process), kPatience);
        }
        QVERIFY(stillThere);
    }

    void refusalsAreProblems() {
        Far d;
        d.open(Far::model(u"sample:mlp"_s, u"/no/such/command"_s));
        QVERIFY2(d.lastProblem().contains(u"cannot run '/no/such/command'"_s), qPrintable(d.lastProblem()));
        QVERIFY(!d.window.session());
        d.open(u"ssh://-v/x.pt2"_s);
        QVERIFY2(d.lastProblem().contains(u"its host '-v' is not a valid name"_s), qPrintable(d.lastProblem()));
    }

    void aDialogListsTheFolders() {
        Far d;
        QVERIFY(QDir(scratch_.path()).mkpath(u"models/inner"_s));
        scratch_.write(u"models/some.txt"_s,
                       "graph some\n  %x : f32[4] = placeholder(input)\n  %y : f32[4] = aten.sin.default(%x)\n"
                       "  return [%y : output]\n");
        d.trigger("actionOpenRemote");
        RemoteDialog* dialog = d.remote()->dialog();
        QVERIFY(dialog && !dialog->openButton()->isEnabled());
        dialog->host()->setCurrentText(u"box"_s);
        dialog->command()->setText(forkedProgram());
        dialog->path()->setText(scratch_.path());
        Q_EMIT dialog->folderWanted();
        QVERIFY(d.settle());
        const auto entry = [&](const char* name) {
            return dialog->entries()->findItems(QString::fromUtf8(name), Qt::MatchExactly).value(0);
        };
        QVERIFY2(entry("models"), qPrintable(dialog->message()));
        Q_EMIT dialog->entries()->itemActivated(entry("models"), 0);
        QVERIFY(d.settle());
        QCOMPARE(dialog->entries()->topLevelItem(0)->text(0), u"inner"_s);  // folders first
        dialog->entries()->setCurrentItem(entry("some.txt"));
        QVERIFY(dialog->openButton()->isEnabled());
        QCOMPARE(dialog->path()->text(), scratch_.at(u"models/some.txt"_s));
        dialog->accept();
        QVERIFY(d.settle());
        QVERIFY2(d.window.session() && d.record()->graph(GraphKind::inference), qPrintable(d.lastProblem()));
        QCOMPARE(Settings().remoteHosts(), QStringList(u"box"_s));
        QVERIFY(!d.remote()->dialog());
    }

    void aDialogSaysWhatIsWrong() {
        Far d;
        d.trigger("actionOpenRemote");
        RemoteDialog* dialog = d.remote()->dialog();
        dialog->host()->setCurrentText(u"-v"_s);
        Q_EMIT dialog->folderWanted();
        QVERIFY2(dialog->message().contains(u"is not a valid name"_s), qPrintable(dialog->message()));
        dialog->host()->setCurrentText(u"box"_s);
        dialog->command()->setText(u"/no/such/command"_s);
        Q_EMIT dialog->folderWanted();
        QVERIFY(d.settle());
        QVERIFY2(dialog->message().contains(u"cannot run"_s), qPrintable(dialog->message()));
        dialog->reject();
        QVERIFY(d.settle());
        QVERIFY(!d.window.session());
    }
};

AOTSCOPE_TEST(TestWindowRemote)

}  // namespace aotscope::test::window_remote_test

#include "test_window_remote.moc"
