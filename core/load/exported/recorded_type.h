#pragma once

#include "load/exported/export_schema.h"

#include <string>

namespace aotscope {

/// What the file says of the value `name` of `graph`: a tensor or an integer. Unknown for any other.
ValueType recordedType(const exported::Graph& graph, const std::string& name);

}  // namespace aotscope
