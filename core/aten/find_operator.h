#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <string>

namespace aotscope {

/// LibTorch's operator of this name in graphs: "aten.add.Tensor", "higher_order.cond". Nothing if it knows none, as of
/// arithmetic on numbers.
std::optional<c10::OperatorHandle> findOperator(const std::string& graphName);

}  // namespace aotscope
