#pragma once

#include <torch/csrc/jit/frontend/sugared_value.h>

#include <memory>
#include <string>

namespace aotscope {

/// Defines the context managers of torch.no_grad() and the like, under their names in archives of Python.
void defineGradModes(const std::shared_ptr<torch::jit::CompilationUnit>& unit);

/// torch.no_grad, torch.enable_grad or torch.set_grad_enabled of `unit`; null for other names, or if it lacks them.
std::shared_ptr<torch::jit::SugaredValue> gradMode(const torch::jit::CompilationUnit& unit, const std::string& name);

}  // namespace aotscope
