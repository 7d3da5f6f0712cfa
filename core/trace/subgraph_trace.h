#pragma once

#include "program/higher_order.h"
#include "trace/recorder.h"

#include <string>
#include <vector>

namespace aotscope {

struct SubgraphTrace : Trace {
    std::vector<TensorShape> outputs;
};

/// Runs `function` on fake tensors with the shapes `inputs`, functionalized, on a separate thread, and returns the
/// subgraph of an operator recorded by `owner`. Throws Error for a function that mutates its operands or reads data.
SubgraphTrace traceSubgraph(const SubgraphFunction& function, const std::vector<TensorShape>& inputs,
                            const std::string& name, const Recorder& owner);

/// The same for a function without a recorder.
SubgraphTrace traceSubgraph(const SubgraphFunction& function, const std::vector<TensorShape>& inputs,
                            const std::string& name, Dialect dialect);

}  // namespace aotscope
