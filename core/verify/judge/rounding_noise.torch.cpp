#include "verify/judge/rounding_noise.h"

#include "aten/convert.h"
#include "aten/tensors.h"
#include "ops/op_table.h"
#include "support/library_error.h"
#include "verify/judge/dtype_rounding.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/full.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace aotscope {

namespace {

/// Operations whose results jump for small changes of their arguments, and those that only move data.
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

/// The number of products or elements summed for one element of `result`.
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

/// Operations with uninitialized memory among their results.
bool leavesMemoryUnwritten(const c10::OperatorHandle& op) {
    const std::string& name = op.operator_name().name;
    return name.starts_with("aten::empty") || name.starts_with("aten::new_empty");
}

/// Larger than the numbers of a model, but small enough to be squared in double precision.
constexpr double kUnwritten = 1e30, kBeyondNumbers = 1e25;

bool rounds(const at::Tensor& t) {
    return t.defined() && t.layout() == at::kStrided && t.numel() > 0 && computesReals(toDType(t.scalar_type()));
}

/// Reduces expanded dimensions to size 1.
at::Tensor withoutRepetition(at::Tensor t) {
    for (std::int64_t d = 0; d < t.dim(); ++d)
        if (t.stride(d) == 0 && t.size(d) > 1) t = t.narrow(d, 0, 1);
    return t;
}

at::Tensor wide(const at::Tensor& t) {
    return t.detach().to(at::kCPU).to(t.is_complex() ? at::kComplexDouble : at::kDouble);
}

/// How far values that moved by `spread` in a few runs may be off. By chance, some of many elements do not move: the
/// noise of the others counts for those.
at::Tensor boundOf(const at::Tensor& spread) {
    constexpr double own = 16, ofOthers = 4;
    const at::Tensor finite = spread.masked_fill(spread.isinf(), 0);
    return spread.mul(own).clamp_min(ofOthers * finite.square().mean().sqrt().item<double>());
}

/// How far single elements, and all of them on average, may be off, relative to the average loss of a run in its own
/// dtypes: errors of two runs, and the largest of many.
constexpr double kOfOneElement = 12, kOnAverage = 3;
/// And relative to the largest loss of an element: sums of few large terms lose more than others.
constexpr double kOfLargest = 3;

/// Distances of elements; infinite if only one of them is finite, or for values from uninitialized memory.
at::Tensor distanceBetween(const at::Tensor& still, const at::Tensor& moved) {
    const at::Tensor same = still.eq(moved).logical_or(still.isnan().logical_and(moved.isnan()));
    const at::Tensor distance = still.sub(moved).abs().nan_to_num(INFINITY, INFINITY, INFINITY);
    // Models also have such numbers, as in attention masks; they move by a last digit.
    const at::Tensor unwritten = distance.gt(still.abs().mul(0.1).clamp_min(kBeyondNumbers));
    return distance.masked_fill(unwritten, INFINITY).masked_fill(same, 0);
}

at::Tensor larger(const at::Tensor& a, const at::Tensor& b) { return a.defined() ? at::maximum(a, b) : b; }

}  // namespace

RoundingNoise::RoundingNoise(const Options& options, const Arithmetic& arithmetic)
    : RandomRulesHandler(options),
      generator_(at::detail::createCPUGenerator(arithmetic.seed)),
      coarsest_(arithmetic.coarsest) {}

void RoundingNoise::dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    if (leavesMemoryUnwritten(op)) {
        RandomRulesHandler::dispatch(op, stack);
        return scramble(op, stack);
    }
    if (isUnmoved(op)) return RandomRulesHandler::dispatch(op, stack);
    const Sizes sizes = moveArguments(op, stack);
    RandomRulesHandler::dispatch(op, stack);
    moveResults(op, sizes, stack);
}

