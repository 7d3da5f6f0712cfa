// The engine ends, in whatever way, while people use the window: the window keeps everything, and goes on.

#include "app/opened_files.h"
#include "app/remote_driver.h"
#include "app/session_steps.h"
#include "ir/printer.h"
#include "panels/trace_panel.h"
#include "support/engines.h"
#include "support/forks.h"
#include "support/hostile/hostile_files.h"
#include "support/hostile/script_archive.h"
#include "support/input_file.h"
#include "support/long_tests.h"
#include "support/resident_memory.h"
#include "support/scratch.h"
#include "support/temporary_folder.h"
#include "support/test_program.h"

#include <QLineEdit>
#include <QMessageBox>
#include <QScopeGuard>
#include <QTimer>

#include <fstream>
#include <random>
#include <thread>

namespace aotscope::test::window_engine_test {
namespace {

constexpr int kSignals[] = {SIGKILL, SIGSEGV, SIGABRT, SIGTERM};

}  // namespace

class TestWindowEngine : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

    /// The plug-in that does harm, and writes the file mark().
    Options wild(const QString& how, const QString& when) const {
        QFile::remove(mark());
        return {.compilers = {.forward = "wild",
                              .settings = {{"wild.how", how.toStdString()},
                                           {"wild.when", when.toStdString()},
                                           {"wild.mark", mark().toStdString()}},
                              .plugins = {PLUGIN_WILD}}};
    }
    QString mark() const { return scratch_.at(u"mark"_s); }
    /// What people do next.
    static void checkWithInterpreter(Far& d) {
        d.window.setOptions({});
        QVERIFY2(d.openSample("mlp"), qPrintable(d.lastProblem()));
        QVERIFY(d.act("actionCheck"));
        QVERIFY2(d.table("checkTable")->content().rows.size() > 1, qPrintable(d.lastProblem()));
    }

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void anEngineThatEndsIsSaidOnce() {
        const Engines engines(scratch_);
        {
            Far d(engines.start());
            QVERIFY(d.openSample("mlp"));
            QVERIFY(d.act("actionDebug"));
            for (int step = 0; step < 2; ++step) QVERIFY(d.act("actionDebugStep"));
            const auto record = d.record();
            engines.killLast(SIGSEGV);
            QTRY_VERIFY_WITH_TIMEOUT(d.lastProblem().endsWith(u"; choose Start Engine Again to go on"_s), kPatience);
            for (int step = 0; step < 2; ++step) {
                QVERIFY(d.act("actionDebugStep"));
                QVERIFY2(d.lastProblem().contains(u"start it again"_s), qPrintable(d.lastProblem()));
            }
            QCOMPARE(errorsIn(d).filter(u"the engine is gone"_s).size(), 1);
            QCOMPARE(errorsIn(d).size(), 3);
            QCOMPARE(d.record(), record);
            QVERIFY(d.canReconnect());
            QVERIFY(d.act("actionReconnect"));
            QVERIFY(!d.canReconnect());
            QCOMPARE(d.record(), record);
            QVERIFY(d.window.debugger()->state().has_value());
            QCOMPARE(d.window.debugger()->state()->position().step, std::size_t{2});
            QVERIFY(d.act("actionCheck"));
            QVERIFY(d.table("checkTable")->content().rows.size() > 1);
            QCOMPARE(errorsIn(d).size(), 3);
            engines.killLast(SIGKILL);  // each end is said
            QTRY_COMPARE_WITH_TIMEOUT(errorsIn(d).filter(u"the engine is gone"_s).size(), 2, kPatience);
        }
        QVERIFY(engines.noneRuns());
    }

