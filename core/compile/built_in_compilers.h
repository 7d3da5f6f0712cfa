#pragma once

#include "record/options/compiler_info.h"

namespace aotscope {

const std::vector<CompilerInfo>& builtInCompilers();

/// Whether the backend is built in.
bool isBuiltInCompiler(const std::string& name);

}  // namespace aotscope
