#include "cost/calibration.h"

#include "aten/convert.h"
#include "support/elapsed.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/ops/ones.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace aotscope {

namespace {

using Clock = std::chrono::steady_clock;
using Values = std::vector<c10::IValue>;
using Sizes = std::vector<std::int64_t>;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The duration of some work, and the CPU time of this thread during it.
struct Took {
    double seconds, onCore;
};

/// A call as the interpreter would make it.
class Call {
public:
    Call(const char* op, Values arguments)
        : op_(*c10::Dispatcher::singleton().findSchema(operatorName(op))), arguments_(std::move(arguments)) {
        const auto& declared = op_.schema().arguments();
        for (std::size_t i = arguments_.size(); i < declared.size(); ++i)
            arguments_.push_back(*declared[i].default_value());
    }
    void operator()() const {
        torch::jit::Stack stack(arguments_.begin(), arguments_.end());
        op_.callBoxed(stack);
    }

private:
    c10::OperatorHandle op_;
    Values arguments_;
};

/// A call and its amount of work.
struct Job {
    double amount;
    Call call;
};

/// A measurement: the mean of several calls, each with other operands, so that not all of them are in the caches.
struct Measurement {
    std::vector<Call> calls;
    bool once = false;                ///< a repetition is a single run, because every run is slow
    std::vector<Took> repetitions{};  ///< the shortest run of each

    const Took& shortest() const { return *std::ranges::min_element(repetitions, {}, &Took::seconds); }
    double best() const { return shortest().seconds; }
};

/// A small and a large job of one kind, which determine the rate.
struct PaceMeasurement {
    Pace MachineModel::*rate;
    double fewAmount, manyAmount;
    Measurement few, many;
};

/// Measures everything several times, in rounds, and takes the shortest time of each: disturbances make a run longer,
/// and rarely hit the same one each time. How much the repetitions disagree shows whether the machine was quiet, and
/// whether to go on.
class Calibration {
public:
    explicit Calibration(const c10::Device& device) : device_(device) {}

    MachineModel run() {
        const at::AutoDispatchBelowADInplaceOrView plainKernels;
        preparePaces();
        do repeat();
        while (!finished());
        MachineModel machine;
        machine.viewOverhead = views_.best();
        machine.overhead = smallOperations_.best();
        machine.bytes = {12.0 * kSmall, 12.0 * kSmall / small_.best(), 12.0 * kLarge, 12.0 * kLarge / large_.best()};
        machine.freshBytes = 4.0 * kFresh / fresh_.best();
        for (const PaceMeasurement& pace : paces_) machine.*pace.rate = paceOf(pace, machine.overhead);
        machine.calibrationMs = secondsSince(start_) * 1000;
        machine.disagreement = disagreement();
        machine.waiting = waiting();
        return machine;
    }

private:
    static constexpr std::int64_t kSmall = 1 << 16, kLarge = 1 << 20;  ///< elements
    static constexpr std::int64_t kFresh = 10 << 20;                   ///< more than an allocator keeps

    void preparePaces() {
        add(&MachineModel::stridedBytes, 64, 512, [this](std::int64_t n) { return copy(n); });
        add(&MachineModel::matrixFlops, 16, 128, [this](std::int64_t n) { return product(n); });
        add(&MachineModel::batchedFlops, 16, 64, [this](std::int64_t n) { return batchedProduct(n); });
        add(&MachineModel::convolutionFlops, 4, 20, [this](std::int64_t n) { return convolution(n); });
        add(&MachineModel::convolutionBackwardFlops, 4, 20, [this](std::int64_t n) { return convolutionBackward(n); });
        add(&MachineModel::attentionFlops, 32, 128, [this](std::int64_t n) { return attention(n); });
        add(&MachineModel::transcendentals, 1 << 10, 1 << 16,
            [this](std::int64_t n) { return function("aten.sin.default", n); });
        add(&MachineModel::heavyFunctions, 1 << 10, 1 << 15,
            [this](std::int64_t n) { return function("aten.tanh.default", n); });
        add(&MachineModel::randomNumbers, 1 << 8, 1 << 14, [this](std::int64_t n) { return dropout(n); });
        add(&MachineModel::reductions, 16, 256, [this](std::int64_t n) { return normalization(n); });
        add(&MachineModel::batchNorms, 2, 32, [this](std::int64_t n) { return batchNorm(n); });
        add(&MachineModel::windows, 8, 32, [this](std::int64_t n) { return pooling(n); });
        add(&MachineModel::conversions, 1 << 10, 1 << 16, [this](std::int64_t n) { return masking(n); });
    }

