#pragma once

#include "session.h"

#include <array>
#include <memory>
#include <string>

namespace aotscope {

/// The samples that are measured; peer_models.py has the same ones for Python.
inline constexpr std::array kBenchModels = {"resnet18", "resnet50", "gpt2"};

/// A compiled session of a path or "sample:NAME". Throws Error if the pipeline failed.
/// The latest one is kept: benchmarks run model by model, and loading takes longer than what is measured.
std::shared_ptr<const Session> sessionOf(const std::string& where, bool inference = false);

/// Compiles the model of `session` again, without loading it.
std::shared_ptr<const Session> compileAgain(const std::shared_ptr<const Session>& session);

}  // namespace aotscope
