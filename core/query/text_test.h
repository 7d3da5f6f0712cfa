#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace aotscope {

/// Whether a text contains, or is, a word (letters count the same in both cases), or fits a regular expression. Copies
/// share what they have found out about texts: to be used by one thread at a time.
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
    struct Expression;
    std::shared_ptr<Expression> expression_;
};

}  // namespace aotscope
