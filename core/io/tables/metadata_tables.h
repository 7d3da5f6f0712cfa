#pragma once

#include "ir/metadata.h"
#include "record/table.h"

#include <functional>
#include <string_view>

namespace aotscope {

/// What outputs alias, for people: "view of an input".
std::string_view describe(OutputType type);

/// Every field of the arguments of a function.
Table inputTable(const FunctionMetadata& function);

/// Every field of what a user gets from a function. `graph`: the metadata of its graph. `nameOfBase`: of an
/// intermediate base, for people; may be null, or return an empty text.
Table outputTable(const FunctionMetadata& function, const FunctionMetadata& graph,
                  const std::function<std::string(std::size_t)>& nameOfBase = {});

}  // namespace aotscope
