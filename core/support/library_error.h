#pragma once

#include <string>
#include <string_view>

namespace aotscope {

/// What a message of LibTorch or of the C++ library means to somebody who uses this program: one clause. `message`: its
/// first line, as firstSentence() has it. Whatever is behind it, such as where it happened, is kept. Messages that
/// speak for themselves are returned as they are.
std::string translatedLibraryError(std::string_view message);

/// "[json.exception.type_error.302] type must be number, but is string" without what is in brackets.
std::string_view withoutJsonClass(std::string_view message);

}  // namespace aotscope
