#pragma once

#include <filesystem>
#include <string>

namespace aotscope {

/// For a folder without graphs: what it is and how to get a model, as a clause for an error. Empty if unknown.
std::string describeForeignFolder(const std::filesystem::path& folder);

}  // namespace aotscope
