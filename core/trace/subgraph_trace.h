#pragma once

#include "program/higher_order.h"
#include "trace/recorder.h"

#include <string>
#include <vector>

namespace aotscope {

struct SubgraphTrace : Trace {
    std::vector<TensorShape> outputs;
};

/// Runs `function` on fakes of the shapes `inputs`, functionalized, on a thread of its own: the graph of what an
/// operator recorded by `owner` runs. Throws Error for a function that writes into its operands or reads data.
SubgraphTrace traceSubgraph(const SubgraphFunction& function, const std::vector<TensorShape>& inputs,
                            const std::string& name, const Recorder& owner);

/// The same for a function that no recorder knows of.
SubgraphTrace traceSubgraph(const SubgraphFunction& function, const std::vector<TensorShape>& inputs,
                            const std::string& name, Dialect dialect);

}  // namespace aotscope
