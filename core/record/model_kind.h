#pragma once

#include <string_view>

namespace aotscope {

inline constexpr std::string_view kSamplePrefix = "sample:";
/// Prefix of code: TorchScript functions.
inline constexpr std::string_view kScriptPrefix = "script:";

inline constexpr std::string_view kSshPrefix = "ssh://";
/// Only accepted from this user: such a name in a file is never followed (see Origin::model in session_saved.cpp).
inline constexpr std::string_view kExecPrefix = "exec://";
inline constexpr const char* kSessionEnding = ".aotscope";

/// What Options::model stands for: "sample:NAME", "script:def f(x): ...", a remote model (see RemoteModel), or the path
/// of a file.
inline bool isSample(std::string_view model) { return model.starts_with(kSamplePrefix); }
inline bool isScript(std::string_view model) { return model.starts_with(kScriptPrefix); }
inline bool isRemote(std::string_view model) { return model.starts_with(kSshPrefix) || model.starts_with(kExecPrefix); }
/// Local or remote.
inline bool namesFile(std::string_view model) { return !isSample(model) && !isScript(model); }
/// The scratch pad is one model, whatever its text.
inline bool isSameModel(std::string_view a, std::string_view b) { return a == b || (isScript(a) && isScript(b)); }
/// By its ending; see Session::ofSessionFile for one that is open.
inline bool namesSessionFile(std::string_view path) { return path.ends_with(kSessionEnding); }

/// The kinds of ModelInfo whose graphs were printed or exported.
inline constexpr std::string_view kPrintedGraphs = "printed graphs", kTraceLog = "TORCH_TRACE log",
                                  kExportedGraph = "exported graph", kPrintedPasses = "printed passes";

}  // namespace aotscope
