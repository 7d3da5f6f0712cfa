#pragma once

#include "ir/metadata.h"
#include "record/table.h"

#include <functional>
#include <string_view>

namespace aotscope {

/// What outputs alias, for display: "view of an input".
std::string_view describe(OutputType type);

/// Every field of the arguments of a function.
Table inputTable(const FunctionMetadata& function);

/// Every field of a function's outputs. `graph`: the metadata of its graph. `nameOfBase`: the display name of an
/// intermediate base; may be null, or return an empty text.
Table outputTable(const FunctionMetadata& function, const FunctionMetadata& graph,
                  const std::function<std::string(std::size_t)>& nameOfBase = {});

}  // namespace aotscope
