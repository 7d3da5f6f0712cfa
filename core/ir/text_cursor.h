#pragma once

#include "support/token_reader.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace aotscope {

/// Reads tokens of a graph text from left to right. A '#' starts a comment up to the end of the line. Errors give line
/// and column.
class TextCursor : protected TokenReader {
public:
    explicit TextCursor(std::string_view text) : TokenReader(text) {}

protected:
    [[noreturn]] void fail(const std::string& expected) const;

    void skipSpace();
    void expect(char c);
    void expectWord(std::string_view w);

    static bool isWord(char c);
    std::string word(const char* what);

    template <typename T>
    T number(const char* what) {
        if (const auto value = tryNumber<T>()) return *value;
        fail(what);
    }
    std::int64_t integer() { return number<std::int64_t>("an integer"); }

    std::string quotedText();

    /// Enters a level of recursion; fails if brackets are nested too deeply.
    void enter() {
        constexpr int deepest = 200;
        if (++depth_ > deepest) fail("brackets nested at most " + std::to_string(deepest) + " deep");
    }
    void leave() { --depth_; }

private:
    std::string escaped();

    int depth_ = 0;
};

}  // namespace aotscope
