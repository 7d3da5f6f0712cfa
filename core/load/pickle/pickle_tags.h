#pragma once

#include "load/pickle/pickle_values.h"
#include "load/pickle/type_text.h"

#include <cstdint>
#include <map>

namespace aotscope {

/// The types that a pickle declares for its lists and dicts, which LibTorch trusts.
class PickleTags {
public:
    explicit PickleTags(PickledValues& values) : values_(values) {}

    /// Gives `container` the type `text`. Throws Error (a clause) if its elements have a different type.
    void tag(PickledValue::Index container, std::string_view text);

private:
    const TypeText& parsed(std::string_view text);
    bool fits(PickledValue::Index value, const TypeText& type);

    PickledValues& values_;
    std::map<std::string_view, TypeText> types_;
    std::uint64_t comparisons_ = 0;
};

}  // namespace aotscope
