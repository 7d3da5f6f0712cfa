// A model on another machine, which is this one: the whole window, with a program in between that is late or ends.

#include "app/window_driver.h"
#include "controllers/remote_controller.h"
#include "controllers/train_controller.h"
#include "record/remote_model.h"
#include "support/test_program.h"
#include "window/perspectives.h"

#include <QElapsedTimer>
#include <QSpinBox>

#include <csignal>

namespace aotscope::test::window_remote_test {
namespace {

struct Far : Driver {
    /// "%p" in `command` stands for the program.
    static QString model(const QString& path, QString command = QStringLiteral("%p")) {
        command.replace(QStringLiteral("%p"), QStringLiteral(AOTSCOPE_PROGRAM));
        return QString::fromStdString(throughCommand("ssh://box/" + path.toStdString(), command.toStdString()));
    }
    bool openFar(const char* sample, const QString& command = QStringLiteral("%p")) {
        return open(model(QStringLiteral("sample:") + QString::fromUtf8(sample), command)) && window.session();
    }
    bool act(const char* action) {
        trigger(action);
        return settle();
    }
    RemoteController* remote() const { return window.findChild<RemoteController*>(); }
};

/// What each step of a tour took, for people: AOTSCOPE_TOUR prints it.
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

/// Every kind of problem but what the run itself says.
QStringList errorsIn(const Driver& d) {
    QStringList errors;
    for (int i = 0; i < d.problems()->count(); ++i) errors << d.problems()->item(i)->text();
    return errors.filter(QStringLiteral("aotscope"));
}

}  // namespace

class TestWindowRemote : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }
    void init() { isolation_.forget(); }

    void everythingWorksAsIfItWereHere_data() {
        QTest::addColumn<int>("delay");
        QTest::newRow("near") << 0;
        QTest::newRow("25 ms each way") << 25;
    }
    void everythingWorksAsIfItWereHere() {
        QFETCH(int, delay);
        Far d;
        const QString counts = scratch_.at(QStringLiteral("counts"));
        const QString command = QStringLiteral("%1 %2 %3 %p").arg(QStringLiteral(LATE_PIPE)).arg(delay).arg(counts);
        Steps steps(counts);
        QVERIFY2(d.openFar("mlp", command), qPrintable(d.lastProblem()));
        steps.note("open");
        QVERIFY(d.window.windowTitle().contains(QStringLiteral("mlp on ") + QStringLiteral(LATE_PIPE)));
        QVERIFY(d.recent().value(0).startsWith(QStringLiteral("sample:mlp on ") + QStringLiteral(LATE_PIPE)));
        QVERIFY(d.act("actionCheck"));
        steps.note("check");
        QCOMPARE(d.table("checkTable")->content().rows.size(), std::size_t{1 + 6});
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
        QCOMPARE(d.window.debugger()->state()->position.step, std::size_t{1});
        QCOMPARE(errorsIn(d), QStringList());
    }

    /// Another partition is computed here.
    void whatIfAsksNobody() {
        Far d;
        const QString log = scratch_.at(QStringLiteral("asked"));
        QVERIFY(d.openFar("mlp", QStringLiteral("sh -c \"tee %1 | %p serve --stdio\" aotscope").arg(log)));
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

    void aBrokenConnectionIsSaidOnce() {
        Far d;
        const QString file = scratch_.at(QStringLiteral("process"));
        QVERIFY(d.openFar("mlp", QStringLiteral("sh -c \"echo $$ > %1; exec %p serve --stdio\" aotscope").arg(file)));
        const auto record = d.record();
        kill(contentOf(file).trimmed().toInt(), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(d.lastProblem().endsWith(QStringLiteral("; press F5 to connect again")), kPatience);
        QTest::qWait(1200);
        QCOMPARE(errorsIn(d).filter(QStringLiteral("is broken")).size(), 1);
        QCOMPARE(d.record(), record);
        QVERIFY(d.act("actionCheck"));  // connects by itself, too
        QVERIFY(d.table("checkTable")->content().rows.size() > 1);
        QVERIFY(d.act("actionRun"));
        QCOMPARE(errorsIn(d).size(), 1);
    }

    void refusalsAreProblems() {
        Far d;
        d.open(Far::model(QStringLiteral("sample:mlp"), QStringLiteral("/no/such/command")));
        QVERIFY2(d.lastProblem().contains(QStringLiteral("cannot run '/no/such/command'")),
                 qPrintable(d.lastProblem()));
        QVERIFY(!d.window.session());
        d.open(QStringLiteral("ssh://-v/x.pt2"));
        QVERIFY2(d.lastProblem().contains(QStringLiteral("its host '-v' is no name")), qPrintable(d.lastProblem()));
    }

    void aDialogListsTheFolders() {
        Far d;
        QVERIFY(QDir(scratch_.path()).mkpath(QStringLiteral("models/inner")));
        scratch_.write(QStringLiteral("models/some.txt"),
                       "graph some\n  %x : f32[4] = placeholder(input)\n  %y : f32[4] = aten.sin.default(%x)\n"
                       "  return [%y : output]\n");
        d.trigger("actionOpenRemote");
        RemoteDialog* dialog = d.remote()->dialog();
        QVERIFY(dialog && !dialog->openButton()->isEnabled());
        dialog->host()->setCurrentText(QStringLiteral("box"));
        dialog->command()->setText(QStringLiteral(AOTSCOPE_PROGRAM));
        dialog->path()->setText(scratch_.path());
        Q_EMIT dialog->folderWanted();
        QVERIFY(d.settle());
        const auto entry = [&](const char* name) {
            return dialog->entries()->findItems(QString::fromUtf8(name), Qt::MatchExactly).value(0);
        };
        QVERIFY2(entry("models"), qPrintable(dialog->message()));
        Q_EMIT dialog->entries()->itemActivated(entry("models"), 0);
        QVERIFY(d.settle());
        QCOMPARE(dialog->entries()->topLevelItem(0)->text(0), QStringLiteral("inner"));  // folders first
        dialog->entries()->setCurrentItem(entry("some.txt"));
        QVERIFY(dialog->openButton()->isEnabled());
        QCOMPARE(dialog->path()->text(), scratch_.at(QStringLiteral("models/some.txt")));
        dialog->accept();
        QVERIFY(d.settle());
        QVERIFY2(d.window.session() && d.record()->graph(GraphKind::inference), qPrintable(d.lastProblem()));
        QCOMPARE(Settings().remoteHosts(), QStringList(QStringLiteral("box")));
        QVERIFY(!d.remote()->dialog());
    }

    void aDialogSaysWhatIsWrong() {
        Far d;
        d.trigger("actionOpenRemote");
        RemoteDialog* dialog = d.remote()->dialog();
        dialog->host()->setCurrentText(QStringLiteral("-v"));
        Q_EMIT dialog->folderWanted();
        QVERIFY2(dialog->message().contains(QStringLiteral("is no name")), qPrintable(dialog->message()));
        dialog->host()->setCurrentText(QStringLiteral("box"));
        dialog->command()->setText(QStringLiteral("/no/such/command"));
        Q_EMIT dialog->folderWanted();
        QVERIFY(d.settle());
        QVERIFY2(dialog->message().contains(QStringLiteral("cannot run")), qPrintable(dialog->message()));
        dialog->reject();
        QVERIFY(d.settle());
        QVERIFY(!d.window.session());
    }
};

AOTSCOPE_TEST(TestWindowRemote)

}  // namespace aotscope::test::window_remote_test

#include "test_window_remote.moc"
