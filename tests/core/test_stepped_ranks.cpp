// All ranks of a distributed program, stepped together.

#include "debug/debugger.h"
#include "debug/rank_values.h"
#include "debug/stepped_ranks_text.h"
#include "distributed/stepped_ranks.h"
#include "session/ranks/rank_runs.h"
#include "session/session.h"
#include "support/program.h"
#include "support/rank_children.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>

#include <nlohmann/json.hpp>

#include <limits>

namespace aotscope::test::stepped_ranks_test {
namespace {

QString dataFile(const QString& name) { return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/") + name; }

c10::IValue call(const char* name, torch::jit::Stack arguments) {
    c10::Dispatcher::singleton().findSchemaOrThrow(name, "").callBoxed(arguments);
    return arguments.back();
}

at::Tensor filled(double value) { return at::full({4}, value, at::kFloat); }

/// `shards`: with weights and inputs of each rank.
std::shared_ptr<Debugger> debugged(const QString& model, std::size_t count, bool shards = false) {
    Options options{.model = dataFile(model).toStdString()};
    const std::string base = options.model.substr(0, options.model.size() - 4);
    if (shards) options.weights = base + ".{rank}.pt";
    if (shards) options.inputs = std::filesystem::path(base + ".{rank}.inputs.pt");
    return compileRanks(options, count, {})->debug({});
}

/// All values of all ranks.
QStringList everything(const Debugger& run) {
    QStringList all;
    for (std::size_t rank = 0; rank < run.ranks(); ++rank)
        for (const GraphKind kind : executedGraphs(run.record(rank)))
            for (const Node* node : run.record(rank).graph(kind)->nodes())
                // Uninitialized memory has arbitrary values.
                if (const auto value =
                        node->type.tensor() && node->op().find("empty") == std::string::npos
                            ? run.values(std::vector<Debugger::ValuePlace>{{kind, node->id(), rank}}, {}).front()
                            : std::nullopt)
                    all << q("rank " + std::to_string(rank) + " " + node->name() + " " + describe(*value));
    return all;
}

}  // namespace

class TestSteppedRanks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCollectiveIsMadeByTheLastRank() {
        SteppedRanks ranks({2, 0, {}});
        std::vector<at::Tensor> results(2);
        const auto reduce = [&](std::size_t rank, bool ahead) {
            ranks.begin(rank, ahead);
            const WorldScope scope(ranks.world(rank));
            results[rank] = call("_c10d_functional::all_reduce", {filled(rank == 0 ? 1 : 2), "sum", "0"}).toTensor();
        };
        const auto wait = [&](std::size_t rank) {
            const WorldScope scope(ranks.world(rank));
            return call("_c10d_functional::wait_tensor", {results[rank]}).toTensor();
        };
        const auto start = ranks.place(0);
        QVERIFY(errorOf([&] { reduce(0, false); }).contains(u"waits for other ranks at all_reduce (sum)"_s));
        QVERIFY(!ranks.waitsFor(0).empty());
        reduce(1, false);
        QVERIFY(at::equal(wait(1), filled(3)));
        reduce(0, false);
        QVERIFY(ranks.waitsFor(0).empty());
        QVERIFY(at::equal(results[0], filled(3)));
        // A rank that is ahead gets its result when the other one arrives.
        reduce(1, true);
        QVERIFY(errorOf([&] { wait(1); }).contains(u"collective 2 of group '0'"_s));
        reduce(0, false);
        QVERIFY(at::equal(results[1], filled(3)));
        QVERIFY(at::equal(wait(1), filled(3)));
        // Back at the start, it calls its first one again.
        ranks.goBackTo(0, start);
        reduce(0, false);
        QVERIFY(at::equal(wait(0), filled(3)));
    }

