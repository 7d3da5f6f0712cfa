#include "verify/rounding_noise.h"

#include "aten/convert.h"
#include "aten/tensors.h"
#include "ops/op_table.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/maximum.h>
#include <c10/core/AutogradState.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace aotscope {

namespace {

/// Operations whose results jump where their arguments hardly move, and those that move data as it is.
constexpr std::string_view kUnmoved =
    " eq ne lt le gt ge equal isclose allclose sign sgn heaviside floor ceil round trunc fix frac fmod remainder "
    "floor_divide max min amax amin aminmax argmax argmin sort argsort topk kthvalue median nanmedian mode nonzero "
    "bucketize searchsorted histc isnan isinf isfinite signbit threshold_backward _local_scalar_dense "
    "clone copy _to_copy convert_element_type _unsafe_view fill zero cat stack repeat flip roll where zeros_like "
    "ones_like full_like "
    "empty_like ";

bool isUnmoved(const c10::OperatorHandle& op) {
    const std::string name = graphName(op.operator_name());
    const OpFamily family = opFamily(name);
    if (family == OpFamily::view || family == OpFamily::random || (opTags(name) & kRandom)) return true;
    std::string plain = name.substr(name.find('.') + 1);
    plain.resize(plain.find('.'));
    if (plain.ends_with('_')) plain.pop_back();
    const auto contains = [](std::string_view text, std::string_view part) {
        return text.find(part) != std::string_view::npos;
    };
    return contains(kUnmoved, " " + plain + " ") || contains(plain, "max_pool") || contains(plain, "quantize") ||
           name.ends_with("_mode");  // division that rounds
}

/// How many products or elements are added up for one element of `result`.
double termsOf(const c10::OperatorHandle& op, const std::vector<std::int64_t>& sizes, std::int64_t result) {
    if (sizes.empty()) return 1;
    const double last = static_cast<double>(sizes.back()), count = static_cast<double>(result);
    switch (opFamily(graphName(op.operator_name()))) {
        case OpFamily::indexing: return 1;
        case OpFamily::matmul:
        case OpFamily::convolution:
            if (sizes.size() > 1) return std::sqrt(static_cast<double>(sizes[sizes.size() - 2]) * last / count);
            [[fallthrough]];
        default: return last / count;
    }
}

double epsilon(at::ScalarType type) {
    switch (c10::toRealValueType(type)) {
        case at::kDouble: return std::numeric_limits<double>::epsilon();
        case at::kHalf: return std::numeric_limits<at::Half>::epsilon();
        case at::kBFloat16: return std::numeric_limits<at::BFloat16>::epsilon();
        default: return std::numeric_limits<float>::epsilon();
    }
}

bool rounds(const at::Tensor& t) {
    if (!t.defined() || t.layout() != at::kStrided || t.numel() == 0) return false;
    switch (c10::toRealValueType(t.scalar_type())) {
        case at::kDouble:
        case at::kFloat:
        case at::kHalf:
        case at::kBFloat16: return true;
        default: return false;
    }
}

/// Expanded dimensions once.
at::Tensor withoutRepetition(at::Tensor t) {
    for (std::int64_t d = 0; d < t.dim(); ++d)
        if (t.stride(d) == 0 && t.size(d) > 1) t = t.narrow(d, 0, 1);
    return t;
}

at::Tensor wide(const at::Tensor& t) {
    return t.detach().to(at::kCPU).to(t.is_complex() ? at::kComplexDouble : at::kDouble);
}

/// What a few runs moved by `spread` may be off. Of many elements, they leave some where they were by chance: the noise
/// of the others counts for those.
at::Tensor boundOf(const at::Tensor& spread) {
    constexpr double own = 16, ofOthers = 4;
    return spread.mul(own).clamp_min(ofOthers * spread.square().mean().sqrt().item<double>());
}

at::Tensor larger(const at::Tensor& a, const at::Tensor& b) { return a.defined() ? at::maximum(a, b) : b; }

}  // namespace

RoundingNoise::RoundingNoise(const Options& options, std::uint64_t seed) : handler_(options, seed), scope_(handler_) {
    c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
}

RoundingNoise::Handler::Handler(const Options& options, std::uint64_t seed)
    : RandomRulesHandler(options), generator_(at::detail::createCPUGenerator(seed)) {}

void RoundingNoise::Handler::dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    if (isUnmoved(op)) return RandomRulesHandler::dispatch(op, stack);
    const Sizes sizes = moveArguments(op, stack);
    RandomRulesHandler::dispatch(op, stack);
    moveResults(op, sizes, stack);
}

