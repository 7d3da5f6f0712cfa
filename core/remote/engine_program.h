#pragma once

#include "record/options/remote_model.h"
#include "remote/engine_rights.h"

#include <filesystem>
#include <string>

namespace aotscope {

/// The option of `aotscope serve` that says why there is no engine, with which it reads what needs none.
inline constexpr const char* kWithoutEngine = "--without-engine";

/// How to start the program aotscope-engine, which runs models with LibTorch.
struct EngineStart {
    std::filesystem::path program;
    std::string preload = {};  ///< LD_PRELOAD, for another LibTorch than its own; empty: its own

    /// As a process that runs models for this one.
    RemoteModel served(EngineRights rights) const;
};

/// The engine for `torch`: a version, a folder that has an engine, or one that has a torch, which the engine then uses.
/// Empty: the one that the variable AOTSCOPE_ENGINE names, the one beside this program, or, in a wheel, the one for the
/// torch that is installed beside it. Throws Error, with what to do, if it is missing or could not start, for want of a
/// library; UsageError if none is for that torch.
EngineStart engineProgram(const std::string& torch = {});

/// Whether this program, whose LibTorch has this version, is the engine for `torch`. Throws like engineProgram.
bool isEngineFor(const std::string& torch, const std::string& version);

/// Replaces this program by the engine for `torch`, with the same arguments and environment. Throws like engineProgram,
/// and Error if it cannot start.
[[noreturn]] void becomeEngine(char** argv, const std::string& torch);

/// For an engine that has started: what it starts loads no LibTorch.
void endPreload();

}  // namespace aotscope
