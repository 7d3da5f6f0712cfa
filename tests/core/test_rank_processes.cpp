// Ranks that are processes: collectives, programs against the same ranks as threads, and what happens when ranks fail,
// are missing or are killed.

#include "device/device.h"
#include "distributed/launch.h"
#include "distributed/rank_process.h"
#include "distributed/tensor_message.h"
#include "session/session.h"
#include "support/collective_calls.h"
#include "support/patience.h"
#include "support/program.h"
#include "support/rank_children.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/ops/equal.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QtTest>

#include <csignal>
#include <thread>

namespace aotscope::test::rank_processes_test {
namespace {

QString dataFile(const QString& name) { return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/") + name; }

/// Runs `job` as each of `count` ranks, on threads that know of each other only by their connections. Returns the
/// problem that one of them reports; empty: none.
QString runRanks(std::size_t count, const std::function<void(std::size_t)>& job,
                 const std::vector<std::string>& groups = {}) {
    const auto port = static_cast<std::uint16_t>(freePort());
    std::mutex mutex;
    QStringList problems;
    const auto ofRank = [&](std::size_t rank) {
        RankProcess process({.launcher = "a test", .rank = rank, .size = count, .address = "127.0.0.1", .port = port},
                            groups, std::chrono::minutes(5));
        try {
            process.meet({});
            process.run([&](const Progress&) { job(rank); });
            process.finish();
        } catch (const Error& e) {
            process.report(e.what(), [&](const std::string& problem) {
                const std::lock_guard lock(mutex);
                problems << q(problem);
            });
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t rank = 0; rank < count; ++rank) threads.emplace_back(ofRank, rank);
    }
    return problems.join(QStringLiteral(" AND "));
}

/// A program of tests/data/distributed, with what belongs to each rank.
QStringList argumentsOf(const char* command, const QString& program) {
    const bool stages = program.endsWith(QLatin1String("stages"));
    QStringList arguments{QLatin1String(command),
                          dataFile(program + (stages ? QStringLiteral(".{rank}.pt2") : QStringLiteral(".pt2"))),
                          QStringLiteral("--inputs"), dataFile(program + QStringLiteral(".{rank}.inputs.pt"))};
    if (!stages) arguments << QStringLiteral("--weights") << dataFile(program + QStringLiteral(".{rank}.pt"));
    return arguments;
}
QStringList runOf(const QString& program, const QString& values) {
    return argumentsOf("run", program) + QStringList{QStringLiteral("--values"), values};
}

/// The losses in the table of a training.
QByteArrayList lossesIn(const QString& csv) {
    QByteArrayList losses;
    for (const QByteArray& line : contentOf(csv).split('\n')) losses << line.split(',').mid(0, 3).join(',');
    return losses;
}

/// A program of one collective.
QStringList codeOf(const QString& expression, const QString& inputs = QStringLiteral("f32[4]")) {
    return {QStringLiteral("run"),
            QStringLiteral("-e"),
            QStringLiteral("def f(x):\n  return ops._c10d_functional.wait_tensor(") + expression + QLatin1Char(')'),
            QStringLiteral("--inputs"),
            inputs,
            QStringLiteral("--rank-timeout"),
            QStringLiteral("60")};
}
const QString kSum = QStringLiteral("ops._c10d_functional.all_reduce(x, \"sum\", \"0\")");

}  // namespace

class TestRankProcesses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }

    void ranksOnASimulatedGpu() {
        if (deviceChoices().back().help.find("simulated") == std::string::npos) QSKIP("there is a GPU");
        const QStringList cuda{QStringLiteral("--device"), QStringLiteral("cuda")};
        const ProgramRun threads = runProgram(codeOf(kSum) + cuda + QStringList{"--ranks", "2"});
        QCOMPARE(threads.code, 1);
        QVERIFY2(threads.err.contains("rank 0: nothing can run on cuda:0 here"), threads.text().constData());
        const ProgramRun timed = runProgram(codeOf(kSum) + cuda + QStringList{"--ranks", "2", "--time", "3"});
        QCOMPARE(timed.code, 2);
        QVERIFY2(timed.err.contains("the 2 ranks of one process share a GPU and its time"), timed.text().constData());
    }

    void everyCollectiveAmongFourRanks() {
        QStringList wrong(4, QStringLiteral("did not run"));
        wrong.detach();
        QString* const places = wrong.data();
        const QString problem = runRanks(4, [&](std::size_t rank) { places[rank] = wrongCollectives(rank); });
        QCOMPARE(problem, QString());
        QCOMPARE(wrong, QStringList(4, QString()));
    }

