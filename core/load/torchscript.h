#pragma once

#include "load/program.h"
#include "ops/operator_kinds.h"
#include "options.h"

#include <torch/csrc/jit/api/module.h>

#include <filesystem>

namespace aotscope {

/// The program of `module`'s forward. Sets the module's mode first. Devices that the program names, as a traced one
/// does for tensors that it makes, become `device`.
std::shared_ptr<const Program> programOf(torch::jit::Module module, ModuleMode mode,
                                         const std::string& method = "forward", c10::Device device = at::kCPU);

/// Reads a TorchScript archive. Throws Error, naming the file, when it is missing, truncated, no zip archive or
/// no TorchScript, and OperatorsRefused when its code calls operators that are not allowed. Of the code in it runs only
/// what puts its tensors together (judgeCodeRunAtLoad()).
torch::jit::Module readTorchScript(const std::filesystem::path& path, OperatorKinds allow = {});

/// The example inputs that torch.jit.trace leaves in an archive: zeros of the recorded shapes; empty if there are none.
std::vector<c10::IValue> tracedInputs(const std::filesystem::path& path);

}  // namespace aotscope
