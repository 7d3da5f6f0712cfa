#pragma once

#include "ir/graph.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

/// Which calls of unfold create windows that the program writes to, by operation number of the program. LibTorch's
/// functionalization propagates such a write to the base by summing the windows, which loses the elements between them;
/// other views of the same memory do not have this problem. Only the original program shows which calls are affected.
class WrittenWindows {
public:
    /// For the original program, in order: `node` was recorded by operation number `step`.
    void note(const Node& node, std::size_t step);

    /// Replaces the arguments of unfold with an equal view, if operation number `step` creates windows that are written
    /// to and do not overlap. Returns false if nothing was done. Overlapping windows are kept: in eager, the contents
    /// of shared memory depend on the order in which the kernel happens to write.
    bool view(std::size_t step, const c10::OperatorHandle& op, torch::jit::Stack& stack) const;

private:
    using Steps = std::set<std::size_t>;
    std::unordered_map<const Node*, Steps> windows_;  ///< and views of them: the calls of unfold behind them
    std::unordered_set<std::size_t> written_;
};

}  // namespace aotscope
