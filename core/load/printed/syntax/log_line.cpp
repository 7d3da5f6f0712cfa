#include "load/printed/syntax/log_line.h"

#include "support/trimmed.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr std::size_t kLongestPrefix = 600;

/// Whether `text` begins like `pattern`, where '0' matches any digit.
bool like(std::string_view text, std::string_view pattern) {
    return text.size() >= pattern.size() && std::equal(pattern.begin(), pattern.end(), text.begin(),
                                                       [](char p, char c) { return p == '0' ? isDigit(c) : p == c; });
}

/// "0/0", "12/3_1", "!0/1/0"
bool isCompileId(std::string_view tag) {
    return !tag.empty() && tag.find('/') != std::string_view::npos &&
           tag.find_first_not_of("0123456789/_!-") == std::string_view::npos;
}

/// "__aot_graphs"; "__main__" is a logger of the user's program.
bool isArtifact(std::string_view tag) {
    return tag.size() > 2 && tag.starts_with("__") && !tag.ends_with("__") &&
           std::ranges::all_of(tag, [](char c) { return c == '_' || isDigit(c) || (c >= 'a' && c <= 'z'); });
}

/// Removes "[tag] " at `at`, or returns empty.
std::string_view takeTag(std::string_view line, std::size_t& at) {
    if (at >= line.size() || line[at] != '[') return {};
    const auto end = line.find(']', at);
    if (end == std::string_view::npos) return {};
    const auto tag = line.substr(at + 1, end - at - 1);
    at = end + 1;
    if (at < line.size() && line[at] == ' ') ++at;
    return tag;
}

/// "[0/0] [__aot_graphs] "
struct Tags {
    std::size_t end;  ///< where they would begin, if there are none
    std::string_view compileId;
    bool artifact = false;
};

Tags takeTags(std::string_view line, std::size_t at) {
    Tags tags{at, {}, false};
    for (;;) {
        auto next = tags.end;
        const auto tag = takeTag(line, next);
        const bool id = isCompileId(tag);
        if (!id && !tag.starts_with("__")) return tags;
        if (id) tags.compileId = tag;
        tags.artifact = tags.artifact || isArtifact(tag);
        tags.end = next;
    }
}

LogPrefix prefixFrom(std::string_view line, std::size_t start, const Tags& tags, std::string_view process) {
    return {tags.end, trimmed(line.substr(start, tags.end - start)), process, tags.compileId};
}

// --- "V1121 17:12:46.592000 8955 torch/x.py:1780] [0/0] [__aot_graphs] " ---

bool beginsLevelAndTime(std::string_view text) {
    constexpr std::string_view levels = "VIWEC";
    return text.size() > 15 && text[5] == ' ' && text[8] == ':' && levels.find(text[0]) != std::string_view::npos &&
           like(text.substr(1), "0000 00:00:00.");
}

LogPrefix readWhole(std::string_view line, std::size_t at) {
    const auto rest = line.substr(at, kLongestPrefix);
    const auto process = rest.find(' ', 15), end = rest.find("] ", 15);
    if (process == std::string_view::npos || end == std::string_view::npos || process > end) return {};
    const auto start = at + process + 1;
    const auto pid = line.substr(start, line.find(' ', start) - start);
    return prefixFrom(line, start, takeTags(line, at + end + 2), pid);
}

// --- "[2023-11-21 17:12:46,592] [0/0] torch.x.__aot_graphs: [INFO] " ---

