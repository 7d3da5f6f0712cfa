// Ranks in processes: collectives, programs against the same ranks as threads, and ranks that fail, are missing or are
// killed.

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

#include <csignal>
#include <thread>

namespace aotscope::test::rank_processes_test {
namespace {

QString dataFile(const QString& name) { return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/") + name; }

/// Runs `job` as each of `count` ranks, on threads that are connected like processes. Returns the problem reported by
/// one of them; empty: none.
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
    return problems.join(u" AND "_s);
}

/// A program of tests/data/distributed, with the files of each rank.
QStringList argumentsOf(const char* command, const QString& program) {
    const bool stages = program.endsWith("stages"_L1);
    QStringList arguments{QLatin1String(command), dataFile(program + (stages ? u".{rank}.pt2"_s : u".pt2"_s)),
                          u"--inputs"_s, dataFile(program + u".{rank}.inputs.pt"_s)};
    if (!stages) arguments << u"--weights"_s << dataFile(program + u".{rank}.pt"_s);
    return arguments;
}
QStringList runOf(const QString& program, const QString& values) {
    return argumentsOf("run", program) + QStringList{u"--values"_s, values};
}

/// The losses in the table of a training.
QByteArrayList lossesIn(const QString& csv) {
    QByteArrayList losses;
    for (const QByteArray& line : contentOf(csv).split('\n')) losses << line.split(',').mid(0, 3).join(',');
    return losses;
}

/// A program of one collective.
QStringList codeOf(const QString& expression, const QString& inputs = u"f32[4]"_s) {
    return {u"run"_s,      u"-e"_s, u"def f(x):\n  return ops._c10d_functional.wait_tensor("_s + expression + u')',
            u"--inputs"_s, inputs,  u"--rank-timeout"_s,
            u"60"_s};
}
const QString kSum = u"ops._c10d_functional.all_reduce(x, \"sum\", \"0\")"_s;

}  // namespace

class TestRankProcesses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ranksOnASimulatedGpu() {
        if (deviceChoices().back().help.find("simulated") == std::string::npos) QSKIP("there is a GPU");
        const QStringList cuda{u"--device"_s, u"cuda"_s};
        const ProgramRun threads = runProgram(codeOf(kSum) + cuda + QStringList{"--ranks", "2"});
        QCOMPARE(threads.code, 1);
        QVERIFY2(threads.err.contains("rank 0: nothing can run on cuda:0 here"), threads.text().constData());
        const ProgramRun timed = runProgram(codeOf(kSum) + cuda + QStringList{"--ranks", "2", "--time", "3"});
        QCOMPARE(timed.code, 2);
        QVERIFY2(timed.err.contains("the 2 ranks of one process share a GPU and its time"), timed.text().constData());
    }

    void everyCollectiveAmongFourRanks() {
        QStringList wrong(4, u"did not run"_s);
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
        QVERIFY2(!found.contains(u" AND "_s), qPrintable(found));
    }

