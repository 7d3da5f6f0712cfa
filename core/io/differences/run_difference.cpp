#include "io/differences/run_difference.h"

#include "io/differences/graph_difference_text.h"
#include "io/run_facts.h"
#include "ir/id_table.h"
#include "record/partition_figures.h"
#include "support/enumerators.h"
#include "support/error.h"
#include "support/joined.h"
#include "support/names.h"
#include "support/quoted.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace aotscope {

namespace {

using nlohmann::json;
using Values = std::vector<RunSummary::Value>;

Values valuesIn(const json& list) {
    Values values;
    for (const json& value : list)
        values.push_back({value.at("name").get<std::string>(), value.at("op").get<std::string>(),
                          value.at("bytes").is_null() ? 0 : value.at("bytes").get<std::int64_t>()});
    return values;
}

RunSummary summaryOfReport(const json& report) {
    RunSummary run;
    for (const auto& [graph, content] : report.at("graphs").items())
        run.ops[graph] = content.at("ops").get<std::map<std::string, int>>();
    const auto partition = report.find("partition");
    if (partition == report.end()) return run;
    run.saved = valuesIn(partition->at("saved"));
    run.recomputed = valuesIn(partition->at("recomputed"));
    run.savedBytes = partition->at("saved_unique_bytes").get<std::int64_t>();
    run.savedValues = partition->value("saved_values", run.saved.size());  // older reports only have lists
    run.recomputedOps = partition->value("recomputed_operations", run.recomputed.size());
    return run;
}

/// Those of `values` that are not among `others`, by their names there.
Values onlyIn(const Values& values, const Values& others, const NameAfter& nameThere) {
    std::set<std::pair<std::string, std::string>> known;
    for (const auto& value : others) known.emplace(value.name, nameThere ? std::string() : value.op);
    Values only;
    for (const auto& value : values)
        if (!known.contains(nameThere ? std::pair(nameThere(value.name), std::string())
                                      : std::pair(value.name, value.op)))
            only.push_back(value);
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
    const PartitionFigures figures = figuresOf(*record.partition);
    run.savedBytes = figures.savedBytes;
    run.savedValues = figures.savedValues;
    run.recomputedOps = figures.recomputedOps;
    return run;
}

SummaryDifference compare(const RunSummary& before, const RunSummary& after, const NameAfter& nameAfter) {
    SummaryDifference difference;
    std::set<std::string> graphs;
    for (const RunSummary* run : {&before, &after})
        for (const auto& [name, ops] : run->ops) graphs.insert(name);
    for (const auto& name : graphs) {
        auto changed = changes(opsOf(before, name), opsOf(after, name));
        if (!changed.empty()) difference.ops[name] = std::move(changed);
    }
    std::unordered_map<std::string, std::string> namesBefore;
    for (const Values* values : {&before.saved, &before.recomputed})
        for (const auto& value : *values)
            if (nameAfter) namesBefore.emplace(nameAfter(value.name), value.name);
    NameAfter nameBefore;
    if (nameAfter)
        nameBefore = [&](const std::string& name) {
            const auto it = namesBefore.find(name);
            return it == namesBefore.end() ? std::string() : it->second;
        };
    difference.savedOnlyBefore = onlyIn(before.saved, after.saved, nameAfter);
    difference.savedOnlyAfter = onlyIn(after.saved, before.saved, nameBefore);
    difference.recomputedOnlyBefore = onlyIn(before.recomputed, after.recomputed, nameAfter);
    difference.recomputedOnlyAfter = onlyIn(after.recomputed, before.recomputed, nameBefore);
    difference.savedBytesBefore = before.savedBytes;
    difference.savedBytesAfter = after.savedBytes;
    return difference;
}

json differenceJson(const SummaryDifference& difference) {
    json ops = json::object();
    for (const auto& [graph, changed] : difference.ops)
        for (const auto& [op, count] : changed) ops[graph][op] = {{"before", count.before}, {"after", count.after}};
    const bool moved = !difference.savedOnlyBefore.empty() || !difference.savedOnlyAfter.empty() ||
                       !difference.recomputedOnlyBefore.empty() || !difference.recomputedOnlyAfter.empty();
    return {{"changed", !ops.empty() || moved || difference.savedBytesBefore != difference.savedBytesAfter},
            {"ops", ops},
            {"saved",
             {{"removed", valuesJson(difference.savedOnlyBefore)}, {"added", valuesJson(difference.savedOnlyAfter)}}},
            {"recomputed",
             {{"removed", valuesJson(difference.recomputedOnlyBefore)},
              {"added", valuesJson(difference.recomputedOnlyAfter)}}},
            {"saved_unique_bytes", {{"before", difference.savedBytesBefore}, {"after", difference.savedBytesAfter}}}};
}

bool ComparedRun::hasMetadata() const { return facts->contains("metadata"); }

ComparedRun comparedRun(const Options& options, std::shared_ptr<const CompileRecord> record) {
    ComparedRun run{{record}, std::make_shared<const json>(factsOf(options, *record)), summaryOf(*record)};
    run.compileMs = record->times.total;
    return run;
}

ComparedRun comparedReport(json report, const std::string& where) {
    ComparedRun run{readReport(report, where)};
    try {
        run.summary = summaryOfReport(report);
        if (const auto times = report.find("compile_ms"); times != report.end())
            run.compileMs = times->value("total", 0.0);
    } catch (const json::exception&) {
        throw Error("'" + where + "' is not a report; expected a file written by 'aotscope run MODEL --report FILE'");
    }
    run.facts = std::make_shared<const json>(std::move(report));
    run.isReport = true;
    return run;
}

namespace {

constexpr std::size_t kShownNames = 5;

/// Ignores the folder, which differs between machines.
bool sameSource(const Node& a, const Node& b) {
    if (!a.source || !b.source) return true;
    const auto fileOf = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
    return a.source->module == b.source->module && a.source->line == b.source->line &&
           fileOf(a.source->file) == fileOf(b.source->file);
}

template <typename Visit>
void forEachPair(const GraphDifference& difference, Visit&& visit) {
    const NodesById before = nodesById(*difference.before), after = nodesById(*difference.after);
    for (const DifferenceRow& row : difference.rows)
        if (row.before != kNoNode && row.after != kNoNode) visit(*before.at(row.before), *after.at(row.after));
}

class RunComparison {
public:
    RunComparison(const ComparedRun& before, const ComparedRun& after, AspectSet ignored, std::string graph)
        : before_(before), after_(after), only_(std::move(graph)) {
        result_.ignored = ignored;
        // Graphs from the same kind of text omit the same things.
        compared_.ignored = ignored;
        compared_.exact = before.exact == after.exact && before.hasMetadata() == after.hasMetadata();
        compared_.unknownTypes = compared_.exact;
    }

