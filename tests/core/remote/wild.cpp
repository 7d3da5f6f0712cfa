// Engines that crash, hang, talk nonsense or have too little memory: one sentence, and work goes on in another one.

#include "debug/debugger.h"
#include "io/session/session_file.h"
#include "program/inputs/short_inputs.h"
#include "remote/connection.h"
#include "remote/engine_program.h"
#include "session/engine.h"
#include "support/engines.h"
#include "support/error.h"
#include "support/forks.h"
#include "support/long_tests.h"
#include "support/resident_memory.h"
#include "support/text.h"
#include "test_remote.h"

#include <QElapsedTimer>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include <sys/resource.h>
#include <unistd.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

using namespace std::chrono_literals;

const Options kUsual{.model = "sample:mlp"};
/// It runs in the same engine as plug-ins.
const Options kBeside{.model = "sample:mlp", .allow = {OperatorKind::writesFiles}};
constexpr auto kReplaced = "the engine is gone: it did not stop when it was cancelled, and was replaced"_L1;

/// Compiled by the plug-in that does harm.
Options wild(const QString& how, const QString& when, const QString& mark = {}) {
    return {.model = "sample:mlp",
            .compilers = {.forward = "wild",
                          .settings = {{"wild.how", how.toStdString()},
                                       {"wild.when", when.toStdString()},
                                       {"wild.mark", mark.toStdString()}},
                          .plugins = {PLUGIN_WILD}}};
}

/// Cancels the job soon (when the file `mark` is there, if it is named), and expects it to end.
template <typename Job>
void cancelSoon(const Job& job, const QString& mark = {}) {
    if (!mark.isEmpty()) QFile::remove(mark);
    Progress progress;
    std::atomic<bool> ended = false;
    std::thread other([&] {
        while (!ended && !mark.isEmpty() && !QFile::exists(mark)) std::this_thread::sleep_for(5ms);
        std::this_thread::sleep_for(300ms);
        progress.cancel();
    });
    QString error = u"nothing"_s;
    try {
        job(progress);
    } catch (const std::exception& e) {
        error = q(e.what());
    }
    ended = true;
    other.join();
    QCOMPARE(error, q(Cancelled().what()));
}

/// From now on, the process may have no more than `more` bytes in addition.
void limitMemory(pid_t process, rlim_t more) {
    rlim_t pages = 0;
    std::ifstream("/proc/" + std::to_string(process) + "/statm") >> pages;
    const rlimit few{pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more, RLIM_INFINITY};
    QCOMPARE(::prlimit(process, RLIMIT_AS, &few, nullptr), 0);
}

}  // namespace

/// A reader may crash, never end, or need all memory: without waiting for long, people read one sentence.
void TestRemote::filesDoHarm_data() {
    const auto row = columns<QString, QString, QString>("harm", "kind", "why");
    for (const QString& kind : {u"pt2"_s, u"aotscope"_s, u"trace"_s}) {
        row("crash " + kind.toLatin1(), u"crash"_s, kind, u"it crashed (signal"_s);
        row("loop " + kind.toLatin1(), u"loop"_s, kind, u" took more than 0.5 s of CPU time"_s);
        row("eat " + kind.toLatin1(), u"eat"_s, kind, u" MB of memory"_s);
    }
}
void TestRemote::filesDoHarm() {
    FETCH(QString, harm, kind, why);
    constexpr qint64 soon = 10'000;
    const Engines engines(scratch_, QStringLiteral("export LD_PRELOAD=" HARMFUL_READS), engineFile());
    const auto engine = engines.start();
    const QString bad = scratch_.at(u"bad.%1.%2"_s.arg(harm, kind)),
                  data = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/");
    QFile::remove(bad);
    if (kind == u"aotscope"_s) writeSessionFile(bad.toStdString(), engine->open(kUsual, {})->content(), {});
    else
        QVERIFY(QFile::copy(data + (kind == u"pt2"_s ? u"exported/dynamic_batch.pt2"_s : u"printed/mlp.trace"_s), bad));
    QElapsedTimer timer;
    timer.start();
    const QString error = errorOf(
        [&] { engine->open({.model = bad.toStdString(), .limits = {.seconds = harm == u"loop"_s ? 0.5 : 0}}, {}); });
    QVERIFY(timer.elapsed() < soon);
    QVERIFY2(error.startsWith("the engine is gone: it "_L1) && error.contains(why) && !error.contains(u'\n'),
             qPrintable(error));
    QVERIFY(engine->open(kUsual, {})->check({}).ok);
    QCOMPARE(engines.all().size(), std::size_t{2});
}

