#pragma once

#include "compile/fused/index_call.h"

#include <optional>
#include <vector>

namespace aotscope {

/// A call of index_put that accumulates, or a sum of such calls on zeros.
struct ScatterSum {
    std::vector<const Node*> puts;      ///< in the order of their sum; all but the first add to zeros
    std::vector<const Node*> absorbed;  ///< puts and sums that nobody else reads
};
/// Without `several`, of one call only.
std::optional<ScatterSum> scatterSumOf(const Node& root, bool several);

/// Whether values are added to a tensor of zeros.
bool addsToZeros(const IndexCall& call);

}  // namespace aotscope
