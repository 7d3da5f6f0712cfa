#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace aotscope {

/// Tests whether a text contains or equals a word, ignoring case, or matches a regular expression. Copies share a cache
/// of results: not thread-safe.
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