    RunDifference run() {
        compareFinalGraphs();
        noteWhatIsMissing();
        noteTorch();
        for (const ComparedRun* run : {&before_, &after_})
            for (const std::string& why : run->unread) result_.notCompared.push_back(why);
        const bool whole = before_.unread.empty() && after_.unread.empty();
        result_.onlyCounts = !before_.hasNodes || !after_.hasNodes || !whole;
        if (!only_.empty()) {
            keepCountsOf(only_);
            return std::move(result_);
        }
        if (compared_.counts({Aspect::passes})) compareGraphsBetween();
        const NameAfter nameAfter = [this](const std::string& name) {
            if (!named_) return name;
            const auto it = names_.find(name);
            return it == names_.end() ? std::string() : it->second;
        };
        FactDifference facts = compareFacts(*before_.facts, *after_.facts, result_.ignored, nameAfter);
        for (FactChange& change : facts.changes) result_.facts.push_back(std::move(change));
        for (std::string& what : facts.notCompared) result_.notCompared.push_back(std::move(what));
        compareSummaries(nameAfter);
        if (compared_.counts({Aspect::times})) result_.compileMs = {before_.compileMs, after_.compileMs};
        return std::move(result_);
    }

private:
    bool compares(GraphKind kind) const { return only_.empty() || only_ == name(kind); }

    void compareFinalGraphs() {
        bool any = false;
        for (const GraphKind kind : kEnumerators<GraphKind>) {
            if (!compares(kind)) continue;
            const auto was = before_.record->graph(kind), is = after_.record->graph(kind);
            any = any || was || is;
            if (was && is) compareFinal(kind, was, is);
            else if (was || is) noteMissing(std::string(name(kind)) + " graph", was != nullptr);
        }
        if (any || only_.empty() || !before_.hasNodes || !after_.hasNodes) return;
        std::set<std::string> graphs;
        for (const ComparedRun* run : {&before_, &after_})
            for (const auto& [kind, graph] : run->record->graphs) graphs.emplace(name(kind));
        throw Error("neither has a graph '" + only_ + "'; they have " + quotedNames({graphs.begin(), graphs.end()}));
    }

