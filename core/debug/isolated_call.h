#pragma once

#include "ir/graph.h"
#include "support/progress.h"

#include <ATen/core/ivalue.h>

#include <functional>
#include <string>
#include <vector>

namespace aotscope {

/// An operation of a run, to be run in isolation.
struct IsolatedCall {
    struct Operand {
        const Node* node = nullptr;
        c10::IValue value;
    };
    const Node* node = nullptr;
    std::vector<Operand> operands;
    bool cut = false;  ///< the operands are slices of those in the run
};

/// The same call with the smallest slices of its operands found for which `stillSo` holds. Only for operations whose
/// kernels check operand sizes; others are returned unchanged.
IsolatedCall cutDown(IsolatedCall call, const std::function<bool(const IsolatedCall& smaller)>& stillSo,
                     const Progress& progress);

/// Python code that creates the operands and runs the operation. Elements are written out if they are few; large
/// tensors get random ones from the same range. Empty for an operation that Python does not have under this name.
std::string callAsPython(const IsolatedCall& call);

}  // namespace aotscope
