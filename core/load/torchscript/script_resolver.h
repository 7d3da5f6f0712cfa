#pragma once

#include <torch/csrc/jit/frontend/resolver.h>

#include <memory>
#include <string>
#include <string_view>

namespace torch::jit {
struct CompilationUnit;
}

namespace aotscope {

// User-written code as TorchScript: definitions of operators, and the scratch pad.

/// Resolves torch, torch.ops, math, and the functions and grad modes of `unit`, which may be null.
torch::jit::ResolverPtr scriptResolver(std::shared_ptr<torch::jit::CompilationUnit> unit = nullptr);

/// TorchScript has no imports: what they import is always available. Keeps line numbers.
std::string withoutImports(const std::string& text);

/// LibTorch's compiler error for the code `record`, with the line that it refers to.
std::string compilerMessage(const std::string& message, std::string_view record);

}  // namespace aotscope
