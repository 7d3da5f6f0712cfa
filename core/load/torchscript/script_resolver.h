#pragma once

#include <torch/csrc/jit/frontend/resolver.h>

#include <memory>
#include <string>
#include <string_view>

namespace torch::jit {
struct CompilationUnit;
}

namespace aotscope {

// Code that people type, as TorchScript: definitions of operators, and the scratch pad.

/// Knows torch, torch.ops, math, and the functions and grad modes of `unit`, which may be null.
torch::jit::ResolverPtr scriptResolver(std::shared_ptr<torch::jit::CompilationUnit> unit = nullptr);

/// TorchScript knows no imports: what they would bring is there anyway. Lines keep their numbers.
std::string withoutImports(const std::string& text);

/// What LibTorch's compiler says of the code `record`, with the line that it says it of.
std::string compilerMessage(const std::string& message, std::string_view record);

}  // namespace aotscope
