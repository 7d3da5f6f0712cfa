// The one part of the cost model that runs anything.

#include "aten/convert.h"
#include "cost/machine_model.h"
#include "device/device.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/ops/ones.h>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

namespace aotscope {

namespace {

using Clock = std::chrono::steady_clock;
using Values = std::vector<c10::IValue>;
using Sizes = std::vector<std::int64_t>;

/// Times that a thread of this process was made to wait for others.
long interruptions() {
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// A call as the interpreter makes it.
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

/// A call and how much work it is.
struct Job {
    double amount;
    Call call;
};

class Calibration {
public:
    explicit Calibration(const c10::Device& device) : device_(device) {}

    MachineModel run() {
        const at::AutoDispatchBelowADInplaceOrView plainKernels;
        MachineModel machine;
        machine.viewOverhead = seconds(views());
        machine.overhead = overhead_ = seconds(smallOperations());
        machine.bytes = bandwidth();
        machine.freshBytes = freshBytesPerSecond();
        machine.stridedBytes = pace(64, 512, [this](std::int64_t n) { return copy(n); });
        machine.matrixFlops = pace(16, 128, [this](std::int64_t n) { return product(n); });
        machine.batchedFlops = pace(16, 64, [this](std::int64_t n) { return batchedProduct(n); });
        machine.convolutionFlops = pace(4, 20, [this](std::int64_t n) { return convolution(n); });
        machine.convolutionBackwardFlops = pace(4, 20, [this](std::int64_t n) { return convolutionBackward(n); });
        machine.attentionFlops = pace(32, 128, [this](std::int64_t n) { return attention(n); });
        machine.transcendentals =
            pace(1 << 10, 1 << 16, [this](std::int64_t n) { return function("aten.sin.default", n); });
        machine.heavyFunctions =
            pace(1 << 10, 1 << 15, [this](std::int64_t n) { return function("aten.tanh.default", n); });
        machine.randomNumbers = pace(1 << 8, 1 << 14, [this](std::int64_t n) { return dropout(n); });
        machine.reductions = pace(16, 256, [this](std::int64_t n) { return normalization(n); });
        machine.batchNorms = pace(2, 32, [this](std::int64_t n) { return batchNorm(n); });
        machine.windows = pace(8, 32, [this](std::int64_t n) { return pooling(n); });
        machine.conversions = pace(1 << 10, 1 << 16, [this](std::int64_t n) { return masking(n); });
        machine.calibrationMs = secondsSince(start_) * 1000;
        machine.interruptions = static_cast<double>(interruptions() - interruptedBefore_) / secondsSince(start_);
        return machine;
    }

private:
    at::Tensor ones(at::IntArrayRef sizes, at::ScalarType type = at::kFloat) const {
        return at::ones(sizes, at::TensorOptions().device(device_).dtype(type));
    }

    void synchronize() const {
        if (device_.is_cuda()) at::detail::getCUDAHooks().deviceSynchronize(device_.index());
    }

    /// The mean of several calls, each of another operation: what they need is not all in the caches.
    double secondsOnce(const std::vector<Call>& calls) const {
        const auto start = Clock::now();
        for (const Call& call : calls) call();
        synchronize();
        return secondsSince(start) / static_cast<double>(calls.size());
    }

    /// The shortest of several runs after a first one: what disturbs a run makes it longer. Where everything takes
    /// long, as on a machine that has other work, there are fewer of them.
    double seconds(const std::vector<Call>& calls) const {
        constexpr double kEnough = 0.0015, kLateAfter = 0.15;
        constexpr int kMostRuns = 50;
        const int fewest = secondsSince(start_) > kLateAfter ? 1 : 3;
        secondsOnce(calls);
        double best = secondsOnce(calls);
        const auto start = Clock::now();
        for (int i = 1; i < fewest || (i < kMostRuns && secondsSince(start) < kEnough && fewest > 1); ++i)
            best = std::min(best, secondsOnce(calls));
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

    /// Through a small and a large job.
    Pace pace(std::int64_t small, std::int64_t large, const std::function<Job(std::int64_t)>& make) const {
        const Job few = make(small), many = make(large);
        // Operands of a model are rarely in the caches: three sets of them in turn.
        const double first = seconds({few.call});
        const double second = std::max(seconds({many.call, make(large).call, make(large).call}), 1.1 * first);
        const double perSecond = (many.amount - few.amount) / (second - first);
        return {std::max(0.0, first - few.amount / perSecond - overhead_), perSecond};
    }

    /// Of an operand that is read and one that is read and written; several pairs in turn do not fit into a cache.
    Bandwidth bandwidth() const {
        constexpr std::int64_t kSmall = 1 << 16, kLarge = 1 << 20;
        const auto perSecond = [this](std::int64_t n, std::size_t pairs) {
            std::vector<Call> calls;
            while (calls.size() < pairs) calls.emplace_back("aten.add_.Tensor", Values{ones({n}), ones({n})});
            return 12.0 * static_cast<double>(n) / seconds(calls);
        };
        return {12.0 * kSmall, perSecond(kSmall, 1), 12.0 * kLarge, perSecond(kLarge, 4)};
    }

    double freshBytesPerSecond() const {
        constexpr std::int64_t kElements = 10 << 20;  // more than an allocator keeps
        return 4.0 * kElements / secondsOnce({{"aten.full.default", {Sizes{kElements}, 1.0, at::kFloat, {}, device_}}});
    }

    Job copy(std::int64_t n) const {
        return {8.0 * static_cast<double>(n * n),
                {"aten.clone.default", {ones({n, n}).t(), static_cast<std::int64_t>(at::MemoryFormat::Contiguous)}}};
    }
    /// As in a layer: few rows, a wide weight.
    Job product(std::int64_t n) const {
        return {2.0 * 24 * static_cast<double>(n * n * n),
                {"aten.mm.default", {ones({n, 4 * n}), ones({6 * n, 4 * n}).t()}}};
    }

    /// Of two images of `n` by `n` with 64 channels.
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
    long interruptedBefore_ = interruptions();
    double overhead_ = 0;
};

}  // namespace

const MachineModel& machineModel(const std::string& device) {
    static std::mutex mutex;
    static std::map<std::string, MachineModel> models;
    const std::lock_guard lock(mutex);
    const auto known = models.find(device);
    if (known != models.end()) return known->second;
    const bool measures = whyDeviceCannotRun(device).empty();
    return models.emplace(device, measures ? Calibration(c10::Device(device)).run() : assumedGpu()).first->second;
}

}  // namespace aotscope
