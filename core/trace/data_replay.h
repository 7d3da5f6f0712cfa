#pragma once

#include "trace/data_dependent_values.h"
#include "trace/traced_graph.h"

#include <ATen/core/stack.h>

#include <unordered_map>
#include <vector>

namespace aotscope {

/// What `node` read from data when it was traced.
DataReading readingOf(const Node& node);

/// Provides data that a trace on fake tensors cannot know, and records which data was used.
class DataReplay {
public:
    /// Null: only graphs are retraced, whose nodes have the data.
    explicit DataReplay(DataDependentValues* values) : values_(values) {}

    /// Skips a reading, or a write by masks, of an operation on constants, which does it itself.
    void skip() { ++next_; }
    /// Gives `node`, a data-dependent operation, its results.
    void replay(const Node& node, const c10::OperatorHandle& op, torch::jit::Stack& stack);
    void noteMasks(const std::vector<at::Tensor>& masks);
    /// For the gradient of a write by masks: replaces the masks on top of `stack` by indices, which select as many
    /// elements as the masks did.
    void indexByPlaces(const c10::OperatorHandle& op, torch::jit::Stack& stack, TracedGraph& graph);

    const std::vector<TracedReading>& readings() const { return readings_; }

private:
    DataDependentValues* values_;
    std::size_t next_ = 0;  ///< includes readings of constants
    std::vector<TracedReading> readings_;
    std::unordered_map<const c10::TensorImpl*, DataResult> places_;  ///< selected by masks
};

}  // namespace aotscope
