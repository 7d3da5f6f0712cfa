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

/// The program of a method of `module`. Throws Error, which lists the methods, if there is no such one. Sets the
/// module's mode first. Devices that the program names, as traced programs do, are replaced by `device`. `fillState`
/// gives state tensors the values that they do not have yet; it is called at most once.
std::shared_ptr<const Program> programOf(const torch::jit::Module& module, ModuleMode mode,
                                         const std::string& method = "forward", c10::Device device = at::kCPU,
                                         std::function<void()> fillState = {});

/// Reads a TorchScript archive. Throws Error, naming the file, if it is truncated, no zip archive or no TorchScript,
/// and OperatorsRefused if its code calls operators that are not allowed. Of its code, only what assembles tensors runs
/// (judgeCodeRunAtLoad()).
torch::jit::Module readTorchScript(const std::shared_ptr<const MappedFile>& file, OperatorKinds allow = {});

/// The example inputs of a method that torch.jit.trace leaves in an archive, of which only shapes are recorded: random
/// numbers, the same at every call, and zeros where the dtype is not floating-point; empty if there are none.
std::vector<c10::IValue> tracedInputs(const std::shared_ptr<const MappedFile>& file, const std::string& method);

}  // namespace aotscope
