#pragma once

#include "ir/metadata.h"
#include "partition/order/order_gain.h"
#include "record/partition.h"
#include "record/results/operator_costs.h"

#include <memory>
#include <string>

namespace aotscope {

/// Graphs in another order, and what was done. Unchanged graphs are the same objects.
struct OrderedGraphs {
    std::shared_ptr<const Graph> forward;   ///< or the inference graph
    std::shared_ptr<const Graph> backward;  ///< may be null
    OrderGain gain = {};
    std::string log = {};
};

/// Moves operations within their dependencies such that the peak that liveMemory predicts is lower: never higher, and
/// unchanged graphs if it would be lower by less than a thousandth. Random operations, collectives, checks and effects
/// keep their order among themselves, and what is written in place its sides. The same graphs give the same orders.
/// `costs`: what is known of inner bytes.
OrderedGraphs orderForMemory(std::shared_ptr<const Graph> forward, std::shared_ptr<const Graph> backward,
                             const FunctionMetadata& metadata, const OperatorCosts& costs = {});

/// The same for a partition, and for the plan that it has.
Partition withOrder(Partition partition, const FunctionMetadata& metadata, const OperatorCosts& costs);

}  // namespace aotscope
