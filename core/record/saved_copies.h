#pragma once

#include "ir/metadata.h"
#include "record/partition.h"

#include <vector>

namespace aotscope {

/// The places among the saved values of those of which a run keeps a copy: inputs, and views of them, that are written
/// back before the backward reads them. `metadata` is that of the graph.
std::vector<std::size_t> savedCopies(const Partition& partition, const FunctionMetadata& metadata);

/// Says so in the reasons for which they are saved.
void explainCopies(Partition& partition, const FunctionMetadata& metadata);

}  // namespace aotscope
