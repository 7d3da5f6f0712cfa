// Collectives: the facts about them, joint graphs against PyTorch's, simulated worlds, and ranks that run.

#include "cost/communication.h"
#include "cost/known_machines.h"
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

namespace aotscope::test::collectives_test {
namespace {

QString dataFile(const QString& name) { return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/") + name; }

const QJsonObject& reference() {
    static const QJsonObject all = readJson(dataFile(u"reference.json"_s));
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
    void whatACallSays() {
        const Collective gather = collectiveIn(kGather);
        QVERIFY(gather.kind == CollectiveKind::allGather);
        QCOMPARE(q(gather.group), u"0"_s);
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
        QVERIFY(refusal({4, 4, {}}).contains(u"--rank 4: the world has 4 ranks"_s));
        QVERIFY(refusal({6, 0, {"tp=4"}}).contains(u"does not divide a world of 6 ranks"_s));
        QVERIFY(refusal({2'000'000, 0, {}}).contains(u"at most 1000000"_s));
        for (const char* text : {"tp", "=2", "tp=", "tp=0", "tp=2x", "tp=2x0", "tp=99999999999999999999"})
            QVERIFY2(refusal({4, 0, {text}}).contains(u"expected NAME=SIZE"_s), text);
        QVERIFY(errorOf([&] { groups.sizeOf("tp", 8); }).contains(u"has 8 ranks, --group says 4 ranks"_s));
    }

    void jointGraphsAreThoseOfPython_data() {
        const auto row = columns<QString>("program");
        for (const QString& name : reference()["programs"_L1].toObject().keys()) row(name);
    }
    void jointGraphsAreThoseOfPython() {
        QFETCH(QString, program);
        const QJsonObject expected = reference()["programs"_L1][program].toObject();
        const auto record = Session::open({.model = dataFile(program + u".pt2"_s).toStdString()}, {})->record();
        QCOMPARE(q(record->error), QString());
        QVERIFY(record->fallbacks.empty());
        QCOMPARE(callsOf(*record->graph(GraphKind::joint)), strings(expected["joint"_L1]));
        QStringList saved;
        for (const SavedValue& value : record->partition->saved) saved << q(value.name);
        QStringList wanted = strings(expected["saved"_L1]);
        saved.sort(), wanted.sort();
        QCOMPARE(saved, wanted);
        QCOMPARE(callsOf(*record->graph(GraphKind::backward)), strings(expected["backward"_L1]));
    }

    /// torch.compile prints the parameters only in part, so only one of these is partitioned as there.
    void printedGraphsRunInAWorldThatIsNotThere() {
        for (const char* name : {"mlp_fsdp", "mlp_tensor", "llama_tensor"}) {
            Options options{.model = dataFile(QString::fromLatin1(name) + u".log"_s).toStdString(),
                            .world = {4, 1, {}}};
            const auto session = Session::open(options, {});
            const Communication found =
                communicationOf(*session->record(), options.world, linksNamed("h100"), machineOf("cpu"));
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
        rowsOf("model", {"mlp_fsdp", "mlp_tensor", "llama_fsdp", "llama_tensor"});
    }
    void ranksComputeWhatOneProcessDoes() {
        QFETCH(QString, model);
        const QJsonObject expected = reference()["models"_L1][model].toObject();
        const int world = expected["world"_L1].toInt();
        const bool sharded = expected["sharded"_L1].toBool();
        const Options options{.model = dataFile(model + u".pt2"_s).toStdString(),
                              .weights = dataFile(model + u".{rank}.pt"_s).toStdString(),
                              .inputs = std::filesystem::path(dataFile(model + u".{rank}.inputs.pt"_s).toStdString())};
        const Scratch scratch;
        const auto runs = compileRanks(options, static_cast<std::size_t>(world), {})
                              ->run({scratch.at(u"values{rank}.pt"_s).toStdString(), {}}, {});
        QCOMPARE(runs.size(), static_cast<std::size_t>(world));
        std::vector<std::vector<at::Tensor>> gradients;
        for (int rank = 0; rank < world; ++rank) {
            QVERIFY2(runs[static_cast<std::size_t>(rank)].check.ok, qPrintable(QString::number(rank)));
            const auto [outputs, found] = valuesIn(scratch.at(u"values%1.pt"_s.arg(rank)));
            QVERIFY(std::abs(outputs.at(0).item<double>() - expected["losses"_L1][rank].toDouble()) < 1e-5);
            gradients.push_back(found);
        }
        const QJsonArray parameters = expected["parameters"_L1].toArray();
        for (int i = 0; i < parameters.size(); ++i) {
            const QJsonObject parameter = parameters[i].toObject();
            const QJsonValue cut = parameter["cut"_L1];
            std::vector<at::Tensor> parts;
            for (const auto& ofRank : gradients) parts.push_back(ofRank.at(static_cast<std::size_t>(i)));
            at::Tensor whole = parts[0].clone();
            if (cut.isNull())
                for (std::size_t r = 1; r < parts.size(); ++r) whole = whole + parts[r];
            else whole = at::cat(parts, cut.toInt());
            // The backward of a check starts with this tangent.
            const at::Tensor wanted =
                tensorOf(expected["gradients"_L1][parameter["name"_L1].toString()], parameter["shape"_L1]) * -0.75;
            QVERIFY2(at::allclose(whole.to(at::kDouble), wanted.to(at::kDouble), 1e-3, 1e-5),
                     qPrintable(parameter["name"_L1].toString() + (sharded ? u'F' : u'T')));
        }
    }

    /// Each rank runs a program of its own.
    void stagesOfAPipelineMeet() {
        for (const char* name : {"mlp_stages", "llama_stages"}) {
            const QString model = QString::fromLatin1(name);
            Options options;
            options.model = dataFile(model + u".{rank}.pt2"_s).toStdString();
            options.inputs = std::filesystem::path(dataFile(model + u".{rank}.inputs.pt"_s).toStdString());
            const Scratch scratch;
            const auto runs = compileRanks(options, 2, {})->run({scratch.at(u"{rank}.pt"_s).toStdString(), {}}, {});
            QVERIFY(runs[0].check.ok && runs[1].check.ok);
            const double loss = valuesIn(scratch.at(u"1.pt"_s)).first.at(0).item<double>();
            const QJsonObject expected = reference()["models"_L1][model].toObject();
            QVERIFY(std::abs(loss - expected["losses"_L1][0].toDouble()) < 1e-5);
        }
    }

    void everyCollectiveAmongFourRanks() {
        QStringList wrong(4, u"did not run"_s);
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
        const QString code =
            u"def f(x, out):\n  y = x.sin()\n  ops._c10d_functional.all_reduce_(y, \"sum\", \"0\")\n"
            "  ops._c10d_functional.wait_tensor(ops._c10d_functional.all_gather_into_tensor_out(y, 4, \"0\", "
            "out=out))\n"
            "  return ops._c10d_functional.wait_tensor(y).cos()"_s;
        const ProgramRun run = runProgram(
            {u"run"_s, u"-e"_s, code, u"--inputs"_s, u"f32[3], f32[12]"_s, u"--world-size"_s, u"4"_s, u"--check"_s});
        QVERIFY2(run.code == 0, run.text().constData());
        QVERIFY2(run.out.contains("_c10d_functional.all_reduce.default"), run.out.constData());
        QVERIFY(!run.out.contains("all_reduce_.default"));
    }

    void aThousandRanksOnTheCommandLine() {
        const Scratch scratch;
        const QString report = scratch.at(u"report.json"_s);
        const ProgramRun run =
            runProgram({u"run"_s, dataFile(u"mlp_tensor.pt2"_s), u"--world-size"_s, u"1024"_s, u"--rank"_s, u"3"_s,
                        u"--links"_s, u"8x100,10"_s, u"--check"_s, u"--report"_s, report});
        QVERIFY2(run.code == 0, run.text().constData());
        QVERIFY2(run.out.contains("rank 3 of 1024, links 8x100,10"), run.out.constData());
        QVERIFY2(run.out.contains("saved as"), run.out.constData());
        const QJsonObject found = readJson(report)["communication"_L1].toObject();
        const QJsonObject forward = found["graphs"_L1][0].toObject();
        QCOMPARE(forward["graph"_L1].toString(), u"forward"_s);
        // 4 x 8 floats around a ring of 1,024, twice.
        QCOMPARE(forward["sent_bytes"_L1].toInteger(), qint64{254});
        QCOMPARE(forward["collectives"_L1][0]["ranks"_L1].toInt(), 1024);
    }

    void ranksOnTheCommandLine() {
        const Scratch scratch;
        const QString report = scratch.at(u"report.json"_s), timeline = scratch.at(u"timeline.json"_s);
        const QStringList base{u"run"_s, dataFile(u"mlp_fsdp.pt2"_s), u"--ranks"_s};
        const ProgramRun run = runProgram(base + QStringList{u"4"_s, u"--report"_s, report});
        QVERIFY2(run.code == 0, run.text().constData());
        QVERIFY2(run.out.contains("all 4 ranks equal eager"), run.out.constData());
        QCOMPARE(readJson(report)["ranks"_L1].toArray().size(), 4);
        const ProgramRun timed = runProgram(
            base + QStringList{u"4"_s, u"--time"_s, u"2"_s, u"--report"_s, report, u"--timeline"_s, timeline});
        QVERIFY2(timed.code == 0 && timed.out.contains("peak memory"), timed.text().constData());
        for (const QJsonValue rank : readJson(report)["ranks"_L1].toArray())
            QCOMPARE(rank["timing"_L1]["iterations"_L1].toInt(), 2);
        const QJsonArray lines = readJson(report)["timelines"_L1].toArray();
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[3]["exchanging_ms"_L1].toDouble() > 0);
        QStringList processes;
        for (const QJsonValue event : readJson(timeline)["traceEvents"_L1].toArray())
            if (event["name"_L1] == "process_name"_L1) processes << event["args"_L1]["name"_L1].toString();
        QCOMPARE(processes.size(), 8);
        QCOMPARE(processes[3], u"rank 3 (measured)"_s);
        QCOMPARE(processes[7], u"rank 3 (estimated)"_s);
        const ProgramRun wrong = runProgram(base + QStringList{u"3"_s});
        QVERIFY2(wrong.code == 1 && wrong.err.contains("does not divide a world of 3 ranks"), wrong.text().constData());
        const ProgramRun both = runProgram(base + QStringList{u"4"_s, u"--rank"_s, u"1"_s});
        QVERIFY2(both.code == 2 && both.oneSentence(), both.text().constData());
        const ProgramRun missing = runProgram({u"run"_s, dataFile(u"mlp_stages.{rank}.pt2"_s), u"--ranks"_s, u"3"_s});
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

    /// The gather is hidden by the product, the reduction is not.
    void timeOnTwoStreams() {
        CompileRecord record;
        record.graphs[GraphKind::forward] = parseSound(kGather);
        const Links links = linksNamed("8x100,10");
        const auto graphs = communicationOf(record, {8, 0, {"tp=2"}}, links, machineOf("cpu")).graphs;
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
        const Communication wrong = communicationOf(record, {6, 0, {}}, links, machineOf("cpu"));
        QVERIFY(wrong.graphs.empty());
        QCOMPARE(q(wrong.problem),
                 u"group '0' of 8 ranks does not divide a world of 6 ranks; give another "
                 "--world-size, or its layout with --group"_s);
        for (const char* text : {"", "h200", "8x", "8x1", "0x1,1", "8x0,1", "1.5x1,1", "8x1,1,1", "8x1,nan"})
            QVERIFY2(errorOf([&] { linksNamed(text); }).contains(u"expected 'h100', 'a100'"_s), text);
    }
};

AOTSCOPE_TEST(TestCollectives)

}  // namespace aotscope::test::collectives_test

#include "test_collectives.moc"
