#pragma once

#include <ATen/core/symbol.h>

namespace torch::jit {
struct CompilationUnit;
struct Graph;
}  // namespace torch::jit

namespace aotscope {

/// The operator that checks whether the running program may continue (ForeignRun::check); takes and returns nothing.
c10::Symbol interruptSymbol();

/// The operator that replaces prim::fork if it is not inlined: runs its subgraph immediately on the calling thread, and
/// returns a completed future.
c10::Symbol forkHereSymbol();

/// Inserts an interrupt at the beginning of every loop in `graph`, so that an endless loop can be stopped.
void interruptLoops(torch::jit::Graph& graph);

/// Inserts them into all functions and methods of `unit`, and at their beginnings, since those that TorchScript's
/// interpreter calls itself, such as __enter__, are not inlined. fork then runs on the calling thread.
void interruptFunctions(const torch::jit::CompilationUnit& unit);

}  // namespace aotscope
