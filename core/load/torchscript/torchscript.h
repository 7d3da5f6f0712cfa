#pragma once

#include "ops/operator_kinds.h"
#include "program/program.h"
#include "record/options/options.h"
#include "support/mapped_file.h"

#include <ATen/core/ivalue.h>

#include <functional>
#include <memory>

namespace torch::jit {
struct Module;
}

namespace aotscope {

/// The program of a method of `module`. Throws Error, listing the methods, if it does not exist. Sets the module's mode
/// first. Devices named in the program, as in traced programs, are replaced by `device`. `fillState` fills state
/// tensors without values; it is called at most once.
std::shared_ptr<const Program> programOf(const torch::jit::Module& module, ModuleMode mode,
                                         const std::string& method = "forward", c10::Device device = at::kCPU,
                                         std::function<void()> fillState = {});

/// Reads a TorchScript archive. Throws Error, naming the file, if it is truncated, not a zip archive or not
/// TorchScript, and OperatorsRefused if its code calls operators that are not allowed. Of its code, only what assembles
/// tensors runs (judgeCodeRunAtLoad()).
torch::jit::Module readTorchScript(const std::shared_ptr<const MappedFile>& file, OperatorKinds allow = {});

/// The example inputs of a method that torch.jit.trace records, of which archives only have shapes: deterministic
/// random numbers, and zeros for dtypes that are not floating-point; empty if there are none.
std::vector<c10::IValue> tracedInputs(const std::shared_ptr<const MappedFile>& file, const std::string& method);

}  // namespace aotscope
