#pragma once

#include "verify/judge/arithmetic.h"
#include "verify/judge/random_rules.h"

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace aotscope {

/// Moves the floating-point arguments of every operation by one unit in the last place, up or down at random, and the
/// results of long sums by more; random numbers do not change. Discontinuous operations (comparisons, floor, sort) and
/// those that only move data get unchanged arguments. Uninitialized memory has different, very large numbers in every
/// run, so that everything computed from it moves beyond any bound. Inputs of a run, such as tangents, must be created
/// outside.
class RoundingNoise final : public RandomRulesHandler {
public:
    RoundingNoise(const Options& options, const Arithmetic& arithmetic);
    void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;

private:
    using Sizes = std::vector<std::int64_t>;
    Sizes moveArguments(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    void moveResults(const c10::OperatorHandle& op, const Sizes& sizes, torch::jit::Stack& stack);
    void scramble(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    at::Tensor moved(const at::Tensor& t, double units);

    at::Generator generator_;
    double* coarsest_;
};

/// The compared values of a run, by the names in messages.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// How far rounding alone may move the values of a run.
///
/// Programs that compute the same with other formulas, or in another order, round differently. The effect on a value
/// does not follow from the value itself: the gradient of -x/x is zero, and is computed as a last digit of 1/x. It
/// follows from the magnitudes of the numbers involved. Instead of deriving it for every operation, it is measured in
/// two ways by comparing a run with itself, so that errors of a program do not count:
/// - the run is repeated several times under RoundingNoise. The distance that each element moves is its allowed error.
///   Elements independent of large numbers do not move, so that their errors are found however large others are.
/// - the run is repeated in float64 (WideRun). What it loses in its own dtypes, another one may lose, too. In float16,
///   bfloat16 and float8, where a last digit is a percent, only this is the bound. Runs of eager count in full.
///   Formulas of the compiled graphs that lose digits within a single operation of eager also count, up to half of the
///   digits of the largest number in the run.
class NoiseEstimate {
public:
    /// For the values with these names; without names, for all.
    explicit NoiseEstimate(std::set<std::string> names = {}) : names_(std::move(names)) {}

    /// `still` returns the values of a run of eager, or of the compiled graphs; `run` those of the same run in another
    /// arithmetic. Ignores a run that fails because its control flow changes or it has operations without float64.
    void measure(bool ofEager, const std::function<NamedTensors()>& still,
                 const std::function<NamedTensors(const Arithmetic&)>& run);
    /// Allowed distances from eager's value `what`, one for each element, as doubles; undefined: none. Infinite for
    /// meaningless elements: uninitialized memory.
    at::Tensor allowed(const std::string& what) const;
    /// The allowed root mean square of the distances, which no single element shows; 0: not measured.
    double allowedOnAverage(const std::string& what) const;
    /// For each element, in low precision: the share of it that is rounding, however exact the others are; 0: none.
    double allowedShare(const std::string& what) const;
    /// The largest number among eager's values; at least 1, for the tangents.
    double scale() const { return scale_; }

private:
    static constexpr std::uint64_t kRepetitions = 4;

    struct Measured {
        at::Tensor moved;     ///< by noise, in single precision: there is one for each gradient of a large model
        double lost = -1;     ///< root mean square distance from float64; negative: not measured
        double mostLost = 0;  ///< the largest
        void setLost(const at::Tensor& distance);
    };
    struct Spread {
        Measured eager, compiled;
        at::ScalarType type = at::kFloat;
        double magnitude = 0;  ///< root mean square
        std::vector<std::int64_t> sizes;
    };
    void add(const NamedTensors& still, const NamedTensors& other, const Arithmetic& arithmetic, bool ofEager);
    double lost(const Spread& spread) const;
    bool countsAlone(const Spread& spread) const;
    double capOf(const Spread& spread) const;

    std::set<std::string> names_;
    std::map<std::string, Spread> spreads_;
    double scale_ = 1;
    double coarsest_ = 0;  ///< epsilon of the coarsest dtype in which operations compute, whatever that of these values
};

}  // namespace aotscope
