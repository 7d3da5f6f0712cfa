#pragma once

#include "ir/metadata.h"
#include "ir/symbolic.h"

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// The conditions on the inputs under which a compiled function is valid: shapes, strides, dtypes, devices, no new
/// requires_grad, and the values of inputs that are not tensors. Dynamic sizes are limited to their symbols' ranges.
class SizeGuards {
public:
    /// `metadata` describes the inputs; `example` are the leaves that the function was traced with.
    SizeGuards(const FunctionMetadata& metadata, const std::vector<c10::IValue>& example, std::vector<Symbol> symbols,
               std::vector<SymbolBinding> bindings, std::vector<SizeCondition> conditions);

    /// The reason why `leaves` violate a guard; nothing if they satisfy all.
    std::optional<std::string> failed(const std::vector<c10::IValue>& leaves) const;

    /// Whether sizes with these values are within the ranges of the symbols.
    bool admits(const SymbolValues& values) const { return !failedSymbol(values); }
    bool dynamic() const { return !symbols_.empty(); }
    /// The symbols' values in `leaves`, whose dimensions must exist.
    SymbolValues bind(const std::vector<c10::IValue>& leaves) const;

private:
    struct Expected {
        std::string name;
        std::optional<TensorType> tensor;
        c10::IValue value;         ///< of an input that is not a tensor
        bool conjugated, negated;  ///< whether the tensor is lazily conjugated or negated
    };
    c10::IValue expectedValue(std::size_t index, const SymbolValues& values) const;
    std::optional<std::string> failedSymbol(const SymbolValues& values) const;

    std::vector<Expected> inputs_;  ///< user inputs only: parameters and buffers are the model's own
    std::size_t first_ = 0;         ///< index of the first user input among the leaves
    std::vector<Symbol> symbols_;
    std::vector<SymbolBinding> bindings_;
    std::vector<SizeCondition> conditions_;
};

}  // namespace aotscope