    /// Operands of a model are rarely in the caches: the large job uses three sets of them.
    void add(Pace MachineModel::*rate, std::int64_t small, std::int64_t large,
             const std::function<Job(std::int64_t)>& make) {
        const Job few = make(small), many = make(large);
        paces_.push_back(
            {rate, few.amount, many.amount, {{few.call}}, {{many.call, make(large).call, make(large).call}}});
    }

    static Pace paceOf(const PaceMeasurement& pace, double overhead) {
        const double few = pace.few.best(), many = std::max(pace.many.best(), 1.1 * few);
        const double perSecond = (pace.manyAmount - pace.fewAmount) / (many - few);
        return {std::max(0.0, few - pace.fewAmount / perSecond - overhead), perSecond};
    }

    std::vector<Measurement*> all() {
        std::vector<Measurement*> all = {&views_, &smallOperations_, &small_, &large_, &fresh_};
        for (PaceMeasurement& pace : paces_) all.insert(all.end(), {&pace.few, &pace.many});
        return all;
    }

    void repeat() {
        const auto start = Clock::now();
        const double onCore = threadSeconds();
        for (Measurement* measurement : all()) measurement->repetitions.push_back(shortestOf(*measurement));
        rounds_.push_back({secondsSince(start), threadSeconds() - onCore});
    }

    double disagreement() {
        std::vector<std::vector<double>> seconds;
        for (const Measurement* measurement : all()) {
            auto& repeated = seconds.emplace_back();
            for (const Took& took : measurement->repetitions) repeated.push_back(took.seconds);
        }
        return disagreementOf(seconds);
    }

    /// Wall time divided by CPU time: the other threads of an operation are as busy as this one. 1 for a GPU. Of the
    /// shortest runs and, since they may all have fallen into the gaps that other programs left, of whole rounds: at
    /// least two must have been quiet.
    double waiting() {
        if (!device_.is_cpu()) return 1;
        std::vector<double> ofRounds;
        for (const Took& round : rounds_) ofRounds.push_back(round.seconds / std::max(round.onCore, 1e-9));
        std::ranges::sort(ofRounds);
        return std::max(waitingOfShortest(), ofRounds[std::min<std::size_t>(1, ofRounds.size() - 1)]);
    }

    double waitingOfShortest() {
        Took sum{0, 0};
        for (const Measurement* measurement : all()) {
            sum.seconds += measurement->shortest().seconds;
            sum.onCore += measurement->shortest().onCore;
        }
        return sum.seconds / sum.onCore;
    }

    /// Three repetitions are enough on a quiet machine; on a busy one, more of them find quiet moments.
    bool finished() {
        constexpr std::size_t kFewest = 3, kMost = 12;
        constexpr double kQuiet = 1.1, kPatience = 2;
        const std::size_t repetitions = views_.repetitions.size();
        if (repetitions < kFewest) return false;
        return repetitions >= kMost || secondsSince(start_) > kPatience ||
               (disagreement() < kQuiet && waiting() < kQuiet);
    }

    at::Tensor ones(at::IntArrayRef sizes, at::ScalarType type = at::kFloat) const {
        return at::ones(sizes, at::TensorOptions().device(device_).dtype(type));
    }

    void synchronize() const {
        if (device_.is_cuda()) at::detail::getCUDAHooks().deviceSynchronize(device_.index());
    }

    Took once(const std::vector<Call>& calls) const {
        const double onCore = threadSeconds();
        const auto start = Clock::now();
        for (const Call& call : calls) call();
        synchronize();
        const auto count = static_cast<double>(calls.size());
        return {secondsSince(start) / count, (threadSeconds() - onCore) / count};
    }

    /// The shortest of several runs after a warm-up run.
    Took shortestOf(const Measurement& measurement) const {
        constexpr double kEnough = 0.001;
        constexpr int kMostRuns = 50;
        Took best = once(measurement.calls);
        if (measurement.once) return best;
        best = once(measurement.calls);
        const auto start = Clock::now();
        for (int i = 1; i < kMostRuns && secondsSince(start) < kEnough; ++i)
            best = std::min(best, once(measurement.calls),
                            [](const Took& a, const Took& b) { return a.seconds < b.seconds; });
        return best;
    }

    std::vector<Call> views() const {
        const at::Tensor x = ones({8, 2});
        return {{"aten.transpose.int", {x, 0, 1}},
                {"aten.view.default", {x, Sizes{16}}},
                {"aten.t.default", {x}},
                {"aten.unsqueeze.default", {x, 0}}};
    }
    std::vector<Call> smallOperations() const {
        const at::Tensor x = ones({64}), rows = ones({8, 8});
        return {{"aten.add.Tensor", {x, x}},
                {"aten.mul.Scalar", {x, 2.0}},
                {"aten.relu.default", {x}},
                {"aten.exp.default", {x}},
                {"aten.sum.dim_IntList", {rows, Sizes{0}}},
                {"aten.threshold_backward.default", {x, x, 0}}};
    }

