#include "query/search.h"

#include "ir/subgraphs.h"

namespace aotscope {

namespace {

/// Finds matching operations in subgraphs: by their own facts or, if the node that runs them does not match, with that
/// node's facts: whether it is saved or recomputed, and its time.
class InnerSearch {
public:
    InnerSearch(const Query& query, const Graph& graph) : query_(query), runs_(subgraphRunsByOwner(graph)) {}

    /// Those of `owner` and of its subgraphs, in order. `id`: of the operator that `owner` is or is within.
    void addHits(const QueryFacts& owner, NodeId id, std::vector<NodeId>& hits) const {
        const auto own = runs_.find(id);
        if (own == runs_.end()) return;
        for (const SubgraphRun& run : own->second)
            for (const Node* node : run.graph->nodes()) {
                if (node->kind() != NodeKind::call) continue;
                if (matches(*node, owner)) hits.push_back(run.idOf(*node));
                addHits(owner, run.idOf(*node), hits);
            }
    }

private:
    bool matches(const Node& node, const QueryFacts& owner) const {
        if (query_.matches({.node = &node, .graph = owner.graph})) return true;
        QueryFacts shared = owner;
        shared.node = &node;
        return query_.matches(shared) && !query_.matches(owner);
    }

    const Query& query_;
    std::unordered_map<NodeId, std::vector<SubgraphRun>> runs_;
};

}  // namespace

SearchResult search(const CompileRecord& record, const Query& query, const TimingResult* timing,
                    const Progress& progress) {
    const RecordFacts facts(record, timing);
    SearchResult result;
    for (const PassGraph& where : graphsOf(record)) {
        progress.throwIfCancelled();
        SearchGroup group{where, {}};
        const InnerSearch within(query, *where.graph);
        for (const QueryFacts& node : facts.of(*where.graph, where.kind)) {
            if (result.searched++ % 256 == 0) progress.throwIfCancelled();
            if (query.matches(node)) group.nodes.push_back(node.node->id());
            within.addHits(node, node.node->id(), group.nodes);
        }
        result.hits += group.nodes.size();
        if (!group.nodes.empty()) result.groups.push_back(std::move(group));
    }
    return result;
}

}  // namespace aotscope
