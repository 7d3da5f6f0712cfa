#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

namespace aotscope {

/// ASCII letters and digits, and '_'.
constexpr bool isNamePart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The number that `text` is, without anything else; nothing for any other text, or if it is out of range.
template <typename Number>
std::optional<Number> asNumber(std::string_view text) {
    Number number{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Reads a text from left to right. Readers of languages derive from it; grammar, limits and errors are theirs. Skips
/// blanks before what it accepts or reads.
class TokenReader {
protected:
    /// `blanks`: the characters that count as blanks; `text` must outlive the reader.
    explicit TokenReader(std::string_view text, std::string_view blanks = " \t") : text_(text), blanks_(blanks) {}

    bool atEnd() const { return at_ >= text_.size(); }
    /// '\0' after the end.
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    std::string_view rest() const { return text_.substr(std::min(at_, text_.size())); }
    bool looksAt(std::string_view token) const { return rest().starts_with(token); }

    void skipBlanks() {
        while (!atEnd() && blanks_.find(text_[at_]) != std::string_view::npos) ++at_;
    }
    bool accept(std::string_view token) {
        skipBlanks();
        if (!looksAt(token)) return false;
        at_ += token.size();
        return true;
    }
    bool accept(char c) { return accept(std::string_view(&c, 1)); }
    /// The following letters, digits and '_'; may be empty.
    std::string_view word() {
        skipBlanks();
        const auto start = at_;
        while (isNamePart(peek())) ++at_;
        return text_.substr(start, at_ - start);
    }
    bool acceptWord(std::string_view wanted) {
        const auto start = at_;
        if (word() == wanted) return true;
        at_ = start;
        return false;
    }
    /// Nothing, without moving, if no number follows or it is out of range.
    template <typename T>
    std::optional<T> tryNumber() {
        skipBlanks();
        T value{};
        const auto [end, failure] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (failure != std::errc{}) return std::nullopt;
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }

    std::string_view text_;
    std::size_t at_ = 0;

private:
    std::string_view blanks_;
};

}  // namespace aotscope
