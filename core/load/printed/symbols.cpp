#include "load/printed/symbols.h"

#include "support/integers.h"
#include "support/token_reader.h"

#include <algorithm>
#include <vector>

namespace aotscope {

namespace {

using Value = std::optional<std::int64_t>;
constexpr int kDeepest = 100;

Value floorDivide(std::int64_t a, std::int64_t b) {
    if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
    return floorQuotient(a, b);
}

Value floorModulo(std::int64_t a, std::int64_t b) {
    const auto quotient = floorDivide(a, b);
    return quotient ? Value(a - *quotient * b) : std::nullopt;
}

Value multiply(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : Value(result);
}

Value power(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0 || exponent > 62) return std::nullopt;
    Value result = 1;
    for (std::int64_t i = 0; i < exponent && result; ++i) result = multiply(*result, base);
    return result;
}

/// The functions that SymPy prints in sizes.
Value call(std::string_view name, const std::vector<std::int64_t>& x) {
    if (name == "Max" && !x.empty()) return *std::max_element(x.begin(), x.end());
    if (name == "Min" && !x.empty()) return *std::min_element(x.begin(), x.end());
    if (x.size() == 2) {
        if (name == "Mod" || name == "PythonMod") return floorModulo(x[0], x[1]);
        if (name == "FloorDiv" || name == "CleanDiv") return floorDivide(x[0], x[1]);
        if (name == "PowByNatural") return power(x[0], x[1]);
        if (const auto down = floorDivide(x[0], x[1]); down && (name == "CeilDiv"))
            return *down + (*down * x[1] != x[0] ? 1 : 0);
    }
    if (x.size() == 3 && name == "ModularIndexing") {
        const auto quotient = floorDivide(x[0], x[1]);
        return quotient ? floorModulo(*quotient, x[2]) : std::nullopt;
    }
    return std::nullopt;
}

/// Recursive descent; anything unexpected makes the whole expression unknown.
class Evaluator : TokenReader {
public:
    Evaluator(std::string_view text, const SymbolHints& hints) : TokenReader(text, " "), hints_(hints) {}

    Value run() {
        const auto value = sum();
        skipBlanks();
        return atEnd() ? value : std::nullopt;
    }

private:
    Value sum() {
        if (++depth_ > kDeepest) return std::nullopt;
        auto left = product();
        while (left) {
            const bool plus = accept("+");
            if (!plus && !accept("-")) break;
            const auto right = product();
            std::int64_t result = 0;
            const bool bad = !right || (plus ? __builtin_add_overflow(*left, *right, &result)
                                             : __builtin_sub_overflow(*left, *right, &result));
            left = bad ? std::nullopt : Value(result);
        }
        --depth_;
        return left;
    }

    Value product() {
        auto left = factor();
        while (left) {
            if (accept("//")) {
                const auto right = factor();
                left = right ? floorDivide(*left, *right) : std::nullopt;
            } else if (!looksAt("**") && accept("*")) {
                const auto right = factor();
                left = right ? multiply(*left, *right) : std::nullopt;
            } else if (accept("/")) {
                const auto right = factor();  // exact division only
                left =
                    right && *right != 0 && floorModulo(*left, *right) == 0 ? floorDivide(*left, *right) : std::nullopt;
            } else if (accept("%")) {
                const auto right = factor();
                left = right ? floorModulo(*left, *right) : std::nullopt;
            } else {
                break;
            }
        }
        return left;
    }

    Value factor() {
        if (accept("-")) {
            if (++depth_ > kDeepest) return std::nullopt;
            const auto value = factor();
            --depth_;
            return value ? multiply(*value, -1) : std::nullopt;
        }
        auto base = atom();
        if (base && accept("**")) {
            const auto exponent = atom();
            base = exponent ? power(*base, *exponent) : std::nullopt;
        }
        return base;
    }

    Value atom() {
        if (accept("(")) {
            const auto value = sum();
            return accept(")") ? value : std::nullopt;
        }
        if (peek() >= '0' && peek() <= '9') {
            const auto value = tryNumber<std::int64_t>();
            return peek() == '.' ? std::nullopt : value;
        }
        const auto name = word();
        if (accept("(")) return function(name);
        const auto hint = hints_.find(name);
        return hint == hints_.end() ? std::nullopt : Value(hint->second);
    }

    Value function(std::string_view name) {
        std::vector<std::int64_t> arguments;
        do {
            const auto value = sum();
            if (!value) return std::nullopt;
            arguments.push_back(*value);
        } while (accept(","));
        return accept(")") ? call(name, arguments) : std::nullopt;
    }

    const SymbolHints& hints_;
    int depth_ = 0;
};

}  // namespace

std::optional<std::int64_t> evaluateSize(std::string_view expression, const SymbolHints& hints) {
    return Evaluator(expression, hints).run();
}

}  // namespace aotscope
