#pragma once

#include "load/exported/export_schema.h"

#include <string>

namespace aotscope {

/// The recorded type of the value `name` of `graph`: a tensor or an integer. Unknown for anything else.
ValueType recordedType(const exported::Graph& graph, const std::string& name);

}  // namespace aotscope