/// The numbers of elements in the moved arguments, in ascending order.
RoundingNoise::Sizes RoundingNoise::moveArguments(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    Sizes sizes;
    const PlainKernelScope plain;
    const auto& declared = op.schema().arguments();
    for (std::size_t i = 0; i < declared.size(); ++i) {
        if (declared[i].alias_info()) continue;  // written to, or viewed by the result
        c10::IValue& value = stack[stack.size() - declared.size() + i];
        value = mapTensors(value, [&](const at::Tensor& t) {
            if (coarsest_ && t.defined() && c10::isFloatingType(c10::toRealValueType(t.scalar_type())))
                *coarsest_ = std::max(*coarsest_, epsilonOf(t.scalar_type()));
            if (!rounds(t)) return t;
            sizes.push_back(t.numel());
            return moved(t, 1);
        });
    }
    std::sort(sizes.begin(), sizes.end());
    return sizes;
}

/// The error of a long sum grows with the square root of its length, while the noise of its terms cancels.
void RoundingNoise::moveResults(const c10::OperatorHandle& op, const Sizes& sizes, torch::jit::Stack& stack) {
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

void RoundingNoise::scramble(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    const PlainKernelScope plain;
    for (std::size_t i = stack.size() - op.schema().returns().size(); i < stack.size(); ++i)
        forEachTensor(stack[i], [&](const at::Tensor& t) {
            if (!rounds(t)) return;
            const at::Tensor up = at::empty({}, at::TensorOptions(at::kDouble)).uniform_(0.5, 1, generator_);
            t.fill_(c10::toRealValueType(t.scalar_type()) == at::kHalf ? INFINITY : kUnwritten * up.item<double>());
        });
}

/// Moves by `units` units in the last place, keeping the strides of `t`, which kernels may depend on.
at::Tensor RoundingNoise::moved(const at::Tensor& t, double units) {
    const at::NoGradGuard noGrad;
    at::Tensor result = at::empty_strided(t.sizes(), t.strides(), t.options());
    const at::Tensor source = withoutRepetition(t);
    const auto real = c10::toRealValueType(t.scalar_type());
    const double eps = units * epsilonOf(real);
    const auto exact = real == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor up = at::empty(source.sizes(), at::TensorOptions(exact)).bernoulli_(0.5, generator_);
    const at::Tensor factor = up.mul_(2 * eps).add_(1 - eps).to(t.device(), real);
    const at::Tensor product = source.mul(factor);
    withoutRepetition(result).copy_(at::where(product.isinf(), source, product));  // the largest number stays finite
    if (t.unsafeGetTensorImpl()->is_wrapped_number()) result.unsafeGetTensorImpl()->set_wrapped_number(true);
    return result;
}

void NoiseEstimate::measure(bool ofEager, const std::function<NamedTensors()>& still,
                            const std::function<NamedTensors(const Arithmetic&)>& run) {
    // Errors of a run are found when it is compared; in another arithmetic, they are irrelevant.
    failureOf([&] {
        const NamedTensors center = still();
        failureOf([&] {
            for (std::uint64_t seed = 0; seed < kRepetitions; ++seed) {
                const auto noise = Arithmetic::noise(seed, &coarsest_);
                add(center, run(noise), noise, ofEager);
            }
        });
        failureOf([&] { add(center, run(Arithmetic::wide()), Arithmetic::wide(), ofEager); });
    });
}

/// Skips values that cannot be compared.
void NoiseEstimate::add(const NamedTensors& still, const NamedTensors& other, const Arithmetic& arithmetic,
                        bool ofEager) {
    const at::NoGradGuard noGrad;
    const bool inFloat64 = arithmetic.kind == Arithmetic::Kind::wide;
    std::unordered_map<std::string_view, const at::Tensor*> others;
    for (const auto& [what, value] : other) others.emplace(what, &value);
    for (const auto& [what, value] : still) {
        if (value.numel() == 0) continue;
        const at::Tensor a = wide(value);
        if (ofEager) scale_ = std::max(scale_, a.abs().nan_to_num(0, 0, 0).max().item<double>());
        if (!names_.empty() && !names_.contains(what)) continue;
        const auto same = others.find(what);
        if (same == others.end() || same->second->sizes() != value.sizes() ||
            (!inFloat64 && same->second->scalar_type() != value.scalar_type()))
            continue;
        Spread& spread = spreads_[what];
        spread.type = value.scalar_type();
        spread.sizes = value.sizes().vec();
        spread.magnitude = a.abs().nan_to_num(0, 0, 0).square().mean().sqrt().item<double>();
        Measured& measured = ofEager ? spread.eager : spread.compiled;
        const at::Tensor distance = distanceBetween(a, wide(*same->second).to(a.scalar_type()));
        if (!inFloat64) measured.moved = larger(measured.moved, distance.to(at::kFloat));
        else if (value.is_floating_point() || value.is_complex())
            measured.setLost(distance.masked_fill(distance.isinf(), 0));
    }
}

void NoiseEstimate::Measured::setLost(const at::Tensor& distance) {
    lost = distance.square().mean().sqrt().item<double>();
    mostLost = distance.max().item<double>();
}

/// Half of the digits of the largest number in the run.
double NoiseEstimate::capOf(const Spread& spread) const {
    return std::sqrt(std::max(coarsest_, epsilonOf(spread.type))) * scale_;
}

/// The loss of eager and of the compiled graphs; negative: unknown. A run in float64 that is far away has drawn other
/// random numbers, or has taken a different branch.
double NoiseEstimate::lost(const Spread& spread) const {
    constexpr double elsewhere = 0.1;
    const double cap = capOf(spread), most = std::max(cap, elsewhere * spread.magnitude);
    return std::max(spread.eager.lost > most ? -1 : spread.eager.lost, std::min(spread.compiled.lost, cap));
}

/// Whether values are computed in low precision, where the noise is a multiple of the loss.
bool NoiseEstimate::countsAlone(const Spread& spread) const {
    constexpr double more = 64;  // than its own dtype loses
    if (lost(spread) < 0) return false;
    return isLowPrecision(spread.type) ||
           (isLowPrecision(coarsest_) && lost(spread) > more * epsilonOf(spread.type) * spread.magnitude);
}

at::Tensor NoiseEstimate::allowed(const std::string& what) const {
    const auto it = spreads_.find(what);
    if (it == spreads_.end()) return {};
    const Spread& spread = it->second;
    const at::Tensor &eager = spread.eager.moved, &compiled = spread.compiled.moved;
    const double most = std::min(std::max(spread.eager.mostLost, spread.compiled.mostLost), capOf(spread));
    const double ofOneElement = std::max(kOfOneElement * lost(spread), kOfLargest * most);
    if (countsAlone(spread)) {
        const at::Tensor bound = at::full(spread.sizes, ofOneElement, at::TensorOptions(at::kDouble));
        return eager.defined() ? bound.masked_fill(eager.isinf(), INFINITY) : bound;
    }
    at::Tensor bound = eager.defined() ? boundOf(eager.to(at::kDouble)) : at::Tensor();
    if (compiled.defined() && !(bound.defined() && bound.sizes() != compiled.sizes())) {
        const at::Tensor finite = compiled.to(at::kDouble).masked_fill(compiled.isinf(), 0);
        bound = larger(bound, boundOf(finite).clamp_max(std::sqrt(epsilonOf(spread.type)) * scale_));
    }
    return bound.defined() && ofOneElement > 0 ? bound.clamp_min(ofOneElement) : bound;
}

double NoiseEstimate::allowedShare(const std::string& what) const {
    constexpr double units = 2;
    const auto it = spreads_.find(what);
    if (it == spreads_.end() || !countsAlone(it->second)) return 0;
    return units * std::max(coarsest_, epsilonOf(it->second.type));
}

double NoiseEstimate::allowedOnAverage(const std::string& what) const {
    const auto it = spreads_.find(what);
    return it == spreads_.end() ? 0 : std::max(0.0, kOnAverage * lost(it->second));
}

}  // namespace aotscope
