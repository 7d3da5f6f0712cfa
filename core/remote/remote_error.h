#pragma once

#include <nlohmann/json.hpp>

#include <exception>

namespace aotscope {

/// An exception of a job, for the other side: Error, and those with more than a message; all others become errors.
nlohmann::json errorJson(const std::exception_ptr& error);
/// The local exception. Throws Error, a clause, if the message is invalid.
std::exception_ptr remoteError(const nlohmann::json& error);
[[noreturn]] inline void throwRemoteError(const nlohmann::json& error) { std::rethrow_exception(remoteError(error)); }

}  // namespace aotscope
