#pragma once

#include "record/compile_record.h"
#include "session/session.h"
#include "support/error.h"

namespace aotscope {

/// Throws the error that stopped the pipeline, if one did.
inline void requireCompiled(const CompileRecord& record) {
    if (!record.error.empty()) throw Error(record.error);
}

/// " (inference graph: no input requires a gradient)": why a run has these graphs; empty if unknown.
inline std::string whyTheseGraphs(const CompileRecord& record) {
    return record.metadata ? " (" + record.metadata->whyAutograd + ")" : std::string();
}

/// Throws Error if the program cannot run. `what`: the option or command that runs it.
inline void requireExecutable(const Session& session, const std::string& what) {
    if (const std::string why = session.whyNotExecutable(); !why.empty()) throw Error(what + ": " + why);
}

}  // namespace aotscope