void TestRemote::plugInsDoHarm_data() {
    const auto row = columns<QString, QString, bool>("how", "when", "ends");
    row("crashes", u"crash"_s, u"run"_s, true);
    row("crashes when it compiles", u"crash"_s, u"compile"_s, true);
    row("aborts", u"abort"_s, u"run"_s, true);
    row("ends", u"exit"_s, u"run"_s, true);
    row("needs all memory", u"memory"_s, u"run"_s, false);
}
void TestRemote::plugInsDoHarm() {
    FETCH(QString, how, when);
    QFETCH(bool, ends);
    const Engines engines(scratch_);
    const auto engine = engines.start();
    const QString error = errorOf([&] { engine->open(wild(how, when), {})->check({}); });
    QVERIFY2(!error.contains(u'\n') && !error.startsWith("not an Error"_L1), qPrintable(error));
    QCOMPARE(error.startsWith("the engine is gone: it "_L1), ends);
    QVERIFY(engine->open(kUsual, {})->check({}).ok);
}

/// One that ends the process when it is loaded is not loaded again and again.
void TestRemote::plugInsEndTheEngineWhenLoaded() {
    const Engines engines(scratch_, u"export AOTSCOPE_WILD_PLUGIN=exit"_s);
    const auto engine = engines.start();
    const auto builtIn = engine->compilers({});
    for (int i = 0; i < 4; ++i) {
        const QString error = errorOf([&] { engine->compilers({PLUGIN_WILD}); });
        QVERIFY2(error.startsWith("cannot load the plug-in '"_L1) && error.contains("the engine is gone"_L1),
                 qPrintable(error));
    }
    QCOMPARE(engines.all().size(), std::size_t{1 + 2});  // the first one loads no plug-ins
    QCOMPARE(usableCompilers(*engine, {PLUGIN_WILD}).size(), builtIn.size());
    QVERIFY(engine->open(kUsual, {})->check({}).ok);
}

/// Nor one that does not return.
void TestRemote::plugInsHangWhenLoaded() {
    if (!longTests()) QSKIP("this waits for ten seconds, twice");
    const Engines engines(scratch_, u"export AOTSCOPE_WILD_PLUGIN=loop"_s);
    const auto engine = engines.start();
    for (int i = 0; i < 4; ++i) {
        const QString error = errorOf([&] { engine->compilers({PLUGIN_WILD}); });
        QVERIFY2(error.contains("the engine does not answer within 10 seconds"_L1), qPrintable(error));
    }
    QVERIFY(engine->open(kUsual, {})->check({}).ok);
}

/// An engine that does not stop a cancelled job is replaced by the next one who needs it, whatever lives in it.
void TestRemote::jobsNeverStop_data() {
    const auto row = columns<QString>("when");
    row("run");
    row("compile");
}
void TestRemote::jobsNeverStop() {
    QFETCH(QString, when);
    const Engines engines(scratch_);
    const auto engine = engines.start();
    engine->open(kUsual, {});
    const auto session = engine->open(kBeside, {});
    const auto debugger = session->debug({});
    const pid_t first = engines.last();
    const QString mark = scratch_.at(u"mark"_s);
    cancelSoon([&](const Progress& progress) { engine->open(wild(u"loop"_s, when, mark), progress)->check(progress); },
               mark);
    std::vector<std::thread> callers;
    std::atomic<int> good = 0;
    for (int i = 0; i < 4; ++i)
        callers.emplace_back([&, i] {
            const QString error = errorOf([&] { good += (i % 2 ? session : engine->open(kBeside, {}))->check({}).ok; });
            if (!error.isEmpty()) qWarning("%s", qPrintable(error));
        });
    for (std::thread& caller : callers) caller.join();
    QCOMPARE(good.load(), 4);
    QCOMPARE(engines.all().size(), std::size_t{1 + 2});
    QVERIFY(QTest::qWaitFor([&] { return !runs(first); }, kPatience));
    const QString error = errorOf([&] { debugger->execute({}, {}); });
    QVERIFY2(error.startsWith(kReplaced), qPrintable(error));
    QVERIFY(session->debug({})->steps().size() > 1);
}

