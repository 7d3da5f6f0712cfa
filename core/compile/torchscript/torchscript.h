#pragma once

#include "compile/compiler.h"

#include <filesystem>

namespace aotscope {

/// Compiles graphs with TorchScript. Observed runs go node by node.
std::unique_ptr<Compiler> makeTorchScript(const CompilerSettings& settings);

/// The graph as TorchScript's intermediate representation, with the lines of our text that its nodes come from. Throws
/// Error for a graph that TorchScript cannot express.
std::string torchScriptText(const Graph& graph, const ConstantTable& constants);

/// Writes a module whose `forward` is the graph; torch.jit.load opens it. Several outputs are a tuple.
void saveTorchScript(const Graph& graph, const ConstantTable& constants, const std::filesystem::path& file);

}  // namespace aotscope
