#pragma once

#include "record/compile_record.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// The first dimension that has the same size in all tensor inputs of the model, as names for --dynamic: "x.0", "y.0".
/// Tensors without dimensions do not count. Empty if there is none.
std::vector<std::string> sharedDimension(const CompileRecord& record);

/// The symbols of the record for sizes with these names: INPUT.DIMENSION, a name from the input spec or the file, an
/// integer input, or a symbol. Those that are not dynamic are not among them.
std::vector<Symbol> symbolsNamed(const CompileRecord& record, const std::vector<std::string>& names);

/// The size called INPUT.DIMENSION in the example inputs; nothing if there is no such size.
std::optional<std::int64_t> sizeNamed(const CompileRecord& record, std::string_view name);

}  // namespace aotscope