    void ranksAreSteppedTogether_data() {
        columns<QString, int>("model", "count");
        QTest::newRow("sharded data parallel") << u"mlp_fsdp.pt2"_s << 4;
        QTest::newRow("tensor parallel") << u"mlp_tensor.pt2"_s << 4;
        QTest::newRow("stages of a pipeline") << u"mlp_stages.{rank}.pt2"_s << 2;
        QTest::newRow("llama") << u"llama_tensor.pt2"_s << 2;
    }
    void ranksAreSteppedTogether() {
        QFETCH(QString, model);
        QFETCH(int, count);
        const auto run = debugged(model, static_cast<std::size_t>(count));
        run->compareWithEager({});
        std::size_t rounds = 0;
        for (; run->lastStop().reason != DebugStop::Reason::ended; ++rounds) {
            run->step({});
            QVERIFY2(run->lastStop().reason == DebugStop::Reason::stepped ||
                         run->lastStop().reason == DebugStop::Reason::ended,
                     run->lastStop().text.c_str());
            QVERIFY(rounds < 1000);
        }
        QVERIFY2(q(run->lastStop().text).contains(u"ended"_s), run->lastStop().text.c_str());
        const auto facts = everything(*run);
        // Back to the start, and at once to the end: the same values.
        for (std::size_t i = 0; i < rounds + 2; ++i) run->stepBack();
        for (const RankPlace& rank : run->state().ranks) QCOMPARE(rank.position.step, std::size_t{0});
        run->run({});
        QVERIFY2(run->lastStop().reason == DebugStop::Reason::ended, run->lastStop().text.c_str());
        QCOMPARE(everything(*run), facts);
        run->restart();
        run->run({});
        QVERIFY2(run->lastStop().reason == DebugStop::Reason::ended, run->lastStop().text.c_str());
        QCOMPARE(everything(*run), facts);
    }

    void gatheredValuesAreEqual() {
        const auto run = debugged(u"mlp_fsdp.pt2"_s, 4, true);
        const Node* gather = nullptr;
        for (const Node* node : run->record(0).graph(GraphKind::forward)->nodes())
            if (!gather && node->op().starts_with("_c10d_functional.all_gather")) gather = node;
        QVERIFY(gather);
        run->runTo(GraphKind::forward, gather->id(), {});
        QCOMPARE(run->position().node, gather->id());
        run->step({});
        const QString text = q(rankValuesText(run->values(GraphKind::forward, gather->name())));
        QCOMPARE(text.count(u"equal"_s), qsizetype{3});
        // Each rank has inputs of its own.
        run->show(1);
        const auto inputs =
            run->values(GraphKind::forward, run->record(0).graph(GraphKind::forward)->placeholders().back()->name());
        QVERIFY(q(valueDifference(*inputs[0], *inputs[1])).contains(u"not"_s));
    }

    void aBreakpointOfOneRank() {
        const auto run = debugged(u"mlp_fsdp.pt2"_s, 4);
        const Node* input = run->record(0).graph(GraphKind::forward)->placeholders().back();
        run->show(2);
        run->edit(GraphKind::forward, input->id(), "1000");
        run->setBreakpoints({{"absmax>500"}});
        run->run({});
        QCOMPARE(run->lastStop().reason, DebugStop::Reason::breakpoint);
        QCOMPARE(run->state().stoppedBy, std::vector<std::size_t>{2});
        QVERIFY2(q(run->lastStop().text).startsWith(u"rank 2: breakpoint 'absmax>500'"_s),
                 run->lastStop().text.c_str());
    }

    /// Another run reaches the positions of these ranks, whatever stopped them.
    void anotherRunGoesThere() {
        for (const auto& [model, count] : {std::pair("mlp_stages.{rank}.pt2", 2), std::pair("mlp_tensor.pt2", 4)}) {
            const auto run = debugged(QString::fromUtf8(model), static_cast<std::size_t>(count));
            const auto again = debugged(QString::fromUtf8(model), static_cast<std::size_t>(count));
            const Node* input = run->record(1).graph(GraphKind::forward)->placeholders().back();
            run->show(1);
            run->edit(GraphKind::forward, input->id(), "1000");
            run->setBreakpoints({{"absmax>500"}});
            for (int stops = 0; run->lastStop().reason != DebugStop::Reason::ended; ++stops) {
                if (stops % 2 == 0) run->run({});
                else run->step({});
                again->execute({.verb = DebugVerb::goTo, .places = run->state().ranks}, {});
                QCOMPARE(positionsText(*again), positionsText(*run));
                QVERIFY(stops < 1000);
            }
            QCOMPARE(again->lastStop().reason, DebugStop::Reason::ended);
            again->stepBack();
            QVERIFY(
                std::ranges::any_of(again->state().ranks, [](const RankPlace& at) { return !at.position.ended(); }));
        }
    }

