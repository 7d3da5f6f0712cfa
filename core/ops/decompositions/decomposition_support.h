#pragma once

#include "ops/decompositions/decomposition.h"

#include <ATen/core/Tensor.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// Helpers for rules.
namespace aotscope::rules {

using at::Scalar;
using Dtype = at::ScalarType;
using at::Tensor;
using Sizes = std::vector<std::int64_t>;
using MaybeTensor = std::optional<Tensor>;

// --- Conversions between the stack and C++ ----------------------------------------------------------------------

template <typename T>
struct Unboxed {
    static T from(const c10::IValue& value) { return value.to<T>(); }
};
template <>
struct Unboxed<Tensor> {
    static Tensor from(const c10::IValue& value) { return value.isNone() ? Tensor() : value.toTensor(); }
};
template <>
struct Unboxed<Dtype> {
    static Dtype from(const c10::IValue& value) { return value.toScalarType(); }
};
template <>
struct Unboxed<Scalar> {
    static Scalar from(const c10::IValue& value) { return value.toScalar(); }
};
template <>
struct Unboxed<std::string> {
    static std::string from(const c10::IValue& value) { return value.toStringRef(); }
};
template <>
struct Unboxed<Sizes> {
    static Sizes from(const c10::IValue& value) { return value.toIntVector(); }
};
template <>
struct Unboxed<c10::IValue> {
    static c10::IValue from(const c10::IValue& value) { return value; }
};
template <>
struct Unboxed<std::vector<bool>> {
    static std::vector<bool> from(const c10::IValue& value) {
        const auto list = value.toBoolList();
        return {list.begin(), list.end()};
    }
};
template <typename T>
struct Unboxed<std::optional<T>> {
    static std::optional<T> from(const c10::IValue& value) {
        const bool none = value.isNone() || (value.isTensor() && !value.toTensor().defined());
        return none ? std::nullopt : std::optional<T>(Unboxed<T>::from(value));
    }
};

inline void push(torch::jit::Stack& stack, const Tensor& result) { stack.emplace_back(result); }
inline void push(torch::jit::Stack& stack, const MaybeTensor& result) { stack.emplace_back(result.value_or(Tensor())); }
inline void push(torch::jit::Stack& stack, const std::vector<Tensor>& results) { stack.emplace_back(results); }
template <typename... T>
void push(torch::jit::Stack& stack, const std::tuple<T...>& results) {
    std::apply([&](const auto&... result) { (push(stack, result), ...); }, results);
}

template <typename R, typename... Args, std::size_t... I>
R callUnboxed(R (*rule)(Args...), const torch::jit::Stack& stack, std::index_sequence<I...>) {
    const std::size_t first = stack.size() - sizeof...(Args);
    return rule(Unboxed<std::decay_t<Args>>::from(stack[first + I])...);
}

template <typename R, typename... Args>
bool runUnboxed(R (*rule)(Args...), torch::jit::Stack& stack) {
    const auto result = callUnboxed(rule, stack, std::index_sequence_for<Args...>());
    torch::jit::drop(stack, sizeof...(Args));
    push(stack, result);
    return true;
}
/// A rule that may leave a call unchanged returns an optional result.
template <typename R, typename... Args>
bool runUnboxed(std::optional<R> (*rule)(Args...), torch::jit::Stack& stack) {
    const auto result = callUnboxed(rule, stack, std::index_sequence_for<Args...>());
    if (!result) return false;
    torch::jit::drop(stack, sizeof...(Args));
    push(stack, *result);
    return true;
}

/// Turns a function with a parameter for every argument of the schema into a Decomposition.
template <auto F>
bool rule(torch::jit::Stack& stack) {
    return runUnboxed(F, stack);
}

// --- Arithmetic like that of Python's operators: a number does not take part in type promotion ---------------------

Tensor plus(const Tensor& a, const Tensor& b);
Tensor plus(const Tensor& a, const Scalar& b);
Tensor plus(const Scalar& a, const Tensor& b);
Tensor minus(const Tensor& a, const Tensor& b);
Tensor minus(const Tensor& a, const Scalar& b);
Tensor minus(const Scalar& a, const Tensor& b);
Tensor times(const Tensor& a, const Tensor& b);
Tensor times(const Tensor& a, const Scalar& b);
Tensor times(const Scalar& a, const Tensor& b);
Tensor over(const Tensor& a, const Tensor& b);
Tensor over(const Tensor& a, const Scalar& b);
Tensor over(const Scalar& a, const Tensor& b);
Tensor choose(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor choose(const Tensor& condition, const Scalar& a, const Tensor& b);
Tensor choose(const Tensor& condition, const Tensor& a, const Scalar& b);
Tensor sumOver(const Tensor& a, const Sizes& dims, bool keepdim = false);
Tensor sumOver(const Tensor& a);
Tensor meanOf(const Tensor& a);
Tensor full(const Sizes& sizes, const Scalar& value, Dtype type, const Tensor& like);
Tensor arange(const Scalar& end, const Tensor& like, std::optional<Dtype> type = std::nullopt);

// --- Types ---------------------------------------------------------------------------------------------------------

/// The dtype in which kernels compute: float for half and bfloat16.
Dtype computationType(Dtype type);
/// The dtype of an elementwise result.
Dtype promotedType(at::ArrayRef<Tensor> operands);
/// aten._to_copy to the dtype; `t` itself if it has that dtype.
Tensor cast(const Tensor& t, Dtype type);

/// Computes in a wider dtype, like kernels for half and bfloat16: converts operands up and results back.
class Opmath {
public:
    explicit Opmath(std::initializer_list<Tensor> operands, bool intToFloat = false);
    Tensor up(const Tensor& t) const { return t.defined() ? cast(t, computation_) : t; }
    Tensor down(const Tensor& t) const { return cast(t, result_); }

private:
    Dtype computation_, result_;
};

// --- Shapes --------------------------------------------------------------------------------------------------------

/// Appends dimensions of size 1 up to `dims`.
Tensor unsqueezeTo(Tensor t, std::int64_t dims);
std::int64_t wrapDim(std::int64_t dim, std::int64_t dims);
/// The order of dimensions in memory, outermost first, as for elementwise results.
Sizes physicalOrder(const Tensor& t);

}  // namespace aotscope::rules
