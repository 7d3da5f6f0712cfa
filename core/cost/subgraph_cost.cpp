#include "cost/subgraph_cost.h"

#include "ir/subgraphs.h"
#include "ops/op_table.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

/// The first size of the first tensor in argument `position`, a list.
std::int64_t lengthOf(const Node& node, std::size_t position) {
    const auto* list = position < node.args().size() ? node.args()[position].list() : nullptr;
    const Node* first = list && !list->empty() ? list->front().node() : nullptr;
    const auto* type = first ? first->type.tensor() : nullptr;
    return type && !type->sizes.empty() ? type->sizes[0] : 1;
}

/// The first size of the first result.
std::int64_t countOf(const Node& node) {
    const auto* results = node.type.tuple();
    const auto* type = results && !results->empty() ? results->front().tensor() : nullptr;
    return type && !type->sizes.empty() ? type->sizes[0] : 1;
}

/// Computes the cost of each graph once, however often it is run.
class Costs {
public:
    explicit Costs(const std::function<double(const Node&)>& cost) : cost_(cost) {}

    double of(const Node& node) {
        if (!isHigherOrder(node)) return cost_(node);
        double sum = 0, most = 0;
        for (const auto& subgraph : subgraphsOf(node)) {
            const double own = of(*subgraph);
            sum += own;
            most = std::max(most, own);
        }
        return node.isCall("higher_order.cond") ? most : sum * static_cast<double>(stepsOf(node));
    }

private:
    double of(const Graph& graph) {
        if (const auto known = graphs_.find(&graph); known != graphs_.end()) return known->second;
        double sum = 0;
        for (std::size_t i = 0; i < graph.size(); ++i) sum += of(*graph.at(i));
        return graphs_[&graph] = sum;
    }

    const std::function<double(const Node&)>& cost_;
    std::unordered_map<const Graph*, double> graphs_;
};

}  // namespace

std::int64_t stepsOf(const Node& node) {
    if (node.isCall("higher_order.map_impl")) return lengthOf(node, 1);
    if (node.isCall("higher_order.scan")) return lengthOf(node, 2);
    if (node.isCall("higher_order.associative_scan")) return std::max<std::int64_t>(lengthOf(node, 1) - 1, 0);
    return node.isCall("higher_order.while_loop_stack_output") ? countOf(node) : 1;
}

double costWithin(const Node& node, const std::function<double(const Node&)>& cost) {
    return isHigherOrder(node) ? Costs(cost).of(node) : 0;
}

}  // namespace aotscope
