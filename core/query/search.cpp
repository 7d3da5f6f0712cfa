#include "query/search.h"

namespace aotscope {

SearchResult search(const CompileRecord& record, const Query& query, const TimingResult* timing,
                    const Progress& progress) {
    const RecordFacts facts(record, timing);
    SearchResult result;
    for (const PassGraph& where : graphsOf(record)) {
        progress.throwIfCancelled();
        SearchGroup group{where, {}};
        for (const QueryFacts& node : facts.of(*where.graph, where.kind)) {
            if (result.searched++ % 256 == 0) progress.throwIfCancelled();
            if (query.matches(node)) group.nodes.push_back(node.node->id());
        }
        result.hits += group.nodes.size();
        if (!group.nodes.empty()) result.groups.push_back(std::move(group));
    }
    return result;
}

}  // namespace aotscope
