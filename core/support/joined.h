// Lists of things as text.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace aotscope {

/// The texts of the elements, joined by the separator. @param textOf  returns the text of an element
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
