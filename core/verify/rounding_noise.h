#pragma once

#include "verify/random_rules.h"

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace aotscope {

/// During its lifetime, the floating-point arguments of every operation of this thread are moved by one unit in the
/// last place, up or down at random, and the results of long sums by more; random numbers are drawn by the rules of the
/// options' table and stay the same. Discontinuous operations (comparisons, floor, sort) and those that only move data
/// get their arguments unchanged. Inputs of a run, such as tangents, must be made outside.
class RoundingNoise {
public:
    RoundingNoise(const Options& options, std::uint64_t seed);

private:
    class Handler final : public RandomRulesHandler {
    public:
        Handler(const Options& options, std::uint64_t seed);
        void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;

    private:
        using Sizes = std::vector<std::int64_t>;
        Sizes moveArguments(const c10::OperatorHandle& op, torch::jit::Stack& stack);
        void moveResults(const c10::OperatorHandle& op, const Sizes& sizes, torch::jit::Stack& stack);
        at::Tensor moved(const at::Tensor& t, double units);

        at::Generator generator_;
    };
    Handler handler_;
    DispatchScope scope_;
};

/// The compared values of a run, by the names in messages.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// How far rounding alone may move the values of a run.
///
/// Programs that compute the same with other formulas, or in another order, round differently. The effect on a value
/// does not follow from the value itself: the gradient of -x/x is zero, and is computed as a last digit of 1/x. It
/// follows from the magnitudes of the numbers that went into it. Instead of deriving it for every operation, it is
/// measured: the run is repeated several times under RoundingNoise, and the distance that each element moves is its
/// allowed error. Elements that depend on no large number do not move, so that their errors are found however large
/// others are. Nor do errors of a program move with the noise, since a program is compared with itself.
/// Runs of eager count in full. Formulas of the compiled graphs that lose digits within what is one operation in eager
/// count, too, up to half of the digits of the largest number in the run.
class NoiseEstimate {
public:
    /// For the values with these names; without names, for all.
    explicit NoiseEstimate(std::set<std::string> names = {}) : names_(std::move(names)) {}

    /// `still` returns the values of a run of eager, or of the compiled graphs; `moved` those of the same run under
    /// RoundingNoise with that seed. A run that fails because its control flow changes is ignored.
    void measure(bool ofEager, const std::function<NamedTensors()>& still,
                 const std::function<NamedTensors(std::uint64_t seed)>& moved);
    /// Allowed distances from eager's value called `what`, one for each element, as doubles; undefined: none.
    at::Tensor allowed(const std::string& what) const;
    /// The largest number among eager's values; at least 1, as of tangents.
    double scale() const { return scale_; }

private:
    static constexpr std::uint64_t kRepetitions = 4;

    void add(const NamedTensors& still, const NamedTensors& moved, bool ofEager);

    struct Spread {
        at::Tensor eager, compiled;  ///< in single precision, since there is one for each gradient of a large model
        double cap = 0;
    };
    std::set<std::string> names_;
    std::map<std::string, Spread> spreads_;
    double scale_ = 1;
};

}  // namespace aotscope
