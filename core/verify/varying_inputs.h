#pragma once

#include "passes/sizes/dynamic_shapes.h"
#include "program/inputs/example_inputs.h"

namespace aotscope {

/// A dynamic dimension of an input leaf (not counting state).
struct VaryingDimension {
    std::string size;  ///< the name of its size
    std::size_t leaf = 0;
    std::int64_t dimension = 0;
};

/// Recorded inputs at other sizes: along each dynamic dimension, elements are repeated from the start or cut off at the
/// end, so that indices remain in range. On the meta device, the tensors have no memory.
std::vector<c10::IValue> resizeInputs(const std::vector<c10::IValue>& recorded,
                                      const std::vector<VaryingDimension>& dimensions, const SymbolValues& sizes,
                                      c10::Device device);

/// The dimensions with the size of a symbol, and the integers with its value, found by creating the leaves with each
/// symbol one larger, which also works through views. Throws Error for a symbol without a dimension.
std::vector<SymbolBinding> findBindings(const std::vector<Symbol>& symbols, std::size_t stateCount,
                                        const std::function<std::vector<c10::IValue>(const SymbolValues&)>& leavesAt);

}  // namespace aotscope
