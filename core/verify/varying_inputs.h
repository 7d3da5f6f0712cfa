#pragma once

#include "passes/dynamic_shapes.h"
#include "program/example_inputs.h"

namespace aotscope {

/// A dimension of an input leaf (state not counted) that may be made in other sizes.
struct VaryingDimension {
    std::string size;  ///< what its size is called
    std::size_t leaf = 0;
    std::int64_t dimension = 0;
};

/// Recorded inputs at other sizes: along each dimension that varies, elements are taken again from the start or left
/// out at the end, so that indices stay in range. On `device` meta the tensors have no memory.
std::vector<c10::IValue> resizeInputs(const std::vector<c10::IValue>& recorded,
                                      const std::vector<VaryingDimension>& dimensions, const SymbolValues& sizes,
                                      c10::Device device);

/// The dimensions whose size is that of a symbol, found by making the leaves with each symbol one larger: so they are
/// found behind views, too. Throws Error for a symbol that is the size of no dimension.
std::vector<SymbolBinding> findBindings(const std::vector<Symbol>& symbols, std::size_t stateCount,
                                        const std::function<std::vector<c10::IValue>(const SymbolValues&)>& leavesAt);

}  // namespace aotscope
