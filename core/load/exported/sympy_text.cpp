#include "load/exported/sympy_text.h"

#include "support/error.h"
#include "support/token_reader.h"

#include <vector>

namespace aotscope {

namespace {

class SympyReader : TokenReader {
public:
    explicit SympyReader(std::string_view text) : TokenReader(text, " ") {}

    std::optional<SymExpr> whole() {
        auto read = expression(0);
        return atEnd() ? read : std::nullopt;
    }

private:
    static constexpr std::size_t kMostParts = 200;
    static constexpr int kDeepest = 32;

    std::optional<SymExpr> expression(int depth) {
        const std::string_view function = word();
        if (depth > kDeepest || ++parts_ > kMostParts || !accept('(')) return std::nullopt;
        if (function == "Symbol") return symbol();
        if (function == "Integer") return integer();
        std::vector<SymExpr> arguments;
        do {
            const auto argument = expression(depth + 1);
            if (!argument) return std::nullopt;
            arguments.push_back(*argument);
        } while (accept(','));
        if (!accept(')')) return std::nullopt;
        return combined(function, arguments);
    }

    static std::optional<SymExpr> combined(std::string_view function, const std::vector<SymExpr>& arguments) {
        if (function == "FloorDiv" && arguments.size() == 2) return floorDivide(arguments[0], arguments[1]);
        if (function == "Pow") return power(arguments);
        if (function != "Add" && function != "Mul") return std::nullopt;
        SymExpr result = arguments[0];
        for (std::size_t i = 1; i < arguments.size(); ++i)
            result = function == "Add" ? result + arguments[i] : result * arguments[i];
        return result;
    }

    static std::optional<SymExpr> power(const std::vector<SymExpr>& arguments) {
        constexpr std::int64_t most = 8;
        if (arguments.size() != 2 || arguments[0].kind() != SymExpr::Kind::symbol || !arguments[1].isNumber() ||
            arguments[1].number() < 1 || arguments[1].number() > most)
            return std::nullopt;
        SymExpr result = arguments[0];
        for (std::int64_t i = 1; i < arguments[1].number(); ++i) result = result * arguments[0];
        return result;
    }

    /// "'s77', positive=True, integer=True)"
    std::optional<SymExpr> symbol() {
        if (!accept('\'')) return std::nullopt;
        const std::string name(word());
        if (name.empty() || !accept('\'')) return std::nullopt;
        while (accept(','))
            if (word().empty() || !accept('=') || word().empty()) return std::nullopt;
        return accept(')') ? std::optional(SymExpr::symbol(name)) : std::nullopt;
    }

    std::optional<SymExpr> integer() {
        const auto value = tryNumber<std::int64_t>();
        return value && accept(')') ? std::optional(SymExpr(*value)) : std::nullopt;
    }

    std::size_t parts_ = 0;
};

}  // namespace

std::optional<SymExpr> readSympy(std::string_view text) {
    try {
        return SympyReader(text).whole();
    } catch (const Error&) {  // numbers beyond 64 bits
        return std::nullopt;
    }
}

}  // namespace aotscope
