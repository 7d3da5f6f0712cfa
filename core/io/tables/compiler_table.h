#pragma once

#include "compile/compilers.h"
#include "record/table.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace aotscope {

/// A row for each compiler, followed by one for each of its settings.
Table compilerTable(const std::vector<CompilerInfo>& compilers);
/// An object for each compiler, with the list "settings", by the keys of the table.
nlohmann::json compilerListJson(const std::vector<CompilerInfo>& compilers);

}  // namespace aotscope
