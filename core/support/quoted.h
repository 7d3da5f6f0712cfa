#pragma once

#include <string>
#include <string_view>

namespace aotscope {

/// One clean line of text: line ends, control characters (of terminals, too), marks that turn the direction of writing
/// and bytes that are no UTF-8 are spelled out, as in "\n" and "\x1b".
std::string oneLine(std::string_view text);

/// The same, of 80 characters at most; "..." stands for the rest.
std::string shortened(std::string_view text);

/// What a file says, for an error: shortened, in quotes.
std::string inQuotes(std::string_view text);

}  // namespace aotscope
