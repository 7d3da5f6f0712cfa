#pragma once

#include "ir/metadata.h"
#include "record/partition.h"

#include <vector>

namespace aotscope {

/// The indices of the saved values that a run copies: inputs, and views of them, that are written back before the
/// backward reads them. `metadata` is that of the graph.
std::vector<std::size_t> savedCopies(const Partition& partition, const FunctionMetadata& metadata);

/// Adds this to the reasons why they are saved.
void explainCopies(Partition& partition, const FunctionMetadata& metadata);

}  // namespace aotscope
