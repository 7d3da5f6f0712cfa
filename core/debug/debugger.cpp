#include "debug/debugger.h"

#include "ir/provenance.h"
#include "ops/op_table.h"
#include "support/enumerators.h"
#include "support/error.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

std::string moduleAt(const CompileRecord& record, const DebugPosition& position) {
    const auto source = provenanceOf(*record.graph(position.graph)->findById(position.node)).source;
    return source ? source->module : std::string();
}

}  // namespace

bool hasArrived(DebugVerb verb, const CompileRecord& record, const DebugPosition& start, const DebugPosition& now) {
    if (verb == DebugVerb::step) return true;
    if (verb != DebugVerb::stepOverModule) return false;
    if (start.ended() || now.ended() || now.graph != start.graph) return true;
    const std::string module = moduleAt(record, start), inside = moduleAt(record, now);
    return module.empty() || (inside != module && !inside.starts_with(module + "."));
}

Debugger::Debugger(std::vector<std::shared_ptr<const CompileRecord>> records)
    : state_{std::vector<RankPlace>(records.size())}, records_(std::move(records)) {
    check(!records_.empty(), "there are ranks to step");
}

void Debugger::requireOfAll(const std::vector<RankPlace>& places) const {
    if (places.size() != ranks())
        throw Error("there are places of " + counted(places.size(), "rank") + "; the run has " +
                    counted(ranks(), "rank"));
}

const Node* Debugger::stoppedAt() const {
    const auto graph = record(state_.shown).graph(state_.stop.graph);
    return graph ? graph->findById(state_.stop.node) : nullptr;
}

void Debugger::show(std::size_t rank) {
    if (rank >= ranks())
        throw Error("there is no rank " + std::to_string(rank) + "; the run has " + counted(ranks(), "rank") +
                    ", numbered from 0");
    state_.shown = rank;
}

std::vector<Debugger::Values> Debugger::valuesOf(GraphKind graph, const std::vector<std::string>& nodes,
                                                 const Progress& progress) const {
    std::vector<ValuePlace> wanted;
    std::vector<Values> values(nodes.size(), Values(ranks()));
    std::vector<std::optional<ValueFacts>*> places;
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
        const auto own = record(rank).graph(graph);
        for (std::size_t i = 0; own && i < nodes.size(); ++i) {
            const Node* found = own->findByName(nodes[i]);
            if (!found) continue;
            wanted.push_back({graph, found->id(), rank});
            places.push_back(&values[i][rank]);
        }
    }
    Values found = this->values(wanted, progress);
    for (std::size_t i = 0; i < places.size(); ++i) *places[i] = std::move(found[i]);
    return values;
}

void editWhenThere(Debugger& run, GraphKind graph, NodeId node, const std::string& value, const Progress& progress) {
    if (!run.value(graph, node)) {
        run.runTo(graph, node, progress);
        if (run.lastStop().reason != DebugStop::Reason::reached)
            throw Error("the value was not changed because the run stopped before it: " + run.lastStop().text);
        run.step(progress);
    }
    if (run.lastStop().reason == DebugStop::Reason::failed) throw Error(run.lastStop().text);
    run.edit(graph, node, value);
}

std::string whyNoValue(const std::vector<DebugStep>& steps, const DebugPosition& position, const Graph& graph,
                       GraphKind kind, const Node& node) {
    const NodeId id = makerOf(node).id();
    for (const DebugStep& step : steps) {
        if (step.graph != kind) continue;
        if (std::ranges::find(step.inside, id) != step.inside.end())
            return "computed in one kernel with %" + graph.findById(step.node)->name() + ", which keeps no value of it";
        const bool before = kind == position.graph ? step.index < position.step : position.graph == GraphKind::backward;
        if (step.node == id && !before) return kNotYet;
    }
    return node.kind() == NodeKind::call ? "the compiled graph has no value of it" : kNotYet;
}

std::string_view name(DebugStop::Reason reason) { return spelled(reason); }

}  // namespace aotscope
