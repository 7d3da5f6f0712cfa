#pragma once

#include "trace/data_dependent_values.h"
#include "trace/traced_graph.h"

#include <ATen/core/stack.h>

#include <unordered_map>
#include <vector>

namespace aotscope {

/// What `node` found in data when it was traced.
DataReading readingOf(const Node& node);

/// Answers what a trace on fakes cannot know of its data, and notes which answers it has used.
class DataReplay {
public:
    /// Null: only graphs are recorded again, whose nodes know the answers.
    explicit DataReplay(DataDependentValues* values) : values_(values) {}

    /// An operation on constants has read data, or has written by masks: it does so by itself.
    void skip() { ++next_; }
    /// Gives `node`, an operation that depends on data, its results.
    void replay(const Node& node, const c10::OperatorHandle& op, torch::jit::Stack& stack);
    void noteMasks(const std::vector<at::Tensor>& masks);
    /// The gradient of what a write by masks has written: as many elements as the masks chose, in the places of
    /// indices, which replace the masks on top of `stack`.
    void indexByPlaces(const c10::OperatorHandle& op, torch::jit::Stack& stack, TracedGraph& graph);

    const std::vector<TracedReading>& readings() const { return readings_; }

private:
    DataDependentValues* values_;
    std::size_t next_ = 0;  ///< counts readings of constants, too
    std::vector<TracedReading> readings_;
    std::unordered_map<const c10::TensorImpl*, DataResult> places_;  ///< that masks choose
};

}  // namespace aotscope
