#include "ops/prims.h"

#include "ops/prim_definitions.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/div.h>
#include <ATen/ops/full.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/max_pool3d_with_indices.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/var.h>

#include <map>

namespace aotscope {

namespace {

using at::IntArrayRef;
using at::Tensor;

/// A pointwise operator and the ATen operator that computes the same for operands of one type.
struct Pointwise {
    const char* name;
    const char* aten;
    int operands;
};

constexpr Pointwise kPointwisePrims[] = {
    {"abs", "abs", 1},
    {"acos", "acos", 1},
    {"acosh", "acosh", 1},
    {"asin", "asin", 1},
    {"asinh", "asinh", 1},
    {"atan", "atan", 1},
    {"atanh", "atanh", 1},
    {"bessel_i0", "i0", 1},
    {"bessel_i0e", "special_i0e", 1},
    {"bessel_i1", "special_i1", 1},
    {"bessel_i1e", "special_i1e", 1},
    {"bessel_j0", "special_bessel_j0", 1},
    {"bessel_j1", "special_bessel_j1", 1},
    {"erfcx", "special_erfcx", 1},
    {"ndtri", "special_ndtri", 1},
    {"spherical_bessel_j0", "special_spherical_bessel_j0", 1},
    {"bitwise_not", "bitwise_not", 1},
    {"ceil", "ceil", 1},
    {"conj_physical", "conj_physical", 1},
    {"cos", "cos", 1},
    {"cosh", "cosh", 1},
    {"digamma", "digamma", 1},
    {"erf", "erf", 1},
    {"erf_inv", "erfinv", 1},
    {"erfc", "erfc", 1},
    {"exp", "exp", 1},
    {"exp2", "exp2", 1},
    {"expm1", "expm1", 1},
    {"floor", "floor", 1},
    {"isfinite", "isfinite", 1},
    {"lgamma", "lgamma", 1},
    {"log", "log", 1},
    {"log10", "log10", 1},
    {"log1p", "log1p", 1},
    {"log2", "log2", 1},
    {"neg", "neg", 1},
    {"reciprocal", "reciprocal", 1},
    {"round", "round", 1},
    {"rsqrt", "rsqrt", 1},
    {"sign", "sign", 1},
    {"signbit", "signbit", 1},
    {"sin", "sin", 1},
    {"sinh", "sinh", 1},
    {"sqrt", "sqrt", 1},
    {"tan", "tan", 1},
    {"tanh", "tanh", 1},
    {"trunc", "trunc", 1},
    {"add", "add.Tensor", 2},
    {"atan2", "atan2", 2},
    {"bitwise_and", "bitwise_and.Tensor", 2},
    {"bitwise_or", "bitwise_or.Tensor", 2},
    {"bitwise_xor", "bitwise_xor.Tensor", 2},
    {"div", "div.Tensor", 2},
    {"eq", "eq.Tensor", 2},
    {"fmax", "fmax", 2},
    {"fmin", "fmin", 2},
    {"fmod", "fmod.Tensor", 2},
    {"gcd", "gcd", 2},
    {"ge", "ge.Tensor", 2},
    {"gt", "gt.Tensor", 2},
    {"hypot", "hypot", 2},
    {"igamma", "igamma", 2},
    {"igammac", "igammac", 2},
    {"le", "le.Tensor", 2},
    {"lt", "lt.Tensor", 2},
    {"maximum", "maximum", 2},
    {"minimum", "minimum", 2},
    {"mul", "mul.Tensor", 2},
    {"ne", "ne.Tensor", 2},
    {"nextafter", "nextafter", 2},
    {"pow", "pow.Tensor_Tensor", 2},
    {"remainder", "remainder.Tensor", 2},
    {"shift_left", "bitwise_left_shift.Tensor", 2},
    {"shift_right_arithmetic", "bitwise_right_shift.Tensor", 2},
    {"sub", "sub.Tensor", 2},
    {"zeta", "special_zeta", 2},
    {"where", "where.self", 3},
};

c10::OperatorHandle operatorOf(const std::string& nameSpace, const std::string& dotted) {
    const auto dot = dotted.find('.');
    const std::string overload = dot == std::string::npos ? "" : dotted.substr(dot + 1);
    return c10::Dispatcher::singleton().findSchemaOrThrow((nameSpace + "::" + dotted.substr(0, dot)).c_str(),
                                                          overload.c_str());
}

/// The kernel of all pointwise operators: ATen's, with defaults for its other arguments.
void runPointwise(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
    static const auto kernels = [] {
        std::map<std::string, c10::OperatorHandle> all;
        for (const Pointwise& row : kPointwisePrims)
            all.emplace(std::string("prims::") + row.name, operatorOf("aten", row.aten));
        return all;
    }();
    c10::OperatorHandle aten = kernels.at(op.operator_name().name);
    if (op.operator_name().name == "prims::div" && at::isIntegralType(stack->back().toTensor().scalar_type(), true)) {
        aten = operatorOf("aten", "div.Tensor_mode");
        stack->emplace_back("trunc");
    }
    const auto& declared = aten.schema().arguments();
    for (std::size_t i = op.schema().arguments().size(); i < declared.size(); ++i)
        if (declared[i].default_value()) stack->push_back(*declared[i].default_value());
    aten.callBoxed(*stack);
}

Tensor convert(const Tensor& a, at::ScalarType type) { return a.to(type, /*non_blocking=*/false, /*copy=*/true); }

Tensor broadcast(const Tensor& a, IntArrayRef shape, IntArrayRef dimensions) {
    std::vector<int64_t> sizes(shape.size(), 1);
    for (std::size_t i = 0; i < dimensions.size(); ++i)
        sizes[static_cast<std::size_t>(dimensions[i])] = a.size(static_cast<int64_t>(i));
    Tensor view = a;
    for (std::size_t i = 0, next = 0; i < shape.size(); ++i) {
        if (next < dimensions.size() && dimensions[next] == static_cast<int64_t>(i)) ++next;
        else view = view.unsqueeze(static_cast<int64_t>(i));
    }
    return view.expand(shape);
}

Tensor count(int64_t length, int64_t start, int64_t step, at::ScalarType type, at::Device device, bool) {
    const at::TensorOptions options = at::TensorOptions(type).device(device);
    // A step below one truncates to zero for integers.
    return step == 0 ? at::full({length}, start, options) : at::arange(start, start + length * step, step, options);
}

Tensor multiplyAdd(const Tensor& a, const Tensor& b, const Tensor& c) { return (a * b) + c; }

/// Always a new tensor, as the schema says: all devices are the same during tracing.
Tensor moveTo(const Tensor& a, at::Device device, bool nonBlocking) {
    return a.to(device, a.scalar_type(), nonBlocking, /*copy=*/true);
}

// The index of a pooled maximum within its window, in row-major order of the window.

/// For every output position in dimension `d` of the last `dims`, the start of its window; shaped for broadcasting.
Tensor windowStarts(const Tensor& like, std::size_t d, std::size_t dims, IntArrayRef stride, IntArrayRef padding) {
    const auto dim = like.dim() - static_cast<int64_t>(dims - d);
    std::vector<int64_t> shape(static_cast<std::size_t>(like.dim()), 1);
    shape[static_cast<std::size_t>(dim)] = like.size(dim);
    const auto options = at::TensorOptions(at::kLong).device(like.device());
    return (at::arange(like.size(dim), options).view(shape) * stride[d]) - padding[d];
}

/// Splits flat positions in a box of `sizes` into one coordinate per dimension.
std::vector<Tensor> coordinates(Tensor flat, IntArrayRef sizes) {
    std::vector<Tensor> result(sizes.size());
    for (std::size_t d = sizes.size(); d-- > 1;) {
        const Tensor rest = at::div(flat, sizes[d], "floor");
        result[d] = flat - rest * sizes[d];
        flat = rest;
    }
    result[0] = flat;
    return result;
}

Tensor flatten(const std::vector<Tensor>& position, IntArrayRef sizes) {
    Tensor flat = position[0];
    for (std::size_t d = 1; d < sizes.size(); ++d) flat = flat * sizes[d] + position[d];
    return flat;
}

std::tuple<Tensor, Tensor> poolWithOffsets(const Tensor& self, IntArrayRef kernel, IntArrayRef stride,
                                           IntArrayRef padding, IntArrayRef dilation, bool ceilMode) {
    const auto dims = kernel.size();
    const auto [values, indices] = dims == 2
                                       ? at::max_pool2d_with_indices(self, kernel, stride, padding, dilation, ceilMode)
                                       : at::max_pool3d_with_indices(self, kernel, stride, padding, dilation, ceilMode);
    std::vector<Tensor> position = coordinates(indices, self.sizes().slice(self.sizes().size() - dims));
    for (std::size_t d = 0; d < dims; ++d)
        position[d] = at::div(position[d] - windowStarts(indices, d, dims, stride, padding), dilation[d], "floor");
    return {values, flatten(position, kernel).to(at::kChar)};
}

Tensor offsetsToIndices(const Tensor& offsets, IntArrayRef kernel, IntArrayRef inputSize, IntArrayRef stride,
                        IntArrayRef padding, IntArrayRef dilation) {
    std::vector<Tensor> position = coordinates(offsets.to(at::kLong), kernel);
    for (std::size_t d = 0; d < kernel.size(); ++d)
        position[d] = windowStarts(offsets, d, kernel.size(), stride, padding) + position[d] * dilation[d];
    return flatten(position, inputSize);
}

template <typename F>
auto named(const char* name) {
    return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<F>();
}

Tensor permute(const Tensor& a, IntArrayRef permutation) { return a.permute(permutation); }

using Dims = at::OptionalIntArrayRef;

Tensor sumOf(const Tensor& a, Dims dims, std::optional<at::ScalarType> type) {
    return a.dim() == 0 ? at::clone(a) : at::sum(a, dims, /*keepdim=*/false, type);
}
Tensor amaxOf(const Tensor& a, Dims dims, std::optional<at::ScalarType>) {
    return at::amax(a, dims.value_or(IntArrayRef()));
}
Tensor aminOf(const Tensor& a, Dims dims, std::optional<at::ScalarType>) {
    return at::amin(a, dims.value_or(IntArrayRef()));
}
Tensor varOf(const Tensor& a, Dims dims, std::optional<double> correction, std::optional<at::ScalarType>) {
    return at::var(a, dims, at::Scalar(correction.value_or(1)));
}

void defineAll(PrimDefinitions& all) {
    constexpr const char* operands[] = {"(Tensor self)", "(Tensor self, Tensor other)",
                                        "(Tensor pred, Tensor a, Tensor b)"};
    for (const Pointwise& row : kPointwisePrims)
        all.add(std::string(row.name) + operands[row.operands - 1] + " -> Tensor",
                torch::CppFunction::makeFromBoxedFunction<&runPointwise>());
    all.add("convert_element_type(Tensor a, ScalarType dtype) -> Tensor", &convert);
    all.addAliasing("broadcast_in_dim(Tensor(a) a, int[] shape, int[] broadcast_dimensions) -> Tensor(a)", &broadcast);
    all.add("iota(int length, *, int start, int step, ScalarType dtype, Device device, bool requires_grad) -> Tensor",
            &count);
    all.addAliasing("transpose(Tensor(a) a, int[] permutation) -> Tensor(a)", &permute);
    all.add("sum(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", &sumOf);
    all.add("amax(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", &amaxOf);
    all.add("amin(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", &aminOf);
    all.add("var(Tensor inp, int[]? dims, float? correction=1, *, ScalarType? output_dtype=None) -> Tensor", &varOf);
    all.add("fma(Tensor a, Tensor b, Tensor c) -> Tensor", &multiplyAdd);
    all.add("device_put(Tensor a, Device device, bool non_blocking=False) -> Tensor", &moveTo);
    all.add(
        "_low_memory_max_pool_with_offsets(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] "
        "dilation, bool ceil_mode) -> (Tensor, Tensor)",
        &poolWithOffsets);
    all.add(
        "_low_memory_max_pool_offsets_to_indices(Tensor self, int[] kernel_size, int[] input_size, int[] stride, "
        "int[] padding, int[] dilation) -> Tensor",
        &offsetsToIndices);
    definePrimsOfShapes(all);
    definePrimsOfCreation(all);
    definePrimsOfTensors(all);
}

}  // namespace

void registerPrims() {
    [[maybe_unused]] static const PrimDefinitions definitions = [] {
        PrimDefinitions all;
        defineAll(all);
        return all;
    }();
}

namespace prims {

Tensor convertElementType(const Tensor& a, at::ScalarType type) {
    static const auto op = named<Tensor(const Tensor&, at::ScalarType)>("prims::convert_element_type");
    return op.call(a, type);
}

Tensor broadcastInDim(const Tensor& a, IntArrayRef shape, IntArrayRef dimensions) {
    static const auto op = named<Tensor(const Tensor&, IntArrayRef, IntArrayRef)>("prims::broadcast_in_dim");
    return op.call(a, shape, dimensions);
}

Tensor iota(int64_t length, int64_t start, int64_t step, at::ScalarType type, at::Device device) {
    static const auto op = named<Tensor(int64_t, int64_t, int64_t, at::ScalarType, at::Device, bool)>("prims::iota");
    return op.call(length, start, step, type, device, false);
}

Tensor fma(const Tensor& a, const Tensor& b, const Tensor& c) {
    static const auto op = named<Tensor(const Tensor&, const Tensor&, const Tensor&)>("prims::fma");
    return op.call(a, b, c);
}

Tensor devicePut(const Tensor& a, at::Device device, bool nonBlocking) {
    static const auto op = named<Tensor(const Tensor&, at::Device, bool)>("prims::device_put");
    return op.call(a, device, nonBlocking);
}

std::tuple<Tensor, Tensor> maxPoolWithOffsets(const Tensor& self, IntArrayRef kernel, IntArrayRef stride,
                                              IntArrayRef padding, IntArrayRef dilation, bool ceilMode) {
    static const auto op =
        named<std::tuple<Tensor, Tensor>(const Tensor&, IntArrayRef, IntArrayRef, IntArrayRef, IntArrayRef, bool)>(
            "prims::_low_memory_max_pool_with_offsets");
    return op.call(self, kernel, stride, padding, dilation, ceilMode);
}

Tensor maxPoolOffsetsToIndices(const Tensor& offsets, IntArrayRef kernel, IntArrayRef inputSize, IntArrayRef stride,
                               IntArrayRef padding, IntArrayRef dilation) {
    static const auto op =
        named<Tensor(const Tensor&, IntArrayRef, IntArrayRef, IntArrayRef, IntArrayRef, IntArrayRef)>(
            "prims::_low_memory_max_pool_offsets_to_indices");
    return op.call(offsets, kernel, inputSize, stride, padding, dilation);
}

Tensor transpose(const Tensor& a, IntArrayRef permutation) {
    static const auto op = named<Tensor(const Tensor&, IntArrayRef)>("prims::transpose");
    return op.call(a, permutation);
}

Tensor reduce(const char* name, const Tensor& a, IntArrayRef dims) {
    const auto op =
        named<Tensor(const Tensor&, Dims, std::optional<at::ScalarType>)>((std::string("prims::") + name).c_str());
    return op.call(a, dims, std::nullopt);
}

Tensor var(const Tensor& a, IntArrayRef dims, double correction) {
    static const auto op =
        named<Tensor(const Tensor&, Dims, std::optional<double>, std::optional<at::ScalarType>)>("prims::var");
    return op.call(a, dims, correction, std::nullopt);
}

Tensor pointwise(const char* name, at::ArrayRef<Tensor> operands) {
    torch::jit::Stack stack(operands.begin(), operands.end());
    operatorOf("prims", name).callBoxed(stack);
    return stack.back().toTensor();
}

}  // namespace prims

}  // namespace aotscope
