#pragma once

#include <memory>
#include <regex>
#include <string>
#include <string_view>

namespace aotscope {

/// Whether a text contains, or is, a word (letters count the same in both cases), or fits a regular expression.
class TextTest {
public:
    enum class How : std::uint8_t { contains, equals };
    static TextTest word(std::string_view word, How how = How::contains);
    /// Throws std::regex_error.
    static TextTest expression(const std::string& expression);

    bool operator()(std::string_view text) const;

private:
    std::string word_;  ///< in lower case
    How how_ = How::contains;
    std::shared_ptr<const std::regex> expression_;
};

}  // namespace aotscope
