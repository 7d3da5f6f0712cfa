#include "cli/engine/rank_flags.h"
#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "debug/debugger.h"
#include "debug/stepped_ranks_text.h"
#include "io/metadata_json.h"
#include "io/report.h"
#include "io/text_report.h"
#include "ops/meaningless.h"
#include "record/options/remote_model.h"
#include "session/ranks/rank_debuggers.h"
#include "session/ranks/rank_runs.h"
#include "session/session.h"
#include "support/joined.h"
#include "support/json/json_text.h"
#include "support/names.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <map>

namespace aotscope {

namespace {

using Reason = DebugStop::Reason;

/// The script of the command: edits first, then one run to a reason to stop.
struct DebugScript {
    std::vector<std::string> edits;  ///< "[GRAPH:]NODE=VALUE"
    std::vector<std::string> breakpoints;
    std::vector<std::string> watches;  ///< "[GRAPH:]NODE"
    bool firstNaN = false, againstEager = false;
    std::string against;  ///< another model or session; empty: not compared
};

/// A node that the command line names.
struct NamedNode {
    GraphKind graph = GraphKind::forward;
    const Node* node = nullptr;
    std::size_t place = 0;  ///< in the order of computation
};

class Names {
public:
    explicit Names(const CompileRecord& record) : record_(record) {}

