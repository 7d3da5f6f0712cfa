#pragma once

#include "cost/profile/graph_calls.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace aotscope {

/// An operator that Inductor's code calls.
struct CompiledOperator {
    std::int32_t operation = -1;
    int key = -1;
    double time = 0;
    std::vector<std::size_t> calls;  ///< that it computes; several: it is one of as many operators that compute them
};

/// Finds the calls of operators in one run of a compiled graph.
///
/// Inductor calls independent operators in another order than the graph: the projections of attention, all of one size,
/// may begin with the last one. So only dependencies count. The i-th operator of a kind (the same name and sizes) can
/// be a call if at most i others of the kind come before that call, and as many after it as are left. Operators that
/// remain together, such as those projections, get all their calls as a group. `operators`: in order of time. `fits`:
/// whether one can be that call.
void placeOperators(const GraphCalls& graph, std::vector<CompiledOperator>& operators,
                    const std::function<bool(const CompiledOperator&, std::size_t call)>& fits);

}  // namespace aotscope
