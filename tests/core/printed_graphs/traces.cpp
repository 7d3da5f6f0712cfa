// Logs of TORCH_TRACE: the compilations, their reasons, and several ranks.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "io/ranks/compare_logs.h"
#include "io/ranks/ranks_text.h"
#include "io/tables/table_text.h"
#include "io/tables/trace_tables.h"
#include "io/trace/trace_log_json.h"
#include "io/trace/trace_log_text.h"
#include "io/trace/trace_summary.h"
#include "load/printed/subclass_meta.h"
#include "load/trace_log/generated_code.h"
#include "load/trace_log/rank_logs.h"
#include "load/trace_log/trace_indexer.h"
#include "load/trace_log/trace_story.h"
#include "ops/collectives.h"
#include "record/pass_steps.h"
#include "record/source_key.h"
#include "support/scratch.h"
#include "support/text.h"

#include <nlohmann/json.hpp>

using namespace aotscope;
using namespace aotscope::test;

namespace {

std::shared_ptr<const TraceLog> traceOf(const char* name) {
    const std::filesystem::path path = std::string(AOTSCOPE_SOURCE_DIR) + "/tests/data/trace_logs/" + name;
    return std::make_shared<const TraceLog>(indexTrace(path, {}));
}

const TracedCompile& compileOf(const TraceLog& log, const char* id) {
    const TracedCompile* compile = log.find(id);
    if (!compile) qFatal("the log has no compilation %s", id);
    return *compile;
}

QStringList namesOf(const CompileRecord& record) {
    QStringList names;
    for (const PassRecord& pass : record.passes)
        names << QString::fromUtf8(name(pass).data(), qsizetype(name(pass).size()));
    return names;
}

CompileStory storyOf(const TraceLog& log, const char* id) { return readStory(log, compileOf(log, id), {}); }

}  // namespace

void TestPrintedGraphs::aTraceIsATreeOfCompilations() {
    const auto log = traceOf("story.log");
    QVERIFY2(log->problems.empty(), log->problems.empty() ? "" : log->problems[0].text.c_str());
    const auto frames = framesOf(*log);
    // breaks and the two functions that continue it, grows, again three times, custom
    QCOMPARE(q(frames[0].code.function), u"breaks"_s);
    QCOMPARE(q(frames[0].code.file), u"/src/model.py"_s);
    QCOMPARE(frames[0].resumed.size(), std::size_t(2));
    for (const std::size_t i : frames[0].resumed) {
        QVERIFY(frames[i].resumes);
        QVERIFY(q(frames[i].code.function).startsWith(u"torch_dynamo_resume_in_breaks_at_"_s));
    }
    QCOMPARE(compileOf(*log, "0/0").attempts(), std::uint64_t(2));
    const auto grows = std::find_if(frames.begin(), frames.end(),
                                    [](const TracedFrame& frame) { return frame.code.function == "grows"; });
    QVERIFY(grows != frames.end());
    QCOMPARE(grows->compiles.size(), std::size_t(4));
    std::vector<CompileStory> stories;
    for (const auto& compile : log->compiles) stories.push_back(readStory(*log, compile, {}, overviewTopics()));
    const QString text = q(overviewText(*log, stories));
    QVERIFY2(text.contains(u"graph break at model.py:20 in breaks: Call to `torch._dynamo.graph_break()`"_s),
             qPrintable(text));
    QVERIFY2(text.contains(u"  torch_dynamo_resume_in_breaks_at_20"_s) ||
                 text.contains(u"model.py:20 in torch_dynamo_resume_in_breaks_at_20"_s),
             qPrintable(text));
    const auto json = traceLogJson(*log, stories);
    QCOMPARE(json["compilations"].size(), log->compiles.size());
    QCOMPARE(json["compilations"][0]["graph_breaks"].size(), std::size_t(1));
}

