#pragma once

#include <string>
#include <string_view>

namespace aotscope {

/// A text as one printable line: line ends, control characters (including those of terminals), bidirectional marks and
/// invalid UTF-8 are escaped, as in "\n" and "\x1b".
std::string oneLine(std::string_view text);

/// The same, at most 80 characters; "..." replaces the rest.
std::string shortened(std::string_view text);

/// Text from a file, for an error: shortened and quoted.
std::string inQuotes(std::string_view text);

}  // namespace aotscope
