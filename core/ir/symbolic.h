#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// Values of symbols by name.
using SymbolValues = std::map<std::string, std::int64_t, std::less<>>;

/// A dynamic size of an input: sizes and size arguments of a graph with dynamic shapes are expressions of symbols.
struct Symbol {
    std::string name;                 ///< "s0"
    std::int64_t hint = 0;            ///< its value in the example inputs
    std::int64_t min = 2;             ///< 0 and 1 are specialized: they broadcast and make strides ambiguous
    std::int64_t max = kNoMax;        ///< inclusive
    std::string origin;               ///< the source of its value: "x.size(0)"
    std::vector<std::string> equals;  ///< symbols that always have the same value
    static constexpr std::int64_t kNoMax = INT64_MAX;
    bool operator==(const Symbol&) const = default;
};

/// An integer expression over symbols. Immutable and cheap to copy.
class SymExpr {
public:
    enum class Kind : std::uint8_t { number, symbol, sum, product, floorDivision };

    SymExpr(std::int64_t number = 0);  // NOLINT(google-explicit-constructor): numbers are expressions
    static SymExpr symbol(std::string name);

    Kind kind() const;
    bool isNumber() const { return kind() == Kind::number; }
    std::int64_t number() const;            ///< for numbers
    const std::string& symbolName() const;  ///< for symbols
    const SymExpr& left() const;            ///< for everything else
    const SymExpr& right() const;

    /// Throws Error for a symbol without a value, a division by zero, or a result beyond 64 bits.
    std::int64_t evaluate(const SymbolValues& values) const;
    /// Adds the names of the symbols in the expression.
    void collectSymbols(std::set<std::string>& names) const;
    /// In Python syntax: "2*s0 + 1", "(s0 - 1)//2".
    std::string text() const;

    friend SymExpr operator+(const SymExpr& a, const SymExpr& b);
    friend SymExpr operator*(const SymExpr& a, const SymExpr& b);
    friend SymExpr floorDivide(const SymExpr& a, const SymExpr& b);
    bool operator==(const SymExpr& other) const { return node_ == other.node_ || text() == other.text(); }

private:
    struct Node;
    explicit SymExpr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
    static SymExpr binary(Kind kind, const SymExpr& a, const SymExpr& b);
    std::shared_ptr<const Node> node_;
};

/// Reads what text() writes: numbers, names, + - * //, parentheses. Throws Error with the position.
SymExpr parseSymExpr(std::string_view text);

/// The input dimension that provides a symbol's value.
struct SymbolBinding {
    std::string symbol;
    static constexpr std::int64_t kValue = -1;

    std::size_t input = 0;       ///< index among the inputs of the flat function
    std::int64_t dimension = 0;  ///< kValue: the input is an integer, the symbol is its value

    bool isValue() const { return dimension == kValue; }
};

/// Restricts a symbol to values that are congruent to `remainder` modulo `modulus`.
struct SizeCondition {
    std::string symbol;
    std::int64_t modulus = 1, remainder = 0;
};

/// Sizes, strides (in elements) and storage offset of a tensor with dynamic shape.
struct SymbolicLayout {
    std::vector<SymExpr> sizes, strides;
    SymExpr storageOffset;
    bool operator==(const SymbolicLayout&) const = default;
};

}  // namespace aotscope
