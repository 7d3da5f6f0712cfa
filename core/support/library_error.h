#pragma once

#include "support/error.h"

#include <optional>
#include <string>
#include <string_view>

namespace aotscope {

/// An error of LibTorch or the C++ library in terms that a user of this program understands: one clause. `message`: its
/// first line, see firstSentence(). Anything after it, such as the location, is kept. Clear messages are returned
/// unchanged.
std::string translatedLibraryError(std::string_view message);

/// "[json.exception.type_error.302] type must be number, but is string" without the brackets.
std::string_view withoutJsonClass(std::string_view message);

/// The first sentence of what `job` fails with; nothing if it succeeds. Throws only Cancelled.
template <typename Job>
std::optional<std::string> failureOf(Job&& job) {
    try {
        job();
        return std::nullopt;
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& e) {
        return firstSentence(e.what());
    }
}

}  // namespace aotscope
