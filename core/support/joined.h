// Texts of several things, one after another.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace aotscope {

/// The text of each element, with the separator between them. @param textOf  what makes the text of an element
template <typename Range, typename Text = std::identity>
std::string joined(const Range& range, std::string_view separator, Text&& textOf = {}) {
    std::string text;
    bool isFirst = true;
    for (const auto& element : range) {
        if (!isFirst) text += separator;
        text += std::invoke(textOf, element);
        isFirst = false;
    }
    return text;
}

}  // namespace aotscope
