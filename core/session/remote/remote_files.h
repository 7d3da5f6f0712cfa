#pragma once

#include "record/trace_log.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

class RemoteHost;

/// The files that the engine of `host` reads; those of this process if it is null.
std::shared_ptr<const FileAccess> filesOf(const std::shared_ptr<RemoteHost>& host);

/// A log of TORCH_TRACE in an answer of that engine, which reads its records when they are needed. Throws Error.
std::shared_ptr<const TraceLog> logIn(const std::shared_ptr<RemoteHost>& host, const nlohmann::json& answer);

}  // namespace aotscope
