// Collectives on the simulated streams: why they are exposed, sharded parameters, buckets, earlier issues and later
// waits.

#include "cost/communication.h"
#include "cost/exchange_links.h"
#include "cost/known_machines.h"
#include "cost/live_memory.h"
#include "io/communication_text.h"
#include "ops/collectives.h"
#include "partition/move_collectives.h"
#include "passes/repartition.h"
#include "session/ranks/rank_runs.h"
#include "session/session.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <nlohmann/json.hpp>

namespace aotscope::test::communication_test {
namespace {

std::string dataFile(const char* name) { return std::string(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/") + name; }

Options optionsFor(const char* model) { return {.model = dataFile(model) + ".pt2", .verify = true}; }

/// With the shards and inputs of each rank.
Options optionsOfRanks(const char* model) {
    Options options = optionsFor(model);
    options.weights = dataFile(model) + ".{rank}.pt";
    options.inputs = std::filesystem::path(dataFile(model) + ".{rank}.inputs.pt");
    return options;
}

std::shared_ptr<const CompileRecord> compiled(const Options& options) {
    auto record = Session::open(options, {})->record();
    if (!record->error.empty()) qFatal("%s", record->error.c_str());
    return record;
}

Communication communicationIn(const CompileRecord& record, std::uint64_t world) {
    return communicationOf(record, {world, 0, {}}, linksNamed("h100"), machineOf("cpu"));
}

/// The collectives of one graph on eight ranks of one node.
GraphCommunication timed(const char* text) {
    CompileRecord record;
    record.graphs[GraphKind::forward] = parseSound(text);
    return communicationOf(record, {8, 0, {}}, linksNamed("8x100,10"), machineOf("cpu")).graphs.at(0);
}

QStringList namesIn(const Graph& graph) {
    QStringList names;
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::call) names << q(node->name());
    return names;
}

std::size_t countOf(const Graph& graph, std::string_view op) {
    std::size_t count = 0;
    for (const Node* node : graph.nodes()) count += node->isCall(op);
    return count;
}

MovedCollectives moved(const char* text, const CollectiveMoves& moves) {
    return moveCollectives(parseSound(text), nullptr, nullptr, {}, moves);
}

// A product takes longer than a gather of a small tensor.
constexpr const char* kLate =
    "graph g\n%w : f32[4, 8] = placeholder\n%x : f32[1024, 1024] = placeholder\n"
    "%m : f32[1024, 1024] = aten.mm.default(%x, %x)\n"
    "%a : f32[32, 8] = _c10d_functional.all_gather_into_tensor.default(%w, 8, \"0\")\n"
    "%u : f32[32, 8] = _c10d_functional.wait_tensor.default(%a)\n"
    "%t : f32[8, 32][1, 8] = aten.t.default(%u)\n"
    "%s : f32[8, 32] = aten.sin.default(%t)\nreturn [%m, %s]";
constexpr const char* kEarly =
    "graph g\n%w : f32[4, 8] = placeholder\n%x : f32[1024, 1024] = placeholder\n"
    "%a : f32[32, 8] = _c10d_functional.all_gather_into_tensor.default(%w, 8, \"0\")\n"
    "%u : f32[32, 8] = _c10d_functional.wait_tensor.default(%a)\n"
    "%t : f32[8, 32][1, 8] = aten.t.default(%u)\n"
    "%m : f32[1024, 1024] = aten.mm.default(%x, %x)\n"
    "%s : f32[8, 32] = aten.sin.default(%t)\nreturn [%m, %s]";
constexpr const char* kBusy =
    "graph g\n%w : f32[4096, 4096] = placeholder\n%v : f32[4, 8] = placeholder\n"
    "%a : f32[32768, 4096] = _c10d_functional.all_gather_into_tensor.default(%w, 8, \"0\")\n"
    "%b : f32[32, 8] = _c10d_functional.all_gather_into_tensor.default(%v, 8, \"0\")\n"
    "%y : f32[32, 8] = _c10d_functional.wait_tensor.default(%b)\n"
    "%s : f32[32, 8] = aten.sin.default(%y)\n"
    "%u : f32[32768, 4096] = _c10d_functional.wait_tensor.default(%a)\nreturn [%s, %u]";
constexpr const char* kMadeBefore =
    "graph g\n%w : f32[4, 8] = placeholder\n%c : f32[4, 8] = aten.cos.default(%w)\n"
    "%a : f32[4, 8] = _c10d_functional.all_reduce.default(%c, \"sum\", \"0\")\n"
    "%u : f32[4, 8] = _c10d_functional.wait_tensor.default(%a)\n"
    "%s : f32[4, 8] = aten.sin.default(%u)\nreturn [%s]";
constexpr const char* kAtTheEnd =
    "graph g\n%w : f32[4, 8] = placeholder\n%c : f32[4, 8] = aten.cos.default(%w)\n"
    "%a : f32[4, 8] = _c10d_functional.all_reduce.default(%c, \"sum\", \"0\")\n"
    "%u : f32[4, 8] = _c10d_functional.wait_tensor.default(%a)\nreturn [%u]";
/// %b needs the result of gathering %a; %c does not.
constexpr const char* kChained =
    "graph g\n%w : f32[4, 8] = placeholder\n%v : f32[4, 8] = placeholder\n"
    "%a : f32[4, 8] = _c10d_functional.all_reduce.default(%w, \"sum\", \"0\")\n"
    "%u : f32[4, 8] = _c10d_functional.wait_tensor.default(%a)\n"
    "%s : f32[4, 8] = aten.sin.default(%u)\n"
    "%b : f32[4, 8] = _c10d_functional.all_reduce.default(%s, \"sum\", \"0\")\n"
    "%y : f32[4, 8] = _c10d_functional.wait_tensor.default(%b)\n"
    "%c : f32[4, 8] = _c10d_functional.all_reduce.default(%v, \"sum\", \"0\")\n"
    "%z : f32[4, 8] = _c10d_functional.wait_tensor.default(%c)\n"
    "%p : f32[4, 8] = aten.add.Tensor(%y, %z)\nreturn [%p]";

}  // namespace

class TestCommunication : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whyACollectiveIsExposed_data() {
        columns<QByteArray, int, QString, QStringList>("graph", "which", "cause", "parts");
        const auto row = [](const char* cause, const char* graph, int which, const QStringList& parts) {
            QTest::newRow(cause) << QByteArray(graph) << which << QString::fromLatin1(cause) << parts;
        };
        row("issued-late", kLate, 0,
            {u"issued later than it could be"_s, u"from the start of the graph on"_s, u"all of it"_s});
        row("waited-early", kEarly, 0, {u"before anything needs the result"_s, u"directly before %s"_s});
        row("stream-busy", kBusy, 1, {u"busy with %a; %s needs the result"_s});
        row("operand-late", kMadeBefore, 0, {u"after %c"_s, u"%s needs the result at once"_s});
        row("graph-ends", kAtTheEnd, 0, {u"after %c"_s, u"the graph ends"_s});
    }
    void whyACollectiveIsExposed() {
        QFETCH(QByteArray, graph);
        QFETCH(int, which);
        QFETCH(QString, cause);
        QFETCH(QStringList, parts);
        const GraphCommunication found = timed(graph.constData());
        const CollectiveTime& time = found.collectives[static_cast<std::size_t>(which)];
        QVERIFY(time.exposed() > 0);
        QCOMPARE(q(name(time.why.cause)), cause);
        const QString text = q(exposureText(time));
        for (const QString& part : parts) QVERIFY2(text.contains(part), qPrintable(text));
        QVERIFY(time.why.hiddenEarly <= time.exposed() + 1e-9 && time.why.hiddenLate <= time.exposed() + 1e-9);
    }

