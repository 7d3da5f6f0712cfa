#pragma once

#include <string>

namespace aotscope {

/// The sentence about what only LibTorch can do, where it is missing. `what`: "running models".
inline std::string needsTorch(const std::string& what) {
    return what +
           " needs LibTorch, which was not found; install it with 'pip install torch==2.13.*', then start aotscope "
           "again";
}

}  // namespace aotscope
