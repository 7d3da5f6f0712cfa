#pragma once

#include "verify/record_example.h"

namespace aotscope {

/// Marks the inputs and constants of `example` whose values are to be kept: `all`, or those that random numbers cannot
/// stand for, as long as they are not too large together; counts what is left out. Those that share memory stay
/// together.
void keepValues(GraphExample& example, const Graph& graph, const ExampleRun& run, bool all, bool readsData);

bool keepsAny(const GraphExample& example);

}  // namespace aotscope
