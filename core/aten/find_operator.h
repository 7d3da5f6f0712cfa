#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <string>

namespace aotscope {

/// The LibTorch operator with this name in graphs: "aten.add.Tensor", "higher_order.cond". Nothing if LibTorch does not
/// have it, as for arithmetic on numbers.
std::optional<c10::OperatorHandle> findOperator(const std::string& graphName);

}  // namespace aotscope