    void groupsAmongFourRanks() {
        std::array<bool, 4> right{};
        const QString problem =
            runRanks(4,
                     [&](std::size_t rank) {
                         const auto r = static_cast<double>(rank);
                         right[rank] = at::equal(allReduced(filled(r), "sum", "tp"), filled(rank < 2 ? 1 : 5)) &&
                                       at::equal(allReduced(filled(r), "sum", "dp"), filled(rank % 2 == 0 ? 2 : 4));
                     },
                     {"tp=2", "dp=2x2"});
        QCOMPARE(problem, QString());
        QVERIFY(std::ranges::all_of(right, [](bool r) { return r; }));
    }

    void ranksThatDoNotFitTogether_data() { unfitPairRows(); }
    void ranksThatDoNotFitTogether() {
        QFETCH(int, which);
        QFETCH(QStringList, sentence);
        const QString found = runRanks(2, [&](std::size_t rank) { unfitPair(which, rank); });
        for (const QString& part : sentence) QVERIFY2(found.contains(part), qPrintable(found));
        QVERIFY2(!found.contains(QStringLiteral(" AND ")), qPrintable(found));
    }

    /// Ranks trust each other to be ranks, not to be sound.
    void messagesThatAreNone_data() {
        QTest::addColumn<QByteArray>("tensors");
        QTest::newRow("more than there is") << QByteArray(R"([{"dtype": 6, "sizes": [100]}])");
        QTest::newRow("more than can be") << QByteArray(R"([{"dtype": 6, "sizes": [4294967296, 4294967296, 4]}])");
        QTest::newRow("none of nothing") << QByteArray(R"([{"dtype": 6, "sizes": [0, -1]}])");
        QTest::newRow("negative") << QByteArray(R"([{"dtype": 6, "sizes": [-1]}])");
        QTest::newRow("no dtype") << QByteArray(R"([{"dtype": 200, "sizes": [1]}])");
        QTest::newRow("negative dtype") << QByteArray(R"([{"dtype": -6, "sizes": [1]}])");
        QTest::newRow("quantized") << QByteArray(R"([{"dtype": 12, "sizes": [1]}])");
        QTest::newRow("second") << QByteArray(R"([{"dtype": 6, "sizes": [8]}, {"dtype": 6, "sizes": [32]}])");
    }
    void messagesThatAreNone() {
        QFETCH(QByteArray, tensors);
        nlohmann::json description = {{"call", "c"}, {"place", ""}, {"splits", {1, 2}}, {"tensors", nullptr}};
        MeshBody body{std::shared_ptr<char>(new char[128](), std::default_delete<char[]>()), 128};
        description["tensors"] = nlohmann::json::parse(tensors.toStdString());
        QVERIFY(errorOf([&] { contributionOf(description, body); }).startsWith(QStringLiteral("sends a ")));
        description["tensors"] =
            nlohmann::json::parse(R"([{"dtype": 6, "sizes": [3, 2]}, {"dtype": 6, "sizes": [0, 7]}])");
        const Contribution sound = contributionOf(description, body);
        QVERIFY(at::equal(sound.tensors.at(0), filled(0, {3, 2})) && sound.tensors.at(1).numel() == 0);
        QCOMPARE(sound.splits, (std::vector<std::int64_t>{1, 2}));
    }

