#include "load/printed/text_parts.h"

#include "support/trimmed.h"

#include <algorithm>
#include <charconv>

namespace aotscope {

std::size_t findOutside(std::string_view text, char c, std::size_t from) {
    int depth = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
        if (depth == 0 && text[i] == c) return i;
        if (text[i] == '\'' || text[i] == '"') {
            const char quote = text[i++];
            while (i < text.size() && text[i] != quote) i += text[i] == '\\' ? 2 : 1;
        } else if (text[i] == '(' || text[i] == '[' || text[i] == '{') {
            ++depth;
        } else if (text[i] == ')' || text[i] == ']' || text[i] == '}') {
            --depth;
        }
    }
    return std::string_view::npos;
}

std::vector<std::string_view> splitOutside(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t start = 0; start < text.size();) {
        const bool last = parts.size() + 1 == kMostParts;
        const auto end = last ? text.size() : std::min(findOutside(text, ',', start), text.size());
        const auto part = trimmed(text.substr(start, end - start), " \t\r\n\f\v");
        if (end < text.size() || !part.empty()) parts.push_back(part);
        start = end + 1;
    }
    return parts;
}

std::optional<std::size_t> countAtStart(std::string_view text) {
    constexpr std::size_t most = 1'000'000;
    std::size_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    return result.ec == std::errc{} && value < most ? std::optional(value) : std::nullopt;
}

}  // namespace aotscope