    /// The move gives what the explanation promises.
    void promisesAreKept() {
        const GraphCommunication late = timed(kLate), early = timed(kEarly);
        const auto exposedAfter = [](const char* text, const CollectiveMoves& moves) {
            CompileRecord record;
            record.graphs[GraphKind::forward] = moved(text, moves).forward;
            return communicationOf(record, {8, 0, {}}, linksNamed("8x100,10"), machineOf("cpu")).graphs.at(0).exposed;
        };
        QVERIFY(std::abs(late.exposed - late.collectives[0].why.hiddenEarly -
                         exposedAfter(kLate, {.issueEarly = true})) < 1e-9);
        QVERIFY(std::abs(early.exposed - early.collectives[0].why.hiddenLate -
                         exposedAfter(kEarly, {.waitLate = true})) < 1e-9);
    }

    void totalsOfModules() {
        const GraphCommunication found = timed(
            "graph g\n%w : f32[4, 8] = placeholder\n"
            "%a : f32[32, 8] = _c10d_functional.all_gather_into_tensor.default(%w, 8, \"0\") ; module=\"up\"\n"
            "%u : f32[32, 8] = _c10d_functional.wait_tensor.default(%a)\n"
            "%b : f32[32, 8] = _c10d_functional.all_gather_into_tensor.default(%w, 8, \"0\") ; module=\"down\"\n"
            "%v : f32[32, 8] = _c10d_functional.wait_tensor.default(%b)\n"
            "%c : f32[4, 8] = _c10d_functional.all_reduce.default(%w, \"sum\", \"0\") ; module=\"down\"\n"
            "%z : f32[4, 8] = _c10d_functional.wait_tensor.default(%c)\nreturn [%u, %v, %z]");
        const auto modules = found.modules();
        QCOMPARE(modules.size(), std::size_t{2});
        QCOMPARE(q(modules[0].module), u"down"_s);
        QCOMPARE(modules[0].calls, std::size_t{2});
        QCOMPARE(modules[0].sentBytes + modules[1].sentBytes, found.sentBytes());
        QVERIFY(std::abs(modules[0].exposed + modules[1].exposed - found.exposed) < 1e-9);
        Communication all;
        all.graphs.push_back(found);
        const QString text = q(communicationText(all, {8, 0, {}}, linksNamed("h100")));
        QVERIFY2(text.contains(u"by module:"_s) && text.contains(u"why exposed:"_s), qPrintable(text));
    }

