#pragma once

#include <string_view>

namespace aotscope {

inline constexpr std::string_view kSamplePrefix = "sample:";
/// What follows it is code: TorchScript functions.
inline constexpr std::string_view kScriptPrefix = "script:";

/// What Options::model stands for: "sample:NAME", "script:def f(x): ...", or the path of a file.
inline bool isSample(std::string_view model) { return model.starts_with(kSamplePrefix); }
inline bool isScript(std::string_view model) { return model.starts_with(kScriptPrefix); }
inline bool namesFile(std::string_view model) { return !isSample(model) && !isScript(model); }

}  // namespace aotscope
