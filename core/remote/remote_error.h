#pragma once

#include <nlohmann/json.hpp>

#include <exception>
#include <string>

namespace aotscope {

/// An exception of a job, for the other side: Error and the errors with more than a sentence; all others are errors.
nlohmann::json errorJson(const std::exception_ptr& error);
/// Throws it here.
[[noreturn]] void throwRemoteError(const nlohmann::json& error);

}  // namespace aotscope
