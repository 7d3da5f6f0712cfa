#pragma once

#include "debug/debugger.h"
#include "remote/connection.h"

#include <memory>
#include <string>
#include <string_view>

namespace aotscope {

/// A debugger on another machine, known there by `id`. `start` is what startOfDebugger() gave there. Throws Error.
std::shared_ptr<Debugger> makeRemoteDebugger(std::shared_ptr<Connection> connection, std::uint64_t id,
                                             std::string_view start);

/// The other side: all steps of `debugger`, and its state.
std::string startOfDebugger(const Debugger& debugger);

/// Carries out a command of makeRemoteDebugger's; `other` is the debugger that it compares with, or null. Returns what
/// it has to send back.
nlohmann::json commandDebugger(Debugger& debugger, Debugger* other, const nlohmann::json& command,
                               const Progress& progress);

}  // namespace aotscope
