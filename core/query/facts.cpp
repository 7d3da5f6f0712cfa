#include "query/facts.h"

namespace aotscope {

namespace {

/// Graphs to which the partitioner's decisions and ids apply.
bool isPartitioned(GraphKind kind) {
    return kind == GraphKind::joint || kind == GraphKind::forward || kind == GraphKind::backward;
}

bool isMutated(const InputInfo& input) {
    return input.mutatesData || input.mutatesMetadata || input.mutatesStorageMetadata;
}

std::unordered_set<const Node*> returnedBy(const Graph& graph) {
    std::unordered_set<const Node*> returned;
    for (const Argument& output : graph.outputs())
        forEachNode(output, [&](const Node* node) { returned.insert(node); });
    return returned;
}

}  // namespace

std::unordered_map<NodeId, double> microsecondsOf(const TimingResult& timing, GraphKind kind) {
    std::unordered_map<NodeId, double> times;
    for (const StepTime& step : timing.steps)
        if (kind == GraphKind::joint || step.graph == kind) times[step.node] += step.medianUs;
    return times;
}

RecordFacts::RecordFacts(const CompileRecord& record, const TimingResult* timing) : record_(record), timing_(timing) {
    if (const Partition* partition = record.partition.get()) {
        for (const ValueDecision& decision : partition->decisions) decisions_[decision.node] = &decision;
        for (const SavedValue& value : partition->saved) saved_.insert(value.node);
        for (const RecomputedValue& value : partition->recomputed) recomputed_.insert(value.node);
    }
}

std::vector<QueryFacts> RecordFacts::of(const Graph& graph, GraphKind kind) const {
    const bool partitioned = isPartitioned(kind);
    const auto& inputs = record_.knownMetadata().inputs;
    const auto times = timing_ ? microsecondsOf(*timing_, kind) : std::unordered_map<NodeId, double>();
    const auto returned = graph.output() ? returnedBy(graph) : std::unordered_set<const Node*>();
    std::vector<QueryFacts> all;
    all.reserve(graph.size());
    std::size_t placeholder = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Node* node = graph.at(i);
        if (node->kind() == NodeKind::output) continue;
        QueryFacts facts{node, kind};
        if (partitioned) {
            const auto decision = decisions_.find(node->id());
            if (decision != decisions_.end()) facts.decision = decision->second;
            facts.saved = saved_.contains(node->id());
            facts.recomputed = recomputed_.contains(node->id());
        }
        if (node->kind() == NodeKind::placeholder && kind != GraphKind::backward) {
            facts.mutatedInput = placeholder < inputs.size() && isMutated(inputs[placeholder]);
            ++placeholder;
        }
        facts.returned = returned.contains(node);
        if (const auto time = times.find(node->id()); time != times.end()) facts.microseconds = time->second;
        all.push_back(facts);
    }
    return all;
}

}  // namespace aotscope