    void compareFinal(GraphKind kind, const std::shared_ptr<const Graph>& was, const std::shared_ptr<const Graph>& is) {
        done_.emplace(was.get(), is.get());
        GraphDifference difference = only_.empty() ? compareRuns(*before_.record, *after_.record, kind, compared_)
                                                   : compareGraphsOfRuns(was, is, kind, compared_);
        noteSources(kind, difference);
        noteNames(kind, difference);
        compareSymbols(kind, *was, *is);
        result_.graphs.push_back({std::string(name(kind)), std::move(difference)});
    }

    void noteTorch() {
        const std::string &was = before_.record->model.torchVersion, &is = after_.record->model.torchVersion;
        if (!was.empty() && !is.empty() && was != is)
            result_.notes.push_back("made with torch " + shortened(was) + " -> " + shortened(is) +
                                    ", which does not count");
    }

    /// Notes what a program has and printed graphs omit: that is not a difference.
    void noteMissing(const std::string& what, bool isBefore) {
        const bool whole = before_.unread.empty() && after_.unread.empty() && before_.hasNodes && after_.hasNodes;
        const bool known = before_.hasMetadata() == after_.hasMetadata() && whole;
        if (!known) result_.notCompared.push_back(what + ", which only one side has");
        else if (compared_.counts({Aspect::operations}))
            result_.facts.push_back({Aspect::operations, what, isBefore ? "there" : "", isBefore ? "" : "there"});
    }

    /// Symbols are not among the facts of printed graphs.
    void compareSymbols(GraphKind kind, const Graph& before, const Graph& after) {
        const auto textOf = [](const Graph& graph) {
            return joined(graph.symbols(), ", ", [](const Symbol& s) {
                return s.name + " = " + std::to_string(s.hint) + " in " + std::to_string(s.min) + ".." +
                       (s.max == Symbol::kNoMax ? "" : std::to_string(s.max));
            });
        };
        const std::string was = textOf(before), is = textOf(after);
        const bool among =
            !before_.facts->value("symbols", json()).empty() && !after_.facts->value("symbols", json()).empty();
        if (was != is && !among && compared_.counts({Aspect::shapes}))
            result_.facts.push_back({Aspect::shapes, "symbols of the " + std::string(name(kind)) + " graph", was, is});
    }

    /// The partition's values are those of the joint graph or, without one, of the forward.
    void noteNames(GraphKind kind, const GraphDifference& difference) {
        if (named_ || (kind != GraphKind::joint && kind != GraphKind::forward)) return;
        named_ = true;
        forEachPair(difference, [this](const Node& was, const Node& is) { names_.emplace(was.name(), is.name()); });
    }

    void noteSources(GraphKind kind, const GraphDifference& difference) {
        if (!compared_.exact || !compared_.counts({Aspect::sources})) return;
        std::vector<std::string> names;
        forEachPair(difference, [&names](const Node& was, const Node& is) {
            if (!sameSource(was, is)) names.push_back("%" + is.name());
        });
        if (names.empty()) return;
        const std::size_t count = names.size();
        if (count > kShownNames) names.resize(kShownNames);
        result_.notes.push_back(std::string(name(kind)) + ": " + counted(count, "node") +
                                " from another line of the program, which does not count: " + joined(names, ", ") +
                                (count > kShownNames ? ", ..." : ""));
    }

    /// Compares graphs after passes, if not final; the n-th pass of a name corresponds to that of the other run.
    void compareGraphsBetween() {
        const auto passesOf = [](const ComparedRun& run) { return run.facts->value("passes", json::array()).size(); };
        if (before_.isReport || after_.isReport) {
            if (passesOf(before_) > 1 && passesOf(after_) > 1)
                result_.notCompared.emplace_back("graphs between the passes, which reports do not hold");
            return;
        }
        const auto there = namedPasses(*after_.record);
        for (const auto& [name, pass] : namedPasses(*before_.record)) {
            const auto twin = std::ranges::find(there, name, &NamedPass::first);
            if (twin != there.end()) comparePasses(name, *pass, *twin->second);
        }
    }