void TestPrintedGraphs::reasonsOfRecompilations() {
    const auto log = traceOf("story.log");
    const auto frames = framesOf(*log);
    const auto grows = std::find_if(frames.begin(), frames.end(),
                                    [](const TracedFrame& frame) { return frame.code.function == "grows"; });
    QVERIFY(grows != frames.end());
    const TracedCompile &first = log->compiles[grows->compiles[0]], &second = log->compiles[grows->compiles[1]],
                        &third = log->compiles[grows->compiles[2]];
    const CompileStory story = readStory(*log, second, {});
    QCOMPARE(story.recompiledFor.size(), std::size_t(1));
    QCOMPARE(q(story.recompiledFor[0].earlier), q(first.id));
    QCOMPARE(q(story.recompiledFor[0].check), u"tensor 'x' size mismatch at index 0. expected 3, actual 4"_s);
    const CompileStory earlier = readStory(*log, first, {});
    const QString why = q(whyRecompiledText(second, story, {madeFor(story.recompiledFor[0], earlier)}));
    QVERIFY2(why.contains(u"it was compiled for check_tensor(L['x']"_s), qPrintable(why));
    QVERIFY2(why.contains(u"now L['x'].size()[0] is a symbol"_s), qPrintable(why));
    // A Python value: the line of code that used it.
    const CompileStory number = readStory(*log, third, {});
    QCOMPARE(q(number.recompiledFor[0].check), u"k == 2"_s);
    QCOMPARE(q(number.recompiledFor[0].place.file), u"/src/model.py"_s);
    QCOMPARE(q(number.recompiledFor[0].place.code), u"return (x * k).exp()"_s);
    QVERIFY(whyRecompiledText(first, earlier, {}).empty());
    // Each failed guard is of a compilation of its own.
    CompileStory both;
    both.recompiledFor = {{"0/1", "k == 3", {}, {}}, {"0/0", "k == 2", {}, {}}};
    const QString each = q(whyRecompiledText(third, both, {"three", "two"}));
    const auto two = each.indexOf(u"compiled for two"_s);
    QVERIFY2(each.indexOf(u"compiled for three"_s) < each.indexOf(u"0/0 does not"_s), qPrintable(each));
    QVERIFY2(two > each.indexOf(u"0/0 does not"_s), qPrintable(each));
    const CompileStory failed = readStory(*log, log->compiles[grows->compiles[3]], {});
    QVERIFY2(q(failed.failure).contains(u"TorchRuntimeError"_s), failed.failure.c_str());
}

void TestPrintedGraphs::graphBreaksNameTheirPlace() {
    const auto log = traceOf("story.log");
    const CompileStory story = storyOf(*log, "0/0");
    QCOMPARE(story.breaks.size(), std::size_t(1));
    const GraphBreak& first = story.breaks[0];
    QCOMPARE(q(shortPlace(first.place)), u"model.py:20 in breaks"_s);
    QCOMPARE(q(first.place.code), u"torch._dynamo.graph_break()"_s);
    QCOMPARE(q(first.reason), u"Call to `torch._dynamo.graph_break()`"_s);
    QCOMPARE(q(first.explanation), u"User-inserted graph break. Message: None"_s);
    QCOMPARE(q(first.hint), u"Remove the `torch._dynamo.graph_break()` call."_s);
    QVERIFY(first.link.starts_with("https://"));
    QCOMPARE(first.stack.size(), std::size_t(2));
    const auto frames = framesOf(*log);
    const CompileStory branch = readStory(*log, log->compiles[frames[frames[0].resumed[0]].compiles[0]], {});
    QCOMPARE(q(branch.breaks[0].reason), u"Data-dependent branching"_s);
    QVERIFY2(branch.breaks[0].hint.find('\n') != std::string::npos, branch.breaks[0].hint.c_str());
    const QString why = q(whyBrokenText(log->compiles[0], story));
    QVERIFY2(why.contains(u"called from /src/model.py"_s), qPrintable(why));
}

