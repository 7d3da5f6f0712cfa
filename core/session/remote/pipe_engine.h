#pragma once

#include "session/engine.h"

#include <filesystem>

namespace aotscope {

/// The engine that `program` (see engineProgram) is, as a process of its own: it is started at once, in the background,
/// and again when it is needed after it has ended. If it cannot start, the program `reader` takes its place: see
/// RemoteHost. Models on other machines are opened there, and those for another torch by the engine for it, which is
/// kept, too.
std::shared_ptr<const Engine> engineIn(const std::filesystem::path& program, const std::filesystem::path& reader = {});

}  // namespace aotscope