    /// An operand that is read and one that is read and written; several alternating pairs do not fit into a cache.
    std::vector<Call> additions(std::int64_t n, std::size_t pairs) const {
        std::vector<Call> calls;
        while (calls.size() < pairs) calls.emplace_back("aten.add_.Tensor", Values{ones({n}), ones({n})});
        return calls;
    }
    std::vector<Call> filling() const { return {{"aten.full.default", {Sizes{kFresh}, 1.0, at::kFloat, {}, device_}}}; }

    Job copy(std::int64_t n) const {
        return {8.0 * static_cast<double>(n * n),
                {"aten.clone.default", {ones({n, n}).t(), static_cast<std::int64_t>(at::MemoryFormat::Contiguous)}}};
    }
    /// Like a layer: few rows, a wide weight.
    Job product(std::int64_t n) const {
        return {2.0 * 24 * static_cast<double>(n * n * n),
                {"aten.mm.default", {ones({n, 4 * n}), ones({6 * n, 4 * n}).t()}}};
    }

    /// For two images of `n` by `n` with 64 channels.
    static double convolutionWork(std::int64_t n) { return 2.0 * 2 * 64 * 64 * 9 * static_cast<double>(n * n); }
    at::Tensor images(std::int64_t n) const { return ones({2, 64, n, n}); }
    at::Tensor kernel() const { return ones({64, 64, 3, 3}); }
    static Values convolutionNumbers() {
        const Sizes one{1, 1}, none{0, 0};
        return {one, one, one, false, none, 1};
    }
    Job convolution(std::int64_t n) const {
        Values arguments = {images(n), kernel(), {}};
        for (auto& number : convolutionNumbers()) arguments.push_back(number);
        return {convolutionWork(n), {"aten.convolution.default", arguments}};
    }
    Job convolutionBackward(std::int64_t n) const {
        Values arguments = {images(n), images(n), kernel(), {}};
        for (auto& number : convolutionNumbers()) arguments.push_back(number);
        arguments.emplace_back(c10::List<bool>({true, true, false}));
        return {2 * convolutionWork(n), {"aten.convolution_backward.default", arguments}};
    }
    Job attention(std::int64_t n) const {
        const at::Tensor x = ones({2, 8, n, 64});
        return {4.0 * 2 * 8 * 64 * static_cast<double>(n * n),
                {"aten.scaled_dot_product_attention.default", {x, x, x}}};
    }
    Job function(const char* op, std::int64_t n) const { return {static_cast<double>(n), {op, {ones({n})}}}; }
    Job batchedProduct(std::int64_t n) const {
        return {2.0 * 8 * 64 * 64 * static_cast<double>(n), {"aten.bmm.default", {ones({8, 64, n}), ones({8, n, 64})}}};
    }
    Job batchNorm(std::int64_t n) const {
        const at::Tensor x = ones({64});
        return {
            2.0 * 64 * static_cast<double>(n * n),
            {"aten._native_batch_norm_legit_functional.default", {ones({2, 64, n, n}), x, x, x, x, true, 0.1, 1e-5}}};
    }
    Job dropout(std::int64_t n) const {
        return {static_cast<double>(n), {"aten.native_dropout.default", {ones({n}), 0.1, true}}};
    }
    Job normalization(std::int64_t n) const {
        const Sizes row{256};
        return {256.0 * static_cast<double>(n),
                {"aten.native_layer_norm.default", {ones({n, 256}), row, ones({256}), ones({256}), 1e-5}}};
    }
    Job pooling(std::int64_t n) const {
        const Sizes window{3, 3}, stride{2, 2}, padding{1, 1};
        return {9.0 * 16 * static_cast<double>(n * n) / 4,
                {"aten.max_pool2d_with_indices.default", {ones({1, 16, n, n}), window, stride, padding}}};
    }
    Job masking(std::int64_t n) const {
        return {static_cast<double>(n), {"aten.mul.Tensor", {ones({n}), ones({n}, at::kBool)}}};
    }

    c10::Device device_;
    Clock::time_point start_ = Clock::now();
    Measurement views_{views()}, smallOperations_{smallOperations()}, small_{additions(kSmall, 1)},
        large_{additions(kLarge, 4)}, fresh_{filling(), true};
    std::vector<PaceMeasurement> paces_;
    std::vector<Took> rounds_;
};

}  // namespace

MachineModel calibrate(const std::string& device) { return Calibration(c10::Device(device)).run(); }

}  // namespace aotscope