    /// At random moments of a tour through the window.
    void endsAnyTime() {
        const Engines engines(scratch_);
        std::string graph;
        std::mt19937 random(2026);
        int ended = 0;
        for (int round = 0; round < (longTests() ? 200 : 4); ++round) {
            Far d(engines.start());
            QTimer timer;
            timer.setSingleShot(true);
            connect(&timer, &QTimer::timeout, &d.window, [&] {
                ++ended;
                engines.killLast(kSignals[round % std::size(kSignals)]);
            });
            timer.start(std::uniform_int_distribution<int>(0, 3000)(random));
            if (!d.openSample("mlp")) {
                QVERIFY(!d.lastProblem().isEmpty());
                QVERIFY2(d.openSample("mlp"), qPrintable(d.lastProblem()));
            }
            d.lookAround();
            timer.stop();
            if (d.isBroken()) {
                const auto session = d.window.session();
                QTRY_VERIFY_WITH_TIMEOUT(d.canReconnect(), kPatience);
                QVERIFY(d.act("actionReconnect"));
                QVERIFY2(!d.isBroken(), qPrintable(d.lastProblem()));
                QCOMPARE(d.window.session(), session);
            }
            QVERIFY2(errorsIn(d).filter(u"the engine is gone"_s).size() <= 1, qPrintable(errorsIn(d).join(u'\n')));
            d.lookAround();
            const std::string now = printGraph(*d.record()->graph(GraphKind::forward));
            if (graph.empty()) graph = now;
            QCOMPARE(q(now), q(graph));
            QVERIFY(d.act("actionCheck"));
            QCOMPARE(d.table("checkTable")->content().rows.size(), std::size_t{1 + 6});
            QVERIFY(d.window.debugger()->state().has_value());
        }
        QVERIFY(engines.noneRuns());
        QVERIFY(ended > 0);
    }

    /// Whatever a compiler does to the engine, the window says it once, and goes on with another one.
    void aPlugInMayDoAnything_data() {
        const auto row = columns<QString, QString, bool>("how", "when", "ends");
        row("crashes", u"crash"_s, u"run"_s, true);
        row("crashes when it compiles", u"crash"_s, u"compile"_s, true);
        row("aborts", u"abort"_s, u"run"_s, true);
        row("ends", u"exit"_s, u"run"_s, true);
        row("needs all memory", u"memory"_s, u"run"_s, false);
    }
    void aPlugInMayDoAnything() {
        FETCH(QString, how, when);
        QFETCH(bool, ends);
        const Engines engines(scratch_);
        {
            Far d(engines.start());
            d.window.setOptions(wild(how, when));
            d.openSample("mlp");
            if (d.window.session()) d.act("actionCheck");
            const auto gone = errorsIn(d).filter(u"the engine is gone"_s);
            QVERIFY2(gone.size() == (ends ? 1 : 0), qPrintable(errorsIn(d).join(u'\n')));
            checkWithInterpreter(d);
            QVERIFY(errorsIn(d).filter(u"the engine is gone"_s).size() <= 1);
        }
        QVERIFY(engines.noneRuns());
    }

