#include "compile/size_arithmetic.h"

#include "support/error.h"

#include <ATen/core/Tensor.h>

#include <cmath>
#include <unordered_map>

namespace aotscope {

namespace {

using Arguments = torch::jit::Stack;

bool integers(const Arguments& a) { return a[0].isInt() && a[1].isInt(); }
double real(const c10::IValue& value) { return value.isInt() ? static_cast<double>(value.toInt()) : value.toDouble(); }

void requireDivisor(const c10::IValue& divisor) {
    if (real(divisor) == 0) throw Error("an expression of sizes divides by zero; choose other sizes");
}

c10::IValue size(const Arguments& a) { return a[0].toTensor().size(a[1].toInt()); }

c10::IValue add(const Arguments& a) {
    return integers(a) ? c10::IValue(a[0].toInt() + a[1].toInt()) : c10::IValue(real(a[0]) + real(a[1]));
}
c10::IValue subtract(const Arguments& a) {
    return integers(a) ? c10::IValue(a[0].toInt() - a[1].toInt()) : c10::IValue(real(a[0]) - real(a[1]));
}
c10::IValue multiply(const Arguments& a) {
    return integers(a) ? c10::IValue(a[0].toInt() * a[1].toInt()) : c10::IValue(real(a[0]) * real(a[1]));
}
c10::IValue floorDivide(const Arguments& a) {
    requireDivisor(a[1]);
    if (!integers(a)) return std::floor(real(a[0]) / real(a[1]));
    const std::int64_t x = a[0].toInt(), y = a[1].toInt();
    return x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
}
c10::IValue modulo(const Arguments& a) {
    requireDivisor(a[1]);
    const std::int64_t x = a[0].toInt(), y = a[1].toInt();
    return ((x % y) + y) % y;
}
c10::IValue trueDivide(const Arguments& a) {
    requireDivisor(a[1]);
    return real(a[0]) / real(a[1]);
}

}  // namespace

SizeArithmetic findSizeArithmetic(std::string_view op) {
    static const std::unordered_map<std::string_view, SizeArithmetic> table = {
        {"aten.sym_size.int", size},      {"operator.add", add},    {"operator.sub", subtract},
        {"operator.mul", multiply},       {"operator.mod", modulo}, {"operator.floordiv", floorDivide},
        {"operator.truediv", trueDivide},
    };
    const auto it = table.find(op);
    return it == table.end() ? nullptr : it->second;
}

}  // namespace aotscope
