#pragma once

#include <string>
#include <string_view>

namespace aotscope {

/// Our own message for functionalization errors of LibTorch; the first sentence of any other message.
std::string explainTraceError(std::string_view message);

}  // namespace aotscope