    /// A value that is wrong on one rank is wrong on all after an all-reduce, and found where it was computed.
    void aWrongValueIsFoundOnItsRank() {
        const auto run = debugged(u"mlp_tensor.pt2"_s, 4);
        const Node* reduce = nullptr;
        for (const Node* node : run->record(0).graph(GraphKind::forward)->nodes())
            if (!reduce && node->op().starts_with("_c10d_functional.all_reduce")) reduce = node;
        QVERIFY(reduce);
        const Node* part = reduce->args()[0].node();
        run->runTo(GraphKind::forward, reduce->id(), {});
        run->show(3);
        run->edit(GraphKind::forward, part->id(), "[0, 1] = 77");
        run->compareWithEager({});
        run->run({});
        QCOMPARE(run->lastStop().reason, DebugStop::Reason::difference);
        QCOMPARE(run->state().stoppedBy, std::vector<std::size_t>{3});
        QCOMPARE(run->lastStop().node, part->id());
        run->run({});  // where the others got it
        QCOMPARE(run->state().stoppedBy.size(), std::size_t{4});
        QCOMPARE(run->lastStop().node, reduce->id());
    }

    void debuggedOnTheCommandLine() {
        const QString fsdp = dataFile(u"mlp_fsdp.pt2"_s), debug = u"debug"_s;
        const QStringList ranks{u"--ranks"_s, u"4"_s};
        const ProgramRun equal =
            runProgram(QStringList{debug, fsdp, u"--against-eager"_s, u"--watch"_s, u"wait_tensor"_s} + ranks);
        QVERIFY2(equal.code == 0, equal.text().constData());
        QVERIFY2(equal.out.startsWith(
                     "ended: all 4 ranks have ended; rank 0: the run has ended: no difference from eager in 39 values\n"
                     "ranks 0, 1, 2, 3: the backward has ended\n"),
                 equal.out.constData());
        QVERIFY2(equal.out.contains("forward %wait_tensor\nrank  type"), equal.out.constData());
        const ProgramRun stopped =
            runProgram(QStringList{debug, fsdp, u"--break"_s, u"op:all_gather"_s, u"--json"_s} + ranks);
        QVERIFY2(stopped.code == 0, stopped.text().constData());
        const auto json = nlohmann::json::parse(stopped.out.toStdString());
        QCOMPARE(json["stop"]["ranks"].size(), std::size_t{4});
        QCOMPARE(json["positions"].size(), std::size_t{4});
        const ProgramRun nan = runProgram(QStringList{debug, fsdp, u"--set"_s, u"x=nan"_s, u"--first-nan"_s} + ranks);
        QVERIFY2(nan.code == 3 && nan.out.startsWith("not finite: rank 0"), nan.text().constData());
        const ProgramRun wrong = runProgram(QStringList{debug, fsdp, u"--ranks"_s, u"3"_s});
        QVERIFY2(wrong.code == 1 && wrong.out.contains("rank 0: %all_gather_into_tensor"), wrong.text().constData());
        QVERIFY2(wrong.out.contains("does not divide a world of 3 ranks"), wrong.text().constData());
    }

