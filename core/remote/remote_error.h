#pragma once

#include <nlohmann/json.hpp>

#include <exception>
#include <string>

namespace aotscope {

/// An exception of a job, for the other side: Error and the errors with more than a sentence; all others are errors.
nlohmann::json errorJson(const std::exception_ptr& error);
/// The exception here. Throws Error, a clause, for what is none.
std::exception_ptr remoteError(const nlohmann::json& error);
[[noreturn]] inline void throwRemoteError(const nlohmann::json& error) { std::rethrow_exception(remoteError(error)); }

}  // namespace aotscope
