#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace aotscope {

/// Text from files in which unprintable characters are spelled out, as in oneLine() (support/quoted.h). Line ends and
/// tabs remain.
std::string printable(std::string_view text);

/// An equivalent JSON document in which unprintable characters are escaped.
std::string printableJson(std::string json);

/// oneLine(), at most `most` characters; "..." replaces the rest.
std::string shortenedTo(std::size_t most, std::string_view text);

}  // namespace aotscope
