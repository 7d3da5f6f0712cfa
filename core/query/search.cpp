#include "query/search.h"

#include "ops/op_table.h"

#include <unordered_map>

namespace aotscope {

namespace {

/// Finds operations in the subgraphs that a node runs. They share what is known of that node: whether it is saved, or
/// recomputed, and its time. Looks at each subgraph once, however often it is run.
class SubgraphSearch {
public:
    SubgraphSearch(const Query& query, const QueryFacts& owner) : query_(query), owner_(owner) {}

    bool matchesWithin(const Node& node) {
        if (!isHigherOrder(node)) return false;
        bool found = false;
        for (const auto& subgraph : subgraphsOf(node)) found = matchesIn(*subgraph) || found;
        return found;
    }

private:
    bool matchesIn(const Graph& graph) {
        if (const auto known = graphs_.find(&graph); known != graphs_.end()) return known->second;
        bool found = false;
        for (std::size_t i = 0; i < graph.size() && !found; ++i) {
            const Node* node = graph.at(i);
            if (node->kind() != NodeKind::call) continue;
            QueryFacts facts = owner_;
            facts.node = node;
            found = query_.matches(facts) || matchesWithin(*node);
        }
        return graphs_[&graph] = found;
    }

    const Query& query_;
    const QueryFacts& owner_;
    std::unordered_map<const Graph*, bool> graphs_;
};

}  // namespace

SearchResult search(const CompileRecord& record, const Query& query, const TimingResult* timing,
                    const Progress& progress) {
    const RecordFacts facts(record, timing);
    SearchResult result;
    for (const PassGraph& where : graphsOf(record)) {
        progress.throwIfCancelled();
        SearchGroup group{where, {}};
        for (const QueryFacts& node : facts.of(*where.graph, where.kind)) {
            if (result.searched++ % 256 == 0) progress.throwIfCancelled();
            if (query.matches(node) || SubgraphSearch(query, node).matchesWithin(*node.node))
                group.nodes.push_back(node.node->id());
        }
        result.hits += group.nodes.size();
        if (!group.nodes.empty()) result.groups.push_back(std::move(group));
    }
    return result;
}

}  // namespace aotscope
