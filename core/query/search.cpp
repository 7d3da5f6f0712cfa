#include "query/search.h"

#include "ir/subgraphs.h"
#include "ops/op_table.h"

namespace aotscope {

namespace {

/// Whether an operation matches in a subgraph that `owner` runs, or in one within these. It shares what is known of
/// `owner`: whether it is saved, or recomputed, and its time.
bool matchesWithin(const Query& query, const QueryFacts& owner) {
    if (!isHigherOrder(*owner.node)) return false;
    QueryFacts facts = owner;
    for (const auto& graph : subgraphsWithin(*owner.node)) {
        for (const Node* node : graph->nodes()) {
            facts.node = node;
            if (node->kind() == NodeKind::call && query.matches(facts)) return true;
        }
    }
    return false;
}

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
            if (query.matches(node) || matchesWithin(query, node)) group.nodes.push_back(node.node->id());
        }
        result.hits += group.nodes.size();
        if (!group.nodes.empty()) result.groups.push_back(std::move(group));
    }
    return result;
}

}  // namespace aotscope
