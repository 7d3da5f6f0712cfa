#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace aotscope {

/// Text from files in which what cannot be seen is spelled out, as in oneLine() (support/quoted.h). Line ends and tabs
/// stay.
std::string printable(std::string_view text);

/// A JSON document in which what cannot be seen is written as an escape, which means the same.
std::string printableJson(std::string json);

/// oneLine(), at most `most` characters; "..." replaces the rest.
std::string shortenedTo(std::size_t most, std::string_view text);

}  // namespace aotscope
