#pragma once

#include "record/compile_record.h"

#include <nlohmann/json.hpp>

namespace aotscope {

/// The report's "partition": what is saved and recomputed, what became of every value of the joint graph and by which
/// rules, and how a memory budget led there. `joint` may be null: then nodes of it have no names.
nlohmann::json partitionJson(const Partition& partition, const Graph* joint);

}  // namespace aotscope