    /// "[GRAPH:]NAME": a node's name, or what the model calls an input.
    NamedNode find(const std::string& text) const {
        const auto colon = text.find(':');
        const auto only = colon == std::string::npos ? std::nullopt : graphKindFromName(text.substr(0, colon));
        std::string name = only ? text.substr(colon + 1) : text;
        if (name.starts_with('%')) name.erase(0, 1);
        std::vector<std::string> known;
        std::size_t place = 0;
        for (const GraphKind kind : executedGraphs(record_)) {
            const auto graph = record_.graph(kind);
            for (const Node* node : graph->nodes()) {
                ++place;
                if (node->kind() == NodeKind::output || (only && *only != kind)) continue;
                if (node->name() == name || (!node->label.empty() && node->label == name)) return {kind, node, place};
                known.push_back(node->name());
                if (!node->label.empty()) known.push_back(node->label);
            }
        }
        const auto similar = similarNames(name, known);
        throw UsageError("'" + text + "': there is no such node or input in the graphs of this run" +
                         (similar.empty() ? "; see 'aotscope export MODEL --graph forward --format txt'"
                                          : "; similar names: " + quotedNames(similar)));
    }

private:
    const CompileRecord& record_;
};

struct Edit {
    NamedNode where;
    std::string value;
};

/// In the order of computation: editing a value discards edits of later ones.
std::vector<Edit> editsOf(const DebugScript& script, const Names& names) {
    std::vector<Edit> edits;
    for (const std::string& text : script.edits) {
        const auto equals = text.find('=');
        if (equals == std::string::npos) throw UsageError("--set " + text + ": expected NODE=VALUE");
        edits.push_back({names.find(text.substr(0, equals)), text.substr(equals + 1)});
    }
    std::ranges::stable_sort(edits, {}, [](const Edit& edit) { return edit.where.place; });
    return edits;
}

void apply(const Edit& edit, Debugger& run) {
    editWhenThere(run, edit.where.graph, edit.where.node->id(), edit.value, {});
}

/// The options of the other run: files are where its model is.
Options otherOptions(const Options& options, const DebugScript& script) {
    Options other = options;
    const bool there = isRemote(options.model) && !isRemote(script.against);
    other.model = there ? besideRemote(options.model, script.against) : script.against;
    if (other.model != options.model) other.inputs = {};  // they are those of the first
    return other;
}

void runScript(const DebugScript& script, const OpenRanks& open, Debugger& run) {
    std::vector<DebugBreakpoint> breakpoints;
    for (const std::string& condition : script.breakpoints) breakpoints.push_back({condition});
    run.setBreakpoints(std::move(breakpoints));
    if (script.againstEager) run.compareWithEager({});
    if (!script.against.empty()) run.execute({.verb = DebugVerb::compareWith, .other = open(1)}, {});
    if (script.firstNaN) run.runToNotFinite({});
    else run.run({});
}

/// The watched nodes, preceded by the one at which the run has stopped.
std::vector<NamedNode> shownNodes(const DebugScript& script, const Names& names, const Debugger& run) {
    std::vector<NamedNode> nodes;
    const Node* node = run.stoppedAt();
    if (node && run.lastStop().reason != Reason::ended) nodes.push_back({run.lastStop().graph, node});
    for (const std::string& text : script.watches) nodes.push_back(names.find(text));
    return nodes;
}

std::string noValueText(const Debugger& run, const NamedNode& shown, const CompileRecord& record) {
    return whyNoValue(run.steps(), run.position(), *record.graph(shown.graph), shown.graph, *shown.node);
}

std::string notComparedText(const Node& node) {
    const std::string_view why = whyMeaningless(node);
    return why.empty() ? std::string() : "; not compared: " + std::string(why);
}

/// How many steps each graph has: operations, or what the compiler makes of them.
std::map<GraphKind, std::size_t> stepsOfGraphs(const Debugger& run) {
    std::map<GraphKind, std::size_t> counts;
    for (const DebugStep& step : run.steps()) ++counts[step.graph];
    return counts;
}

void printText(const Debugger& run, const std::vector<NamedNode>& nodes, const CompileRecord& record) {
    std::cout << stopText(run.lastStop()) << "\n"
              << "position: " << positionText(run.position(), record) << "\n"
              << "steps: "
              << joined(
                     stepsOfGraphs(run), ", ",
                     [](const auto& each) { return std::string(name(each.first)) + " " + std::to_string(each.second); })
              << "\n";
    if (record.metadata && record.graphMetadata) std::cout << runtimeText(*record.metadata, *record.graphMetadata);
    for (const std::string& note : run.state().notes) std::cout << "note: " << note << "\n";
    for (const NamedNode& shown : nodes) {
        const auto facts = run.value(shown.graph, shown.node->id());
        std::cout << name(shown.graph) << " %" << shown.node->name() << ": "
                  << (facts ? describe(*facts) : noValueText(run, shown, record)) << notComparedText(*shown.node)
                  << "\n";
        if (!facts || !facts->tensor || facts->first.empty()) continue;
        std::cout << " ";
        for (const double x : facts->first) std::cout << " " << numberText(x);
        std::cout << (static_cast<std::int64_t>(facts->first.size()) < facts->elements ? " ...\n" : "\n");
    }
}

nlohmann::json jsonOf(const NamedNode& shown, const Debugger& run, const CompileRecord& record) {
    nlohmann::json json = {{"graph", name(shown.graph)}, {"node", shown.node->name()}};
    if (const std::string_view why = whyMeaningless(*shown.node); !why.empty()) json["not_compared"] = why;
    const auto facts = run.value(shown.graph, shown.node->id());
    if (!facts) json["no_value"] = noValueText(run, shown, record);
    if (!facts) return json;
    json.update({{"type", facts->type},
                 {"elements", facts->elements},
                 {"nans", facts->nans},
                 {"infs", facts->infs},
                 {"zeros", facts->zeros},
                 {"min", facts->min},
                 {"max", facts->max},
                 {"mean", facts->mean},
                 {"std", facts->deviation},
                 {"histogram", facts->histogram},
                 {"first", facts->first}});
    return json;
}

/// What is not stepped through.
nlohmann::json wrapperJson(const CompileRecord& record) {
    if (!record.metadata || !record.graphMetadata) return nlohmann::json::array();
    return runtimeStepsJson(*record.metadata, *record.graphMetadata);
}

void printJson(const Debugger& run, const std::vector<NamedNode>& nodes, const CompileRecord& record) {
    const DebugStop& stop = run.lastStop();
    const DebugPosition position = run.position();
    const auto nodeName = [&](GraphKind kind, NodeId id) {
        return id == kNoNode ? nlohmann::json() : nlohmann::json(record.graph(kind)->findById(id)->name());
    };
    const bool notFinite = stop.reason == Reason::notFinite;
    nlohmann::json values = nlohmann::json::array();
    for (const NamedNode& shown : nodes) values.push_back(jsonOf(shown, run, record));
    nlohmann::json graphSteps = nlohmann::json::object();
    for (const auto& [kind, count] : stepsOfGraphs(run)) graphSteps[std::string(name(kind))] = count;
    const nlohmann::json json = {{"schema", 1},
                                 {"stop",
                                  {{"reason", name(stop.reason)},
                                   {"text", stop.text},
                                   {"graph", name(stop.graph)},
                                   {"node", nodeName(stop.graph, stop.node)}}},
                                 {"position",
                                  {{"graph", name(position.graph)},
                                   {"step", position.step},
                                   {"steps", position.steps},
                                   {"node", nodeName(position.graph, position.node)}}},
                                 {"graph_steps", std::move(graphSteps)},
                                 {"runtime_steps", wrapperJson(record)},
                                 {"notes", run.state().notes},
                                 {"values", std::move(values)},
                                 {"python", notFinite ? run.callAsPython(stop.graph, stop.node, {}) : std::string()}};
    std::cout << jsonText(json);
}

class DebugSubcommand final : public Subcommand {
public:
    explicit DebugSubcommand(CLI::App& parent);

    std::vector<NamedFile> otherFilesRead() const override { return {{"--against", script_.against}}; }
    void check(Options& options) override {
        ranks_.check(options);
        options.given->plan({GivenOptions::Purpose::run, GivenOptions::Purpose::kernels});
        options.use({"--set", "--watch", "--break", "--first-nan", "--against-eager", "--against", "--json"});
    }
    int run(const Options& options) override;

private:
    void addStops();
    int stepRanks(const Options& options, const std::vector<Options>& models, RankProcess* process) const;
    int step(const OpenRanks& open, const Options& options, const Session* single) const;
    void print(const Debugger& run, const std::vector<NamedNode>& nodes, const Session* single) const;
    static int codeOf(Reason reason);

