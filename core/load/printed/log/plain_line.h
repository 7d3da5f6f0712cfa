#pragma once

#include <string>
#include <string_view>

namespace aotscope {

/// Restores lines as they were printed: removes terminal escape sequences and trailing zeros and blanks, reverts the
/// blanks and quotes of web pages and word processors, and unwraps lines of container logs from JSON.
class PlainLine {
public:
    /// Valid until the next call. Never longer than `line`.
    std::string_view operator()(std::string_view line);
    /// Whether the last line was wrapped in JSON.
    bool wasWrapped() const { return wrapped_; }

private:
    std::string unwrapped_, plain_;
    bool wrapped_ = false;
};

}  // namespace aotscope
