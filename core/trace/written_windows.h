#pragma once

#include "ir/graph.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

/// Which calls of unfold make windows that the program writes into, by the number of the program's operation.
/// LibTorch's functionalization takes a write into windows back to the tensor by adding the windows up, which loses
/// what lies between them; other views of the same memory have no such gap. The program as written knows which calls
/// that concerns.
class WrittenWindows {
public:
    /// Of the program as written, in order: `node` is what operation number `step` has just recorded.
    void note(const Node& node, std::size_t step);

    /// Replaces the arguments of unfold by an equal view, where operation number `step` makes windows that are written
    /// into and that do not overlap. False: nothing done. Overlapping windows stay: what eager leaves in memory that
    /// two of them share depends on the order in which its kernel happens to write.
    bool view(std::size_t step, const c10::OperatorHandle& op, torch::jit::Stack& stack) const;

private:
    using Steps = std::set<std::size_t>;
    std::unordered_map<const Node*, Steps> windows_;  ///< and views of them: the calls of unfold that lead there
    std::unordered_set<std::size_t> written_;
};

}  // namespace aotscope
