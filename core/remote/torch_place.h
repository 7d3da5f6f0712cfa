#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace aotscope {

/// "2.15" of "2.15.0+cpu"; empty: that is no version.
std::string minorVersion(std::string_view version);

/// The folder of LibTorch, or of Python's torch package: `folder` itself, or the one in this site-packages or virtual
/// environment. Empty: there is none.
std::filesystem::path torchIn(const std::filesystem::path& folder);

/// "2.15", of such a folder, by the files in it; empty: unknown.
std::string minorVersionIn(const std::filesystem::path& torch);

}  // namespace aotscope
