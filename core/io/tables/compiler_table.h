#pragma once

#include "record/options/compiler_info.h"
#include "record/table.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace aotscope {

/// A row for each compiler, followed by one for each of its settings.
Table compilerTable(const std::vector<CompilerInfo>& compilers);
/// An object for each compiler, with a list "settings", with the table's keys.
nlohmann::json compilerListJson(const std::vector<CompilerInfo>& compilers);

}  // namespace aotscope