    /// Ranks trust each other's identity, not their data.
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
        QVERIFY(errorOf([&] { contributionOf(description, body); }).startsWith(u"sends a "_s));
        description["tensors"] =
            nlohmann::json::parse(R"([{"dtype": 6, "sizes": [3, 2]}, {"dtype": 6, "sizes": [0, 7]}])");
        const Contribution sound = contributionOf(description, body);
        QVERIFY(at::equal(sound.tensors.at(0), filled(0, {3, 2})) && sound.tensors.at(1).numel() == 0);
        QCOMPARE(sound.splits, (std::vector<std::int64_t>{1, 2}));
    }

    void programsComputeWhatThreadsDo_data() {
        columns<QString, int, Launcher>("program", "ranks", "launcher");
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
        const QString report = scratch.at(u"report.json"_s), threadReport = scratch.at(u"threads.json"_s);
        const ProgramRun threads =
            runProgram(runOf(program, scratch.at(u"thread{rank}.pt"_s)) +
                       QStringList{u"--ranks"_s, QString::number(ranks), u"--report"_s, threadReport});
        QVERIFY2(threads.code == 0, threads.text().constData());
        RankChildren children(launcher, ranks,
                              runOf(program, scratch.at(u"process{rank}.pt"_s)) + QStringList{u"--report"_s, report});
        children.wait();
        QVERIFY2(children.codes() == QList<int>(children.codes().size(), 0), children.text().constData());
        const QByteArray out = children.out();
        QVERIFY2(children.err().contains("rank 0 of " + QByteArray::number(ranks) + ", started by "),
                 children.text().constData());
        QVERIFY2(out.contains("all " + QByteArray::number(ranks) + " ranks equal eager"), out.constData());
        QCOMPARE(out.count("equal eager"), 1);  // only one rank prints
        for (int rank = 0; rank < ranks; ++rank)
            QVERIFY2(
                contentOf(scratch.at(u"thread%1.pt"_s.arg(rank))) == contentOf(scratch.at(u"process%1.pt"_s.arg(rank))),
                qPrintable(QString::number(rank)));
        const QJsonArray found = readJson(report)["ranks"_L1].toArray(),
                         expected = readJson(threadReport)["ranks"_L1].toArray();
        QCOMPARE(found.size(), ranks);
        const auto sentBytes = [](const QJsonValue& of) {  // times are estimates of the machine's current speed
            QStringList bytes;
            for (const QJsonValue graph : of["communication"_L1]["graphs"_L1].toArray())
                bytes << QString::number(graph["sent_bytes"_L1].toInteger());
            return bytes;
        };
        for (int rank = 0; rank < ranks; ++rank) {
            QVERIFY(!sentBytes(found[rank]).isEmpty());
            QCOMPARE(sentBytes(found[rank]), sentBytes(expected[rank]));
            QCOMPARE(found[rank]["options"_L1], expected[rank]["options"_L1]);
        }
    }

    void ranksThatFail_data() {
        const auto row = columns<QStringList, QStringList, QByteArray>("first", "second", "sentence");
        const QStringList sum = codeOf(kSum);
        row("another graph", sum, codeOf(kSum, u"f32[5]"_s), "all_reduce (sum) of Float[4], rank 1 calls");
        row("fewer collectives", sum, codeOf(u"x.sin()"_s), "rank 1 ");
        row("a model that cannot be loaded", sum, {u"run"_s, u"missing.pt2"_s}, "rank 1: cannot read 'missing.pt2'");
        row("an unknown group", codeOf(u"ops._c10d_functional.all_gather_into_tensor(x, 3, \"tp\")"_s),
            codeOf(u"ops._c10d_functional.all_gather_into_tensor(x, 3, \"tp\")"_s),
            "group 'tp' of 3 ranks does not divide a world of 2 ranks");
        row("an option of one rank", sum + QStringList{u"--time"_s, u"1"_s, u"--trace"_s, u"t.json"_s}, sum,
            "--trace: takes one rank, and torchrun has started 2");
    }
    void ranksThatFail() {
        FETCH(QStringList, first, second);
        QFETCH(QByteArray, sentence);
        RankChildren children(Launcher::torchrun, {first, second});
        if (sentence.contains("takes one rank")) children.kill(1);  // it would wait for the first for a minute
        children.wait();
        QVERIFY2(children.err().contains(sentence), children.text().constData());
        QCOMPARE(children.err().count("aotscope: "), 1);
        QVERIFY2(children.codes()[0] != 0 && children.codes()[1] != 0, children.text().constData());
    }

    /// All others end and name it; none remains.
    void aRankThatIsKilled_data() {
        columns<int, int>("killed", "signal");
        QTest::addColumn<QString>(
            "seconds");  // long ones, because a busy machine is slow; but a test waits for the last
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("killed") << 2 << SIGKILL << u"600"_s
                                << QByteArray("rank 2 has ended before the others: it was killed");
        QTest::newRow("rank 0") << 0 << SIGKILL << u"600"_s
                                << QByteArray("rank 0 has ended before the others: it was killed");
        QTest::newRow("stopped") << 1 << SIGSTOP << u"10"_s << QByteArray("rank 1 has not responded for 10 s");
    }
    void aRankThatIsKilled() {
        FETCH(int, killed, signal);
        QFETCH(QString, seconds);
        QFETCH(QByteArray, sentence);
        QStringList arguments = codeOf(kSum);
        arguments.last() = seconds;
        arguments << u"--time"_s << u"1000000"_s;
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
        environment.insert(u"OMPI_COMM_WORLD_SIZE"_s, u"2"_s);
        environment.insert(u"OMPI_COMM_WORLD_LOCAL_SIZE"_s, u"2"_s);
        environment.insert(u"PMIX_NAMESPACE"_s, QString::number(freePort()));
        launcher.setProcessEnvironment(environment);
        const QString script =
            u"for r in 0 1; do OMPI_COMM_WORLD_RANK=$r \"$@\" --time 1000000 & echo $!; done; wait"_s;
        launcher.start(u"sh"_s, QStringList{u"-c"_s, script, u"sh"_s, QStringLiteral(AOTSCOPE_PROGRAM)} + codeOf(kSum));
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
        once.last() = u"10"_s;  // seconds
        RankChildren last(Launcher::torchrun, {once, once, {}}), first(Launcher::torchrun, {{}, once});
        last.wait();
        first.wait();
        QVERIFY2(last.err().contains("rank 2 of 3 did not start within 10 s"), last.text().constData());
        QVERIFY2(first.err().contains("rank 0 is missing: nobody answers at 127.0.0.1:"), first.text().constData());
        QCOMPARE(first.codes()[1], 1);
    }

    void ranksTrainTogether_data() {
        columns<QString, int>("program", "ranks");
        QTest::newRow("sharded") << "mlp_fsdp" << 4;
        QTest::newRow("tensor") << "mlp_tensor" << 4;
        QTest::newRow("pipeline") << "mlp_stages" << 2;
    }
    /// As processes and as threads: with the same losses on each rank, equal to eager's.
    void ranksTrainTogether() {
        QFETCH(QString, program);
        QFETCH(int, ranks);
        const Scratch scratch;
        const auto arguments = [&](const QString& name) {
            return argumentsOf("train", program) + QStringList{u"--steps"_s,
                                                               u"40"_s,
                                                               u"--check"_s,
                                                               u"--json"_s,
                                                               scratch.at(name),
                                                               u"--csv"_s,
                                                               scratch.at(name + u"{rank}.csv"_s)};
        };
        RankChildren children(Launcher::mpirun, ranks, arguments(u"processes"_s));
        children.wait();
        QVERIFY2(children.codes()[0] == 0, children.text().constData());
        const ProgramRun threads =
            runProgram(arguments(u"threads"_s) + QStringList{u"--ranks"_s, QString::number(ranks)});
        QVERIFY2(threads.code == 0, threads.text().constData());
        QCOMPARE(children.out().count("eager loss"), 1);
        QVERIFY2(threads.out.contains("all " + QByteArray::number(ranks) + " ranks equal eager"),
                 threads.out.constData());
        const auto losses = [](const QByteArray& out) { return out.mid(out.indexOf("losses, compiled")); };
        QCOMPARE(losses(children.out()), losses(threads.out));
        const QJsonArray found = readJson(scratch.at(u"threads"_s))["ranks"_L1].toArray();
        QCOMPARE(found.size(), ranks);
        for (int rank = 0; rank < ranks; ++rank) {
            const QByteArrayList own = lossesIn(scratch.at(u"threads%1.csv"_s.arg(rank)));
            QCOMPARE(own.size(), 42);
            QCOMPARE(lossesIn(scratch.at(u"processes%1.csv"_s.arg(rank))), own);
            QVERIFY(own[1] != own[40]);
            QCOMPARE(found[rank]["seed"_L1].toInt(), rank);
            const QJsonValue compiled = found[rank]["training"_L1]["compiled"_L1];
            QCOMPARE(compiled["growth_bytes_per_100_steps"_L1].toDouble(), 0.0);
        }
    }

    /// Without a report, a rank sends nothing for it.
    void ranksTrainWithoutReport() {
        RankChildren children(Launcher::torchrun, 2,
                              argumentsOf("train", u"llama_tensor"_s) + QStringList{"--steps", "3"});
        children.wait();
        QVERIFY2(children.codes() == QList<int>({0, 0}), children.text().constData());
    }

    void budgetsAreMeasuredByAllRanks() {
        const QStringList arguments{u"pareto"_s, u"sample:gpt2-tiny"_s, u"--points"_s,
                                    u"5"_s,      u"--json"_s,           u"--measure"_s};
        RankChildren children(Launcher::mpirun, 4, arguments);
        children.wait();
        QVERIFY2(children.codes()[0] == 0, children.text().constData());
        const QByteArray out = children.out();
        const auto points = [](const QByteArray& text) {
            return QJsonDocument::fromJson(text).object()["points"_L1].toArray();
        };
        const QJsonArray shared = points(out), alone = points(runProgram(arguments).out);
        QCOMPARE(shared.size(), 5);
        QCOMPARE(alone.size(), 5);
        for (int i = 0; i < 5; ++i) {
            const QJsonValue measured = shared[i]["measured"_L1];
            QVERIFY(measured["backward_ms"_L1].toDouble() > 0);
            QCOMPARE(measured["saved_bytes"_L1], alone[i]["measured"_L1]["saved_bytes"_L1]);
            QCOMPARE(shared[i]["recomputed"_L1], alone[i]["recomputed"_L1]);
        }
    }

    void aSweepIsSharedAmongRanks() {
        const Scratch scratch;
        const QString list = scratch.write(u"list.txt"_s,
                                           "sample:mlp\nsample:sincos\nmissing.pt2\nsample:mlp --memory-budget 0\n"
                                           "sample:layernorm\n");
        const auto found = [&](const QString& name) {
            QJsonArray points;
            for (const QJsonValue value : readJson(scratch.at(name))["points"_L1].toArray()) {
                QJsonObject point = value.toObject();
                point.remove("compile_ms"_L1);
                points << point;
            }
            return points;
        };
        const auto arguments = [&](const char* name) {
            return QStringList{u"sweep"_s, list, u"--check"_s, u"--json"_s, scratch.at(QLatin1String(name))};
        };
        const ProgramRun alone = runProgram(arguments("alone.json"));
        RankChildren children(Launcher::torchrun, 3, arguments("shared.json"));
        children.wait();
        QCOMPARE(alone.code, 1);  // a model is missing
        QCOMPARE(children.codes(), (QList<int>{1, 1, 1}));
        QCOMPARE(found(u"shared.json"_s).size(), 5);
        QCOMPARE(found(u"shared.json"_s), found(u"alone.json"_s));
    }

    void aWorldOfTheOptionsIsNotThere() {
        RankChildren alone(Launcher::torchrun,
                           {codeOf(kSum) + QStringList{u"--world-size"_s, u"16"_s, u"--check"_s}, {}});
        alone.wait();
        QVERIFY2(alone.codes()[0] == 0 && !alone.err().contains("started by"), alone.text().constData());
    }
};

AOTSCOPE_TEST(TestRankProcesses)

}  // namespace aotscope::test::rank_processes_test

#include "test_rank_processes.moc"