    void shardedParameters() {
        const Options options = optionsFor("mlp_fsdp");
        const auto record = compiled(options);
        const Communication found = communicationIn(*record, 4);
        QCOMPARE(found.unshards.size(), std::size_t{2});
        const auto& [up, down] = std::tie(found.unshards[0], found.unshards[1]);
        QCOMPARE(q(up.unshard.parameter), u"up"_s);
        QVERIFY(up.fate == UnshardFate::unused && down.fate == UnshardFate::saved);
        QCOMPARE(down.unshard.shardBytes, std::int64_t{128});
        QCOMPARE(down.savedBytes, std::int64_t{512});
        QCOMPARE(down.sentBytes, std::int64_t{384});
        QVERIFY(found.unshardOf(record->graph(GraphKind::joint)->findByName("wait_tensor_1")->id()) == &down);
        QVERIFY(unshardsOf(*compiled(optionsFor("mlp_tensor"))->graph(GraphKind::joint)).empty());
        const auto json = communicationJson(found, {4, 0, {}}, linksNamed("h100"));
        QVERIFY(json["unshards"][1]["backward"] == "saved" && json["unshards"][1]["parameter"] == "down");
        QVERIFY(json["graphs"][0]["collectives"][0]["why_exposed"]["needed_by"] == "mm");
    }

