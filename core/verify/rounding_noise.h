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

/// For its life time, every operation of this thread gets its floating-point arguments moved by one unit in the last
/// place, up or down at random, and the results of long sums by more; random numbers are drawn as the rules of `table`
/// draw them, and stay the same. Operations that jump (comparisons, floor, sort) and those that only move data get
/// their arguments as they are. What a run is given, such as tangents, must be made outside.
class RoundingNoise {
public:
    RoundingNoise(std::shared_ptr<const DecompositionTable> table, std::uint64_t seed);

private:
    class Handler final : public RandomRulesHandler {
    public:
        Handler(std::shared_ptr<const DecompositionTable> table, std::uint64_t seed);
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

/// The values of a run that are compared, by what messages call them.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// How far rounding alone may move the values of a run.
///
/// Programs that compute the same by other formulas, or in another order, round in other places. What that does to a
/// value does not follow from the value: the gradient of -x/x is zero, and comes out as a last digit of 1/x. It follows
/// from the magnitudes of the numbers that went into it. Instead of deriving that for every operation, it is measured:
/// the run is repeated under RoundingNoise, and how far each element moves, some times over, is what it may be off.
/// Elements into which nothing large went do not move, so an error in them is found however large others are. What is
/// wrong in a program does not move with the noise either: the program is compared with itself.
/// Runs of eager count in full. Formulas of the compiled graphs that lose digits inside of what is one operation in
/// eager count, too, up to half of the digits of the largest number in the run.
class NoiseEstimate {
public:
    /// Of the values with these names; with none, of all.
    explicit NoiseEstimate(std::set<std::string> names = {}) : names_(std::move(names)) {}

    /// `still` gives the values of a run of eager, or of the compiled graphs; `moved` those of the same run under
    /// RoundingNoise with that seed. A run that fails, as it takes another course, says nothing.
    void measure(bool ofEager, const std::function<NamedTensors()>& still,
                 const std::function<NamedTensors(std::uint64_t seed)>& moved);
    /// Allowed distances from eager's value called `what`, one for each element, in double precision; undefined: none.
    at::Tensor allowed(const std::string& what) const;
    /// The largest number among eager's values; at least the 1 of tangents.
    double scale() const { return scale_; }

private:
    static constexpr std::uint64_t kRepetitions = 4;

    void add(const NamedTensors& still, const NamedTensors& moved, bool ofEager);

    struct Spread {
        at::Tensor eager, compiled;  ///< in single precision: there is one for each gradient of a large model
        double cap = 0;
    };
    std::set<std::string> names_;
    std::map<std::string, Spread> spreads_;
    double scale_ = 1;
};

}  // namespace aotscope
