#pragma once

#include <string_view>

namespace aotscope {

/// Both sides of a connection must have the same version: their messages are not a stable format.
std::string_view programVersion();

}  // namespace aotscope
