#include "io/report.h"

#include "io/communication_text.h"
#include "io/cost_json.h"
#include "io/differences/recompilations_text.h"
#include "io/profile_text.h"
#include "io/run_facts.h"
#include "io/tables/check_table.h"
#include "io/tables/guard_table.h"
#include "io/tables/table_text.h"
#include "io/text_report.h"
#include "io/timing_json.h"
#include "ir/printer.h"
#include "ir/provenance.h"
#include "ir/subgraphs.h"
#include "ops/decompositions/core_aten.h"
#include "partition/order/order_gain.h"
#include "record/history/python_differences.h"
#include "record/partition_figures.h"
#include "record/results/fallback_list.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace aotscope {

namespace {

using nlohmann::json;

/// Nodes that one kernel computes together, by name.
json groupsJson(const CompilerUse& use, const CompileRecord& record) {
    json groups = json::array();
    const auto graph = record.graph(use.graph);
    for (const auto& group : use.groups) {
        json names = json::array();
        for (const NodeId id : group)
            if (const Node* node = graph ? graph->findById(id) : nullptr) names.push_back(node->name());
        groups.push_back(std::move(names));
    }
    return groups;
}

/// The compilers of the graphs that have run.
json compilersJson(const std::vector<CompilerUse>& compilers, const CompileRecord& record) {
    json list = json::array();
    for (const CompilerUse& use : compilers)
        list.push_back({{"graph", name(use.graph)},
                        {"chosen", use.chosen},
                        {"used", use.used},
                        {"note", use.note},
                        {"compile_ms", use.ms},
                        {"groups", groupsJson(use, record)}});
    return list;
}

/// The times of the passes, and of graphs that were compiled later, on first use.
json timesJson(const CompileRecord& record, const std::vector<CompilerUse>& compilers) {
    double later = 0;
    for (const CompilerUse& use : compilers) {
        const auto inPass = std::ranges::find(record.compilers, use.graph, &CompilerUse::graph);
        if (inPass != record.compilers.end() && inPass->ms == 0) later += use.ms;
    }
    return {{"load", record.times.load},
            {"metadata", record.times.metadata},
            {"joint", record.times.joint},
            {"partition", record.times.partition},
            {"compile", record.times.compile + later},
            {"total", record.times.total + later}};
}

json graphsJson(const CompileRecord& record) {
    json j = json::object();
    for (const auto& [kind, graph] : record.graphs)
        j[std::string(name(kind))] = {{"title", graphTitle(record, kind)},
                                      {"calls", graph->callCount()},
                                      {"placeholders", graph->placeholders().size()},
                                      {"outputs", graph->outputs().size()},
                                      {"gradients", gradientCount(*graph)},
                                      {"ops", opHistogram(*graph)},
                                      {"outside_core_aten", countOutsideCoreAten(*graph)},
                                      {"text", printGraph(*graph)},
                                      {"full_text", printGraph(*graph, Detail::full)}};
    return j;
}

json valueDifferenceJson(const Difference& d) {
    json j = {{"what", d.what}, {"kind", name(d.kind)}, {"expected", d.expected}, {"actual", d.actual}};
    if (!d.index.empty() || d.total > 0) {
        j["index"] = d.index;
        j["max_abs"] = d.maxAbs;
        j["max_rel"] = d.maxRel;
        j["count"] = d.count;
        j["total"] = d.total;
    }
    if (!d.sizes.empty()) j["sizes"] = d.sizes;
    j["sentence"] = describe(d);
    return j;
}

json differencesJson(const std::vector<Difference>& differences) {
    json list = json::array();
    for (const Difference& d : differences) list.push_back(valueDifferenceJson(d));
    return list;
}

json checkJson(const CheckResult& check, const CompileRecord& record) {
    json sizes = json::array();
    for (const SizeCheck& c : check.sizes)
        sizes.push_back({{"sizes", c.sizes},
                         {"ok", c.ok},
                         {"recompiled", c.recompiled},
                         {"reason", c.reason},
                         {"refused", c.refused}});
    return {{"ok", check.verdict() == CheckVerdict::equal},
            {"verdict", name(check.verdict())},
            {"sizes", sizes},
            {"cache", {{"hits", check.hits}, {"misses", check.misses}}},
            {"recompilations", recompilationsJson(record, check.recompilations)},
            {"backward_run", check.backwardRun},
            {"backward_error", check.backwardError},
            {"compiled_backward_error", check.compiledBackwardError},
            {"outputs_max_error", check.outputsMaxError},
            {"grads_max_error", check.gradsMaxError},
            {"inputs_after_ok", check.inputsAfterOk},
            {"aliasing_ok", check.aliasingOk},
            {"values", tableJson(checkedValueTable(check))},
            {"seed", check.seed},
            {"took_ms", check.tookMs},
            {"eager_ms", check.eagerMs},
            {"compiled_ms", check.compiledMs},
            {"differences", differencesJson(check.differences)},
            {"fallbacks", fallbacksOf(check)},
            {"details", check.details},
            {"notes", check.notes}};
}

json bisectJson(const BisectResult& result) {
    return {{"found", result.found},
            {"sentence", describe(result)},
            {"pass", result.found ? json(passName(result)) : json()},
            {"graph", result.graph ? json(name(*result.graph)) : json()},
            {"node", result.nodeName.empty() ? json() : json(result.nodeName)},
            {"op", result.op.empty() ? json() : json(result.op)},
            {"place", result.place},
            {"reason", result.reason},
            {"value", result.value ? valueDifferenceJson(*result.value) : json()},
            {"outputs", differencesJson(result.outputs)},
            {"passes", result.passes},
            {"notes", result.notes},
            {"sizes", result.sizes}};
}

}  // namespace

