#pragma once

#include "ir/graph.h"
#include "support/rule_arguments.h"

#include <memory>

namespace aotscope::test {

/// A graph of pointwise operations, reductions, views and a few others over tensors that broadcast to each other, of
/// several types and layouts, and values for its placeholders. LibTorch accepts each of its operations.
struct RandomGraph {
    std::unique_ptr<Graph> graph;
    Values inputs;
};
RandomGraph randomGraph(unsigned seed);

}  // namespace aotscope::test
