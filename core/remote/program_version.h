#pragma once

#include <string_view>

namespace aotscope {

/// Of this program. Both sides of a connection have to be of the same one: their messages are not made to last.
std::string_view programVersion();

}  // namespace aotscope