    void gatheredAgainInTheBackward_data() {
        columns<QString, int>("parameter", "repeated");
        QTest::newRow("all") << u"all"_s << 2;
        QTest::newRow("by name") << u"down"_s << 1;
        QTest::newRow("by node") << u"%primals_2"_s << 1;
    }
    void gatheredAgainInTheBackward() {
        QFETCH(QString, parameter);
        Options options = optionsOfRanks("mlp_fsdp");
        const std::int64_t before = compiled(optionsFor("mlp_fsdp"))->partition->savedUniqueBytes();
        options.partition.reshard = {parameter.toStdString()};
        for (const PartitionAlgorithm algorithm : {PartitionAlgorithm::minCut, PartitionAlgorithm::defaultPartition}) {
            options.partition.algorithm = algorithm;
            const auto runs = compileRanks(options, 4, {})->run({}, {});
            for (const RankRun& run : runs) QVERIFY(run.check.ok);
            const CompileRecord& record = *runs[0].session->record();
            const UnshardCost down = communicationIn(record, 4).unshards.at(1);
            QVERIFY(down.fate == UnshardFate::repeated);
            QCOMPARE(down.savedBytes, std::int64_t{0});
            QCOMPARE(down.sentBytes, std::int64_t{2} * 384);
            if (algorithm == PartitionAlgorithm::minCut)
                QCOMPARE(before - record.partition->savedUniqueBytes(), std::int64_t{512});
        }
        const auto joint = compiled(optionsFor("mlp_fsdp"))->graph(GraphKind::joint);
        const PartitionOptions byId = PartitionWhatIf(joint).byId(options.partition);
        QVERIFY(byId.reshard.empty() && !byId.cut.mustRecompute.empty());
    }

    void parametersThatAreNotSharded() {
        const auto joint = compiled(optionsFor("mlp_fsdp"))->graph(GraphKind::joint);
        PartitionOptions options;
        options.reshard = {"dwn"};
        const QString error = errorOf([&] { PartitionWhatIf(joint).partition(options); });
        QVERIFY2(error.contains(u"'dwn'"_s) || error.contains(u" dwn:"_s), qPrintable(error));
        QVERIFY2(error.contains(u"down"_s), qPrintable(error));
        const auto tensor = compiled(optionsFor("mlp_tensor"))->graph(GraphKind::joint);
        options.reshard = {"all"};
        QVERIFY(errorOf([&] {
                    PartitionWhatIf(tensor).partition(options);
                }).contains(u"no all-gather of the graph gathers a parameter"_s));
    }

    void movedCollectivesComputeTheSame_data() {
        columns<QString, int, bool>("model", "world", "reshard");
        QTest::newRow("mlp_fsdp") << u"mlp_fsdp"_s << 4 << false;
        QTest::newRow("mlp_fsdp, resharded") << u"mlp_fsdp"_s << 4 << true;
        QTest::newRow("mlp_tensor") << u"mlp_tensor"_s << 4 << false;
        QTest::newRow("llama_fsdp, resharded") << u"llama_fsdp"_s << 8 << true;
        QTest::newRow("llama_tensor") << u"llama_tensor"_s << 2 << false;
    }
    /// With less exposed, and no higher peak.
    void movedCollectivesComputeTheSame() {
        QFETCH(QString, model);
        QFETCH(int, world);
        QFETCH(bool, reshard);
        Options options = optionsOfRanks(qPrintable(model));
        if (reshard) options.partition.reshard = {"all"};
        Options still = optionsFor(qPrintable(model));
        still.partition = options.partition;
        const auto before = compiled(still);
        options.partition.moves = {.bucket = "1MB", .issueEarly = true, .waitLate = true};
        const auto runs = compileRanks(options, static_cast<std::size_t>(world), {})->run({}, {});
        for (const RankRun& run : runs) QVERIFY(run.check.ok);
        const CompileRecord& after = *runs[0].session->record();
        const auto size = static_cast<std::uint64_t>(world);
        const double was = communicationIn(*before, size).exposed(), is = communicationIn(after, size).exposed();
        QVERIFY2(is <= was + 1e-9, qPrintable(u"%1 %2"_s.arg(was).arg(is)));
        if (model.contains(u"fsdp"_s)) QVERIFY(is < 0.9 * was);
        QVERIFY(liveMemory(after)->peakBytes <= liveMemory(*before)->peakBytes);
        QCOMPARE(communicationIn(*before, size).sentBytes(), communicationIn(after, size).sentBytes());
        const auto pass = std::ranges::find(after.passes, PassId::collectives, &PassRecord::id);
        QVERIFY(pass != after.passes.end() && !pass->log.empty());
        QVERIFY(after.partition->forward == after.graph(GraphKind::forward));
    }

