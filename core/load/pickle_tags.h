#pragma once

#include "load/pickle_values.h"
#include "load/type_text.h"

#include <cstdint>
#include <map>

namespace aotscope {

/// The types that a pickle gives to its lists and dicts. LibTorch believes them.
class PickleTags {
public:
    explicit PickleTags(PickledValues& values) : values_(values) {}

    /// Gives `container` the type that `text` says. Throws Error (a clause) where its elements are of another one.
    void tag(PickledValue::Index container, std::string_view text);

private:
    const TypeText& parsed(std::string_view text);
    bool fits(PickledValue::Index value, const TypeText& type);

    PickledValues& values_;
    std::map<std::string_view, TypeText> types_;
    std::uint64_t comparisons_ = 0;
};

}  // namespace aotscope
