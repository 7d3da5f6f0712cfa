#pragma once

#include "ir/graph.h"
#include "support/progress.h"

#include <ATen/core/ivalue.h>

#include <functional>
#include <string>
#include <vector>

namespace aotscope {

/// An operation of a run, to be run by itself.
struct IsolatedCall {
    struct Operand {
        const Node* node = nullptr;
        c10::IValue value;
    };
    const Node* node = nullptr;
    std::vector<Operand> operands;
    bool cut = false;  ///< the operands are parts of those of the run
};

/// The same call with parts of its operands, as small as they were found, for which `stillSo` holds. Only for
/// operations whose kernels check the sizes of what they get; others stay as they are.
IsolatedCall cutDown(IsolatedCall call, const std::function<bool(const IsolatedCall& smaller)>& stillSo,
                     const Progress& progress);

/// Lines of Python that make the operands and run the operation. Elements are written down where they are few; of large
/// tensors, others are drawn from the same range. Empty for an operation that Python has not under this name.
std::string callAsPython(const IsolatedCall& call);

}  // namespace aotscope
