#pragma once

#include "record/compile_record.h"

#include <nlohmann/json.hpp>

namespace aotscope {

/// The report's "partition": saved and recomputed values, the decision for every value of the joint graph with its
/// rules, and the result of a memory budget. `joint` may be null; node names are then missing. `asked`: the options of
/// the partition.
nlohmann::json partitionJson(const Partition& partition, const Graph* joint, const PartitionOptions& asked);

/// The report's "plan".
nlohmann::json planJson(const PeakPlan& plan);

}  // namespace aotscope
