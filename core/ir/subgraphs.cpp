#include "ir/subgraphs.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace aotscope {

namespace {

/// Collects graphs, each once, in the order in which they are found.
class Collector {
public:
    void add(const Graph& graph) {
        for (std::size_t i = 0; i < graph.size(); ++i) add(*graph.at(i));
    }

    void add(const Node& node) {
        for (const Argument& argument : node.args()) add(argument);
        for (const auto& [key, argument] : node.kwargs()) add(argument);
    }

    /// Continues in the collected graphs. The list grows meanwhile.
    void addNested() {
        for (std::size_t i = 0; i < found_.size(); ++i) add(*found_[i]);
    }

    Subgraphs take() { return std::move(found_); }

private:
    void add(const Argument& argument) {
        if (const auto* subgraph = argument.subgraph(); subgraph && seen_.insert(subgraph->get()).second)
            found_.push_back(*subgraph);
        if (const auto* list = argument.list())
            for (const Argument& element : *list) add(element);
    }

    Subgraphs found_;
    std::unordered_set<const Graph*> seen_;
};

template <typename From>
Subgraphs collect(const From& from, bool nested) {
    Collector collector;
    collector.add(from);
    if (nested) collector.addNested();
    return collector.take();
}

constexpr std::size_t kMostInnerNodes = 10'000;

/// An upper bound for the ids in a graph.
std::int64_t idsIn(const Graph& graph) {
    std::int64_t ids = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) ids = std::max(ids, std::int64_t{graph.at(i)->id()} + 1);
    return ids;
}

/// Numbers the subgraph runs within a graph. The list grows meanwhile.
class RunCollector {
public:
    std::vector<SubgraphRun> run(const Graph& graph) {
        addAll(graph, 0);
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            const auto inner = runs_[i].graph;
            addAll(*inner, runs_[i].firstId);
        }
        return std::move(runs_);
    }

private:
    void addAll(const Graph& graph, NodeId firstId) {
        for (std::size_t i = 0; i < graph.size() && !full_; ++i)
            if (graph.at(i)->kind() == NodeKind::call) add(*graph.at(i), firstId + graph.at(i)->id());
    }

    /// Adds all subgraphs of an operator, or none.
    void add(const Node& owner, NodeId ownerId) {
        const Subgraphs subgraphs = subgraphsOf(owner);
        const std::size_t before = runs_.size();
        for (std::size_t i = 0; i < subgraphs.size() && !full_; ++i) {
            const std::int64_t ids = idsIn(*subgraphs[i]);
            nodes_ += subgraphs[i]->size();
            full_ = nodes_ > kMostInnerNodes || ids > std::numeric_limits<NodeId>::max() - next_;
            if (full_) break;
            runs_.push_back({&owner, ownerId, i, subgraphs[i], next_, static_cast<NodeId>(ids)});
            next_ += static_cast<NodeId>(ids);
        }
        if (full_) runs_.resize(before);
    }

    std::vector<SubgraphRun> runs_;
    NodeId next_ = kFirstInnerId;
    std::size_t nodes_ = 0;
    bool full_ = false;
};

}  // namespace

Subgraphs subgraphsOf(const Node& node) { return collect(node, false); }
Subgraphs subgraphsOf(const Graph& graph) { return collect(graph, false); }
Subgraphs subgraphsWithin(const Node& node) { return collect(node, true); }
Subgraphs subgraphsWithin(const Graph& graph) { return collect(graph, true); }

std::vector<SubgraphRun> subgraphRuns(const Graph& graph) { return RunCollector().run(graph); }

std::unordered_map<NodeId, std::vector<SubgraphRun>> subgraphRunsByOwner(const Graph& graph) {
    std::unordered_map<NodeId, std::vector<SubgraphRun>> runs;
    for (const SubgraphRun& run : subgraphRuns(graph)) runs[run.ownerId].push_back(run);
    return runs;
}

std::optional<SubgraphRun> runAround(const Graph& graph, NodeId id) {
    if (!isInner(id) || graph.findById(id)) return std::nullopt;
    for (SubgraphRun& run : subgraphRuns(graph))
        if (run.find(id)) return std::move(run);
    return std::nullopt;
}

const Node* findNode(const Graph& graph, NodeId id) {
    const auto run = runAround(graph, id);
    return run ? run->find(id) : graph.findById(id);
}

NodeId outermostOwner(const Graph& graph, NodeId id) {
    while (const auto run = runAround(graph, id)) id = run->ownerId;
    return id;
}

}  // namespace aotscope