    void buckets() {
        Options options = optionsFor("mlp_fsdp");
        options.partition.moves.bucket = "1MB";
        const auto whole = compiled(options);
        const Graph &forward = *whole->graph(GraphKind::forward), &backward = *whole->graph(GraphKind::backward);
        QCOMPARE(countOf(forward, "_c10d_functional.all_gather_into_tensor_coalesced.default"), std::size_t{1});
        QCOMPARE(countOf(forward, "_c10d_functional.all_gather_into_tensor.default"), std::size_t{0});
        QCOMPARE(countOf(backward, "_c10d_functional.reduce_scatter_tensor_coalesced.default"), std::size_t{1});
        const Communication found = communicationIn(*whole, 4);
        QCOMPARE(found.graphs[0].collectives.size(), std::size_t{1});
        QCOMPARE(found.graphs[0].collectives[0].waits.size(), std::size_t{2});
        QCOMPARE(q(found.graphs[0].collectives[0].savedAs.at(0)), u"t_4"_s);
        options.partition.moves.bucket = "1000";  // two gathers have 1,024 bytes
        QCOMPARE(
            countOf(*compiled(options)->graph(GraphKind::forward), "_c10d_functional.all_gather_into_tensor.default"),
            std::size_t{2});
    }

    void whatNeedsAResultIsInAnotherBucket() {
        const MovedCollectives found = moved(kChained, {.bucket = "1MB", .peakLimit = "1MB"});
        QCOMPARE(countOf(*found.forward, "_c10d_functional.all_reduce_coalesced.default"), std::size_t{1});
        const Node* all = nullptr;
        for (const Node* node : found.forward->nodes())
            if (node->op().ends_with("_coalesced.default")) all = node;
        QStringList operands;
        for (const Node* operand : all->inputs()) operands << q(operand->name());
        QCOMPARE(operands, (QStringList{u"s"_s, u"v"_s}));
        requireSound(*found.forward, "buckets");
    }

    void memoryLimitsWhatIsMoved() {
        const MovedCollectives early = moved(kLate, {.issueEarly = true});
        QCOMPARE(namesIn(*early.forward).first(), u"a"_s);
        requireSound(*early.forward, "issue early");
        // While the product runs, there is no room for the result of the gather.
        const char* large =
            "graph g\n%w : f32[128, 1024] = placeholder\n%x : f32[1024, 1024] = placeholder\n"
            "%m : f32[1024, 1024] = aten.mm.default(%x, %x)\n%k : f32[] = aten.sum.default(%m)\n"
            "%a : f32[1024, 1024] = _c10d_functional.all_gather_into_tensor.default(%w, 8, \"0\")\n"
            "%u : f32[1024, 1024] = _c10d_functional.wait_tensor.default(%a)\nreturn [%k, %u]";
        QCOMPARE(namesIn(*moved(large, {.issueEarly = true}).forward).first(), u"m"_s);
        const MovedCollectives more = moved(large, {.issueEarly = true, .peakLimit = "9MB"});
        QCOMPARE(namesIn(*more.forward).first(), u"a"_s);
        QVERIFY(liveMemory(*more.forward, {}).peakBytes <= 9'000'000);
    }

    /// Concurrent ones stay in order: the first one is needed first.
    void whatIsReadyTogetherKeepsItsOrder() {
        const char* two =
            "graph g\n%w : f32[4, 8] = placeholder\n%v : f32[4, 8] = placeholder\n"
            "%a : f32[4, 8] = _c10d_functional.all_reduce.default(%w, \"sum\", \"0\")\n"
            "%u : f32[4, 8] = _c10d_functional.wait_tensor.default(%a)\n"
            "%b : f32[4, 8] = _c10d_functional.all_reduce.default(%v, \"sum\", \"0\")\n"
            "%y : f32[4, 8] = _c10d_functional.wait_tensor.default(%b)\nreturn [%u, %y]";
        const MovedCollectives early = moved(two, {.issueEarly = true});
        QCOMPARE(namesIn(*early.forward), (QStringList{u"a"_s, u"b"_s, u"u"_s, u"y"_s}));
    }

