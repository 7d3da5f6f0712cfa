#pragma once

#include "verify/judge/random_rules.h"

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace aotscope {

/// The arithmetic of a run.
struct Arithmetic {
    enum class Kind : std::uint8_t {
        own,    ///< unchanged
        noise,  ///< under RoundingNoise
        wide    ///< in float64 throughout, regardless of the program's dtypes: see WideRun
    } kind = Kind::own;
    std::uint64_t seed = 0;      ///< for the noise
    double* coarsest = nullptr;  ///< receives, with noise, the epsilon of the coarsest dtype in the run; may be null

    static Arithmetic noise(std::uint64_t seed, double* coarsest = nullptr) { return {Kind::noise, seed, coarsest}; }
    static Arithmetic wide() { return {Kind::wide}; }
    /// For the backward of the same run.
    Arithmetic ofBackward() const { return {kind, ~seed, coarsest}; }
};

/// The handler that runs operations in this arithmetic, with random numbers as in RandomRulesHandler.
std::unique_ptr<RandomRulesHandler> makeHandler(const Arithmetic& arithmetic, const Options& options);

/// During its lifetime, operations of this thread use this arithmetic; in their own arithmetic, nothing changes.
class ArithmeticScope {
public:
    ArithmeticScope(const Arithmetic& arithmetic, const Options& options);

private:
    std::unique_ptr<RandomRulesHandler> handler_;
    std::optional<DispatchScope> scope_;
};

/// The arguments of a graph for a run in this arithmetic.
std::vector<c10::IValue> argumentsFor(const Arithmetic& arithmetic, const std::vector<c10::IValue>& values);

/// Converts leaf tensors of a program to this arithmetic in place. Throws Error for arguments that share memory or were
/// computed: in float64, they would not.
void prepareLeaves(const Arithmetic& arithmetic, const std::vector<c10::IValue>& leaves);

}  // namespace aotscope
