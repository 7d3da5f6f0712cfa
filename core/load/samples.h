#pragma once

#include "load/sample_list.h"
#include "record/options/options.h"

#include <memory>
#include <string>

namespace aotscope {

class Program;

/// The model of `sample`, created in memory. Its deterministic random weights are created by
/// Program::materializeState().
std::shared_ptr<const Program> programOf(const SampleInfo& sample, ModuleMode mode,
                                         const std::string& method = "forward");

}  // namespace aotscope
