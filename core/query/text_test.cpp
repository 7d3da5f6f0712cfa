#include "query/text_test.h"

#include <algorithm>

namespace aotscope {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Longer texts are no names; an expression looks at their beginning only.
constexpr std::size_t kLongestText = 400;

constexpr auto kSyntax = std::regex::ECMAScript | std::regex::icase
#ifdef __GLIBCXX__
                         | std::regex_constants::__polynomial  // no expression can take exponential time
#endif
    ;

}  // namespace

TextTest TextTest::word(std::string_view word, How how) {
    TextTest test;
    test.word_ = word;
    std::ranges::transform(test.word_, test.word_.begin(), lower);
    test.how_ = how;
    return test;
}

TextTest TextTest::expression(const std::string& expression) {
    TextTest test;
    test.expression_ = std::make_shared<std::regex>(expression, kSyntax);
    return test;
}

bool TextTest::operator()(std::string_view text) const {
    if (expression_) {
        text = text.substr(0, kLongestText);
        return std::regex_search(text.begin(), text.end(), *expression_);
    }
    if (how_ == How::equals) return std::ranges::equal(text, word_, {}, lower);
    return !std::ranges::search(text, word_, {}, lower).empty() || word_.empty();
}

}  // namespace aotscope
