#pragma once

#include "debug/debugger.h"
#include "remote/connection.h"

#include <memory>
#include <string>
#include <string_view>

namespace aotscope {

class RanksDebugger;

/// The way to a debugger in another process, which has dropped it when this is gone.
class DebuggerLink {
public:
    virtual ~DebuggerLink() = default;
    /// Carries out a command there. Throws what it throws there.
    virtual nlohmann::json ask(nlohmann::json command, const Progress& progress) = 0;
    virtual bool alive() const = 0;
    /// It is known there by that number.
    virtual std::uint64_t id() const = 0;
    /// Of links to the same process, the same.
    virtual const void* process() const = 0;
};

/// On another machine.
std::unique_ptr<DebuggerLink> linkOn(std::shared_ptr<Connection> connection, std::uint64_t id);

/// `record` has the graphs of the run, and `start` is what startOfDebugger() gave there. Throws Error, a clause.
std::shared_ptr<Debugger> makeRemoteDebugger(std::unique_ptr<DebuggerLink> link,
                                             std::shared_ptr<const CompileRecord> record, std::string_view start);

/// The other side: all steps of `debugger`, and its state; those of all ranks.
std::string startOfDebugger(const Debugger& debugger);
nlohmann::json startOfRanks(RanksDebugger& run);

/// Carries out a command of such a debugger; `other` is the debugger that it compares with, or null. Returns what
/// it has to send back.
nlohmann::json commandDebugger(Debugger& debugger, Debugger* other, const nlohmann::json& command,
                               const Progress& progress);

}  // namespace aotscope