/// Equal reasons at the same place are counted together, also if they differ in numbers.
void TestPrintedGraphs::logsAreSummarized() {
    const CodePlace here{"model.py", 7, "forward", {}}, there{"model.py", 9, "forward", {}};
    std::vector<CompileStory> stories(4);
    stories[0].breaks = {{there, "print"}, {here, "print"}};
    stories[1].breaks = {{here, "print"}};
    stories[1].recompiledFor = {{"0/0", "expected 3, actual 4", here, {}}};
    stories[2].recompiledFor = {{"0/1", "expected 4, actual 15", here, {}}};
    stories[3].recompiledFor = {{"0/1", "expected 4, actual 15", there, {}}};
    stories[2].failure = "KeyError";
    stories[1].seconds = 2;
    stories[3].seconds = 6;
    stories[0].caches = {{"FX graph", CacheEvent::State::miss}, {"AOTAutograd", CacheEvent::State::bypass}};
    stories[1].caches = {{"FX graph", CacheEvent::State::hit, {}, {}, 12}};
    const TraceSummary summary = summaryOf(stories);
    QCOMPARE(summary.breaks.size(), std::size_t(2));
    QVERIFY(summary.breaks[0].place == here && summary.breaks[1].place == there);
    QCOMPARE(summary.breaks[0].compiles, (std::vector<std::size_t>{0, 1}));
    QCOMPARE(summary.recompilations.size(), std::size_t(2));
    QCOMPARE(summary.recompilations[0].what, std::string("expected 3, actual 4"));
    QCOMPARE(summary.recompilations[0].compiles, (std::vector<std::size_t>{1, 2}));
    QCOMPARE(summary.failures.size(), std::size_t(1));
    QCOMPARE(summary.slowest, (std::vector<std::size_t>{3, 1}));
    QCOMPARE(summary.seconds, 8.0);
    QCOMPARE(summary.caches.size(), std::size_t(2));
    QCOMPARE(summary.caches[0].hits + summary.caches[0].misses, std::size_t(2));
    QCOMPARE(summary.caches[0].savedMs, 12.0);
    QCOMPARE(summary.caches[1].others, std::size_t(1));
}

void TestPrintedGraphs::cachesSayWhyTheyMissed() {
    const auto log = traceOf("story.log");
    std::map<std::string, int> states;
    QString misses;
    std::string bypass;
    for (const TracedCompile& compile : log->compiles) {
        const CompileStory story = readStory(*log, compile, {}, {LogTopic::caches});
        std::vector<std::vector<KeyDifference>> missed;
        for (const CacheEvent& event : story.caches) {
            ++states[event.cache + " " + std::string(nameOf(event.state))];
            if (event.state == CacheEvent::State::bypass) bypass = event.reason;
            missed.push_back(whyMissed(*log, compile, event.line));
        }
        misses += q(whyCachedText(compile, story, missed));
    }
    QCOMPARE(states["AOTAutograd hit"], 1);
    QCOMPARE(states["AOTAutograd miss"], 2);
    QCOMPARE(states["AOTAutograd bypass"], 1);
    QVERIFY2(bypass.find("autograd_function_apply") != std::string::npos, bypass.c_str());
    QVERIFY(states["FX graph miss"] >= 4);
    QVERIFY2(misses.contains(u"saved"_s), qPrintable(misses));
    // The second size differs from the first in the example input.
    QVERIFY2(misses.contains(u"shape=torch.Size([8])"_s), qPrintable(misses));
    QVERIFY2(misses.contains(u"shape=torch.Size([9])"_s), qPrintable(misses));
    // A backward is not compared with a forward.
    QVERIFY2(!misses.contains(u"is_backward"_s), qPrintable(misses));
}