    using NamedPass = std::pair<std::string, const PassRecord*>;
    static std::vector<NamedPass> namedPasses(const CompileRecord& record) {
        std::vector<NamedPass> named;
        std::map<std::string, int> seen;
        for (const PassRecord& pass : record.passes) {
            std::string id(name(pass));
            if (const int count = ++seen[id]; count > 1) id += " (" + std::to_string(count) + ")";
            named.emplace_back(std::move(id), &pass);
        }
        return named;
    }

    void comparePasses(const std::string& title, const PassRecord& before, const PassRecord& after) {
        for (const auto& [kind, was] : before.graphs)
            for (const auto& [kindAfter, is] : after.graphs) {
                if (kind != kindAfter || !done_.emplace(was.get(), is.get()).second) continue;
                GraphDifference difference = compareGraphsOfRuns(was, is, kind, compared_);
                if (difference.empty()) continue;
                result_.graphs.push_back({std::string(name(kind)) + " after " + title, std::move(difference)});
            }
    }

    void noteWhatIsMissing() {
        if (!before_.hasNodes || !after_.hasNodes)
            result_.notCompared.emplace_back(
                "nodes of the graphs; one side keeps only how often each operation occurs");
        else if (!compared_.exact)
            result_.notCompared.emplace_back(
                "memory that values share, their roles, labels and sources; one side has only what is printed of them");
    }

    void keepCountsOf(const std::string& graph) {
        SummaryDifference all = compare(before_.summary, after_.summary);
        if (const auto it = all.ops.find(graph); it != all.ops.end() && compared_.counts({Aspect::operations}))
            result_.summary.ops.insert(std::move(*it));
    }

    void compareSummaries(const NameAfter& nameAfter) {
        result_.summary = compare(before_.summary, after_.summary, nameAfter);
        if (!compared_.counts({Aspect::partition})) {
            SummaryDifference& s = result_.summary;
            for (Values* values :
                 {&s.savedOnlyBefore, &s.savedOnlyAfter, &s.recomputedOnlyBefore, &s.recomputedOnlyAfter})
                values->clear();
        }
        if (!compared_.counts({Aspect::operations})) result_.summary.ops.clear();
    }

    const ComparedRun &before_, &after_;
    const std::string only_;
    Compared compared_;
    std::set<std::pair<const Graph*, const Graph*>> done_;
    bool named_ = false;
    std::unordered_map<std::string, std::string> names_;  ///< maps names of values before to those after
    RunDifference result_;
};

}  // namespace

bool RunDifference::empty() const {
    if (!facts.empty() || !std::ranges::all_of(graphs, [](const OfGraphs& each) { return each.nodes.empty(); }))
        return false;
    if (!summary.savedOnlyBefore.empty() || !summary.savedOnlyAfter.empty()) return false;
    if (!summary.recomputedOnlyBefore.empty() || !summary.recomputedOnlyAfter.empty()) return false;
    // Otherwise they follow from the graphs.
    return !onlyCounts || (summary.ops.empty() && summary.savedBytesBefore == summary.savedBytesAfter);
}

const GraphDifference* RunDifference::of(GraphKind kind) const {
    for (const OfGraphs& each : graphs)
        if (each.title == name(kind)) return &each.nodes;
    return nullptr;
}

RunDifference compare(const ComparedRun& before, const ComparedRun& after, AspectSet ignored,
                      const std::string& graph) {
    return RunComparison(before, after, ignored, graph).run();
}

json differenceJson(const RunDifference& difference) {
    json document = differenceJson(difference.summary);
    document["changed"] = !difference.empty();
    document["graphs"] = json::array();
    for (const auto& each : difference.graphs) {
        if (each.nodes.empty()) continue;
        json graph = differenceJson(each.nodes);
        graph.erase("changed");
        graph["graph"] = each.title;
        document["graphs"].push_back(std::move(graph));
    }
    document["facts"] = json::array();
    for (const FactChange& change : difference.facts)
        document["facts"].push_back({{"aspect", name(change.aspect)},
                                     {"what", change.what},
                                     {"before", change.before},
                                     {"after", change.after}});
    document["not_compared"] = difference.notCompared;
    document["notes"] = difference.notes;
    document["ignored"] = json::array();
    for (const AspectInfo& info : aspects())
        if (difference.ignored.has(info.aspect)) document["ignored"].push_back(info.name);
    if (difference.compileMs)
        document["compile_ms"] = {{"before", difference.compileMs->first}, {"after", difference.compileMs->second}};
    return document;
}

}  // namespace aotscope
