#pragma once

#include "record/compile_record.h"

#include <nlohmann/json.hpp>

namespace aotscope {

/// The report's "partition": what is saved and recomputed, the decision for every value of the joint graph and its
/// rules, and the outcome of a memory budget. `joint` may be null; then its nodes have no names. `asked`: what the
/// partition was made with.
nlohmann::json partitionJson(const Partition& partition, const Graph* joint, const PartitionOptions& asked);

}  // namespace aotscope
