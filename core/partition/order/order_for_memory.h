#pragma once

#include "cost/runtime_model.h"
#include "ir/metadata.h"
#include "partition/order/order_gain.h"
#include "record/partition.h"

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
/// `costs`: what is known of inner bytes. `compilers`: which will run the graphs; the search is for graphs that are
/// interpreted, and what it finds is taken where these need less memory with it.
OrderedGraphs orderForMemory(std::shared_ptr<const Graph> forward, std::shared_ptr<const Graph> backward,
                             const FunctionMetadata& metadata, const OperatorCosts& costs = {},
                             const std::vector<CompilerUse>& compilers = {});

/// The same for a partition, and for the plan that it has. `joint`: whose operations they are.
Partition withOrder(Partition partition, const Graph& joint, const FunctionMetadata& metadata,
                    const RuntimeModel& model);

}  // namespace aotscope
