// The engine ends, in whatever way, while people use the window: the window keeps everything, and goes on.

#include "app/remote_driver.h"
#include "ir/printer.h"
#include "support/long_tests.h"
#include "support/processes.h"
#include "support/scratch.h"
#include "support/test_program.h"

#include <QDirIterator>
#include <QTimer>

#include <csignal>
#include <random>

namespace aotscope::test::window_engine_test {
namespace {

/// The processes that have been started as an engine.
class Engines {
public:
    explicit Engines(const Scratch& scratch) : file_(scratch.at(u"engines"_s)) {
        program_ = scratch.write(u"engine"_s,
                                 u"#!/bin/sh\necho $$ >> %1\nexec %2 \"$@\"\n"_s.arg(file_, forkedProgram()).toUtf8());
        QFile::setPermissions(program_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    std::shared_ptr<const Engine> start() const { return engineIn(program_.toStdString()); }
    std::vector<pid_t> all() const {
        std::vector<pid_t> processes;
        if (QFile file(file_); file.open(QFile::ReadOnly))
            for (const QByteArray& number : file.readAll().simplified().split(' ')) processes.push_back(number.toInt());
        return processes;
    }
    void killLast(int signal) const {
        if (const auto processes = all(); !processes.empty() && processes.back() > 0) kill(processes.back(), signal);
    }
    bool noneRuns() const {
        return QTest::qWaitFor([this] { return std::ranges::none_of(all(), runs); }, kPatience);
    }

private:
    QString file_, program_;
};

constexpr int kSignals[] = {SIGKILL, SIGSEGV, SIGABRT, SIGTERM};

}  // namespace

class TestWindowEngine : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

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
            QTest::qWait(1200);
            QCOMPARE(errorsIn(d).filter(u"the engine is gone"_s).size(), 1);
            QCOMPARE(d.record(), record);
            QVERIFY(d.canReconnect());
            QVERIFY(d.act("actionReconnect"));
            QVERIFY(!d.canReconnect());
            QCOMPARE(d.record(), record);
            QVERIFY(d.window.debugger()->state().has_value());
            QCOMPARE(d.window.debugger()->state()->position().step, std::size_t{2});
            QVERIFY(d.act("actionCheck"));
            QVERIFY(d.table("checkTable")->content().rows.size() > 1);
            QCOMPARE(errorsIn(d).size(), 1);
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

    /// The file of a model is read by the engine alone.
    void theWindowDoesNotOpenTheModel() {
        const QString model = scratch_.at(u"model.pt2"_s);
        QVERIFY(QFile::copy(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/exported/dynamic_batch.pt2"), model));
        Far d(engineThere());
        QVERIFY2(d.open(model) && d.window.session(), qPrintable(d.lastProblem()));
        d.lookAround();
        QCOMPARE(errorsIn(d), QStringList());
        QFile maps(u"/proc/self/maps"_s);
        QVERIFY(maps.open(QFile::ReadOnly));
        QVERIFY(!maps.readAll().contains(model.toUtf8()));
        QDirIterator open(u"/proc/self/fd"_s, QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
        while (open.hasNext()) QVERIFY(QFileInfo(open.next()).symLinkTarget() != model);
    }
};

AOTSCOPE_TEST(TestWindowEngine)

}  // namespace aotscope::test::window_engine_test

#include "test_window_engine.moc"
