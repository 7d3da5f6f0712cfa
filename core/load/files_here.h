#pragma once

#include "record/file_access.h"

namespace aotscope {

/// The files that this process reads itself.
const std::shared_ptr<const FileAccess>& filesHere();

}  // namespace aotscope
