#include "support/quoted.h"

#include "support/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace aotscope {

namespace {

constexpr std::size_t kMostCharacters = 80;

/// A character and its length in bytes; no code for invalid UTF-8.
struct Character {
    std::int32_t code = -1;
    std::size_t bytes = 1;
};

Character characterAt(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return {static_cast<std::int32_t>(first), 1};
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
    auto code = static_cast<std::int32_t>(first & (0x7fU >> bytes));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) return {};
        code = code << 6 | static_cast<std::int32_t>(byte(i) & 0x3fU);
    }
    constexpr std::array<std::int32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < smallest.at(bytes) || code > 0x10ffff || surrogate ? Character() : Character{code, bytes};
}

bool isShown(std::int32_t code) {
    const auto within = [&](std::int32_t low, std::int32_t high) { return code >= low && code <= high; };
    return code >= 0x20 && !within(0x7f, 0x9f) && !within(0x200b, 0x200f) && !within(0x2028, 0x202e) &&
           !within(0x2060, 0x2069) && code != 0xfeff;
}

std::string spelledOut(std::string_view bytes, std::int32_t code) {
    if (code == '\n') return "\\n";
    if (code == '\t') return " ";
    std::array<char, 16> spelling{};
    if (code > 0xff) {
        std::snprintf(spelling.data(), spelling.size(), "\\u%04x", static_cast<unsigned>(code));
        return spelling.data();
    }
    std::string text;
    for (const char byte : bytes) {
        std::snprintf(spelling.data(), spelling.size(), "\\x%02x", static_cast<unsigned char>(byte));
        text += spelling.data();
    }
    return text;
}

bool isPlain(char c) { return (c >= ' ' && c < '\x7f') || c == '\n' || c == '\t'; }

std::string cleaned(std::string_view text, std::size_t most) {
    std::string line;
    for (std::size_t count = 0; !text.empty(); ++count) {
        if (count == most) return line + "...";
        const Character next = characterAt(text);
        const std::string_view bytes = text.substr(0, next.bytes);
        line += isShown(next.code) ? std::string(bytes) : spelledOut(bytes, next.code);
        text.remove_prefix(next.bytes);
    }
    return line;
}

}  // namespace

std::string oneLine(std::string_view text) { return cleaned(text, std::string_view::npos); }

std::string shortened(std::string_view text) { return cleaned(text, kMostCharacters); }

std::string shortenedTo(std::size_t most, std::string_view text) { return cleaned(text, most); }

std::string printable(std::string_view text) {
    if (std::ranges::all_of(text, isPlain)) return std::string(text);
    std::string result;
    while (!text.empty()) {
        const Character next = characterAt(text);
        const std::string_view bytes = text.substr(0, next.bytes);
        const bool stays = isShown(next.code) || isPlain(text[0]);
        result += stays ? std::string(bytes) : spelledOut(bytes, next.code);
        text.remove_prefix(next.bytes);
    }
    return result;
}

std::string printableJson(std::string json) {
    if (std::ranges::all_of(json, isPlain)) return json;
    std::string result;
    std::array<char, 16> escape{};
    for (std::string_view rest = json; !rest.empty();) {
        const Character next = characterAt(rest);
        if (isShown(next.code) || isPlain(rest[0]) || next.code < 0) {
            result += rest.substr(0, next.bytes);
        } else {
            std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(next.code));
            result += escape.data();
        }
        rest.remove_prefix(next.bytes);
    }
    return result;
}

std::string inQuotes(std::string_view text) { return "'" + shortened(text) + "'"; }

}  // namespace aotscope