json crossCheckJson(const CrossCheckReport& report) {
    json mismatches = json::array();
    for (const FakeMismatch& m : report.mismatches)
        mismatches.push_back({{"op", m.op}, {"expected", m.expected}, {"found", m.found}, {"count", m.count}});
    return {{"ops_checked", report.checked}, {"skipped", report.skipped}, {"mismatches", mismatches}};
}

json makeReport(const Options& options, const CompileRecord& record, const MachineSource& machine,
                const ReportedResults& results) {
    const auto& [check, timing, bisect, against, profile] = results;
    const std::vector<CompilerUse>& compilers = compilersIn(record, check, timing);
    json report = {{"schema", kReportSchema},
                   {"model", {{"name", record.model.name}, {"path", record.model.path}, {"kind", record.model.kind}}},
                   {"torch", record.model.torchVersion},
                   {"device", options.device},
                   {"graphs", graphsJson(record)},
                   {"assumptions", tableJson(assumptionTable(record))},
                   {"warnings", warningsOf(record)},
                   {"notes", record.notes},
                   {"python_differences", pythonDifferences(record)},
                   {"fell_back", fallbacksOf(record)},
                   {"compilers", compilersJson(compilers, record)},
                   {"compile_ms", timesJson(record, compilers)}};
    report.update(factsOf(options, record));
    if (record.partition && record.partition->plan) report["plan"] = planJson(*record.partition->plan);
    if (const auto memory = liveMemory(record)) report["memory"] = liveMemoryJson(*memory);
    if (const auto gain = orderGainOf(record))
        report["order"] = {{"peak_bytes", {{"before", gain->peakBefore}, {"after", gain->peakAfter}}},
                           {"moved_operations", gain->moved}};
    const Links links = linksNamed(options.links);
    if (const auto found = communicationOf(record, options.world, links, machine);
        !found.graphs.empty() || !found.problem.empty())
        report["communication"] = communicationJson(found, options.world, links);
    if (check) report["check"] = checkJson(*check, record);
    if (timing) {
        const MachineModel model = machine();
        report["timing"] = timingJson(*timing, record, model);
        report["machine"] = machineJson(model);
    }
    if (against) report["against"] = variantTimingJson(*against);
    if (profile) report["profile"] = profileJson(*profile, record);
    if (bisect) report["bisect"] = bisectJson(*bisect);
    if (record.crossCheck) report["cross_check"] = crossCheckJson(*record.crossCheck);
    return report;
}

json graphJson(const Graph& graph) {
    json nodes = json::array();
    for (const Node* node : graph.nodes()) {
        json j = {{"id", node->id()}, {"name", node->name()}};
        json inputs = json::array();
        for (const Node* input : node->inputs()) inputs.push_back(input->id());
        j["inputs"] = std::move(inputs);
        switch (node->kind()) {
            case NodeKind::placeholder:
                j["kind"] = "placeholder";
                j["role"] = name(node->role);
                break;
            case NodeKind::constant: j["kind"] = "constant"; break;
            case NodeKind::call:
                j["kind"] = "call";
                j["op"] = node->op();
                j["arguments"] = printArguments(*node);
                break;
            case NodeKind::output: j["kind"] = "output"; break;
        }
        if (node->type.known()) j["type"] = printType(node->type);
        if (!node->label.empty()) j["label"] = node->label;
        j["stage"] = name(node->stage);
        const Provenance provenance = provenanceOf(*node);
        if (provenance.source) {
            j["module"] = provenance.source->module;
            if (!provenance.source->file.empty()) {
                j["file"] = provenance.source->file;
                j["line"] = provenance.source->line;
            }
            j["source"] = provenance.source->text;
        }
        if (!provenance.function.empty()) j["autograd"] = provenance.function;
        if (provenance.forward != kNoNode) j["forward"] = provenance.forward;
        nodes.push_back(std::move(j));
    }
    json document = {{"schema", kReportSchema}, {"graph", graph.name()}, {"nodes", nodes}, {"text", printGraph(graph)}};
    for (const auto& subgraph : subgraphsOf(graph)) document["subgraphs"].push_back(graphJson(*subgraph));
    return document;
}

}  // namespace aotscope
