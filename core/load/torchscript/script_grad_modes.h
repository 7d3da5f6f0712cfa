#pragma once

#include <torch/csrc/jit/frontend/sugared_value.h>

#include <memory>
#include <string>

namespace aotscope {

/// Defines what `with torch.no_grad():` and its like take, under the names that archives of Python have for it.
void defineGradModes(const std::shared_ptr<torch::jit::CompilationUnit>& unit);

/// torch.no_grad, torch.enable_grad or torch.set_grad_enabled of `unit`; null for other names, and where it has none.
std::shared_ptr<torch::jit::SugaredValue> gradMode(const torch::jit::CompilationUnit& unit, const std::string& name);

}  // namespace aotscope