    /// So does a file whose reader never ends.
    void aReaderMayLoop() {
        const QString model = scratch_.at(u"model.loop.pt2"_s);
        QVERIFY(QFile::copy(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/exported/dynamic_batch.pt2"), model));
        const Engines engines(scratch_, QStringLiteral("export LD_PRELOAD=" HARMFUL_READS), engineFile());
        {
            Far d(engines.start());
            QVERIFY(d.openSample("mlp"));
            d.window.setOptions({.limits = {.seconds = 0.1}});
            d.open(model);
            QCOMPARE(errorsIn(d).filter(u"took more than 0.1 s of CPU time"_s).size(), 1);
            QCOMPARE(errorsIn(d).filter(u"the engine is gone"_s).size(), 1);
            checkWithInterpreter(d);
        }
        QVERIFY(engines.noneRuns());
    }

    /// What needs no engine is opened where none can start; what needs one says why.
    void noEngineStarts() {
        if (QFileInfo(QStringLiteral(AOTSCOPE_PROGRAM)).isSymLink()) QSKIP("SKIPPED: this build has no window");
        const Engines engines(scratch_, u"export AOTSCOPE_ENGINE=/nowhere"_s, QStringLiteral(AOTSCOPE_PROGRAM));
        {
            Far d(engines.start());
            QVERIFY2(d.open(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/mlp.trace")) && d.window.session(),
                     qPrintable(d.lastProblem()));
            d.lookAround();
            d.openSample("mlp");
            QVERIFY2(d.lastProblem().contains(u"which runs models, is missing"_s), qPrintable(d.lastProblem()));
        }
        QCOMPARE(engines.all().size(), std::size_t{1});
        QVERIFY(engines.noneRuns());
    }

    /// The window notices that it was built again, and compiles with what is in it now.
    void aPlugInIsBuiltAgain() {
        const QString file = scratch_.at(u"own.so"_s);
        const auto build = [&](const QString& plugin) { return (QFile::remove(file), QFile::copy(plugin, file)); };
        QVERIFY(build(QStringLiteral(PLUGIN_COUNTING)));
        const Engines engines(scratch_);
        {
            Far d(engines.start());
            d.window.setOptions({.compilers = {.forward = "counting", .plugins = {file.toStdString()}}});
            QVERIFY2(d.openSample("mlp"), qPrintable(d.lastProblem()));
            QVERIFY(d.act("actionCheck"));
            QVERIFY(build(QStringLiteral(PLUGIN_WILD)));
            const auto said = [&](const QString& text) {
                return d.problems()->findItems(text, Qt::MatchContains).size();
            };
            QTRY_COMPARE_WITH_TIMEOUT(said(u"there is no compiler 'counting'"_s), 1, kPatience);
            QCOMPARE(said(u"'own.so' has changed: compiling again"_s), 1);
            QCOMPARE(said(u"the engine is gone"_s), 0);
            QVERIFY(d.settle() && build(QStringLiteral(PLUGIN_COUNTING)));
            QTRY_COMPARE_WITH_TIMEOUT(said(u"'own.so' has changed: compiling again"_s), 2, kPatience);
            QVERIFY(d.settle() && d.act("actionCheck"));
            QVERIFY2(d.table("checkTable")->content().rows.size() > 1, qPrintable(d.lastProblem()));
        }
        QVERIFY(engines.noneRuns());
    }

    /// A job that cannot be stopped is left to its engine, which is then replaced.
    void aJobThatNeverStops_data() {
        const auto row = columns<QString>("when");
        row("running", u"run"_s);
        row("compiling", u"compile"_s);
    }
    void aJobThatNeverStops() {
        QFETCH(QString, when);
        const Engines engines(scratch_);
        {
            Far d(engines.start());
            QVERIFY(d.openSample("mlp"));
            d.window.setOptions(wild(u"loop"_s, when));
            d.window.openModel(u"sample:mlp"_s);
            const auto begun = [&] { return QFile::exists(mark()); };
            if (QTest::qWaitFor([&] { return begun() || !d.window.busy(); }, kPatience) && !begun())
                d.trigger("actionCheck");
            QVERIFY(QTest::qWaitFor(begun, kPatience));
            QTest::qWait(100);
            QVERIFY(d.window.busy());
            const pid_t first = engines.last();
            d.trigger("actionCancel");
            checkWithInterpreter(d);
            QTRY_VERIFY_WITH_TIMEOUT(!runs(first), kPatience);
            QVERIFY2(errorsIn(d).size() <= 1, qPrintable(errorsIn(d).join(u'\n')));
        }
        QVERIFY(engines.noneRuns());
    }

    /// The engine is replaced so quickly that nobody notices: the debugger that was in it starts again.
    void aDebuggerOutlivesItsEngine() {
        const Engines engines(scratch_);
        const auto engine = engines.start();
        Far d(engine);
        d.window.setOptions({.compilers = {.plugins = {PLUGIN_WILD}}});  // both are in the engine that loads it
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.act("actionDebug"));
        for (int step = 0; step < 2; ++step) QVERIFY(d.act("actionDebugStep"));
        const pid_t first = engines.last();
        Options options = wild(u"loop"_s, u"run"_s);
        options.model = "sample:mlp";
        Progress progress;
        std::thread other([&] {
            try {
                engine->open(options, progress)->check(progress);
            } catch (const std::exception&) {}
        });
        const bool begun = QTest::qWaitFor([&] { return QFile::exists(mark()); }, kPatience);
        progress.cancel();
        other.join();
        QVERIFY(begun);
        QVERIFY(d.act("actionCheck"));
        QVERIFY(engines.last() != first);
        const auto step = [&] { return d.window.debugger()->state()->position().step; };
        QTest::qWait(1000);
        QVERIFY(d.settle());
        QCOMPARE(step(), std::size_t{2});
        QVERIFY(d.act("actionDebugStep"));
        QCOMPARE(step(), std::size_t{3});
        QVERIFY2(errorsIn(d).size() <= 1, qPrintable(errorsIn(d).join(u'\n')));
    }

    /// An engine that never ends what it says: the window remains usable, and another engine can follow.
    void anEngineThatTalksNonsense_data() {
        const auto row = columns<QByteArray>("message");
        row("stages for ever", R"({"stage": "more"})");
        row("answers to others", R"({"id": 1000000, "stage": "more"})");
        row("pongs", R"({"pong": true})");
    }
    void anEngineThatTalksNonsense() {
        QFETCH(QByteArray, message);
        std::string frames;
        for (int id = 1; id <= 100; ++id) {
            auto own = nlohmann::json::parse(message.toStdString());
            if (!own.contains("id")) own["id"] = id;
            frames += frameOf(own);
        }
        const QString nonsense = scratch_.write(u"nonsense"_s, QByteArray::fromStdString(frames)),
                      hello = scratch_.write(u"hello"_s, QByteArray::fromStdString(greeting())),
                      wanted = scratch_.at(u"wanted"_s);
        const Engines engines(
            scratch_, u"if [ -e %1 ]; then cat %2; while cat %3; do :; done; exit; fi"_s.arg(wanted, hello, nonsense));
        Far d(engines.start());
        QVERIFY(d.openSample("mlp"));
        scratch_.write(u"wanted"_s, {});
        engines.killLast(SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(d.isBroken(), kPatience);
        const std::int64_t before = privateBytes();
        d.window.openModel(u"sample:aliasing"_s);
        int alive = 0;
        QTimer timer;
        connect(&timer, &QTimer::timeout, &d.window, [&] { ++alive; });
        timer.start(10);
        QTest::qWait(1000);
        QVERIFY(d.window.busy());
        QVERIFY2(alive > 20, qPrintable(QString::number(alive)));
        QVERIFY(privateBytes() - before < (std::int64_t{200} << 20));
        QFile::remove(wanted);
        d.trigger("actionCancel");
        checkWithInterpreter(d);
        QVERIFY2(errorsIn(d).size() <= 2, qPrintable(errorsIn(d).join(u'\n')));
    }

    /// Each has a process of its own.
    void runsWithTwoTorchesSideBySide() {
        const Scratch folder;
        const Engines usual(folder);
        QDir(folder.path()).mkdir(u"torch2_99"_s);
        const Scratch inside(folder.at(u"torch2_99"_s));
        const Engines other(inside);
        QVERIFY(QFile::link(other.program(), inside.at(u"aotscope-engine"_s)));
        const QByteArray before = qgetenv("AOTSCOPE_ENGINE");
        const auto restored = qScopeGuard([&] {
            if (before.isEmpty()) qunsetenv("AOTSCOPE_ENGINE");
            else qputenv("AOTSCOPE_ENGINE", before);
        });
        qputenv("AOTSCOPE_ENGINE", usual.program().toUtf8());
        {
            Far d(usual.start());
            QVERIFY(d.openSample("mlp"));
            QVERIFY(d.act("actionKeepRun"));
            d.trigger("actionOptions");
            auto* torch = d.find<QLineEdit>("torch");
            QTest::keyClicks(torch, u"2.99"_s);
            QTest::keyClick(torch, Qt::Key_Return);
            QVERIFY(d.settle());
            QCOMPARE(errorsIn(d), QStringList());
            QCOMPARE(q(d.window.session()->options().torch), u"2.99"_s);
            QCOMPARE(usual.all().size(), std::size_t{1});
            QCOMPARE(other.all().size(), std::size_t{1});
            QVERIFY(d.table("comparedRuns")->content().rows.size() > 1);
            QVERIFY(d.act("actionCheck"));
            QVERIFY(d.act("actionTimeBoth"));
            QVERIFY2(d.lastProblem().contains(u"with the same torch"_s), qPrintable(d.lastProblem()));
            torch->clear();
            QTest::keyClicks(torch, u"2.98"_s);
            QTest::keyClick(torch, Qt::Key_Return);
            QVERIFY(d.settle());
            QVERIFY2(d.lastProblem().contains(u"there is no engine for torch 2.98"_s), qPrintable(d.lastProblem()));
        }
        QVERIFY(usual.noneRuns() && other.noneRuns());
    }

    /// Files are read by the engine alone: when models are opened, run, put into a session, and when the window asks
    /// whether they may do harm, and logs when they are opened and while they grow.
    void theWindowDoesNotOpenFiles() {
        const QString model = scratch_.at(u"model.pt2"_s), reads = scratch_.at(u"reads.pt"_s),
                      session = scratch_.at(u"model.aotscope"_s), log = scratch_.at(u"story.log"_s);
        QVERIFY(QFile::copy(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/exported/dynamic_batch.pt2"), model));
        ScriptArchive{modelCode("    y = torch.from_file(\"" +
                                scratch_.write(u"data"_s, QByteArray(64, 'v')).toStdString() +
                                "\", False, 4, dtype=6)\n    return torch.mul(x, 2)\n")}
            .write(reads);
        const QByteArray story = contentOf(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/story.log"));
        scratch_.write(u"story.log"_s, story.left(story.size() / 3));
        const OpenedFiles opened;
        QVERIFY(QFile(scratch_.at(u"qt"_s)).open(QFile::WriteOnly));
        std::ofstream(scratch_.at(u"stream"_s).toStdString());
        const InputFile data(scratch_.at(u"data"_s).toStdString());
        for (const auto* noted : {"qt", "stream", "data"})
            QVERIFY(opened.contain(scratch_.at(QLatin1String(noted)).toStdString()));
        Far d;
        QVERIFY2(d.open(model) && d.window.session(), qPrintable(d.lastProblem()));
        d.lookAround();
        QCOMPARE(errorsIn(d), QStringList());
        d.window.sessionFile()->saveTo(session, true);
        QVERIFY2(d.settle() && QFile::exists(session), qPrintable(d.lastProblem()));
        QVERIFY(d.open(reads, specFrom(R"([{"shape": [4], "dtype": "float32"}])")));
        buttonOf(d.find<QMessageBox>("consent"), "Open Anyway")->click();
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"reads"_s);
        const QStringList asked = errorsIn(d);  // for consent
        QVERIFY2(d.open(session) && d.window.session()->saved(), qPrintable(d.lastProblem()));
        QVERIFY(d.act("actionCheck"));
        QVERIFY(d.table("checkTable")->content().rows.size() > 1);
        QVERIFY(d.open(log));
        const auto* panel = d.window.findChild<TracePanel*>();
        const int before = panel->tree()->model()->rowCount();
        std::filesystem::rename(scratch_.write(u"whole.log"_s, story).toStdString(), log.toStdString());
        QTRY_VERIFY_WITH_TIMEOUT(panel->tree()->model()->rowCount() > before, kPatience);
        QVERIFY(d.settle());
        Q_EMIT panel->page()->anchorClicked(QUrl(u"open:3/1"_s));
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"story [3/1]"_s);
        QCOMPARE(errorsIn(d), asked);
        for (const QString& file : {model, reads, session, log})
            QVERIFY2(!opened.contain(file.toStdString()), qPrintable(file));
        const SessionFile written = readSessionFile(session.toStdString());
        const TemporaryFolder folder;
        const auto unpacked = extractModel(session.toStdString(), written.embeddedModel, folder.require());
        QCOMPARE(contentOf(q(unpacked.string())), contentOf(model));
    }
};

AOTSCOPE_TEST(TestWindowEngine)

}  // namespace aotscope::test::window_engine_test

#include "test_window_engine.moc"
