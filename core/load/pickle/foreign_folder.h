#pragma once

#include <filesystem>
#include <string>

namespace aotscope {

/// For a folder that holds no graphs: what it is and how to get a model, as a clause for an error. Empty for an unknown
/// kind of folder.
std::string describeForeignFolder(const std::filesystem::path& folder);

}  // namespace aotscope