    void debuggedByALauncher_data() {
        columns<QString, int, QString, int>("model", "ranks", "options", "code");
        QTest::newRow("eager") << "mlp_fsdp.pt2" << 4 << "--against-eager --watch wait_tensor" << 0;
        QTest::newRow("a condition") << "mlp_tensor.pt2" << 4 << "--break op:all_reduce --watch mm --json" << 0;
        QTest::newRow("not a number") << "mlp_fsdp.pt2" << 4 << "--set x=nan --first-nan" << 3;
        QTest::newRow("messages") << "mlp_stages.{rank}.pt2" << 2 << "--against-eager" << 0;
        QTest::newRow("another model") << "mlp_fsdp.pt2" << 4 << "--partition default --against SAME" << 0;
        QTest::newRow("a world that does not fit") << "mlp_fsdp.pt2" << 3 << "" << 1;
    }
    /// Ranks in processes stop where threads do, and have the same values.
    void debuggedByALauncher() {
        FETCH(QString, model, options);
        FETCH(int, ranks, code);
        QStringList arguments{u"debug"_s, dataFile(model)};
        for (const QString& option : options.split(u' ', Qt::SkipEmptyParts))
            arguments << (option == "SAME"_L1 ? dataFile(model) : option);
        const ProgramRun threads = runProgram(arguments + QStringList{u"--ranks"_s, QString::number(ranks)});
        QVERIFY2(threads.code == code, threads.text().constData());
        RankChildren processes(Launcher::torchrun, ranks, arguments);
        processes.wait();
        QCOMPARE(processes.out(), threads.out);
        QVERIFY2(processes.codes() == QList<int>(ranks, code), processes.text().constData());
    }

    void bisectedOnTheCommandLine() {
        const QStringList arguments{u"run"_s,
                                    dataFile(u"mlp_fsdp.pt2"_s),
                                    u"--check"_s,
                                    u"--bisect"_s,
                                    u"--plugin"_s,
                                    QStringLiteral(PLUGIN_BROKEN),
                                    u"--compiler"_s,
                                    u"broken"_s,
                                    u"--compiler-option"_s,
                                    u"broken.how=value"_s,
                                    u"--compiler-option"_s,
                                    u"broken.at=aten.mm.default"_s};
        const QByteArray found = "4 of 4 ranks differ from eager\nwith plain kernels, no value of the graphs differs";
        const ProgramRun threads = runProgram(arguments + QStringList{u"--ranks"_s, u"4"_s});
        QVERIFY2(threads.code == 3, threads.text().constData());
        QVERIFY2(threads.out.contains(found), threads.out.constData());
        RankChildren processes(Launcher::mpirun, 4, arguments);
        processes.wait();
        QVERIFY2(processes.codes()[0] == 3, processes.text().constData());
        QVERIFY2(processes.out().contains(found), processes.text().constData());
    }