    DebugScript script_;
    bool json_ = false;
    RankFlags ranks_;
};

DebugSubcommand::DebugSubcommand(CLI::App& parent)
    : Subcommand(parent, "debug", "run the compiled graphs node by node, up to a wrong value or a condition",
                 "aotscope debug sample:gpt2-tiny --break 'op:mm and absmax>10' --watch tokens", Takes::model) {
    app_.add_option("--set", script_.edits,
                    "set the value of an input or another node before running on (repeatable): numbers, one for all "
                    "elements or as many as there are, or [INDEX,...]=NUMBER, as in --set 'x=[0,1]=nan'")
        ->type_name("[GRAPH:]NODE=VALUE")
        ->allow_extra_args(false);
    addStops();
    app_.add_option("--watch", script_.watches, "also print statistics of this value (repeatable)")
        ->type_name("[GRAPH:]NODE")
        ->allow_extra_args(false);
    ranks_.addTo(app_,
                 "step all N ranks of a distributed program together, with real collectives, and print each value by "
                 "rank; {rank} in the names of MODEL, --against, --inputs and --weights stands for a rank's number");
    app_.add_flag("--json", json_, "print JSON");
}

void DebugSubcommand::addStops() {
    app_.add_option("--break", script_.breakpoints,
                    "stop before a node that matches a query (op:mm, module:attn), or after a node with such a value: "
                    "has_nan, has_inf, absmax>1e4, min<.., max>.., mean>.. (repeatable)")
        ->type_name("CONDITION")
        ->allow_extra_args(false);
    app_.add_flag("--first-nan", script_.firstNaN,
                  "stop at the first NaN or infinity that does not come from another one; exit code 3");
    auto* eager = app_.add_flag("--against-eager", script_.againstEager,
                                "stop at the first value that differs from eager's; exit code 3");
    app_.add_option("--against", script_.against,
                    "stop at the first value that differs from a run of this session or model; exit code 3")
        ->type_name("MODEL")
        ->excludes(eager);
}

int DebugSubcommand::run(const Options& options) {
    std::vector<Options> models = {options};
    if (!script_.against.empty()) models.push_back(otherOptions(options, script_));
    if (ranks_.given())
        return ranks_.run(options, [&](RankProcess* process) { return stepRanks(options, models, process); });
    const auto session = openToRun(options, {}, "debug");
    const auto open = [&](std::size_t which) {
        return (which == 0 ? session : Session::open(models[which], {}, session))->debug({});
    };
    return step(open, options, session.get());
}

/// Threads, or processes that rank 0 steps.
int DebugSubcommand::stepRanks(const Options& options, const std::vector<Options>& models, RankProcess* process) const {
    const auto lead = [&](const OpenRanks& open) { return step(open, options, nullptr); };
    if (process) return debugProcesses(*process, models, lead);
    std::shared_ptr<const Session> first;
    return lead([&](std::size_t which) {
        const auto ranks = compileRanks(models[which], ranks_.count(), {}, {.beside = first.get()});
        if (!first) first = ranks->runs().front().session;
        return ranks->debug({});
    });
}

int DebugSubcommand::codeOf(Reason reason) {
    switch (reason) {
        case Reason::difference:
        case Reason::notFinite: return kDifference;
        case Reason::failed: return kFailed;
        default: return kFine;
    }
}

/// Nodes are named as on the first rank; edits apply to every rank. `single`: the session of a single rank, whose
/// record may say more than that of its run.
int DebugSubcommand::step(const OpenRanks& open, const Options& options, const Session* single) const {
    const auto run = open(0);
    requireUsed(options);
    const Names names(single ? *single->record() : run->record(0));
    for (const std::string& text : script_.watches) names.find(text);  // before anything runs
    for (std::size_t rank = 0; rank < run->ranks(); ++rank) {
        run->show(rank);
        for (const Edit& edit : editsOf(script_, rank == 0 ? names : Names(run->record(rank)))) apply(edit, *run);
    }
    run->show(0);
    runScript(script_, open, *run);
    print(*run, shownNodes(script_, names, *run), single);
    return codeOf(run->lastStop().reason);
}

/// Where and why the run has stopped, and the values of `nodes`.
void DebugSubcommand::print(const Debugger& run, const std::vector<NamedNode>& nodes, const Session* single) const {
    if (single && json_) return printJson(run, nodes, *single->record());
    if (single) {
        printText(run, nodes, *single->record());
        std::cout << compilersText(single->compilers({}));
        return;
    }
    std::vector<std::pair<GraphKind, std::string>> shown;
    for (const NamedNode& node : nodes) shown.emplace_back(node.graph, node.node->name());
    if (json_) std::cout << jsonText(steppedRanksJson(run, shown));
    else std::cout << steppedRanksText(run, shown);
}

}  // namespace

std::unique_ptr<Subcommand> makeDebugCommand(CLI::App& parent) { return std::make_unique<DebugSubcommand>(parent); }

}  // namespace aotscope
