#include "load/printed/log/plain_line.h"

#include "support/json/bounded_json.h"
#include "support/trimmed.h"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

namespace aotscope {

namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

constexpr std::array kReplaced = {
    Replacement{"\xef\xbb\xbf", ""},    // byte order mark
    Replacement{"\xe2\x80\x8b", ""},    // zero-width space
    Replacement{"\xc2\xa0", " "},       // non-breaking space
    Replacement{"\xe2\x80\x9c", "\""},  // typographic quotes
    Replacement{"\xe2\x80\x9d", "\""}, Replacement{"\xe2\x80\x98", "'"}, Replacement{"\xe2\x80\x99", "'"},
    Replacement{"&quot;", "\""},       Replacement{"&#34;", "\""},       Replacement{"&#39;", "'"},
    Replacement{"&#x27;", "'"},        Replacement{"&lt;", "<"},         Replacement{"&gt;", ">"},
    Replacement{"&amp;", "&"},         Replacement{"&nbsp;", " "},
};

bool mayBeReplaced(char c) { return c == '\x1b' || c == '\0' || c == '&' || c == '\xc2' || c == '\xe2' || c == '\xef'; }

/// The length of the escape sequence that `text` begins with: "\x1b[36m", "\x1b]0;title\x07".
std::size_t escapeSequence(std::string_view text) {
    if (text.size() < 2) return text.size();
    std::size_t end = 2;
    if (text[1] == '[') {
        while (end < text.size() && (text[end] < '@' || text[end] > '~')) ++end;
    } else if (text[1] == ']') {
        while (end < text.size() && text[end] != '\x07' && text[end] != '\x1b') ++end;
    } else {
        return 2;
    }
    return std::min(end + 1, text.size());
}

/// The text in {"log": "...\n", "stream": "stderr"}, the format of container logs and log collectors.
bool unwrapObject(std::string_view line, std::string& text) {
    constexpr std::array keys = {"log", "message", "msg", "textPayload"};
    if (!line.starts_with("{\"") || !line.ends_with('}')) return false;
    const auto mentioned = [&](std::string_view key) {
        return line.find("\"" + std::string(key) + "\"") < line.size();
    };
    if (std::ranges::none_of(keys, mentioned)) return false;
    const auto object = parseBounded(line);
    for (const char* key : keys)
        if (const auto member = object.find(key); member != object.end() && member->is_string()) {
            text = member->get<std::string>();
            return true;
        }
    return false;
}

/// The text in "...\n", the format of notebook outputs.
bool unwrapString(std::string_view line, std::string& text) {
    line = trimmed(line);
    if (line.ends_with(',')) line.remove_suffix(1);
    if (line.size() < 2 || line.front() != '"' || line.back() != '"') return false;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        if (line[i] == '"') return false;
        if (line[i] == '\\') ++i;
    }
    text = parseBounded(line).get<std::string>();
    return true;
}

bool unwrap(std::string_view line, std::string& text) {
    constexpr std::size_t longest = std::size_t{1} << 20;
    if (line.size() > longest) return false;
    try {
        if (!unwrapObject(line, text) && !unwrapString(line, text)) return false;
    } catch (const std::exception&) {  // other text
        return false;
    }
    while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
    return true;
}

}  // namespace

std::string_view PlainLine::operator()(std::string_view line) {
    const auto first = line.find_first_not_of(' ');
    const bool mayBeWrapped = first != std::string_view::npos && (line[first] == '"' || line.starts_with('{'));
    wrapped_ = mayBeWrapped && unwrap(line, unwrapped_);
    if (wrapped_) line = unwrapped_;
    if (std::ranges::any_of(line, mayBeReplaced)) {
        plain_.clear();
        for (std::size_t i = 0; i < line.size();) {
            const auto rest = line.substr(i);
            if (!mayBeReplaced(line[i])) {
                plain_ += line[i++];
                continue;
            }
            const auto known =
                std::ranges::find_if(kReplaced, [&](const auto& r) { return rest.starts_with(r.first); });
            if (line[i] == '\x1b') i += escapeSequence(rest);
            else if (line[i] == '\0') ++i;
            else if (known != kReplaced.end()) plain_ += known->second, i += known->first.size();
            else plain_ += line[i++];
        }
        line = plain_;
    }
    while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
    return line;
}

}  // namespace aotscope