void TestPrintedGraphs::guardsSymbolsAndTimes() {
    const auto log = traceOf("story.log");
    const CompileStory story = storyOf(*log, "0/0");
    QCOMPARE(story.guardCount.value_or(0), 11);
    const auto tensor = std::find_if(story.guards.begin(), story.guards.end(),
                                     [](const LoggedGuard& guard) { return guard.type == "TENSOR_MATCH"; });
    QVERIFY(tensor != story.guards.end());
    QCOMPARE(q(tensor->source), u"L['x']"_s);
    QVERIFY(tensor->check.find("size=[3, 4]") != std::string::npos);
    QVERIFY(tensor->why.find("y = x.sin()") != std::string::npos);
    QVERIFY(story.seconds > 0);
    QVERIFY(!story.spans.empty());
    QCOMPARE(q(story.spans[0].name), u"dynamo"_s);
    QCOMPARE(q(story.spans[1].name), u"entire_frame_compile"_s);
    QCOMPARE(story.spans[1].depth, 1);
    QVERIFY(story.spans[1].length <= story.spans[0].length);
    QVERIFY(q(tableText(compileTimesTable(story))).contains(u"  entire_frame_compile"_s));
    QVERIFY(q(tableText(loggedGuardsTable(story))).contains(u"Dynamo counts 11 guards"_s));
}

void TestPrintedGraphs::listsNameCollectivesInOrder() {
    CompileStory story;
    story.collectives = {"all_gather", "reduce_scatter"};
    const auto list = std::ranges::find(traceLists(), "collectives", &TraceList::name);
    const Table table = list->table({}, {}, story);
    QCOMPARE(table.rows.size(), std::size_t(2));
    QVERIFY(q(tableText(table)).contains(u"all_gather"_s));
}

void TestPrintedGraphs::generatedCodeNamesItsNodes() {
    const auto log = traceOf("story.log");
    std::size_t calls = 0, named = 0;
    for (const TracedCompile& compile : log->compiles)
        for (const GeneratedCode& code : readGeneratedCode(*log, compile)) {
            QVERIFY2(!code.graph.empty(), code.text.substr(0, 200).c_str());
            for (const GeneratedCall& call : code.calls) {
                ++calls;
                named += call.nodes.empty() ? 0 : 1;
                QVERIFY(call.line > 0);
            }
        }
    QVERIFY(calls >= 4);
    QVERIFY2(named >= 4, std::to_string(named).c_str());
    const auto gpu = callsIn(
        "def call(args):\n    arg0_1, = args\n"
        "    # Topologically Sorted Source Nodes: [relu, sin], Original ATen: [aten.relu, aten.sin]\n"
        "    stream0 = get_raw_stream(0)\n"
        "    triton_poi_fused_0.run(arg0_1, buf0, 48, stream=stream0)\n    return (buf0, )\n"
        "triton_later.run(1)\n");
    QCOMPARE(gpu.size(), std::size_t(1));
    QCOMPARE(gpu[0].sources, (std::vector<std::string>{"relu", "sin"}));
    QCOMPARE(gpu[0].operators, (std::vector<std::string>{"aten.relu", "aten.sin"}));
    QCOMPARE(gpu[0].line, std::size_t(5));
}

void TestPrintedGraphs::savedValuesHaveReasons() {
    const auto log = traceOf("story.log");
    Options options{.model = log->path.string(), .compileId = "0/0"};
    const auto printed = Session::open(options, {});
    options.repartition = true;
    const auto ours = Session::open(options, {}, printed);
    const QString text = q(whySavedText(*printed->record(), ours->record().get(), storyOf(*log, "0/0")));
    QVERIFY2(text.contains(u"primals_1"_s), qPrintable(text));
    QVERIFY2(text.contains(u"already kept: 1 input"_s), qPrintable(text));
    const auto& ourReason = ours->record()->partition->saved.at(0).reason;
    QVERIFY2(text.contains(q(ourReason)), qPrintable(text));
}

