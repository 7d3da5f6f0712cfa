#pragma once

#include "record/file_access.h"

namespace aotscope {

class RemoteHost;

/// The files that the engine of `host` reads; those of this process if it is null.
std::shared_ptr<const FileAccess> filesOf(const std::shared_ptr<RemoteHost>& host);

}  // namespace aotscope
