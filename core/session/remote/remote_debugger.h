#pragma once

#include "debug/debugger.h"
#include "remote/connection.h"

namespace aotscope {

/// The connection to a debugger in another process, which drops it when this is destroyed.
class DebuggerLink {
public:
    virtual ~DebuggerLink() = default;
    /// Asks a question there. Throws what it throws there.
    virtual nlohmann::json ask(nlohmann::json question, const Progress& progress) = 0;
    /// The same for what nobody can cancel: throws Error after ten seconds, where it can.
    virtual nlohmann::json askBriefly(nlohmann::json question) { return ask(std::move(question), {}); }
    virtual bool alive() const = 0;
    /// See Connection.
    virtual void leaveIfItHangs() {}
    /// Its number in that process.
    virtual std::uint64_t id() const = 0;
    /// Equal for links to the same process.
    virtual const void* process() const = 0;
};

/// On another machine.
std::unique_ptr<DebuggerLink> linkOn(std::shared_ptr<Connection> connection, std::uint64_t id);

/// `records` has the graphs of each rank, and `start` is the result of startOfDebugger() there. Throws Error, a
/// clause.
std::shared_ptr<Debugger> makeRemoteDebugger(std::unique_ptr<DebuggerLink> link,
                                             std::vector<std::shared_ptr<const CompileRecord>> records,
                                             const nlohmann::json& start);

/// The other side: all steps of `debugger`, and its state.
nlohmann::json startOfDebugger(const Debugger& debugger);

/// Answers a question to such a debugger; `other` is the debugger to compare with, or null.
nlohmann::json answerOfDebugger(Debugger& debugger, std::shared_ptr<Debugger> other, const nlohmann::json& question,
                                const Progress& progress);

}  // namespace aotscope
