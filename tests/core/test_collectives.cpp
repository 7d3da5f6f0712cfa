// Collectives: what is known of them, joint graphs against PyTorch's, worlds that are not there, and ranks that run.

#include "cost/communication.h"
#include "distributed/rank_turns.h"
#include "io/communication_text.h"
#include "ops/classify.h"
#include "ops/op_table.h"
#include "session/ranks/rank_runs.h"
#include "session/session.h"
#include "support/collective_calls.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <nlohmann/json.hpp>

#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

namespace aotscope::test::collectives_test {
namespace {

QString dataFile(const QString& name) { return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/") + name; }

const QJsonObject& reference() {
    static const QJsonObject all = readJson(dataFile(QStringLiteral("reference.json")));
    return all;
}

QStringList callsOf(const Graph& graph) {
    QStringList calls;
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::call) calls << q(node->op());
    return calls;
}

QStringList strings(const QJsonValue& list) {
    QStringList all;
    for (const QJsonValue text : list.toArray()) all << text.toString();
    return all;
}

void runRanks(std::uint64_t count, const std::function<void(std::size_t)>& job, std::vector<std::string> groups = {}) {
    RankTurns({count, 0, std::move(groups)}, [] { return [] {}; }).run(job);
}

/// Outputs and gradients of a rank, as --values writes them.
std::pair<std::vector<at::Tensor>, std::vector<at::Tensor>> valuesIn(const QString& file) {
    const QByteArray bytes = contentOf(file);
    const auto both = torch::jit::pickle_load(std::vector<char>(bytes.begin(), bytes.end())).toTupleRef().elements();
    const auto tensors = [](const c10::IValue& values) {
        std::vector<at::Tensor> all;
        if (values.isTuple())
            for (const c10::IValue& v : values.toTupleRef().elements())
                if (v.isTensor()) all.push_back(v.toTensor());
        if (values.isList())
            for (const c10::IValue& v : values.toListRef())
                if (v.isTensor()) all.push_back(v.toTensor());
        return all;
    };
    return {tensors(both[0]), tensors(both[1])};
}

at::Tensor tensorOf(const QJsonValue& values, const QJsonValue& shape) {
    std::vector<double> all;
    for (const QJsonValue v : values.toArray()) all.push_back(v.toDouble());
    std::vector<std::int64_t> sizes;
    for (const QJsonValue s : shape.toArray()) sizes.push_back(s.toInt());
    return at::tensor(all).view(sizes);
}

std::vector<std::int64_t> membersOf(const RankGroup& group) {
    std::vector<std::int64_t> ranks;
    for (std::size_t i = 0; i < static_cast<std::size_t>(group.size()); ++i) ranks.push_back(group.member(i));
    return ranks;
}

/// The first collective of a graph.
Collective collectiveIn(const char* text) {
    const auto graph = parseSound(text);
    for (const Node* node : graph->nodes())
        if (auto found = collectiveOf(*node)) return *found;
    return {};
}

constexpr const char* kGather =
    "graph g\n%w : f32[4, 8] = placeholder\n%x : f32[4096, 4096] = placeholder\n"
    "%a : f32[32, 8] = _c10d_functional.all_gather_into_tensor.default(%w, 8, \"0\")\n"
    "%m : f32[4096, 4096] = aten.mm.default(%x, %x)\n"
    "%r : f32[4096, 4096] = _c10d_functional.all_reduce.default(%m, \"sum\", \"tp\")\n"
    "%v : f32[4096, 4096] = _c10d_functional.wait_tensor.default(%r)\n"
    "%u : f32[32, 8] = _c10d_functional.wait_tensor.default(%a)\nreturn [%v, %u]";

}  // namespace

class TestCollectives : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }

    void whatACallSays() {
        const Collective gather = collectiveIn(kGather);
        QVERIFY(gather.kind == CollectiveKind::allGather);
        QCOMPARE(q(gather.group), QStringLiteral("0"));
        QCOMPARE(*gather.groupSize, std::int64_t{8});
        QCOMPARE(gather.inputBytes, std::int64_t{128});
        QCOMPARE(bytesOnTheWire(gather, 8), std::int64_t{7} * 128);
        const auto graph = parseSound(kGather);
        const Node *reduce = graph->findByName("r"), *wait = graph->findByName("v");
        QVERIFY(waitedFor(*wait) == reduce);
        QCOMPARE(waitsFor(*reduce), std::vector<const Node*>{wait});
        QCOMPARE(bytesOnTheWire(*collectiveOf(*reduce), 2), std::int64_t{4096} * 4096 * 4);
        QVERIFY(!collectiveOf(*wait) && isWait(*wait) && hasEffect(*wait));
        for (const char* op : {"_c10d_functional.wait_tensor.default", "_dtensor.shard_dim_alltoall.default",
                               "_c10d_functional_autograd.all_gather_into_tensor.default"})
            QVERIFY(opFamily(op) == OpFamily::communication);
        QVERIFY(opFamily("aten.sum.default") == OpFamily::reduction);
    }

    void groupsOfAWorld() {
        const RankGroups groups(WorldShape{16, 5, {"tp=4", "dp=4x4"}});
        QCOMPARE(membersOf(groups.groupOf("tp")), (std::vector<std::int64_t>{4, 5, 6, 7}));
        QCOMPARE(groups.groupOf("tp").index, std::size_t{1});
        QCOMPARE(membersOf(groups.groupOf("dp")), (std::vector<std::int64_t>{1, 5, 9, 13}));
        QCOMPARE(groups.groupOf("0").size(), std::int64_t{16});
        QCOMPARE(membersOf(groups.groupOf("other", 2)), (std::vector<std::int64_t>{4, 5}));
        const auto refusal = [](const WorldShape& world) { return errorOf([&] { requireSound(world); }); };
        QCOMPARE(refusal({16, 15, {"tp=4"}}), QString());
        QVERIFY(refusal({4, 4, {}}).contains(QStringLiteral("--rank 4: the world has 4 ranks")));
        QVERIFY(refusal({6, 0, {"tp=4"}}).contains(QStringLiteral("does not divide a world of 6 ranks")));
        QVERIFY(refusal({2'000'000, 0, {}}).contains(QStringLiteral("at most 1000000")));
        for (const char* text : {"tp", "=2", "tp=", "tp=0", "tp=2x", "tp=2x0", "tp=99999999999999999999"})
            QVERIFY2(refusal({4, 0, {text}}).contains(QStringLiteral("expected NAME=SIZE")), text);
        QVERIFY(errorOf([&] { groups.sizeOf("tp", 8); }).contains(QStringLiteral("has 8 ranks, --group says 4 ranks")));
    }

    void jointGraphsAreThoseOfPython_data() {
        QTest::addColumn<QString>("program");
        for (const QString& name : reference()[QLatin1String("programs")].toObject().keys())
            QTest::newRow(qPrintable(name)) << name;
    }
    void jointGraphsAreThoseOfPython() {
        QFETCH(QString, program);
        const QJsonObject expected = reference()[QLatin1String("programs")][program].toObject();
        Options options;
        options.model = dataFile(program + QStringLiteral(".pt2")).toStdString();
        const auto record = Session::open(options, {})->record();
        QCOMPARE(q(record->error), QString());
        QVERIFY(record->fallbacks.empty());
        QCOMPARE(callsOf(*record->graph(GraphKind::joint)), strings(expected[QLatin1String("joint")]));
        QStringList saved;
        for (const SavedValue& value : record->partition->saved) saved << q(value.name);
        QStringList wanted = strings(expected[QLatin1String("saved")]);
        saved.sort(), wanted.sort();
        QCOMPARE(saved, wanted);
        QCOMPARE(callsOf(*record->graph(GraphKind::backward)), strings(expected[QLatin1String("backward")]));
    }

    /// torch.compile prints what the parameters are only in part, so that of these only one is partitioned as there.
    void printedGraphsRunInAWorldThatIsNotThere() {
        for (const char* name : {"mlp_fsdp", "mlp_tensor", "llama_tensor"}) {
            Options options;
            options.model = dataFile(QString::fromLatin1(name) + QStringLiteral(".log")).toStdString();
            options.world = {4, 1, {}};
            const auto session = Session::open(options, {});
            const Communication found = communicationOf(*session->record(), options.world, linksNamed("h100"), "cpu");
            QCOMPARE(found.graphs.size(), std::size_t{2});
            QVERIFY(found.graphs[0].sentBytes() > 0 && found.graphs[1].sentBytes() > 0);
            // The second weight, gathered and transposed: f32[8, 16].
            if (std::string_view(name) == "mlp_fsdp") QCOMPARE(found.graphs[0].savedGatherBytes(), std::int64_t{512});
            options.repartition = true;
            const auto again = Session::open(options, {});
            QVERIFY2(again->check({}).ok, name);
            if (std::string_view(name) != "mlp_fsdp") continue;
            const auto& notes = again->record()->notes;
            QCOMPARE(std::ranges::count_if(notes, [](const auto& w) { return w.ends_with("the same operations"); }), 2);
        }
    }

    void ranksComputeWhatOneProcessDoes_data() {
        QTest::addColumn<QString>("model");
        for (const char* name : {"mlp_fsdp", "mlp_tensor", "llama_fsdp", "llama_tensor"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void ranksComputeWhatOneProcessDoes() {
        QFETCH(QString, model);
        const QJsonObject expected = reference()[QLatin1String("models")][model].toObject();
        const int world = expected[QLatin1String("world")].toInt();
        const bool sharded = expected[QLatin1String("sharded")].toBool();
        Options options;
        options.model = dataFile(model + QStringLiteral(".pt2")).toStdString();
        options.weights = dataFile(model + QStringLiteral(".{rank}.pt")).toStdString();
        options.inputs = std::filesystem::path(dataFile(model + QStringLiteral(".{rank}.inputs.pt")).toStdString());
        const Scratch scratch;
        const auto runs = checkRanks(options, static_cast<std::size_t>(world),
                                     {scratch.at(QStringLiteral("values{rank}.pt")).toStdString(), {}}, {});
        QCOMPARE(runs.size(), static_cast<std::size_t>(world));
        std::vector<std::vector<at::Tensor>> gradients;
        for (int rank = 0; rank < world; ++rank) {
            QVERIFY2(runs[static_cast<std::size_t>(rank)].check.ok, qPrintable(QString::number(rank)));
            const auto [outputs, found] = valuesIn(scratch.at(QStringLiteral("values%1.pt").arg(rank)));
            QVERIFY(std::abs(outputs.at(0).item<double>() - expected[QLatin1String("losses")][rank].toDouble()) < 1e-5);
            gradients.push_back(found);
        }
        const QJsonArray parameters = expected[QLatin1String("parameters")].toArray();
        for (int i = 0; i < parameters.size(); ++i) {
            const QJsonObject parameter = parameters[i].toObject();
            const QJsonValue cut = parameter[QLatin1String("cut")];
            std::vector<at::Tensor> parts;
            for (const auto& ofRank : gradients) parts.push_back(ofRank.at(static_cast<std::size_t>(i)));
            at::Tensor whole = parts[0].clone();
            if (cut.isNull())
                for (std::size_t r = 1; r < parts.size(); ++r) whole = whole + parts[r];
            else whole = at::cat(parts, cut.toInt());
            // The backward of a check starts with this tangent.
            const at::Tensor wanted =
                tensorOf(expected[QLatin1String("gradients")][parameter[QLatin1String("name")].toString()],
                         parameter[QLatin1String("shape")]) *
                -0.75;
            QVERIFY2(at::allclose(whole.to(at::kDouble), wanted.to(at::kDouble), 1e-3, 1e-5),
                     qPrintable(parameter[QLatin1String("name")].toString() + (sharded ? u'F' : u'T')));
        }
    }

    /// Each rank runs a program of its own.
    void stagesOfAPipelineMeet() {
        for (const char* name : {"mlp_stages", "llama_stages"}) {
            const QString model = QString::fromLatin1(name);
            Options options;
            options.model = dataFile(model + QStringLiteral(".{rank}.pt2")).toStdString();
            options.inputs = std::filesystem::path(dataFile(model + QStringLiteral(".{rank}.inputs.pt")).toStdString());
            const Scratch scratch;
            const auto runs = checkRanks(options, 2, {scratch.at(QStringLiteral("{rank}.pt")).toStdString(), {}}, {});
            QVERIFY(runs[0].check.ok && runs[1].check.ok);
            const double loss = valuesIn(scratch.at(QStringLiteral("1.pt"))).first.at(0).item<double>();
            const QJsonObject expected = reference()[QLatin1String("models")][model].toObject();
            QVERIFY(std::abs(loss - expected[QLatin1String("losses")][0].toDouble()) < 1e-5);
        }
    }

    void everyCollectiveAmongFourRanks() {
        QStringList wrong(4, QStringLiteral("did not run"));
        runRanks(4, [&](std::size_t rank) { wrong[static_cast<int>(rank)] = wrongCollectives(rank); });
        QCOMPARE(wrong, QStringList(4, QString()));
    }

    /// Groups with one name that have no rank in common, and two layouts in one world.
    void groupsAmongFourRanks() {
        runRanks(4,
                 [&](std::size_t rank) {
                     QVERIFY(at::equal(allReduced(filled(double(rank)), "sum", "tp"), filled(rank < 2 ? 1 : 5)));
                     QVERIFY(at::equal(allReduced(filled(double(rank)), "sum", "dp"), filled(rank % 2 == 0 ? 2 : 4)));
                 },
                 {"tp=2", "dp=2x2"});
    }

    void ranksThatDoNotFitTogether_data() { unfitPairRows(); }
    void ranksThatDoNotFitTogether() {
        QFETCH(int, which);
        QFETCH(QStringList, sentence);
        const QString found = errorOf([&] { runRanks(2, [&](std::size_t rank) { unfitPair(which, rank); }); });
        for (const QString& part : sentence) QVERIFY2(found.contains(part), qPrintable(found));
    }

    void aWorldThatIsNotThere() {
        const WorldScope scope(std::make_shared<World>(WorldShape{1024, 3, {}}));
        QVERIFY(at::equal(allReduced(filled(2)), filled(2048)));
        QVERIFY(at::equal(allReduced(filled(2), "avg"), filled(2)));
        const at::Tensor all = waited(call("_c10d_functional::all_gather_into_tensor", {filled(5, {1}), 1024, "0"}));
        QVERIFY(at::equal(all, filled(5, {1024})));
        QVERIFY(at::equal(waited(call("_c10d_functional::irecv", {filled(5), 1, 0, "0"})), filled(0)));
    }

    void moreRanksThanMemoryAreAnError() {
        const WorldScope scope(std::make_shared<World>(WorldShape{1'000'000, 0, {}}));
        const at::Tensor weights = at::zeros({1024, 4096});
        try {
            call("_c10d_functional::all_gather_into_tensor", {weights, 1'000'000, "0"});
            QFAIL("16.8 TB were gathered");
        } catch (const std::exception& e) {
            QVERIFY2(std::string(e.what()).find("1,000,000 ranks makes 16.8 TB") != std::string::npos, e.what());
        }
    }

    /// PyTorch refuses them; here they become functional ones.
    void collectivesInPlace() {
        const QString code = QStringLiteral(
            "def f(x, out):\n  y = x.sin()\n  ops._c10d_functional.all_reduce_(y, \"sum\", \"0\")\n"
            "  ops._c10d_functional.wait_tensor(ops._c10d_functional.all_gather_into_tensor_out(y, 4, \"0\", "
            "out=out))\n"
            "  return ops._c10d_functional.wait_tensor(y).cos()");
        const ProgramRun run =
            runProgram({QStringLiteral("run"), QStringLiteral("-e"), code, QStringLiteral("--inputs"),
                        QStringLiteral("f32[3], f32[12]"), QStringLiteral("--world-size"), QStringLiteral("4"),
                        QStringLiteral("--check")});
        QVERIFY2(run.code == 0, run.text().constData());
        QVERIFY2(run.out.contains("_c10d_functional.all_reduce.default"), run.out.constData());
        QVERIFY(!run.out.contains("all_reduce_.default"));
    }

    void aThousandRanksOnTheCommandLine() {
        const Scratch scratch;
        const QString report = scratch.at(QStringLiteral("report.json"));
        const ProgramRun run = runProgram(
            {QStringLiteral("run"), dataFile(QStringLiteral("mlp_tensor.pt2")), QStringLiteral("--world-size"),
             QStringLiteral("1024"), QStringLiteral("--rank"), QStringLiteral("3"), QStringLiteral("--links"),
             QStringLiteral("8x100,10"), QStringLiteral("--check"), QStringLiteral("--report"), report});
        QVERIFY2(run.code == 0, run.text().constData());
        QVERIFY2(run.out.contains("rank 3 of 1024, links 8x100,10"), run.out.constData());
        QVERIFY2(run.out.contains("saved as"), run.out.constData());
        const QJsonObject found = readJson(report)[QLatin1String("communication")].toObject();
        const QJsonObject forward = found[QLatin1String("graphs")][0].toObject();
        QCOMPARE(forward[QLatin1String("graph")].toString(), QStringLiteral("forward"));
        // 4 x 8 floats around a ring of 1,024, twice.
        QCOMPARE(forward[QLatin1String("sent_bytes")].toInteger(), qint64{254});
        QCOMPARE(forward[QLatin1String("collectives")][0][QLatin1String("ranks")].toInt(), 1024);
    }

    void ranksOnTheCommandLine() {
        const Scratch scratch;
        const QString report = scratch.at(QStringLiteral("report.json")),
                      timeline = scratch.at(QStringLiteral("timeline.json"));
        const QStringList base{QStringLiteral("run"), dataFile(QStringLiteral("mlp_fsdp.pt2")),
                               QStringLiteral("--ranks")};
        const ProgramRun run = runProgram(base + QStringList{QStringLiteral("4"), QStringLiteral("--report"), report});
        QVERIFY2(run.code == 0, run.text().constData());
        QVERIFY2(run.out.contains("all 4 ranks equal eager"), run.out.constData());
        QCOMPARE(readJson(report)[QLatin1String("ranks")].toArray().size(), 4);
        const ProgramRun timed =
            runProgram(base + QStringList{QStringLiteral("4"), QStringLiteral("--time"), QStringLiteral("2"),
                                          QStringLiteral("--report"), report, QStringLiteral("--timeline"), timeline});
        QVERIFY2(timed.code == 0 && timed.out.contains("peak memory"), timed.text().constData());
        for (const QJsonValue rank : readJson(report)[QLatin1String("ranks")].toArray())
            QCOMPARE(rank[QLatin1String("timing")][QLatin1String("iterations")].toInt(), 2);
        const QJsonArray lines = readJson(report)[QLatin1String("timelines")].toArray();
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[3][QLatin1String("exchanging_ms")].toDouble() > 0);
        QStringList processes;
        for (const QJsonValue event : readJson(timeline)[QLatin1String("traceEvents")].toArray())
            if (event[QLatin1String("name")] == QLatin1String("process_name"))
                processes << event[QLatin1String("args")][QLatin1String("name")].toString();
        QCOMPARE(processes.size(), 8);
        QCOMPARE(processes[3], QStringLiteral("rank 3 (measured)"));
        QCOMPARE(processes[7], QStringLiteral("rank 3 (estimated)"));
        const ProgramRun wrong = runProgram(base + QStringList{QStringLiteral("3")});
        QVERIFY2(wrong.code == 1 && wrong.err.contains("does not divide a world of 3 ranks"), wrong.text().constData());
        const ProgramRun both =
            runProgram(base + QStringList{QStringLiteral("4"), QStringLiteral("--rank"), QStringLiteral("1")});
        QVERIFY2(both.code == 2 && both.oneSentence(), both.text().constData());
        const ProgramRun missing = runProgram({QStringLiteral("run"), dataFile(QStringLiteral("mlp_stages.{rank}.pt2")),
                                               QStringLiteral("--ranks"), QStringLiteral("3")});
        QVERIFY2(missing.code == 1 && missing.oneSentence(), missing.text().constData());
    }

    /// The first rank is early at the gather, the second at the message.
    void ranksOnOneClock() {
        const std::string start =
            "graph g\n%x : f32[4, 8] = placeholder(input)\n%y : f32[4, 8] = aten.sin.default(%x)\n"
            "%g : f32[8, 8] = _c10d_functional.all_gather_into_tensor.default(%y, 2, \"0\")\n"
            "%w : f32[8, 8] = _c10d_functional.wait_tensor.default(%g)\n"
            "%z : f32[4, 8] = aten.cos.default(%y)\n";
        const std::string ends[] = {"%s : f32[0] = _c10d_functional.isend.default(%z, 1, 0, \"0\")\nreturn [%w, %s]",
                                    "%s : f32[4, 8] = _c10d_functional.irecv.default(%z, 0, 0, \"0\")\n"
                                    "%t : f32[4, 8] = _c10d_functional.wait_tensor.default(%s)\nreturn [%w, %t]"};
        const double us[2][6] = {{100, 10, 20, 500, 10, 0}, {300, 10, 20, 100, 10, 5}};  // in the order of the steps
        TimingResult timings[2];
        std::vector<TimedRank> ranks;
        for (std::size_t rank = 0; rank < 2; ++rank) {
            const auto record = std::make_shared<CompileRecord>();
            const std::shared_ptr<const Graph> graph = parseSound(start + ends[rank]);
            record->graphs[GraphKind::inference] = graph;
            TimingResult& timing = timings[rank];
            timing.compiledForwardMs.median = 1;
            for (const Node* node : graph->nodes())
                if (node->kind() == NodeKind::call)
                    timing.steps.push_back({GraphKind::inference, timing.steps.size(), node->id(), node->name(),
                                            node->op(), us[rank][timing.steps.size()], 0, 0, 0, 0});
            ranks.push_back({record, {2, rank, {}}, &timing});
        }
        const auto lines = rankTimelines(ranks);
        const auto is = [](double ms, double expected) { return std::abs(ms * 1000 - expected) < 1e-6; };
        QVERIFY2(is(lines[0].waiting, 200) && is(lines[0].total(), 840), qPrintable(QString::number(lines[0].total())));
        QVERIFY2(is(lines[1].waiting, 400) && is(lines[1].total(), 845), qPrintable(QString::number(lines[1].total())));
        QVERIFY(is(lines[1].computing, 400) && is(lines[1].exchanging, 45));
        const auto wait = std::ranges::find(lines[0].spans, RankTimeline::Lane::waits, &RankTimeline::Span::lane);
        QVERIFY(wait != lines[0].spans.end() && wait->node == "w" && is(wait->start, 110));
        const auto trace = joinedTrace({rankTraceEvents(0, 2, {}, &lines[0]), rankTraceEvents(1, 2, {}, &lines[1])});
        QCOMPARE(trace["traceEvents"].back()["pid"].get<int>(), 4);  // the estimated ones come after the measured
    }

    /// The gather is hidden behind the product, of the reduction nothing is.
    void timeOnTwoStreams() {
        CompileRecord record;
        record.graphs[GraphKind::forward] = parseSound(kGather);
        const Links links = linksNamed("8x100,10");
        const auto graphs = communicationOf(record, {8, 0, {"tp=2"}}, links, "cpu").graphs;
        QCOMPARE(graphs.size(), std::size_t{1});
        const auto& [gather, reduce] = std::tie(graphs[0].collectives[0], graphs[0].collectives[1]);
        QCOMPARE(gather.exposed(), 0.0);
        QVERIFY(gather.duration() > 0.015 && gather.duration() < 0.016);  // three messages of 5 us
        QCOMPARE(reduce.group.size(), std::int64_t{2});
        QVERIFY(std::abs(reduce.exposed() - reduce.duration()) < 1e-9);
        QVERIFY(std::abs(reduce.duration() - (0.01 + 4096. * 4096 * 4 / 100e9 * 1e3)) < 1e-6);
        QVERIFY(std::abs(graphs[0].total - graphs[0].computing - graphs[0].exposed) < 1e-9);
        const auto trace = communicationTrace(graphs, "model");
        std::map<int, double> busy;  // by track
        for (const auto& event : trace["traceEvents"])
            if (event["ph"] == "X") busy[event["tid"].get<int>()] += event["dur"].get<double>() / 1000;
        QVERIFY(std::abs(busy[1] - graphs[0].computing) < 1e-6);
        QVERIFY(std::abs(busy[2] - graphs[0].communicating) < 1e-6);
        QVERIFY(std::abs(busy[3] - graphs[0].exposed) < 1e-6);
        const Communication wrong = communicationOf(record, {6, 0, {}}, links, "cpu");
        QVERIFY(wrong.graphs.empty());
        QCOMPARE(q(wrong.problem),
                 QStringLiteral("group '0' of 8 ranks does not divide a world of 6 ranks; give another "
                                "--world-size, or its layout with --group"));
        for (const char* text : {"", "h200", "8x", "8x1", "0x1,1", "8x0,1", "1.5x1,1", "8x1,1,1", "8x1,nan"})
            QVERIFY2(errorOf([&] { linksNamed(text); }).contains(QStringLiteral("expected 'h100', 'a100'")), text);
    }
};

AOTSCOPE_TEST(TestCollectives)

}  // namespace aotscope::test::collectives_test

#include "test_collectives.moc"
