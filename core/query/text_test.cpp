#include "query/text_test.h"

#include <algorithm>
#include <functional>
#include <regex>
#include <unordered_map>

namespace aotscope {

namespace {

char lowerLetter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Longer texts are not names; an expression only sees their beginning.
constexpr std::size_t kLongestText = 400;

constexpr auto kSyntax = std::regex::ECMAScript | std::regex::icase
#ifdef __GLIBCXX__
                         | std::regex_constants::__polynomial  // prevents exponential time
#endif
    ;

/// Whether a number after a backslash or in braces is so long that the library's arithmetic on it overflows.
bool hasLongNumber(std::string_view expression) {
    constexpr std::size_t longest = 9;
    constexpr std::string_view digits = "0123456789";
    for (std::size_t at = 0; (at = expression.find_first_of("\\{,", at)) != std::string_view::npos;) {
        const std::size_t end = std::min(expression.find_first_not_of(digits, ++at), expression.size());
        if (end - at > longest) return true;
    }
    return false;
}

}  // namespace

/// Operations, modules and, across passes, names recur often.
struct TextTest::Expression {
    /// For lookups without a copy.
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    std::regex regex;
    std::unordered_map<std::string, bool, TextHash, std::equal_to<>> known;

    bool fits(std::string_view text) {
        constexpr std::size_t most = 100'000;
        if (const auto it = known.find(text); it != known.end()) return it->second;
        if (known.size() >= most) known.clear();
        const bool found = std::regex_search(text.begin(), text.end(), regex);
        known.emplace(text, found);
        return found;
    }
};

TextTest TextTest::word(std::string_view word, How how) {
    TextTest test;
    test.word_ = word;
    std::ranges::transform(test.word_, test.word_.begin(), lowerLetter);
    test.how_ = how;
    return test;
}

TextTest TextTest::expression(const std::string& expression) {
    TextTest test;
    if (hasLongNumber(expression)) throw std::regex_error(std::regex_constants::error_badbrace);
    test.expression_ = std::make_shared<Expression>();
    test.expression_->regex = std::regex(expression, kSyntax);
    return test;
}

bool TextTest::operator()(std::string_view text) const {
    if (expression_) return expression_->fits(text.substr(0, kLongestText));
    if (how_ == How::equals) return std::ranges::equal(text, word_, {}, lowerLetter);
    const auto same = [](char of, char wanted) { return lowerLetter(of) == wanted; };
    return word_.empty() || std::search(text.begin(), text.end(), word_.begin(), word_.end(), same) != text.end();
}

}  // namespace aotscope