/// What waits for the object of such a job is told so, instead of waiting forever; the session itself goes on.
void TestRemote::othersWaitForAJobThatNeverStops() {
    const Engines engines(scratch_);
    const auto engine = engines.start();
    const QString mark = scratch_.at(u"mark"_s);
    const auto session = engine->open(wild(u"loop"_s, u"run"_s, mark), {}), other = engine->open(kBeside, {});
    QString waiting;
    std::thread second;
    cancelSoon(
        [&](const Progress& progress) {
            second = std::thread([&] {
                for (int i = 0; i < kPatience / 5 && !QFile::exists(mark); ++i) std::this_thread::sleep_for(5ms);
                waiting = errorOf([&] { session->compilers({}); });
            });
            session->check(progress);
        },
        mark);
    QVERIFY(other->check({}).ok);
    second.join();
    QVERIFY2(waiting.startsWith(kReplaced), qPrintable(waiting));
    QVERIFY(!session->compilers({}).empty());
    cancelSoon([&](const Progress& progress) { session->check(progress); }, mark);
    QVERIFY(!session->compilers({}).empty());
}

/// Nor does a job hang whose answer has come before it was cancelled.
void TestRemote::nobodyReadsAnAnswer() {
    const std::string answer = frameOf({{"id", 1}, {"event", true}}) + frameOf({{"id", 1}, {"result", true}});
    const Engines engines(scratch_, u"cat %1; head -c 4 > /dev/null; cat %2; exec sleep 60"_s.arg(
                                        scratch_.write(u"hello"_s, QByteArray::fromStdString(greeting())),
                                        scratch_.write(u"answer"_s, QByteArray::fromStdString(answer))));
    Connection connection(EngineStart{engines.program().toStdString()}.served(EngineRights::confined), {});
    const auto cancelLater = [](const auto&, std::uint64_t) {
        std::this_thread::sleep_for(300ms);
        throw Cancelled();
    };
    QVERIFY_THROWS_EXCEPTION(Cancelled, connection.call("open", nlohmann::json::object(), {}, cancelLater));
    std::this_thread::sleep_for(600ms);
    connection.leaveIfItHangs();
    QVERIFY(connection.alive());
}

/// Nor one that has waited for a job that goes on.
void TestRemote::cancelledJobsWaitForOthers() {
    const Engines engines(scratch_);
    const auto engine = engines.start();
    const auto session = engine->open(kUsual, {});
    Progress training;
    std::atomic<int> steps = 0;
    bool cancelled = false;
    std::thread trainer([&] {
        try {
            session->train({.steps = 100'000'000}, training, [&](const TrainStep&) { ++steps; });
        } catch (const Cancelled&) {
            cancelled = true;
        } catch (const std::exception& e) {
            qWarning("%s", e.what());
        }
    });
    for (int i = 0; i < kPatience / 5 && steps == 0; ++i) std::this_thread::sleep_for(5ms);
    cancelSoon([&](const Progress& progress) { session->check(progress); });
    std::this_thread::sleep_for(600ms);
    const bool ok = engine->open(kUsual, {})->check({}).ok;
    training.cancel();
    trainer.join();
    QVERIFY(ok && cancelled);
    QCOMPARE(engines.all().size(), std::size_t{1});
}

void TestRemote::engineStandsStill() {
    if (!longTests()) QSKIP("this waits for ten seconds");
    const Engines engines(scratch_, {}, engineFile());
    const auto engine = engines.start();
    const auto session = engine->open(kUsual, {});
    const pid_t first = engines.last();
    engines.killLast(SIGSTOP);
    const QString error = errorOf([&] { session->check({}); });
    QVERIFY2(error.startsWith("the engine is gone: it has been silent for ten seconds"_L1), qPrintable(error));
    QVERIFY(QTest::qWaitFor([&] { return !runs(first); }, kPatience));
    QVERIFY(session->check({}).ok);
}

