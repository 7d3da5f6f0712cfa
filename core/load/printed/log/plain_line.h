#pragma once

#include <string>
#include <string_view>

namespace aotscope {

/// Lines as they were printed, whatever they went through since: without escape sequences of terminals, zeros and
/// blanks at the end, and without what web pages and word processors make of blanks and quotes; the text of a line that
/// a container keeps as JSON.
class PlainLine {
public:
    /// Valid until the next call, and no longer than `line` is. Never longer than it.
    std::string_view operator()(std::string_view line);
    /// Whether the last line was kept as JSON.
    bool wasWrapped() const { return wrapped_; }

private:
    std::string unwrapped_, plain_;
    bool wrapped_ = false;
};

}  // namespace aotscope