    /// Found before they run, and at the node where they meet.
    void ranksThatDoNotFit_data() {
        const auto row = columns<QString, QString, QString>("second", "compared", "stepped");
        const QString reduce =
            u"  x = ops._c10d_functional.wait_tensor(ops._c10d_functional.all_reduce(x, "
            "\"%1\", \"0\"))\n"_s;
        row("another reduction", reduce.arg(u"max"_s) + reduce.arg(u"sum"_s), "collective 1 of group '0' differs",
            "rank 1 calls %all_reduce, all_reduce (max) of Float[4]");
        row("one too few", reduce.arg(u"sum"_s), "collective 2 of group '0' differs",
            "the ranks are deadlocked: rank 0 is at %all_reduce_1");
    }
    void ranksThatDoNotFit() {
        FETCH(QString, second, compared, stepped);
        const Scratch scratch;
        const QString reduce =
            u"  x = ops._c10d_functional.wait_tensor(ops._c10d_functional.all_reduce(x, "
            "\"sum\", \"0\"))\n"_s;
        for (const QString& body : {reduce + reduce, second}) {
            QFile file(scratch.at(u"p%1.py"_s.arg(body == second ? 1 : 0)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write((u"def f(x):\n"_s + body + u"  return x\n"_s).toUtf8());
        }
        const QString model = scratch.at(u"p{rank}.py"_s);
        const QStringList rest{model, u"--inputs"_s, u"f32[4]"_s, u"--ranks"_s, u"2"_s};
        const ProgramRun before = runProgram(QStringList{u"ranks"_s} + rest);
        QVERIFY2(before.code == 0 && before.out.contains(compared.toUtf8()), before.text().constData());
        const ProgramRun run = runProgram(QStringList{u"run"_s} + rest);
        QVERIFY2(run.code == 1 && run.out.contains(compared.toUtf8()), run.text().constData());
        const ProgramRun debug = runProgram(QStringList{u"debug"_s} + rest);
        QVERIFY2(debug.code == 1 && (debug.out + debug.err).contains(stepped.toUtf8()), debug.text().constData());
    }

    void filesOfRanks() {
        const std::string stage = dataFile(u"mlp_stages.0.pt2"_s).toStdString();
        const std::string both = dataFile(u"mlp_stages.{rank}.pt2"_s).toStdString();
        QCOMPARE(namedByRank(stage, 2), both);
        QCOMPARE(ofRank(namedByRank(dataFile(u"mlp_stages.1.pt2"_s).toStdString(), 2), 0), stage);
        QCOMPARE(namedByRank(stage, 3), stage);  // rank 2 does not exist
        QCOMPARE(namedByRank("mlp.pt2", 2), std::string("mlp.pt2"));
        const Scratch scratch;
        for (const char* name : {"v0.pt", "v1.pt", "rank0.pt", "rank1.pt", "2_00_0x0.pt", "2_11_0x1.pt"})
            QVERIFY(QFile(scratch.at(QString::fromUtf8(name))).open(QIODevice::WriteOnly));
        for (const auto& [name, named] : {std::pair("v0.pt", "v0.pt"), std::pair("rank1.pt", "rank{rank}.pt"),
                                          std::pair("2_00_0x0.pt", "2_00_0x0.pt")})
            QCOMPARE(q(namedByRank(scratch.at(QString::fromUtf8(name)).toStdString(), 2)),
                     scratch.at(QString::fromUtf8(named)));
    }

    void differencesOfValues() {
        const auto facts = [](std::vector<std::int64_t> sizes, std::vector<double> first, double mean = 1) {
            ValueFacts value;
            value.type = "f32";
            value.sizes = std::move(sizes);
            value.first = std::move(first);
            value.mean = mean;
            return value;
        };
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QCOMPARE(valueDifference(facts({2, 2}, {1, 2, nan, 4}), facts({2, 2}, {1, 2, nan, 4})), std::string("equal"));
        QCOMPARE(valueDifference(facts({2, 2}, {1, 2, 3, 4}), facts({2, 2}, {1, 2, 5, 4})),
                 std::string("[1, 0] is 5, not 3"));
        QCOMPARE(valueDifference(facts({}, {1}), facts({}, {2})), std::string("is 2, not 1"));
        QCOMPARE(valueDifference(facts({9}, {1}), facts({9}, {1}, 2)), std::string("behind the first 1 element"));
    }

    void valuesAreCompared() {
        const auto inputs = compareValues(*debugged(u"mlp_fsdp.pt2"_s, 4, true), {});
        const auto of = [&](const char* what) {
            return std::ranges::find_if(inputs,
                                        [&](const RankDifference& each) { return each.among.starts_with(what); });
        };
        QVERIFY(of("input %primals_1 ") != inputs.end());  // a shard
        QVERIFY2(of("input %primals_1 ")->each[2].text.find("[0, 0] is") != std::string::npos,
                 of("input %primals_1 ")->each[2].text.c_str());
        QVERIFY(of("output ") != inputs.end());  // each has the loss of its own batch
        QVERIFY(of("result") == inputs.end());
        QVERIFY(compareValues(*debugged(u"mlp_tensor.pt2"_s, 4), {}).empty());
        const ProgramRun run = runProgram({u"ranks"_s, dataFile(u"mlp_tensor.pt2"_s), u"--ranks"_s, u"4"_s,
                                           u"--values"_s, u"--weights"_s, dataFile(u"mlp_tensor.{rank}.pt"_s)});
        QVERIFY2(run.code == 0 && run.out.contains("values: input %primals_1 of the forward graph differs"),
                 run.text().constData());
    }
};

AOTSCOPE_TEST(TestSteppedRanks)

}  // namespace aotscope::test::stepped_ranks_test

#include "test_stepped_ranks.moc"
