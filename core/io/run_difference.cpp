#include "io/run_difference.h"

#include "support/error.h"
#include "support/names.h"

#include <nlohmann/json.hpp>

#include <set>

namespace aotscope {

namespace {

using nlohmann::json;
using Values = std::vector<RunSummary::Value>;

Values valuesIn(const json& list) {
    Values values;
    for (const json& value : list)
        values.push_back({value.at("name").get<std::string>(), value.at("op").get<std::string>(),
                          value.at("bytes").get<std::int64_t>()});
    return values;
}

/// Those of `values` that are not among `others`.
Values onlyIn(const Values& values, const Values& others) {
    std::set<std::pair<std::string, std::string>> known;
    for (const auto& value : others) known.emplace(value.name, value.op);
    Values only;
    for (const auto& value : values)
        if (!known.contains({value.name, value.op})) only.push_back(value);
    return only;
}

const std::map<std::string, int>& opsOf(const RunSummary& run, const std::string& graph) {
    static const std::map<std::string, int> none;
    const auto it = run.ops.find(graph);
    return it == run.ops.end() ? none : it->second;
}

std::map<std::string, CountChange> changes(const std::map<std::string, int>& before,
                                           const std::map<std::string, int>& after) {
    std::map<std::string, CountChange> counts;
    for (const auto& [op, count] : before) counts[op].before = count;
    for (const auto& [op, count] : after) counts[op].after = count;
    std::erase_if(counts, [](const auto& entry) { return entry.second.before == entry.second.after; });
    return counts;
}

json valuesJson(const Values& values) {
    json list = json::array();
    for (const auto& value : values) list.push_back({{"name", value.name}, {"op", value.op}, {"bytes", value.bytes}});
    return list;
}

}  // namespace

RunSummary summaryOf(const CompileRecord& record) {
    RunSummary run;
    for (const auto& [kind, graph] : record.graphs) run.ops[std::string(name(kind))] = opHistogram(*graph);
    if (!record.partition) return run;
    for (const auto& value : record.partition->saved) run.saved.push_back({value.name, value.op, value.type.bytes()});
    for (const auto& value : record.partition->recomputed)
        run.recomputed.push_back({value.name, value.op, value.bytes});
    run.savedBytes = record.partition->savedUniqueBytes();
    return run;
}

RunSummary summaryOf(const json& report, const std::string& where) {
    try {
        RunSummary run;
        for (const auto& [graph, content] : report.at("graphs").items())
            run.ops[graph] = content.at("ops").get<std::map<std::string, int>>();
        const auto partition = report.find("partition");
        if (partition == report.end()) return run;
        run.saved = valuesIn(partition->at("saved"));
        run.recomputed = valuesIn(partition->at("recomputed"));
        run.savedBytes = partition->at("saved_unique_bytes").get<std::int64_t>();
        return run;
    } catch (const json::exception&) {
        throw Error("'" + where + "' is not a report; expected a file written by 'aotscope run MODEL --report FILE'");
    }
}

RunDifference compare(const RunSummary& before, const RunSummary& after, const std::string& graph) {
    RunDifference difference;
    std::set<std::string> graphs;
    for (const RunSummary* run : {&before, &after})
        for (const auto& [name, ops] : run->ops) graphs.insert(name);
    if (!graph.empty() && !graphs.contains(graph))
        throw Error("neither has a graph '" + graph + "'; they have " + quotedNames({graphs.begin(), graphs.end()}));
    for (const auto& name : graphs) {
        if (!graph.empty() && name != graph) continue;
        auto changed = changes(opsOf(before, name), opsOf(after, name));
        if (!changed.empty()) difference.ops[name] = std::move(changed);
    }
    if (!graph.empty()) return difference;
    difference.savedOnlyBefore = onlyIn(before.saved, after.saved);
    difference.savedOnlyAfter = onlyIn(after.saved, before.saved);
    difference.recomputedOnlyBefore = onlyIn(before.recomputed, after.recomputed);
    difference.recomputedOnlyAfter = onlyIn(after.recomputed, before.recomputed);
    difference.savedBytesBefore = before.savedBytes;
    difference.savedBytesAfter = after.savedBytes;
    return difference;
}

json differenceJson(const RunDifference& difference) {
    json ops = json::object();
    for (const auto& [graph, changed] : difference.ops)
        for (const auto& [op, count] : changed) ops[graph][op] = {{"before", count.before}, {"after", count.after}};
    return {{"changed", !difference.empty()},
            {"ops", ops},
            {"saved",
             {{"removed", valuesJson(difference.savedOnlyBefore)}, {"added", valuesJson(difference.savedOnlyAfter)}}},
            {"recomputed",
             {{"removed", valuesJson(difference.recomputedOnlyBefore)},
              {"added", valuesJson(difference.recomputedOnlyAfter)}}},
            {"saved_unique_bytes", {{"before", difference.savedBytesBefore}, {"after", difference.savedBytesAfter}}}};
}

}  // namespace aotscope
