#include "ir/subgraphs.h"

#include <unordered_set>

namespace aotscope {

namespace {

/// Collects graphs, each once, in the order in which they are met.
class Collector {
public:
    void add(const Graph& graph) {
        for (std::size_t i = 0; i < graph.size(); ++i) add(*graph.at(i));
    }

    void add(const Node& node) {
        for (const Argument& argument : node.args()) add(argument);
        for (const auto& [key, argument] : node.kwargs()) add(argument);
    }

    /// Goes on in what was found. The list grows meanwhile.
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

}  // namespace

Subgraphs subgraphsOf(const Node& node) { return collect(node, false); }
Subgraphs subgraphsOf(const Graph& graph) { return collect(graph, false); }
Subgraphs subgraphsWithin(const Node& node) { return collect(node, true); }
Subgraphs subgraphsWithin(const Graph& graph) { return collect(graph, true); }

}  // namespace aotscope