void TestRemote::engineHasTooLittleMemory() {
    const Engines engines(scratch_, {}, engineFile());
    const auto engine = engines.start();
    const auto session = engine->open(kUsual, {});
    constexpr rlim_t more = rlim_t{2} << 30;
    limitMemory(engines.last(), more);
    const Options large{.model = "script:def f(x): return x + torch.zeros([60000, 60000]).sum()",
                        .inputs = parseShortInputs("f32[4]", "inputs")};
    bool fits = false;
    const QString error = errorOf([&] { fits = engine->open(large, {})->check({}).ok; });
    QVERIFY(!fits);
    QVERIFY2(!error.contains(u'\n') && !error.startsWith("not an Error"_L1), qPrintable(error));
    QVERIFY(session->check({}).ok);
}

/// The facts about it are learned once; that it is busy, stopped or gone keeps nobody waiting who asks for them.
void TestRemote::factsAreKnown() {
    const Engines engines(scratch_, {}, engineFile());
    const auto engine = engines.start();
    const auto compilers = engine->compilers({PLUGIN_COUNTING});
    const std::string version = engine->torchVersion();
    const MachineModel machine = engine->machine("cpu");
    for (const pid_t each : engines.all()) kill(each, SIGSTOP);
    QCOMPARE(engine->torchVersion(), version);
    QVERIFY(!engine->devices().empty());
    QCOMPARE(engine->machine("cpu").matrixFlops.perSecond, machine.matrixFlops.perSecond);
    QVERIFY(!engine->decompositionRules().empty());
    QCOMPARE(engine->compilers({PLUGIN_COUNTING}).size(), compilers.size());
    QCOMPARE(engine->compilers({}).size(), compilers.size() - 1);
    for (const pid_t each : engines.all())
        for (const int signal : {SIGCONT, SIGKILL}) kill(each, signal);
    QCOMPARE(engine->compilers({PLUGIN_COUNTING}).size(), compilers.size());
    QCOMPARE(engines.all().size(), std::size_t{2});
}

/// Whatever an engine repeats, it takes little memory, and whoever waits can be cancelled.
void TestRemote::engineTalksForever_data() {
    const auto row = columns<QByteArray>("frames");
    const auto frames = [](nlohmann::json message) {
        std::string both;
        for (int id = 1; id <= 2; ++id) {
            if (message.contains("stage")) message["id"] = id;
            both += frameOf(message);
        }
        return QByteArray::fromStdString(both);
    };
    row("stages", frames({{"stage", std::string(10'000, 'x')}}).repeated(100));
    row("pongs", frames({{"pong", true}}).repeated(100));
    row("answers to others", frames({{"id", 77}, {"result", true}}).repeated(100));
    row("a message", QByteArray::fromHex("3fffffff"));  // that is never complete
}
void TestRemote::engineTalksForever() {
    QFETCH(QByteArray, frames);
    const QString first = scratch_.write(u"greeting"_s, QByteArray::fromStdString(greeting())),
                  all = scratch_.write(u"frames"_s, frames);
    const Engines engines(scratch_, u"cat %1; while cat %2; do sleep 0.001; done; exit"_s.arg(first, all));
    const auto before = privateBytes();
    const auto engine = engines.start();
    cancelSoon([&](const Progress& progress) { engine->open(kUsual, progress); });
    QVERIFY(privateBytes() - before < (std::int64_t{200} << 20));
}

/// Nobody looks again and again whether to go on: cancelling wakes them.
void TestRemote::whoeverWaitsSleeps() {
    const QString hello = scratch_.write(u"hello"_s, QByteArray::fromStdString(greeting()));
    const Engines engines(scratch_, u"cat %1; exec sleep 60"_s.arg(hello));
    const auto engine = engines.start();
    rusage before{}, after{};
    QCOMPARE(::getrusage(RUSAGE_THREAD, &before), 0);
    cancelSoon([&](const Progress& progress) { engine->open(kUsual, progress); });
    QCOMPARE(::getrusage(RUSAGE_THREAD, &after), 0);
    const auto wakings = after.ru_nvcsw - before.ru_nvcsw;
    QVERIFY2(wakings < 20, qPrintable(QString::number(wakings)));
}
