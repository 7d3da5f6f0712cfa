#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace aotscope {

/// Reads tokens of a graph text from left to right. A '#' starts a comment that ends with its line. Errors name line
/// and column.
class TextCursor {
public:
    explicit TextCursor(std::string_view text) : text_(text) {}

protected:
    bool atEnd() const { return at_ >= text_.size(); }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    [[noreturn]] void fail(const std::string& expected) const;

    void skipSpace();
    void skipBlanks();

    bool accept(char c);
    void expect(char c);
    bool acceptWord(std::string_view w);
    void expectWord(std::string_view w);

    static bool isWord(char c);
    std::string word(const char* what);

    template <typename T>
    T number(const char* what) {
        skipBlanks();
        T value{};
        const auto [end, failure] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (failure != std::errc{}) fail(what);
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }
    std::int64_t integer() { return number<std::int64_t>("an integer"); }

    std::string quotedText();

    /// A level of recursion: fails if brackets are nested too deeply.
    void enter() {
        constexpr int deepest = 200;
        if (++depth_ > deepest) fail("brackets nested at most " + std::to_string(deepest) + " deep");
    }
    void leave() { --depth_; }

    std::string_view text_;
    std::size_t at_ = 0;

private:
    std::string escaped();

    int depth_ = 0;
};

}  // namespace aotscope
