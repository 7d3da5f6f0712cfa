#include "record/pass_graphs.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Whether the graphs of a pass equal those of the previous pass.
bool repeats(const CompileRecord& record, std::size_t pass, GraphKind kind) {
    if (record.passes[pass].changed || pass == 0) return false;
    const auto& before = record.passes[pass - 1].graphs;
    return std::ranges::any_of(before, [&](const auto& entry) { return entry.first == kind; });
}

}  // namespace

std::vector<PassGraph> graphsOf(const CompileRecord& record) {
    std::vector<PassGraph> all;
    const auto lastOf = [&](GraphKind kind) {
        const auto it = std::find_if(all.rbegin(), all.rend(), [&](const PassGraph& g) { return g.kind == kind; });
        return it == all.rend() ? nullptr : &*it;
    };
    for (std::size_t pass = 0; pass < record.passes.size(); ++pass)
        for (const auto& [kind, graph] : record.passes[pass].graphs) {
            PassGraph* last = lastOf(kind);
            if (last && (last->graph == graph || repeats(record, pass, kind))) last->graph = graph;
            else all.push_back({pass, kind, graph});
        }
    for (const auto& [kind, graph] : record.graphs)
        if (!lastOf(kind)) all.push_back({record.passes.empty() ? 0 : record.passes.size() - 1, kind, graph});
    return all;
}

std::size_t graphBefore(const std::vector<PassGraph>& graphs, std::size_t at) {
    std::size_t before = at;
    while (before > 0 && graphs[before].pass == graphs[at].pass) --before;
    if (graphs[before].pass == graphs[at].pass) return 0;
    for (std::size_t i = before + 1; i-- > 0;)
        if (graphs[i].kind == graphs[at].kind) return i;
    return before;
}

std::optional<PassGraph> graphAfter(const CompileRecord& record, std::size_t pass, GraphKind kind) {
    if (pass >= record.passes.size() || record.passes[pass].graphs.empty()) return std::nullopt;
    const auto& own = record.passes[pass].graphs;
    const bool has = std::ranges::any_of(own, [&](const auto& entry) { return entry.first == kind; });
    std::optional<PassGraph> found;
    for (const PassGraph& graph : graphsOf(record))
        if (graph.kind == (has ? kind : own.front().first) && graph.pass <= pass) found = graph;
    return found;
}

}  // namespace aotscope