LogPrefix readOlder(std::string_view line, std::size_t at) {
    takeTag(line, at);
    LogPrefix prefix;
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

// --- "output_graph.py:2835] [0/0] [__graph_code] ", "[__graph_code] " ---

/// The start of the source location that ends before `at`: "torch/x.py:1780] "; `at` without one.
std::size_t placeBefore(std::string_view line, std::size_t at) {
    if (at < 2 || line[at - 1] != ' ' || line[at - 2] != ']') return at;
    auto digits = at - 2;
    while (digits > 0 && isDigit(line[digits - 1])) --digits;
    if (digits == at - 2 || !line.substr(0, digits).ends_with(".py:")) return at;
    const auto blank = line.rfind(' ', digits);
    return blank == std::string_view::npos ? 0 : blank + 1;
}

/// The part of `head` after the last timestamp, which differs from line to line.
std::string_view behindTime(std::string_view head) {
    std::size_t start = 0;
    for (std::size_t i = 0; i + 5 <= head.size(); ++i)
        if (like(head.substr(i), "00:00")) start = std::min(head.find(' ', i), head.size());
    return trimmed(head.substr(start));
}

LogPrefix readTrimmed(std::string_view line) {
    const auto looked = line.substr(0, kLongestPrefix);
    for (auto at = looked.find('['); at != std::string_view::npos; at = looked.find('[', at + 1)) {
        if (at > 0 && line[at - 1] != ' ' && line[at - 1] != ']') continue;
        const Tags tags = takeTags(line, at);
        if (tags.end == at) continue;
        const auto place = placeBefore(line, at);
        if (!tags.artifact && place == at) continue;
        const auto process = behindTime(line.substr(0, place));
        const auto start = process.empty() ? place : static_cast<std::size_t>(process.data() - line.data());
        return prefixFrom(line, start, tags, process);
    }
    return {};
}

}  // namespace

LogPrefix readLogPrefix(std::string_view line) {
    const auto looked = line.substr(0, kLongestPrefix);
    LogPrefix whole;
    for (std::size_t at = 0; at + 15 < looked.size(); ++at) {
        if (whole.length && at > whole.length) return whole;
        if (beginsLevelAndTime(looked.substr(at)))
            if (const auto prefix = readWhole(line, at); prefix.length) whole = prefix;
    }
    if (whole.length) return whole;
    for (auto at = looked.find('['); at != std::string_view::npos; at = looked.find('[', at + 1))
        if (like(looked.substr(at), "[0000-00-00 00:00:00,"))
            if (const auto prefix = readOlder(line, at); prefix.length) return prefix;
    return readTrimmed(line);
}

// --- prefixes added by others ---

namespace {

/// The length of the timestamp that `text` begins with: "2025-08-12T03:18:22.772Z", "123.456"; 0 without one.
std::size_t timeIn(std::string_view text) {
    constexpr std::string_view between = ":.,-/";
    std::size_t end = 0, groups = 0;
    while (end < text.size() && isDigit(text[end])) {
        while (end < text.size() && isDigit(text[end])) ++end;
        ++groups;
        const bool date = end + 1 < text.size() && (between.find(text[end]) != std::string_view::npos ||
                                                    (groups > 2 && (text[end] == 'T' || text[end] == '+')));
        if (!date || !isDigit(text[end + 1])) break;
        ++end;
    }
    return groups > 1 ? end : 0;
}

}  // namespace

LineHead::LineHead(std::string_view head, std::size_t blanks) : blanks_(blanks) {
    for (std::size_t i = 0; i < head.size();) {
        const bool starts = isDigit(head[i]) && (i == 0 || !isDigit(head[i - 1]));
        const auto end = i + (starts ? timeIn(head.substr(i)) : 0);
        if (end == i) pattern_ += head[i++];
        for (; i < end; ++i)
            if (!isDigit(head[i])) pattern_ += head[i];
            else if (pattern_.empty() || pattern_.back() != '\0') pattern_ += '\0';
    }
}

std::optional<std::size_t> LineHead::lengthIn(std::string_view line) const {
    std::size_t at = 0;
    for (const char c : pattern_) {
        const auto start = at;
        while (c == '\0' && at < line.size() && isDigit(line[at])) ++at;
        if (c != '\0' && at < line.size() && line[at] == c) ++at;
        if (at == start) return std::nullopt;
    }
    for (std::size_t i = 0; i < blanks_ && at < line.size(); ++i)
        if (line[at++] != ' ') return std::nullopt;
    return at;
}

}  // namespace aotscope
