#pragma once

#include <string>
#include <string_view>

namespace aotscope {

/// Our own sentence for what LibTorch's functionalization says of programs that it cannot follow; the first sentence of
/// any other message.
std::string explainTraceError(std::string_view message);

}  // namespace aotscope
