// The one part of the cost model that runs anything.

#include "cost/machine_model.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/ops/_scaled_dot_product_attention_math.h>
#include <ATen/ops/add.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/native_dropout.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/tanh.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <mutex>

namespace aotscope {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Calibration {
public:
    explicit Calibration(const c10::Device& device) : device_(device) {}

    MachineModel run() {
        const auto start = Clock::now();
        const at::AutoDispatchBelowADInplaceOrView plainKernels;
        MachineModel machine;
        machine.overhead = seconds([x = ones({8})] { return at::add(x, x); });
        machine.viewOverhead = seconds([x = ones({8, 2})] { return x.transpose(0, 1); });
        overhead_ = machine.overhead;
        machine.bytes = elementwise(
            1 << 14, 1 << 22, [](const at::Tensor& x) { return at::add(x, x); }, 8);
        machine.stridedBytes = rate({64, 1024}, [this](std::int64_t n) {
            const at::Tensor x = ones({n, n}).t();
            return Work{8.0 * static_cast<double>(n * n), [x] { return x.clone(at::MemoryFormat::Contiguous); }};
        });
        machine.matrixFlops = rate({48, 512}, [this](std::int64_t n) {
            const at::Tensor x = ones({n, n}), y = ones({n, n}).t();
            return Work{2.0 * static_cast<double>(n * n * n), [x, y] { return at::mm(x, y); }};
        });
        machine.convolutionFlops = rate({4, 28}, [this](std::int64_t n) { return convolution(n); });
        machine.convolutionBackwardFlops = rate({4, 28}, [this](std::int64_t n) { return convolutionBackward(n); });
        machine.attentionFlops = rate({32, 256}, [this](std::int64_t n) {
            const at::Tensor x = ones({2, 8, n, 64});
            return Work{4.0 * 2 * 8 * 64 * static_cast<double>(n * n),
                        [x] { return at::scaled_dot_product_attention(x, x, x); }};
        });
        machine.transcendentals = elementwise(
            1 << 12, 1 << 18, [](const at::Tensor& x) { return at::gelu(at::tanh(at::exp(x))); }, 3);
        machine.randomNumbers = elementwise(
            1 << 10, 1 << 15, [](const at::Tensor& x) { return std::get<0>(at::native_dropout(x, 0.1, true)); }, 1);
        machine.calibrationMs = secondsSince(start) * 1000;
        return machine;
    }

private:
    struct Work {
        double amount;
        std::function<at::Tensor()> job;
    };

    at::Tensor ones(at::IntArrayRef sizes) const { return at::ones(sizes, at::TensorOptions().device(device_)); }

    void synchronize() const {
        if (device_.is_cuda()) at::detail::getCUDAHooks().deviceSynchronize(device_.index());
    }

    /// The shortest of several runs after a first one: what disturbs a run makes it longer.
    double seconds(const std::function<at::Tensor()>& job) const {
        constexpr double kEnough = 0.004;
        constexpr int kMostRuns = 200;
        job();
        synchronize();
        double best = std::numeric_limits<double>::max();
        const auto start = Clock::now();
        for (int i = 0; i < kMostRuns && (i < 2 || secondsSince(start) < kEnough); ++i) {
            const auto begin = Clock::now();
            job();
            synchronize();
            best = std::min(best, secondsSince(begin));
        }
        return best;
    }

    double perSecond(const Work& work) const { return work.amount / std::max(seconds(work.job) - overhead_, 1e-7); }

    /// From a small and a large job.
    Rate rate(std::pair<std::int64_t, std::int64_t> sizes, const std::function<Work(std::int64_t)>& job) const {
        const Work small = job(sizes.first), large = job(sizes.second);
        return {small.amount, perSecond(small), large.amount, perSecond(large)};
    }

    Rate elementwise(std::int64_t small, std::int64_t large, at::Tensor (*operation)(const at::Tensor&),
                     double amountPerElement) const {
        return rate({small, large}, [&](std::int64_t n) {
            return Work{amountPerElement * static_cast<double>(n), [x = ones({n}), operation] { return operation(x); }};
        });
    }

    /// Of images of `n` by `n` with 64 channels.
    struct Images {
        at::Tensor input, weight;
        double flops;
    };
    Images images(std::int64_t n) const {
        return {ones({2, 64, n, n}), ones({64, 64, 3, 3}), 2.0 * 2 * 64 * 64 * 9 * static_cast<double>(n * n)};
    }

    Work convolution(std::int64_t n) const {
        const Images images = this->images(n);
        return {images.flops, [x = images.input, w = images.weight] {
                    return at::convolution(x, w, {}, {1, 1}, {1, 1}, {1, 1}, false, {0, 0}, 1);
                }};
    }

    Work convolutionBackward(std::int64_t n) const {
        const Images images = this->images(n);
        return {2 * images.flops, [x = images.input, w = images.weight] {
                    return std::get<0>(at::convolution_backward(x, x, w, c10::nullopt, {1, 1}, {1, 1}, {1, 1}, false,
                                                                {0, 0}, 1, {true, true, false}));
                }};
    }

    c10::Device device_;
    double overhead_ = 0;
};

}  // namespace

const MachineModel& machineModel(const std::string& device) {
    static std::mutex mutex;
    static std::map<std::string, MachineModel> models;
    const std::lock_guard lock(mutex);
    const auto known = models.find(device);
    return known != models.end() ? known->second
                                 : models.emplace(device, Calibration(c10::Device(device)).run()).first->second;
}

}  // namespace aotscope