    void programsComputeWhatThreadsDo_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<Launcher>("launcher");
        QTest::newRow("fsdp") << "mlp_fsdp" << 4 << Launcher::torchrun;
        QTest::newRow("fsdp, mpirun") << "mlp_fsdp" << 4 << Launcher::mpirun;
        QTest::newRow("tensor, mpirun") << "mlp_tensor" << 4 << Launcher::mpirun;
        QTest::newRow("llama, tensor") << "llama_tensor" << 2 << Launcher::torchrun;
        QTest::newRow("pipeline, mpirun") << "mlp_stages" << 2 << Launcher::mpirun;
        QTest::newRow("llama, pipeline") << "llama_stages" << 2 << Launcher::torchrun;
    }
    void programsComputeWhatThreadsDo() {
        QFETCH(QString, program);
        QFETCH(int, ranks);
        QFETCH(Launcher, launcher);
        const Scratch scratch;
        const QString report = scratch.at(QStringLiteral("report.json")),
                      threadReport = scratch.at(QStringLiteral("threads.json"));
        const ProgramRun threads = runProgram(
            runOf(program, scratch.at(QStringLiteral("thread{rank}.pt"))) +
            QStringList{QStringLiteral("--ranks"), QString::number(ranks), QStringLiteral("--report"), threadReport});
        QVERIFY2(threads.code == 0, threads.text().constData());
        RankChildren children(launcher, ranks,
                              runOf(program, scratch.at(QStringLiteral("process{rank}.pt"))) +
                                  QStringList{QStringLiteral("--report"), report});
        children.wait();
        QVERIFY2(children.codes() == QList<int>(children.codes().size(), 0), children.text().constData());
        const QByteArray out = children.out();
        QVERIFY2(children.err().contains("rank 0 of " + QByteArray::number(ranks) + ", started by "),
                 children.text().constData());
        QVERIFY2(out.contains("all " + QByteArray::number(ranks) + " ranks equal eager"), out.constData());
        QCOMPARE(out.count("equal eager"), 1);  // only one rank prints
        for (int rank = 0; rank < ranks; ++rank)
            QVERIFY2(contentOf(scratch.at(QStringLiteral("thread%1.pt").arg(rank))) ==
                         contentOf(scratch.at(QStringLiteral("process%1.pt").arg(rank))),
                     qPrintable(QString::number(rank)));
        const QJsonArray found = readJson(report)[QLatin1String("ranks")].toArray(),
                         expected = readJson(threadReport)[QLatin1String("ranks")].toArray();
        QCOMPARE(found.size(), ranks);
        const auto sentBytes = [](const QJsonValue& of) {  // times are estimates of what the machine does now
            QStringList bytes;
            for (const QJsonValue graph : of[QLatin1String("communication")][QLatin1String("graphs")].toArray())
                bytes << QString::number(graph[QLatin1String("sent_bytes")].toInteger());
            return bytes;
        };
        for (int rank = 0; rank < ranks; ++rank) {
            QVERIFY(!sentBytes(found[rank]).isEmpty());
            QCOMPARE(sentBytes(found[rank]), sentBytes(expected[rank]));
            QCOMPARE(found[rank][QLatin1String("options")], expected[rank][QLatin1String("options")]);
        }
    }

    void ranksThatFail_data() {
        QTest::addColumn<QStringList>("first");
        QTest::addColumn<QStringList>("second");
        QTest::addColumn<QByteArray>("sentence");
        const auto row = [](const char* name, const QStringList& first, const QStringList& second,
                            const char* sentence) { QTest::newRow(name) << first << second << QByteArray(sentence); };
        const QStringList sum = codeOf(kSum);
        row("another graph", sum, codeOf(kSum, QStringLiteral("f32[5]")), "all_reduce (sum) of Float[4], rank 1 calls");
        row("fewer collectives", sum, codeOf(QStringLiteral("x.sin()")), "rank 1 ");
        row("a model that cannot be loaded", sum, {QStringLiteral("run"), QStringLiteral("missing.pt2")},
            "rank 1: cannot read 'missing.pt2'");
        row("an unknown group", codeOf(QStringLiteral("ops._c10d_functional.all_gather_into_tensor(x, 3, \"tp\")")),
            codeOf(QStringLiteral("ops._c10d_functional.all_gather_into_tensor(x, 3, \"tp\")")),
            "group 'tp' of 3 ranks does not divide a world of 2 ranks");
        row("an option of one rank",
            sum + QStringList{QStringLiteral("--time"), QStringLiteral("1"), QStringLiteral("--csv"),
                              QStringLiteral("t.csv")},
            sum, "--csv: takes one rank, and torchrun has started 2");
    }
    void ranksThatFail() {
        QFETCH(QStringList, first);
        QFETCH(QStringList, second);
        QFETCH(QByteArray, sentence);
        RankChildren children(Launcher::torchrun, {first, second});
        if (sentence.contains("takes one rank")) children.kill(1);  // it would wait for the first for a minute
        children.wait();
        QVERIFY2(children.err().contains(sentence), children.text().constData());
        QCOMPARE(children.err().count("aotscope: "), 1);
        QVERIFY2(children.codes()[0] != 0 && children.codes()[1] != 0, children.text().constData());
    }

    /// All others end and name it; nobody is left.
    void aRankThatIsKilled_data() {
        QTest::addColumn<int>("killed");
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("seconds");  // long ones, since a busy machine is slow; but a test waits for the last
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("killed") << 2 << SIGKILL << QStringLiteral("600")
                                << QByteArray("rank 2 has ended before the others: it was killed");
        QTest::newRow("rank 0") << 0 << SIGKILL << QStringLiteral("600")
                                << QByteArray("rank 0 has ended before the others: it was killed");
        QTest::newRow("stopped") << 1 << SIGSTOP << QStringLiteral("10")
                                 << QByteArray("rank 1 has not said anything for 10 s");
    }
    void aRankThatIsKilled() {
        QFETCH(int, killed);
        QFETCH(int, signal);
        QFETCH(QString, seconds);
        QFETCH(QByteArray, sentence);
        QStringList arguments = codeOf(kSum);
        arguments.last() = seconds;
        arguments << QStringLiteral("--time") << QStringLiteral("1000000");
        RankChildren children(Launcher::torchrun, 4, arguments,
                              signal == SIGSTOP ? QStringLiteral(AOTSCOPE_PROGRAM) : forkedProgram());
        QVERIFY2(children.waitFor("all 4 ranks are there"), children.text().constData());
        children.sendSignal(killed, signal);
        children.wait({killed});
        if (signal == SIGSTOP) children.kill(killed);
        children.wait();
        QVERIFY2(children.err().contains(sentence), children.text().constData());
        QVERIFY2(children.err().count("aotscope: ") == 1, children.text().constData());
        for (int rank = 0; rank < 4; ++rank)
            if (rank != killed) QVERIFY2(children.codes()[rank] == 1, children.text().constData());
    }

    void aLauncherThatIsKilled() {
        QProcess launcher;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("OMPI_COMM_WORLD_SIZE"), QStringLiteral("2"));
        environment.insert(QStringLiteral("OMPI_COMM_WORLD_LOCAL_SIZE"), QStringLiteral("2"));
        environment.insert(QStringLiteral("PMIX_NAMESPACE"), QString::number(freePort()));
        launcher.setProcessEnvironment(environment);
        const QString script =
            QStringLiteral("for r in 0 1; do OMPI_COMM_WORLD_RANK=$r \"$@\" --time 1000000 & echo $!; done; wait");
        launcher.start(QStringLiteral("sh"), QStringList{QStringLiteral("-c"), script, QStringLiteral("sh"),
                                                         QStringLiteral(AOTSCOPE_PROGRAM)} +
                                                 codeOf(kSum));
        QByteArray said;
        QVERIFY(QTest::qWaitFor(
            [&] {
                said += launcher.readAllStandardError();
                return said.contains("all 2 ranks are there");
            },
            kPatience));
        const QByteArrayList ranks = launcher.readAllStandardOutput().split('\n');
        launcher.kill();
        for (const QByteArray& rank : ranks.mid(0, 2)) {
            const auto process = static_cast<pid_t>(rank.toInt());
            QVERIFY2(process > 1, rank.constData());
            QVERIFY(QTest::qWaitFor([&] { return ::kill(process, 0) != 0; }, kPatience));
        }
    }

    void aRankThatNeverComes() {
        QStringList once = codeOf(kSum);
        once.last() = QStringLiteral("10");  // seconds
        RankChildren last(Launcher::torchrun, {once, once, {}}), first(Launcher::torchrun, {{}, once});
        last.wait();
        first.wait();
        QVERIFY2(last.err().contains("rank 2 of 3 did not start within 10 s"), last.text().constData());
        QVERIFY2(first.err().contains("rank 0 is missing: nobody answers at 127.0.0.1:"), first.text().constData());
        QCOMPARE(first.codes()[1], 1);
    }

    void ranksTrainTogether_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<int>("ranks");
        QTest::newRow("sharded") << "mlp_fsdp" << 4;
        QTest::newRow("tensor") << "mlp_tensor" << 4;
        QTest::newRow("pipeline") << "mlp_stages" << 2;
    }
    /// As processes and as threads: with the same losses on each rank, which are eager's.
    void ranksTrainTogether() {
        QFETCH(QString, program);
        QFETCH(int, ranks);
        const Scratch scratch;
        const auto arguments = [&](const QString& name) {
            return argumentsOf("train", program) + QStringList{QStringLiteral("--steps"),
                                                               QStringLiteral("40"),
                                                               QStringLiteral("--check"),
                                                               QStringLiteral("--json"),
                                                               scratch.at(name),
                                                               QStringLiteral("--csv"),
                                                               scratch.at(name + QStringLiteral("{rank}.csv"))};
        };
        RankChildren children(Launcher::mpirun, ranks, arguments(QStringLiteral("processes")));
        children.wait();
        QVERIFY2(children.codes()[0] == 0, children.text().constData());
        const ProgramRun threads = runProgram(arguments(QStringLiteral("threads")) +
                                              QStringList{QStringLiteral("--ranks"), QString::number(ranks)});
        QVERIFY2(threads.code == 0, threads.text().constData());
        QCOMPARE(children.out().count("eager loss"), 1);
        QVERIFY2(threads.out.contains("all " + QByteArray::number(ranks) + " ranks equal eager"),
                 threads.out.constData());
        const auto losses = [](const QByteArray& out) { return out.mid(out.indexOf("losses, compiled")); };
        QCOMPARE(losses(children.out()), losses(threads.out));
        const QJsonArray found = readJson(scratch.at(QStringLiteral("threads")))[QLatin1String("ranks")].toArray();
        QCOMPARE(found.size(), ranks);
        for (int rank = 0; rank < ranks; ++rank) {
            const QByteArrayList own = lossesIn(scratch.at(QStringLiteral("threads%1.csv").arg(rank)));
            QCOMPARE(own.size(), 42);
            QCOMPARE(lossesIn(scratch.at(QStringLiteral("processes%1.csv").arg(rank))), own);
            QVERIFY(own[1] != own[40]);
            QCOMPARE(found[rank][QLatin1String("seed")].toInt(), rank);
            const QJsonValue compiled = found[rank][QLatin1String("training")][QLatin1String("compiled")];
            QCOMPARE(compiled[QLatin1String("growth_bytes_per_100_steps")].toDouble(), 0.0);
        }
    }

    /// What a rank says of a report that nobody wants is nothing.
    void ranksTrainWithoutReport() {
        RankChildren children(Launcher::torchrun, 2,
                              argumentsOf("train", QStringLiteral("llama_tensor")) + QStringList{"--steps", "3"});
        children.wait();
        QVERIFY2(children.codes() == QList<int>({0, 0}), children.text().constData());
    }

    void budgetsAreMeasuredByAllRanks() {
        const QStringList arguments{QStringLiteral("pareto"),   QStringLiteral("sample:gpt2-tiny"),
                                    QStringLiteral("--points"), QStringLiteral("5"),
                                    QStringLiteral("--json"),   QStringLiteral("--measure")};
        RankChildren children(Launcher::mpirun, 4, arguments);
        children.wait();
        QVERIFY2(children.codes()[0] == 0, children.text().constData());
        const QByteArray out = children.out();
        const auto points = [](const QByteArray& text) {
            return QJsonDocument::fromJson(text).object()[QLatin1String("points")].toArray();
        };
        const QJsonArray shared = points(out), alone = points(runProgram(arguments).out);
        QCOMPARE(shared.size(), 5);
        QCOMPARE(alone.size(), 5);
        for (int i = 0; i < 5; ++i) {
            const QJsonValue measured = shared[i][QLatin1String("measured")];
            QVERIFY(measured[QLatin1String("backward_ms")].toDouble() > 0);
            QCOMPARE(measured[QLatin1String("saved_bytes")],
                     alone[i][QLatin1String("measured")][QLatin1String("saved_bytes")]);
            QCOMPARE(shared[i][QLatin1String("recomputed")], alone[i][QLatin1String("recomputed")]);
        }
    }

    void aSweepIsSharedAmongRanks() {
        const Scratch scratch;
        const QString list = scratch.write(QStringLiteral("list.txt"),
                                           "sample:mlp\nsample:sincos\nmissing.pt2\nsample:mlp --memory-budget 0\n"
                                           "sample:layernorm\n");
        const auto found = [&](const QString& name) {
            QJsonArray points;
            for (const QJsonValue value : readJson(scratch.at(name))[QLatin1String("points")].toArray()) {
                QJsonObject point = value.toObject();
                point.remove(QLatin1String("compile_ms"));
                points << point;
            }
            return points;
        };
        const auto arguments = [&](const char* name) {
            return QStringList{QStringLiteral("sweep"), list, QStringLiteral("--check"), QStringLiteral("--json"),
                               scratch.at(QLatin1String(name))};
        };
        const ProgramRun alone = runProgram(arguments("alone.json"));
        RankChildren children(Launcher::torchrun, 3, arguments("shared.json"));
        children.wait();
        QCOMPARE(alone.code, 1);  // a model is missing
        QCOMPARE(children.codes(), (QList<int>{1, 1, 1}));
        QCOMPARE(found(QStringLiteral("shared.json")).size(), 5);
        QCOMPARE(found(QStringLiteral("shared.json")), found(QStringLiteral("alone.json")));
    }

    void aWorldOfTheOptionsIsNotThere() {
        RankChildren alone(Launcher::torchrun,
                           {codeOf(kSum) + QStringList{QStringLiteral("--world-size"), QStringLiteral("16"),
                                                       QStringLiteral("--check")},
                            {}});
        alone.wait();
        QVERIFY2(alone.codes()[0] == 0 && !alone.err().contains("started by"), alone.text().constData());
    }
};

AOTSCOPE_TEST(TestRankProcesses)

}  // namespace aotscope::test::rank_processes_test

#include "test_rank_processes.moc"
