#include "load/printed/log_line.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Whether `text` begins like `pattern`, where '0' stands for any digit.
bool like(std::string_view text, std::string_view pattern) {
    return text.size() >= pattern.size() && std::equal(pattern.begin(), pattern.end(), text.begin(),
                                                       [](char p, char c) { return p == '0' ? isDigit(c) : p == c; });
}

/// "0/0", "12/3_1", "!0/1/0"
bool isCompileId(std::string_view tag) {
    return !tag.empty() && tag.find('/') != std::string_view::npos &&
           tag.find_first_not_of("0123456789/_!-") == std::string_view::npos;
}

/// Takes "[tag] " off the front of what begins at `at`; empty if there is none.
std::string_view takeTag(std::string_view line, std::size_t& at) {
    if (at >= line.size() || line[at] != '[') return {};
    const auto end = line.find(']', at);
    if (end == std::string_view::npos) return {};
    const auto tag = line.substr(at + 1, end - at - 1);
    at = end + 1;
    if (at < line.size() && line[at] == ' ') ++at;
    return tag;
}

LogPrefix readOldPrefix(std::string_view line) {
    LogPrefix prefix;
    std::size_t at = 0;
    takeTag(line, at);
    auto next = at;
    if (const auto tag = takeTag(line, next); isCompileId(tag)) prefix.compileId = tag, at = next;
    const auto level = line.find(": [", at);
    if (level == std::string_view::npos || level > at + 200) return {};
    next = level + 2;
    if (takeTag(line, next).empty()) return {};
    prefix.key = line.substr(at, level - at);
    prefix.length = next;
    return prefix;
}

}  // namespace

LogPrefix readLogPrefix(std::string_view line) {
    constexpr std::string_view levels = "VIWEC";
    constexpr std::size_t longest = 600;
    std::size_t at = 0;
    if (line.starts_with("[rank")) {
        const auto end = line.find("]:");
        if (end == std::string_view::npos || end > 20) return {};
        at = end + 2;
    }
    const auto rest = line.substr(at, longest);
    if (like(rest, "[0000-00-00 00:00:00,")) return at == 0 ? readOldPrefix(line) : LogPrefix{};
    if (rest.empty() || levels.find(rest[0]) == std::string_view::npos || !like(rest.substr(1), "0000 00:00:00."))
        return {};
    const auto process = rest.find(' ', 15);
    const auto end = rest.find("] ", 15);
    if (process == std::string_view::npos || end == std::string_view::npos || process > end) return {};
    LogPrefix prefix;
    const auto start = at + process + 1;
    prefix.length = at + end + 2;
    for (;;) {
        auto next = prefix.length;
        const auto tag = takeTag(line, next);
        const bool id = isCompileId(tag);
        if (!id && !tag.starts_with("__")) break;
        if (id) prefix.compileId = tag;
        prefix.length = next;
    }
    prefix.key = line.substr(start, prefix.length - start);
    return prefix;
}

std::string_view ColourFilter::operator()(std::string_view text) {
    if (text.find('\x1b') == std::string_view::npos) return text;
    buffer_.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\x1b') {
            buffer_ += text[i];
            continue;
        }
        while (i < text.size() && text[i] != 'm') ++i;
    }
    return buffer_;
}

}  // namespace aotscope