/// `min_cut_information`, which is written with AOT_PARTITIONER_DEBUG=1 for budgets below 1.
void TestPrintedGraphs::budgetsAreReadAndFollowed() {
    const auto log = traceOf("budget.log");
    const auto story = storyOf(*log, "0/0");
    QVERIFY(story.minCut);
    QCOMPARE(story.minCut->memoryBudget, 0.5);
    QCOMPARE(story.minCut->saved, (std::vector<std::string>{"primals_3", "primals_4", "tanh", "t_4"}));
    QCOMPARE(story.minCut->keptByKnapsack, std::vector<std::string>{"mm"});
    QCOMPARE(story.minCut->recomputed, (std::vector<std::string>{"mm_2", "mm_1"}));
    QCOMPARE(q(memoryBudgetText(*story.minCut)),
             u"memory budget 0.5: 34.8 kB saved; 19.5 kB are the inputs alone, 67.6 kB run fastest; kept "
             "within it: mm; recomputed for it: mm_2 mm_1"_s);
    Options options{.model = log->path.string()};
    const auto printed = Session::open(options, {});
    options.repartition = true;
    options.partition.memoryBudget = story.minCut->memoryBudget;
    const auto ours = Session::open(options, {}, printed);
    const QString text = q(whySavedText(*printed->record(), ours->record().get(), story));
    QVERIFY2(text.contains(u"in Python's minimum cut"_s), qPrintable(text));
    QVERIFY2(!text.contains(u"would recompute it"_s), qPrintable(text));
    // PyTorch 2.11 logs neither budget nor sizes.
    LoggedMinCut older;
    older.recomputed = {"mm"};
    QCOMPARE(q(memoryBudgetText(older)),
             u"a memory budget below 1, which this version of PyTorch does not log; recomputed for it: "
             "mm"_s);
}

/// PyTorch 2.4 and 2.5 do not log symbols, failed guards, the function that is compiled and the place of a break.
void TestPrintedGraphs::tracesOfOlderVersions() {
    const auto log = traceOf("old.log");
    QCOMPARE(q(shortPlace(compileOf(*log, "0/0").code)), u"old.py:11 in grows"_s);
    QCOMPARE(compileOf(*log, "0/1").symbols, (std::vector<std::pair<std::string, std::int64_t>>{{"s0", 3}}));
    const auto again = storyOf(*log, "0/1");
    QCOMPARE(again.recompiledFor.size(), std::size_t(1));
    QVERIFY(again.recompiledFor[0].check.find("TORCH_LOGS=recompiles") != std::string::npos);
    QVERIFY(storyOf(*log, "0/0").recompiledFor.empty());
    const QString broken = q(whyBrokenText(compileOf(*log, "1/0"), storyOf(*log, "1/0")));
    QVERIFY2(broken.contains(u"at a place that is not logged"_s), qPrintable(broken));
    const auto record = Session::open({.model = log->path.string(), .compileId = "0/1"}, {})->record();
    for (const SavedValue& value : record->partition->saved) QVERIFY2(value.unsized.empty(), value.unsized.c_str());
}

void TestPrintedGraphs::ranksAreCompared() {
    const std::vector<std::shared_ptr<const TraceLog>> logs = {traceOf("rank_0.log"), traceOf("rank_1.log")};
    QVERIFY(areRanks(logs));
    QCOMPARE(logNames(logs), (std::vector<std::string>{"rank 0", "rank 1"}));
    const auto differences = compareRankLogs(logs, {});
    const auto of = [&](RankDifference::Kind kind) {
        return std::find_if(differences.begin(), differences.end(), [&](const auto& d) { return d.kind == kind; });
    };
    const auto graph = of(RankDifference::Kind::graph);
    QVERIFY(graph != differences.end());
    QCOMPARE(q(graph->compile), u"1/0"_s);  // 0/0 is the same on both
    QVERIFY(graph->graph == GraphKind::source);
    QVERIFY2(graph->each[1].text.find("tanh") != std::string::npos, graph->each[1].text.c_str());
    QVERIFY(graph->each[1].node != kNoNode);
    const auto collective = of(RankDifference::Kind::collectives);
    QVERIFY(collective != differences.end());
    QCOMPARE(q(collective->node), u"2"_s);
    QVERIFY(collective->each[0].text.find("all-gather") != std::string::npos);
    QVERIFY(collective->each[1].text.find("reduce-scatter") != std::string::npos);
    QVERIFY(of(RankDifference::Kind::saved) != differences.end());
    const auto missing = of(RankDifference::Kind::missing);
    QVERIFY(missing != differences.end());
    QVERIFY(!missing->each[0].text.empty());
    QVERIFY(missing->each[1].text.empty());
    QVERIFY(compareRankLogs({logs[0], logs[0]}, {}).empty());
    const QString text = q(rankDifferencesText(differences, logNames(logs)));
    QVERIFY2(text.contains(u"1/0: collective 2 of group "_s), qPrintable(text));
    const auto folder = traceLogsAt(logs[0]->path.parent_path());
    // Logs without a rank come first.
    QVERIFY(folder.size() > 2);
    QCOMPARE(q(folder.end()[-2].filename().string()), u"rank_0.log"_s);
    QCOMPARE(q(folder.end()[-1].filename().string()), u"rank_1.log"_s);
}

