#include "ops/number_functions.h"

#include "support/error.h"
#include "support/integers.h"

#include <cmath>
#include <map>

namespace aotscope {

namespace {

using Values = std::vector<c10::IValue>;

[[noreturn]] void undefined(const char* what) {
    throw Error(std::string("the graph computes a number that has no value: ") + what);
}

const c10::IValue& value(const Values& values, std::size_t i) {
    if (i >= values.size()) undefined("an argument is missing");
    return values[i];
}

bool isReal(const c10::IValue& v) { return v.isDouble(); }

std::int64_t integer(const Values& values, std::size_t i) {
    const c10::IValue& v = value(values, i);
    if (v.isInt()) return v.toInt();
    if (v.isBool()) return v.toBool();
    undefined("expected an integer");
}

double real(const Values& values, std::size_t i) {
    const c10::IValue& v = value(values, i);
    return v.isDouble() ? v.toDouble() : static_cast<double>(integer(values, i));
}

bool truth(const Values& values, std::size_t i) {
    const c10::IValue& v = value(values, i);
    return v.isBool() ? v.toBool() : real(values, i) != 0;
}

const at::Tensor& tensor(const Values& values) {
    if (!value(values, 0).isTensor() || !values[0].toTensor().defined()) undefined("expected a tensor");
    return values[0].toTensor();
}

bool anyReal(const Values& values) { return isReal(value(values, 0)) || isReal(value(values, 1)); }

std::int64_t toInteger(double v) {
    if (!(v >= -0x1p63 && v < 0x1p63)) undefined("it is larger than any integer");
    return static_cast<std::int64_t>(v);
}

/// Both integers, or both floats.
template <typename Whole, typename Real>
c10::IValue arithmetic(const Values& values, Whole&& whole, Real&& inReals) {
    if (anyReal(values)) return inReals(real(values, 0), real(values, 1));
    return whole(integer(values, 0), integer(values, 1));
}

template <typename Compare>
c10::IValue comparison(const Values& values, Compare&& compare) {
    if (anyReal(values)) return bool(compare(real(values, 0), real(values, 1)));
    return bool(compare(integer(values, 0), integer(values, 1)));
}

c10::IValue add(const Values& v) {
    return arithmetic(
        v,
        [](std::int64_t a, std::int64_t b) {
            if (__builtin_add_overflow(a, b, &a)) undefined("it is larger than any integer");
            return a;
        },
        std::plus<double>());
}

c10::IValue subtract(const Values& v) {
    return arithmetic(
        v,
        [](std::int64_t a, std::int64_t b) {
            if (__builtin_sub_overflow(a, b, &a)) undefined("it is larger than any integer");
            return a;
        },
        std::minus<double>());
}

std::int64_t product(std::int64_t a, std::int64_t b) {
    if (__builtin_mul_overflow(a, b, &a)) undefined("it is larger than any integer");
    return a;
}

c10::IValue multiply(const Values& v) { return arithmetic(v, product, std::multiplies<double>()); }

/// Rounds towards minus infinity, as in Python.
std::int64_t floorDivision(std::int64_t a, std::int64_t b) {
    if (b == 0) undefined("it is divided by zero");
    return b == -1 ? product(a, -1) : floorQuotient(a, b);
}

c10::IValue floorDivide(const Values& v) {
    return arithmetic(v, floorDivision, [](double a, double b) {
        if (b == 0) undefined("it is divided by zero");
        return std::floor(a / b);
    });
}

c10::IValue modulo(const Values& v) {
    return arithmetic(
        v, [](std::int64_t a, std::int64_t b) { return a - product(floorDivision(a, b), b); },
        [](double a, double b) {
            if (b == 0) undefined("it is divided by zero");
            return a - b * std::floor(a / b);
        });
}

c10::IValue divide(const Values& v) {
    if (real(v, 1) == 0) undefined("it is divided by zero");
    return real(v, 0) / real(v, 1);
}

c10::IValue power(const Values& v) {
    if (anyReal(v) || integer(v, 1) < 0) return std::pow(real(v, 0), real(v, 1));
    std::int64_t base = integer(v, 0), result = 1;
    for (std::int64_t left = integer(v, 1); left > 0; left >>= 1) {
        if (left & 1) result = product(result, base);
        if (left > 1) base = product(base, base);
    }
    return result;
}

std::int64_t shiftDistance(const Values& v) {
    const std::int64_t by = integer(v, 1);
    if (by < 0 || by > 62) undefined("a shift by more than 62 bits");
    return by;
}

c10::IValue negate(const Values& v) {
    if (isReal(value(v, 0))) return -real(v, 0);
    return product(integer(v, 0), -1);
}

c10::IValue truncate(const Values& v) {
    return isReal(value(v, 0)) ? toInteger(std::trunc(real(v, 0))) : integer(v, 0);
}

template <bool Larger>
c10::IValue extremum(const Values& v) {
    const bool first = Larger ? real(v, 0) >= real(v, 1) : real(v, 0) <= real(v, 1);
    if (anyReal(v)) return real(v, first ? 0 : 1);
    return Larger ? std::max(integer(v, 0), integer(v, 1)) : std::min(integer(v, 0), integer(v, 1));
}

c10::IValue sum(const Values& v) {
    c10::IValue total = std::int64_t{0};
    if (value(v, 0).isList()) {
        for (const c10::IValue& element : v[0].toListRef()) total = add({total, element});
        return total;
    }
    for (const c10::IValue& element : v) total = add({total, element});
    return total;
}

std::int64_t dimension(const Values& v) { return c10::maybe_wrap_dim(integer(v, 1), tensor(v).dim()); }

const std::map<std::string_view, NumberFunction>& functions() {
    static const std::map<std::string_view, NumberFunction> table = {
        {"eq", [](const Values& v) { return comparison(v, std::equal_to<>()); }},
        {"ne", [](const Values& v) { return comparison(v, std::not_equal_to<>()); }},
        {"le", [](const Values& v) { return comparison(v, std::less_equal<>()); }},
        {"ge", [](const Values& v) { return comparison(v, std::greater_equal<>()); }},
        {"lt", [](const Values& v) { return comparison(v, std::less<>()); }},
        {"gt", [](const Values& v) { return comparison(v, std::greater<>()); }},
        {"add", add},
        {"sub", subtract},
        {"mul", multiply},
        {"floordiv", floorDivide},
        {"mod", modulo},
        {"truediv", divide},
        {"pow", power},
        {"neg", negate},
        {"pos", [](const Values& v) { return value(v, 0); }},
        {"and_",
         [](const Values& v) {
             return value(v, 0).isBool() ? c10::IValue(truth(v, 0) && truth(v, 1))
                                         : c10::IValue(integer(v, 0) & integer(v, 1));
         }},
        {"or_",
         [](const Values& v) {
             return value(v, 0).isBool() ? c10::IValue(truth(v, 0) || truth(v, 1))
                                         : c10::IValue(integer(v, 0) | integer(v, 1));
         }},
        {"lshift",
         [](const Values& v) { return c10::IValue(product(integer(v, 0), std::int64_t{1} << shiftDistance(v))); }},
        {"rshift", [](const Values& v) { return c10::IValue(integer(v, 0) >> shiftDistance(v)); }},
        {"trunc", truncate},
        {"floor", [](const Values& v) { return c10::IValue(toInteger(std::floor(real(v, 0)))); }},
        {"ceil", [](const Values& v) { return c10::IValue(toInteger(std::ceil(real(v, 0)))); }},
        {"sqrt", [](const Values& v) { return c10::IValue(std::sqrt(real(v, 0))); }},
        {"sym_not", [](const Values& v) { return c10::IValue(!truth(v, 0)); }},
        {"sym_int", truncate},
        {"sym_float", [](const Values& v) { return c10::IValue(real(v, 0)); }},
        {"sym_ite", [](const Values& v) { return value(v, truth(v, 0) ? 1 : 2); }},
        {"sym_max", extremum<true>},
        {"sym_min", extremum<false>},
        {"sym_sqrt", [](const Values& v) { return c10::IValue(std::sqrt(real(v, 0))); }},
        {"_sym_sqrt", [](const Values& v) { return c10::IValue(std::sqrt(real(v, 0))); }},
        {"sym_sum", sum},
        {"aten.sym_size.int", [](const Values& v) { return c10::IValue(tensor(v).size(dimension(v))); }},
        {"aten.sym_stride.int", [](const Values& v) { return c10::IValue(tensor(v).stride(dimension(v))); }},
        {"aten.sym_numel.default", [](const Values& v) { return c10::IValue(tensor(v).numel()); }},
        {"aten.sym_storage_offset.default", [](const Values& v) { return c10::IValue(tensor(v).storage_offset()); }},
    };
    return table;
}

}  // namespace

NumberFunction findNumberFunction(std::string_view target) {
    constexpr std::string_view operators = "torch.ops.";
    if (target.starts_with(operators)) target.remove_prefix(operators.size());
    for (const std::string_view module :
         {"operator.", "_operator.", "math.", "torch.sym_", "torch._sym_", "aten.sym_"}) {
        if (!target.starts_with(module)) continue;
        const std::string_view name = target.starts_with("aten.") ? target : target.substr(target.find('.') + 1);
        const auto it = functions().find(name);
        return it == functions().end() ? nullptr : it->second;
    }
    return nullptr;
}

}  // namespace aotscope
