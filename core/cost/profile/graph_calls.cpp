#include "cost/profile/graph_calls.h"

#include "ir/provenance.h"
#include "ops/operator_facts.h"

#include <array>

namespace aotscope {

namespace {

/// The same computation under two names: what eager calls, and what AOTAutograd traces.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kSame = {{
    {"aten._native_batch_norm_legit", "aten.native_batch_norm"},
    {"aten._native_batch_norm_legit_functional", "aten.native_batch_norm"},
    {"aten._native_batch_norm_legit_no_training", "aten.native_batch_norm"},
    {"aten._batch_norm_with_update", "aten.native_batch_norm"},
    {"aten._batch_norm_with_update_functional", "aten.native_batch_norm"},
    {"aten.cudnn_batch_norm", "aten.native_batch_norm"},
    {"aten.miopen_batch_norm", "aten.native_batch_norm"},
    {"aten.batch_norm_backward", "aten.native_batch_norm_backward"},
    {"aten.cudnn_batch_norm_backward", "aten.native_batch_norm_backward"},
    {"aten.miopen_batch_norm_backward", "aten.native_batch_norm_backward"},
    {"aten.dropout", "aten.native_dropout"},
    {"aten._reshape_alias", "aten.view"},
    {"aten._unsafe_view", "aten.view"},
    {"aten._unsafe_index", "aten.index"},
    {"aten._unsafe_index_put", "aten.index_put"},
    {"aten._index_put_impl", "aten.index_put"},
}};

/// The functional name of an operator without its overload.
std::string_view canonical(std::string_view packet) {
    if (packet.starts_with("aten.") && packet.ends_with('_') && !packet.ends_with("__")) packet.remove_suffix(1);
    for (const auto& [name, same] : kSame)
        if (packet == name) return same;
    return packet;
}

bool isOperator(std::string_view op) {
    return op.find('.') != std::string_view::npos && !op.starts_with("operator.") && !op.starts_with("math.");
}

/// For a joint graph alone, the calls of one stage.
GraphCalls callsOf(const Graph& graph, GraphKind kind, OperatorKeys& keys, std::optional<Stage> stage) {
    GraphCalls found{
        .graph = &graph, .kind = kind, .isBackward = stage == Stage::backward || kind == GraphKind::backward};
    for (const Node* node : graph.nodes()) {
        if (node->kind() != NodeKind::call || !isOperator(node->op()) || (stage && node->stage != *stage)) continue;
        const int key = keys.add(node->op());
        const OperatorFacts* facts = operatorFacts(node->op());
        found.index.emplace(node, found.calls.size());
        found.calls.push_back({node, key, provenanceOf(*node).forward, facts && facts->views});
        found.keys.insert(key);
    }
    return found;
}

}  // namespace

int OperatorKeys::add(std::string_view op) {
    const auto packet = canonical(packetOf(op));
    return known_.try_emplace(std::string(packet), static_cast<int>(known_.size())).first->second;
}

int OperatorKeys::find(std::string_view profiled) const {
    const auto colons = profiled.find("::");
    if (colons == std::string_view::npos) return -1;
    std::string dotted(profiled.substr(0, colons));
    dotted += '.';
    dotted += profiled.substr(colons + 2);
    const auto it = known_.find(std::string(canonical(dotted)));
    return it == known_.end() ? -1 : it->second;
}

std::vector<GraphCalls> executedCalls(const CompileRecord& record, OperatorKeys& keys) {
    std::vector<GraphKind> kinds = executedGraphs(record);
    const auto forward = record.graph(GraphKind::forward), backward = record.graph(GraphKind::backward);
    if (kinds.size() == 1 && forward && backward) kinds = {GraphKind::forward, GraphKind::backward};
    std::vector<GraphCalls> all;
    for (const GraphKind kind : kinds) {
        const auto graph = record.graph(kind);
        if (!graph) continue;
        if (kind == GraphKind::joint) {
            for (const Stage stage : {Stage::forward, Stage::backward})
                all.push_back(callsOf(*graph, kind, keys, stage));
        } else {
            all.push_back(callsOf(*graph, kind, keys, std::nullopt));
        }
    }
    return all;
}

}  // namespace aotscope
