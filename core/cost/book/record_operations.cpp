#include "cost/book/record_operations.h"

#include "cost/book/signature.h"
#include "cost/subgraph_cost.h"
#include "ir/subgraphs.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

namespace {

/// Graphs with how often each runs, outer ones before their subgraphs: shared ones can be reached by many paths.
class Runs {
public:
    void add(const Graph& graph) {
        visit(graph);
        runs_[&graph] += 1;
    }

    template <typename Use>
    void forEach(Use&& use) {
        for (auto graph = inner_.rbegin(); graph != inner_.rend(); ++graph) {
            const std::int64_t runs = runs_[*graph];
            use(**graph, runs);
            for (std::size_t i = 0; i < (*graph)->size(); ++i) {
                const Node& node = *(*graph)->at(i);
                for (const auto& subgraph : subgraphsOf(node)) addRuns(*subgraph, runs, stepsOf(node));
            }
        }
    }

private:
    static constexpr std::int64_t kMost = std::int64_t{1} << 50;

    void visit(const Graph& graph) {
        if (!seen_.insert(&graph).second) return;
        for (const auto& subgraph : subgraphsOf(graph)) visit(*subgraph);
        inner_.push_back(&graph);
    }
    void addRuns(const Graph& graph, std::int64_t runs, std::int64_t steps) {
        std::int64_t& all = runs_[&graph];
        const bool fits = steps == 0 || runs <= kMost / steps;
        all = std::min(kMost, all + (fits ? runs * steps : kMost));
    }

    std::vector<const Graph*> inner_;  ///< inner ones first
    std::unordered_set<const Graph*> seen_;
    std::unordered_map<const Graph*, std::int64_t> runs_;
};

}  // namespace

std::vector<AlikeOperations> operationsIn(const CompileRecord& record, GraphsOf graphs) {
    Runs runs;
    const std::vector<GraphKind> executed = executedGraphs(record);
    for (auto kind = record.graphs.rbegin(); kind != record.graphs.rend(); ++kind)
        if (graphs == GraphsOf::record || std::ranges::count(executed, kind->first) > 0) runs.add(*kind->second);
    std::vector<AlikeOperations> all;
    std::unordered_map<std::uint64_t, std::size_t> places;
    runs.forEach([&](const Graph& graph, std::int64_t times) {
        for (std::size_t i = 0; i < graph.size(); ++i) {
            const std::uint64_t signature = signatureNumber(*graph.at(i));
            if (signature == 0) continue;
            const auto [place, isNew] = places.try_emplace(signature, all.size());
            if (isNew) all.push_back({graph.at(i), signature, 0});
            all[place->second].calls += times;
        }
    });
    return all;
}

}  // namespace aotscope
