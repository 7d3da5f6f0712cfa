#pragma once

#include "verify/record_example.h"

namespace aotscope {

/// Marks the inputs and constants of `example` whose values are kept: `all`, or those that random numbers cannot
/// replace, up to a total size; counts the rest. Values that share memory are kept together.
void keepValues(GraphExample& example, const Graph& graph, const ExampleRun& run, bool all, bool readsData);

bool keepsAny(const GraphExample& example);

}  // namespace aotscope
