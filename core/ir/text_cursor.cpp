#include "ir/text_cursor.h"

#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>
#include <cctype>

namespace aotscope {

void TextCursor::fail(const std::string& expected) const {
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i < at_ && i < text_.size(); ++i) {
        ++column;
        if (text_[i] == '\n') ++line, column = 1;
    }
    auto next = rest().substr(0, 20);
    next = next.substr(0, next.find('\n'));
    throw Error("graph text, line " + std::to_string(line) + ", column " + std::to_string(column) + ": expected " +
                expected + ", found " + (next.empty() ? "the end" : inQuotes(next)));
}

void TextCursor::skipSpace() {
    while (at_ < text_.size()) {
        if (std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
        else if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
        else break;
    }
}

void TextCursor::expect(char c) {
    if (!accept(c)) fail(std::string("'") + c + "'");
}

void TextCursor::expectWord(std::string_view w) {
    skipSpace();
    if (!accept(w)) fail(inQuotes(w));
}

bool TextCursor::isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == ':';
}

std::string TextCursor::word(const char* what) {
    skipBlanks();
    const auto start = at_;
    while (isWord(peek())) ++at_;
    if (at_ == start) fail(what);
    return std::string(text_.substr(start, at_ - start));
}

/// An escape sequence of printable(), after the backslash.
std::string TextCursor::escaped() {
    const char kind = peek();
    const std::size_t digits = kind == 'u' ? 4 : kind == 'x' ? 2 : 0;
    const std::string_view hex = text_.substr(std::min(at_ + 1, text_.size())).substr(0, digits);
    unsigned code = 0;
    const auto [end, failure] = std::from_chars(hex.data(), hex.data() + hex.size(), code, 16);
    if (digits == 0 || failure != std::errc{} || end != hex.data() + digits) {
        ++at_;
        return {kind == 'n' ? '\n' : kind};
    }
    at_ += 1 + digits;
    if (kind == 'x') return {static_cast<char>(code)};
    if (code < 0x800) return {static_cast<char>(0xc0U | code >> 6), static_cast<char>(0x80U | (code & 0x3fU))};
    return {static_cast<char>(0xe0U | code >> 12), static_cast<char>(0x80U | (code >> 6 & 0x3fU)),
            static_cast<char>(0x80U | (code & 0x3fU))};
}

std::string TextCursor::quotedText() {
    expect('"');
    std::string out;
    while (peek() != '"') {
        if (at_ >= text_.size() || peek() == '\n') fail("a closing '\"'");
        if (peek() == '\\') {
            ++at_;
            out += escaped();
        } else {
            out += peek();
            ++at_;
        }
    }
    ++at_;
    return out;
}

}  // namespace aotscope
