#pragma once

#include "passes/pipeline.h"
#include "record/results/results.h"

#include <functional>
#include <memory>
#include <vector>

namespace aotscope {

/// How often existing compilations served a call.
struct CacheCounts {
    int hits = 0, misses = 0;
};

/// Compilations of one program for different inputs, each valid if its guards hold.
class CompileCache {
public:
    /// Compiles with `leaves` as the example.
    using Recompile = std::function<Compilation(const std::vector<c10::IValue>& leaves)>;

    /// `limit`: the number of compilations in addition to the first.
    CompileCache(std::shared_ptr<const CompiledFunction> first, Recompile recompile, std::size_t limit);

    /// The function that accepts `leaves`: an existing one (a hit) or a new one (a miss). Throws Error if the limit is
    /// reached or compiling fails.
    std::shared_ptr<const CompiledFunction> find(const std::vector<c10::IValue>& leaves);

    const CompiledFunction& first() const { return *entries_.front(); }
    const CacheCounts& counts() const { return counts_; }
    const std::vector<Recompilation>& recompilations() const { return recompilations_; }
    /// Those of the first compilation, and of those in which the interpreter took over.
    std::vector<CompilerUse> compilers() const;

private:
    std::vector<std::shared_ptr<const CompiledFunction>> entries_;
    Recompile recompile_;
    std::size_t limit_;
    CacheCounts counts_;
    std::vector<Recompilation> recompilations_;
};

}  // namespace aotscope
