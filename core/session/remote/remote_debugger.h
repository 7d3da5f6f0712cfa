#pragma once

#include "debug/debugger.h"
#include "remote/connection.h"

#include <memory>
#include <string>
#include <string_view>

namespace aotscope {

class RanksDebugger;

/// The connection to a debugger in another process, which drops it when this is destroyed.
class DebuggerLink {
public:
    virtual ~DebuggerLink() = default;
    /// Executes a command there. Throws what it throws there.
    virtual nlohmann::json ask(nlohmann::json command, const Progress& progress) = 0;
    virtual bool alive() const = 0;
    /// Its number in that process.
    virtual std::uint64_t id() const = 0;
    /// Equal for links to the same process.
    virtual const void* process() const = 0;
};

/// On another machine.
std::unique_ptr<DebuggerLink> linkOn(std::shared_ptr<Connection> connection, std::uint64_t id);

/// `record` has the graphs of the run, and `start` is the remote result of startOfDebugger(). Throws Error, a clause.
std::shared_ptr<Debugger> makeRemoteDebugger(std::unique_ptr<DebuggerLink> link,
                                             std::shared_ptr<const CompileRecord> record, std::string_view start);

/// The remote side: all steps of `debugger`, and its state; those of all ranks.
std::string startOfDebugger(const Debugger& debugger);
nlohmann::json startOfRanks(RanksDebugger& run);

/// Executes a command of such a debugger; `other` is the debugger to compare with, or null. Returns the answer.
nlohmann::json commandDebugger(Debugger& debugger, Debugger* other, const nlohmann::json& command,
                               const Progress& progress);

}  // namespace aotscope