    void waitsGoToTheFirstUse() {
        const MovedCollectives late = moved(kEarly, {.waitLate = true});
        QCOMPARE(namesIn(*late.forward), (QStringList{u"a"_s, u"m"_s, u"u"_s, u"t"_s, u"s"_s}));
        requireSound(*late.forward, "wait late");
        const auto graph = std::shared_ptr<const Graph>(parseSound(kMadeBefore));
        QVERIFY(moveCollectives(graph, nullptr, nullptr, {}, {.waitLate = true}).forward == graph);
    }

    /// Ranks that send messages run different programs.
    void messagesStayWhereTheyAre() {
        Options options = optionsFor("mlp_stages.0");
        options.partition.moves = {.bucket = "1MB", .issueEarly = true, .waitLate = true};
        const auto record = compiled(options);
        const auto pass = std::ranges::find(record->passes, PassId::collectives, &PassRecord::id);
        QVERIFY(pass != record->passes.end() && !pass->changed);
    }

    void inferenceAndWhatIf() {
        Options options = optionsFor("mlp_fsdp");
        options.inference = true;
        options.partition.moves = {.bucket = "1MB", .waitLate = true};
        const auto session = Session::open(options, {});
        QCOMPARE(countOf(*session->record()->graph(GraphKind::inference),
                         "_c10d_functional.all_gather_into_tensor_coalesced.default"),
                 std::size_t{1});
        QVERIFY(session->check({}).ok);
        const auto record = compiled(optionsFor("mlp_fsdp"));
        const auto partition = whatIfOn(*record, {})->partition(options.partition);
        QCOMPARE(countOf(*partition->forward, "_c10d_functional.all_gather_into_tensor_coalesced.default"),
                 std::size_t{1});
    }

    void simulatedAgainstMeasured() {
        const auto record = compiled(optionsFor("mlp_fsdp"));
        const Communication found = communicationIn(*record, 4);
        QCOMPARE(found.largestGroup(), std::int64_t{4});
        TimingResult timing;
        timing.compiledForwardMs.median = 3;
        timing.graphs.push_back({GraphKind::forward, {}, {}, 2, {}, {}});
        const Graph& forward = *record->graph(GraphKind::forward);
        const auto step = [&](const char* name, double us) {
            const Node* node = forward.findByName(name);
            timing.steps.push_back(
                {GraphKind::forward, timing.steps.size(), node->id(), name, node->op(), us, 0, 0, us, us});
        };
        step("all_gather_into_tensor", 400);
        step("wait_tensor", 100);
        step("mm", 1500);
        const auto both = againstMeasured(found, timing);
        QCOMPARE(both.size(), std::size_t{1});  // the backward was not timed
        QVERIFY(std::abs(both[0].measured.exchanging - 0.5) < 1e-9);
        QVERIFY(std::abs(both[0].measured.total() - 2) < 1e-9);
        QVERIFY(std::abs(both[0].around - 1) < 1e-9);  // not used by any step
        QVERIFY(std::abs(both[0].simulated.exchanging - found.graphs[0].communicating) < 1e-9);
        QVERIFY(std::abs(simulatedShare(both) - both[0].simulated.total() / 2) < 1e-9);
        const auto trace = communicationTrace(found.graphs, "model", &timing);
        double measured = 0;
        for (const auto& event : trace["traceEvents"])
            if (event["ph"] == "X" && event["pid"] == 2) measured += event["dur"].get<double>();
        QVERIFY(std::abs(measured - 2000) < 1e-6);
        for (const ExchangedIn how : {ExchangedIn::absentWorld, ExchangedIn::turns}) {
            const ProcessCosts costs = costsOfThisProcess(4, how, assumedGpu());
            QVERIFY(costs.links.within.bytesPerSecond > 1e6 && costs.links.within.latencyUs > 0);
            QVERIFY(costs.machine.overhead < assumedGpu().overhead + 1e-3 && costs.links.meeting);
        }
    }