/// One log of every rank is compared, whatever else is in their folder.
void TestPrintedGraphs::otherLogsAreLeftOut() {
    const Scratch scratch;
    const QString from = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/");
    const auto contentOf = [&](const char* name) {
        QFile file(from + QString::fromUtf8(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray second = contentOf("rank_1.log");
    scratch.write(u"a.log"_s, contentOf("rank_0.log"));
    scratch.write(u"b.log"_s, second);
    scratch.write(u"other.log"_s, QByteArray(second).replace("/src/ranks.py", "/src/other.py"));
    scratch.write(u"story.log"_s, contentOf("story.log"));
    QFile older(scratch.write(u"older.log"_s, second));
    QVERIFY(older.open(QIODevice::ReadWrite));
    QVERIFY(older.setFileTime(QDateTime::currentDateTime().addDays(-1), QFileDevice::FileModificationTime));
    older.close();
    std::vector<std::shared_ptr<const TraceLog>> logs;
    for (const auto& path : traceLogsAt(scratch.path().toStdString()))
        logs.push_back(std::make_shared<const TraceLog>(indexTrace(path, {})));
    QCOMPARE(logs.size(), std::size_t(5));
    QVERIFY(!areRanks(logs));
    const RankLogs ranks = ranksAmong(logs);
    QCOMPARE(logNames(ranks.logs), (std::vector<std::string>{"rank 0", "rank 1"}));
    QCOMPARE(q(ranks.logs[1]->path.filename().string()), u"b.log"_s);
    QCOMPARE(q(ranks.leftOut),
             u"left out: older.log (another log of rank 1); other.log (another "
             "program); story.log (of no rank)"_s);
    // The content that a page shows is there, whatever else the log has.
    QCOMPARE(q(logs[2]->path.filename().string()), u"older.log"_s);
    QCOMPARE(ranksAmong(logs, logs[2]).logs[1], logs[2]);
    QCOMPARE(ranksAmong({logs[3]}).logs.size(), std::size_t(1));
}

void TestPrintedGraphs::placementsOfDTensors() {
    const auto log = traceOf("dtensor/dtensor.log");
    Options options{.model = log->path.string(), .compileId = "0/0"};
    const auto record = Session::open(options, {})->record();
    const auto noteOf = [&](GraphKind kind, const char* name) {
        const Node* node = record->graph(kind)->findByName(name);
        return node && node->source ? q(node->source->text) : QString();
    };
    // As Dynamo prints them, after the code; and as in the metadata, at the inputs of the graphs.
    QCOMPARE(noteOf(GraphKind::source, "l_self_modules_up_parameters_weight_"),
             u"# DTensor(f32[16, 8][8, 1]cpu, S(0))"_s);
    QCOMPARE(noteOf(GraphKind::source, "linear_1"),
             u"return self.down(torch.relu(self.up(x)))  # DTensor(f32[4, 8][8, 1]cpu, P(sum))"_s);
    for (const GraphKind kind : {GraphKind::joint, GraphKind::forward}) {
        QCOMPARE(noteOf(kind, "primals_3"), u"# DTensor(f32[16, 8], Shard(0)), mesh (tp=4)"_s);
        QCOMPARE(noteOf(kind, "primals_9"), u"# DTensor(f32[8], Replicate()), mesh (tp=4)"_s);
        QCOMPARE(record->graph(kind)->findByName("primals_3")->role, Role::parameter);
        QCOMPARE(noteOf(kind, "primals_1"), QString());
    }
    QCOMPARE(noteOf(GraphKind::joint, "primals_4"), u"# device_mesh of DTensor(f32[16, 8], Shard(0)), mesh (tp=4)"_s);
    options.compileId = "1/0";
    const auto moves = Session::open(options, {})->record();
    const auto& slots = moves->graph(GraphKind::inference)->outputSlots();
    QVERIFY2(q(slots[0].label).contains(u"DTensor(f32[8, 8], Replicate())"_s), slots[0].label.c_str());
    // Source lines are still those of the operations.
    const Node* gather = moves->graph(GraphKind::inference)->findByName("all_gather_into_tensor");
    const Node* rows = moves->graph(GraphKind::source)->findByName("rows");
    QCOMPARE(sourceOf(*gather), sourceOf(*rows));
}

void TestPrintedGraphs::redistributionsAreNamed() {
    const auto log = traceOf("dtensor/dtensor.log");
    const auto record = Session::open({.model = log->path.string(), .compileId = "1/0"}, {})->record();
    QStringList found;
    for (const Node* node : record->graph(GraphKind::inference)->nodes())
        if (const auto collective = collectiveOf(*node)) found << q(collective->redistribution);
    // On the CPU, PyTorch gathers and slices where other groups exchange.
    const QStringList expected = {u"Shard(0) -> Replicate()"_s, u"Shard(1) -> Replicate()"_s,
                                  u"Shard(1) -> Shard(0)"_s,    u"Shard(0) -> Replicate()"_s,
                                  u"Shard(0) -> Shard(1)"_s,    u"Partial(sum) -> Replicate()"_s,
                                  u"Partial(sum) -> Shard(1)"_s};
    QCOMPARE(found, expected);
    const auto exchange = parseSound(
        "graph g\n%x : f32[4, 8] = placeholder\n%y : f32[16, 2] = "
        "_dtensor.shard_dim_alltoall.default(%x, 0, 1, \"0\")\nreturn [%y]");
    QCOMPARE(q(collectiveOf(*exchange->findByName("y"))->redistribution), u"Shard(0) -> Shard(1)"_s);
    // Without DTensors it is a collective like any other.
    const auto plain = parseSound(
        "graph g\n%x : f32[4, 8] = placeholder\n%y : f32[4, 8] = "
        "_c10d_functional.all_reduce.default(%x, \"sum\", \"0\")\nreturn [%y]");
    QVERIFY(collectiveOf(*plain->findByName("y"))->redistribution.empty());
}

void TestPrintedGraphs::subclassesThatAreNotUnderstood_data() {
    const auto row = columns<QString, QStringList>("list", "subclasses");
    row("nothing", "", {});
    row("plain", "PlainTensorMeta(unwrapped_idx=3, memory_format=None)", {QString()});
    row("another entry", "OpaqueMeta()", {});
    row("no index", "SubclassCreationMeta(arg_count=2)", {});
    row("a huge index", "PlainTensorMeta(unwrapped_idx=99999999999)", {});
    row("cut off", "SubclassCreationMeta(flat_tensor_start_idx=0, attrs={'_local", {});
    row("brackets", ")))(((, [[[", {});
    row("nothing known", "SubclassCreationMeta(flat_tensor_start_idx=0)", {u"subclass([])"_s});
    row("another subclass",
        "SubclassCreationMeta(flat_tensor_start_idx=1, attrs={'a': PlainTensorMeta(unwrapped_idx=1)}, "
        "outer_size=torch.Size([2]), meta=(1,), original_subclass=my.Tensor(dtype=torch.int8))",
        {u"Tensor([2])"_s});
}

void TestPrintedGraphs::subclassesThatAreNotUnderstood() {
    QFETCH(QString, list);
    QFETCH(QStringList, subclasses);
    QStringList found;
    for (const PrintedLeaf& leaf : readSubclasses(list.toStdString())) found << q(leaf.subclass);
    QCOMPARE(found, subclasses);
}

/// The records of inductor_output_code and others contain classes and functions that are not graphs of the log.
void TestPrintedGraphs::graphsOfATraceAreOfTheLastAttempt() {
    const auto log = traceOf("story.log");
    const auto session = openFile(q(log->path.string()));
    const auto ids = session->compileIds();
    QCOMPARE(q(ids[0]), u"0/0"_s);
    for (const std::string& id : ids) QVERIFY2(log->find(id), id.c_str());
    QVERIFY(session->record()->graph(GraphKind::joint));
}

void TestPrintedGraphs::inductorsPassesArePasses() {
    const Options options{.model = std::string(AOTSCOPE_SOURCE_DIR) + "/tests/data/trace_logs/inductor.log",
                          .compileId = "0/0",
                          .verify = true};
    const auto session = Session::open(options, {});
    QVERIFY(session != nullptr);
    const CompileRecord& record = *session->record();
    QCOMPARE(namesOf(record), (QStringList{u"source"_s, u"pre-grad"_s, u"after-pre-grad"_s, u"inference"_s,
                                           u"after-joint"_s, u"post-grad"_s}));
    // The passes over the joint graph have removed unused operations, and the same nodes are followed.
    const std::size_t after = *passNamed(record, "after-joint");
    const auto changes = stepsOf(record, after);
    QVERIFY(!changes.empty());
    QVERIFY(std::ranges::all_of(changes, [](const PassStep& step) { return step.kind != "moved"; }));
    const Graph& inference = *record.graph(GraphKind::inference);
    const Graph& lowered = *record.passes[after].graphs.front().second;
    const Node* relu = inference.findByName("relu");
    QVERIFY(relu);
    QCOMPARE(lowered.findByName("relu")->id(), relu->id());
    QVERIFY(!record.passes[1].changed);
    QVERIFY(record.passes[after].changed);
    QCOMPARE(record.passes[after].lineage, MatchBy::id);
    QVERIFY2(session->whyNotExecutable().empty(), session->whyNotExecutable().c_str());
    QVERIFY(session->check({}).ok);
    const auto summary = summarizePrinted(options.model, {});
    QVERIFY(std::ranges::count(summary.front().graphs, "after-joint", &std::pair<std::string, std::size_t>::first) ==
            1);
}

void TestPrintedGraphs::inductorsPassesOfHalves() {
    Options options{.model = std::string(AOTSCOPE_SOURCE_DIR) + "/tests/data/trace_logs/inductor.log",
                    .compileId = "1/0"};
    const auto session = Session::open(options, {});
    const CompileRecord& record = *session->record();
    std::vector<GraphKind> halves;
    for (const PassRecord& pass : record.passes)
        if (name(pass) == "post-grad" || name(pass) == "before-post-grad") halves.push_back(pass.graphs.front().first);
    QVERIFY(std::ranges::count(halves, GraphKind::forward) >= 1 &&
            std::ranges::count(halves, GraphKind::backward) >= 1);
    // Roles are those of forward and backward: the forward has saved values, the backward tangents.
    const Graph& backward = *record.passes.back().graphs.front().second;
    const auto inputs = backward.placeholders();
    QVERIFY(std::ranges::any_of(inputs, [](const Node* node) { return node->role == Role::tangent; }));
    const Node* tangent = *std::ranges::find(inputs, Role::tangent, &Node::role);
    QCOMPARE(tangent->id(), record.graph(GraphKind::backward)->findByName(tangent->name())->id());
    // No id is used for two different operations.
    std::map<NodeId, std::string> known;
    for (const PassRecord& pass : record.passes)
        for (const auto& [kind, graph] : pass.graphs)
            if (kind != GraphKind::source)
                for (const Node* node : graph->nodes())
                    if (node->kind() == NodeKind::call)
                        QCOMPARE(q(known.emplace(node->id(), node->op()).first->second), q(node->op()));
    options.repartition = true;
    QVERIFY(Session::open(options, {})->record()->error.empty());
}
