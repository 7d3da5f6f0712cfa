#pragma once

#include <ATen/core/symbol.h>

namespace torch::jit {
struct CompilationUnit;
struct Graph;
}  // namespace torch::jit

namespace aotscope {

/// The operator that looks whether the running program may go on (ForeignRun::check); takes and returns nothing.
c10::Symbol interruptSymbol();

/// The operator that takes the place of prim::fork where that is not inlined: it runs its subgraph right away, on the
/// thread that calls it, and returns a future that is there.
c10::Symbol forkHereSymbol();

/// Puts interrupts at the beginning of every loop in `graph`, so that one which
/// never ends does.
void interruptLoops(torch::jit::Graph& graph);

/// The same for all functions and methods of `unit`, at their beginnings, too: those that TorchScript's interpreter
/// calls by itself, as __enter__, are not inlined. What they would run on other threads (fork) runs on theirs.
void interruptFunctions(const torch::jit::CompilationUnit& unit);

}  // namespace aotscope