    void linksInAFile() {
        const Links links = linksInJson(
            R"({"ranks_per_node": 4, "within": {"gb_per_s": 300.5, "latency_us": 2}, "between": {"gb_per_s": 25}})",
            "links.json");
        QCOMPARE(links.ranksPerNode, std::int64_t{4});
        QCOMPARE(links.within.latencyUs, 2.0);
        QCOMPARE(links.between.latencyUs, 15.0);
        QCOMPARE(links.within.bytesPerSecond, 300.5e9);
        const Links same = linksNamed(links.name);
        QCOMPARE(same.within.latencyUs, links.within.latencyUs);
        QCOMPARE(same.between.bytesPerSecond, links.between.bytesPerSecond);
        for (const char* text : {"8x1,1@", "8x1,1@1", "8x1,1@1,0", "8x1@1,1", "@8x1,1"})
            QVERIFY2(errorOf([&] { linksNamed(text); }).contains(u"expected 'h100'"_s), text);
    }

    void hostileLinks_data() {
        const auto row = columns<QByteArray, QString>("text", "why");
        row("empty", "", "not valid JSON");
        row("another type", "[8, 450, 50]", "expected an object");
        row("unknown member", R"({"rank_per_node": 8})", "unknown key 'rank_per_node'");
        row("nothing", "{}", "the key 'ranks_per_node' is missing");
        row("part of a rank", R"({"ranks_per_node": 1.5, "within": {}, "between": {}})", "whole number from 1");
        row("no bandwidth", R"({"ranks_per_node": 1, "within": {}, "between": {}})",
            "within: the key 'gb_per_s' is missing");
        row("a text", R"({"ranks_per_node": 1, "within": "fast", "between": {}})",
            "within: expected an object, found \"fast\"");
        row("negative", R"({"ranks_per_node": 1, "within": {"gb_per_s": -1}, "between": {}})",
            "within.gb_per_s: expected a number from");
        row("endless", R"({"ranks_per_node": 1, "within": {"gb_per_s": 1e999}, "between": {}})", "not valid JSON");
        row("too deep", R"({"ranks_per_node": [[[[[[[1]]]]]]]})", "nests");
    }
    void hostileLinks() {
        QFETCH(QByteArray, text);
        QFETCH(QString, why);
        const QString error = errorOf([&] { linksInJson(text.toStdString(), "l.json"); });
        QVERIFY2(error.startsWith(u"--links l.json"_s) && error.contains(why), qPrintable(error));
    }

    void onTheCommandLine() {
        const Scratch scratch;
        const QString links = scratch.write(
            u"links.json"_s,
            R"({"ranks_per_node": 8, "within": {"gb_per_s": 100, "latency_us": 3}, "between": {"gb_per_s": 10}})");
        const QString model = q(dataFile("mlp_fsdp.pt2")), report = scratch.at(u"report.json"_s);
        const ProgramRun run = runProgram(
            {u"run"_s, model, u"--world-size"_s, u"4"_s, u"--check"_s, u"--bucket"_s, u"25MB"_s, u"--issue-early"_s,
             u"--wait-late"_s, u"--reshard-after-forward"_s, u"all"_s, u"--links"_s, links, u"--report"_s, report});
        QVERIFY2(run.code == 0, run.text().constData());
        for (const char* part :
             {"links 8x100,10@3,15", "gathered again in the backward", "simulated peak", "why exposed"})
            QVERIFY2(run.out.contains(part), run.out.constData());
        QVERIFY(!readJson(report)["communication"_L1]["unshards"_L1].toArray().isEmpty());
        const QString folder = scratch.at(u"missing.json"_s);
        for (const QStringList& wrong : {QStringList{u"--links"_s, folder}, QStringList{u"--bucket"_s, u"x"_s},
                                         QStringList{u"--peak-limit"_s, u"0"_s}}) {
            const ProgramRun refused = runProgram(QStringList{u"run"_s, model} + wrong);
            QVERIFY2(refused.code == 2 && refused.oneSentence(), refused.text().constData());
        }
    }
};

AOTSCOPE_TEST(TestCommunication)

}  // namespace aotscope::test::communication_test

#include "test_communication.moc"
