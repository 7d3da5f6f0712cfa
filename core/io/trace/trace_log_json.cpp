#include "io/trace/trace_log_json.h"

#include "io/tables/table_text.h"
#include "io/tables/trace_tables.h"
#include "io/trace/trace_log_text.h"
#include "load/printed/log/section_kinds.h"
#include "load/trace_log/rank_logs.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

using nlohmann::json;

json placeJson(const CodePlace& place) {
    if (!place.known() && place.function.empty()) return {};
    return {{"file", place.file}, {"line", place.line}, {"function", place.function}, {"code", place.code}};
}

template <typename List, typename Convert>
json listJson(const List& list, const Convert& convert) {
    json array = json::array();
    for (const auto& each : list) array.push_back(convert(each));
    return array;
}

json breakJson(const GraphBreak& each) {
    return {{"place", placeJson(each.place)},  {"reason", each.reason},
            {"explanation", each.explanation}, {"hint", each.hint},
            {"context", each.context},         {"link", each.link},
            {"attempt", each.attempt},         {"stack", listJson(each.stack, placeJson)}};
}

json cacheJson(const CacheEvent& event) {
    return {{"cache", event.cache}, {"state", nameOf(event.state)}, {"reason", event.reason},
            {"key", event.key},     {"saved_ms", event.savedMs},    {"line", event.line}};
}

json failedJson(const FailedGuard& guard) {
    return {
        {"earlier", guard.earlier}, {"check", guard.check}, {"hint", guard.hint}, {"place", placeJson(guard.place)}};
}

json minCutJson(const LoggedMinCut& cut) {
    return {{"memory_budget", cut.memoryBudget},
            {"saved_gb", cut.savedGb},
            {"least_gb", cut.leastGb},
            {"most_gb", cut.mostGb},
            {"runtime", cut.runtime},
            {"joint_nodes", cut.nodes},
            {"saved", cut.saved},
            {"kept", cut.keptByKnapsack},
            {"recomputed", cut.recomputed}};
}

json loggedGraphsJson(const TraceLog& log, const TracedCompile& compile) {
    json graphs = json::array();
    for (const LogRecord& record : compile.records)
        if (topicOf(log.nameOf(record)) == LogTopic::graphs || kindOfRecord(log.nameOf(record)) != PrintedKind::unknown)
            graphs.push_back({{"name", log.nameOf(record)},
                              {"attempt", record.attempt},
                              {"line", record.line},
                              {"bytes", record.payload}});
    return graphs;
}

template <typename Number>
json optionalJson(const std::optional<Number>& number) {
    return number ? json(*number) : json();
}

json compileJson(const TraceLog& log, const TracedCompile& compile, const CompileStory& story) {
    json records = json::object(), metrics = json::object();
    for (const LogRecord& record : compile.records) {
        json& count = records[log.nameOf(record)];
        count = count.is_number() ? count.get<std::size_t>() + 1 : 1;
    }
    for (const auto& [key, value] : story.metrics) metrics[key] = value;
    json all = {
        {"id", compile.id},
        {"frame", compile.frame()},
        {"stack", listJson(story.stack, placeJson)},
        {"operations", optionalJson(story.operatorCount)},
        {"nodes", optionalJson(story.nodeCount)},
        {"inputs", optionalJson(story.inputCount)},
        {"graphs", loggedGraphsJson(log, compile)},
        {"recompiled_for", listJson(story.recompiledFor, failedJson)},
        {"graph_breaks", listJson(story.breaks, breakJson)},
        {"restarts", story.restarts},
        {"caches", listJson(story.caches, cacheJson)},
        {"shape_guards", listJson(story.shapeGuards, [](const LoggedShapeGuard& guard) { return guard.condition; })},
        {"collectives", story.collectives},
        {"min_cut", story.minCut ? minCutJson(*story.minCut) : json()},
        {"metrics", std::move(metrics)},
        {"failure", story.failure},
        {"records", std::move(records)}};
    all.update(tableJson(overviewTable(log, compile, story), {"code", "captured_operations", "guard_count"}).front());
    for (const TraceList& list : traceLists()) {
        if (!list.inJson) continue;
        const Table table = list.table(log, compile, story);
        all[table.key] = tableJson(table);
    }
    return all;
}

}  // namespace

json traceLogJson(const TraceLog& log, const std::vector<CompileStory>& stories) {
    json problems = json::array();
    const auto add = [&](const LogProblem& problem) {
        problems.push_back({{"line", problem.line}, {"text", problem.text}});
    };
    for (const LogProblem& problem : log.problems) add(problem);
    json compiles = json::array();
    for (std::size_t i = 0; i < stories.size(); ++i) {
        compiles.push_back(compileJson(log, log.compiles[i], stories[i]));
        for (const LogProblem& problem : stories[i].problems) add(problem);
    }
    const auto rank = rankOf(log);
    return {{"schema", 1},
            {"file", log.path.filename().string()},
            {"rank", optionalJson(rank)},
            {"bytes", log.bytes},
            {"records", log.recordCount},
            {"compilations", std::move(compiles)},
            {"problems", std::move(problems)},
            {"more_problems", log.moreProblems}};
}

}  // namespace aotscope