/// The numbers of elements in the arguments that are moved, in ascending order.
RoundingNoise::Handler::Sizes RoundingNoise::Handler::moveArguments(const c10::OperatorHandle& op,
                                                                    torch::jit::Stack& stack) {
    Sizes sizes;
    const PlainKernelScope plain;
    const auto& declared = op.schema().arguments();
    for (std::size_t i = 0; i < declared.size(); ++i) {
        if (declared[i].alias_info()) continue;  // written to, or looked into by the result
        c10::IValue& value = stack[stack.size() - declared.size() + i];
        value = mapTensors(value, [&](const at::Tensor& t) {
            if (!rounds(t)) return t;
            sizes.push_back(t.numel());
            return moved(t, 1);
        });
    }
    std::sort(sizes.begin(), sizes.end());
    return sizes;
}

/// The error of a long sum grows with the square root of its length, while the noise of its terms cancels out.
void RoundingNoise::Handler::moveResults(const c10::OperatorHandle& op, const Sizes& sizes, torch::jit::Stack& stack) {
    const PlainKernelScope plain;
    const auto& declared = op.schema().returns();
    for (std::size_t i = 0; i < declared.size(); ++i) {
        if (declared[i].alias_info()) continue;
        c10::IValue& value = stack[stack.size() - declared.size() + i];
        value = mapTensors(value, [&](const at::Tensor& t) {
            const double units = rounds(t) ? std::sqrt(termsOf(op, sizes, t.numel())) / 32 : 0;
            return units < 1 ? t : moved(t, units);
        });
    }
}

/// By so many units in the last place, with the strides of `t`, which kernels may count on.
at::Tensor RoundingNoise::Handler::moved(const at::Tensor& t, double units) {
    const at::NoGradGuard noGrad;
    at::Tensor result = at::empty_strided(t.sizes(), t.strides(), t.options());
    const at::Tensor source = withoutRepetition(t);
    const auto real = c10::toRealValueType(t.scalar_type());
    const double eps = units * epsilon(real);
    const auto exact = real == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor up = at::empty(source.sizes(), at::TensorOptions(exact)).bernoulli_(0.5, generator_);
    const at::Tensor factor = up.mul_(2 * eps).add_(1 - eps).to(t.device(), real);
    withoutRepetition(result).copy_(source.mul(factor));
    if (t.unsafeGetTensorImpl()->is_wrapped_number()) result.unsafeGetTensorImpl()->set_wrapped_number(true);
    return result;
}

void NoiseEstimate::measure(bool ofEager, const std::function<NamedTensors()>& still,
                            const std::function<NamedTensors(std::uint64_t seed)>& moved) {
    try {
        const NamedTensors center = still();
        for (std::uint64_t seed = 0; seed < kRepetitions; ++seed) add(center, moved(seed), ofEager);
    } catch (const std::exception&) {
        // What is wrong with a run shows where it is compared; under noise it says nothing.
    }
}

/// Values that are not comparable are left out.
void NoiseEstimate::add(const NamedTensors& still, const NamedTensors& moved, bool ofEager) {
    const at::NoGradGuard noGrad;
    for (const auto& [what, value] : still) {
        if (value.numel() == 0) continue;
        const at::Tensor a = wide(value);
        if (ofEager) scale_ = std::max(scale_, a.abs().nan_to_num(0, 0, 0).max().item<double>());
        if (!names_.empty() && !names_.contains(what)) continue;
        const auto same = std::ranges::find(moved, what, &NamedTensors::value_type::first);
        if (same == moved.end() || same->second.sizes() != value.sizes() ||
            same->second.scalar_type() != value.scalar_type())
            continue;
        const at::Tensor distance = a.sub(wide(same->second)).abs().nan_to_num(0, 0, 0).to(at::kFloat);
        Spread& spread = spreads_[what];
        at::Tensor& farthest = ofEager ? spread.eager : spread.compiled;
        farthest = larger(farthest, distance);
        spread.cap = std::sqrt(epsilon(value.scalar_type()));
    }
}

at::Tensor NoiseEstimate::allowed(const std::string& what) const {
    const auto it = spreads_.find(what);
    if (it == spreads_.end()) return {};
    const auto& [eager, compiled, cap] = it->second;
    at::Tensor own = eager.defined() ? boundOf(eager.to(at::kDouble)) : at::Tensor();
    if (!compiled.defined() || (own.defined() && own.sizes() != compiled.sizes())) return own;
    return larger(own, boundOf(compiled.to(at::kDouble)).clamp_max(cap * scale_));
}

}  // namespace aotscope
