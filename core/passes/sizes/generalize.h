#pragma once

#include "ir/graph.h"
#include "ir/metadata.h"
#include "passes/sizes/expression_matcher.h"
#include "support/error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// The first place where two graphs of one program, traced at different sizes, differ except for integers; nothing if
/// they match.
std::optional<std::string> structuralDifference(const Graph& a, const Graph& b);
std::optional<std::string> structuralDifference(const FunctionMetadata& a, const FunctionMetadata& b);

/// A symbol on which something depends that no graph can express.
class Inexpressible : public Error {
public:
    Inexpressible(std::string symbol, const std::string& why) : Error(why), symbol_(std::move(symbol)) {}
    const std::string& symbol() const { return symbol_; }

private:
    std::string symbol_;
};

/// A number that several expressions explain at the samples, or none that is found from so few.
class Ambiguous : public Error {
public:
    /// What tells of the number: the program as written, or only the whole program.
    enum class Known : std::uint8_t { asWritten, whole };
    Ambiguous(const std::string& why, Known known, std::vector<SymbolValues> apart)
        : Error(why), known_(known), apart_(std::move(apart)) {}
    Known known() const { return known_; }
    /// Sizes at which the expressions differ, the most telling first; none if there is no expression.
    const std::vector<SymbolValues>& apart() const { return apart_; }

private:
    Known known_;
    std::vector<SymbolValues> apart_;
};

/// Combines graphs traced at several sizes into one that is valid for all of them: every varying integer becomes an
/// expression of the symbols. Types store the expression; an argument becomes a node, computed from aten.sym_size.int
/// of the inputs by operator.add, operator.mul, operator.floordiv and operator.truediv.
class Generalizer {
public:
    /// Values of a graph's constants at every sample, by name.
    using Numbers = std::map<std::string, ExpressionFinder::Values>;

    /// `samples[0]` is the example at which the graphs to be rewritten were traced. Every symbol must have a binding.
    /// `distinguishing`: samples that tell expressions apart, if `samples` do not.
    Generalizer(std::vector<Symbol> symbols, std::vector<SymbolBinding> bindings, std::vector<SymbolValues> samples,
                std::vector<SymbolValues> distinguishing = {});

    /// `others[i]` is the same graph at `samples[i + 1]`; none of them may differ structurally from `graph`. Varying
    /// constants in `numbers` are computed by the graph. A result size without an expression, such as that of a
    /// workspace, becomes an unconstrained new symbol. Throws Inexpressible naming the first argument without an
    /// expression. With distinguishing samples, there may be fewer others, and what has no single expression is
    /// Ambiguous.
    void apply(Graph& graph, const std::vector<const Graph*>& others, const Numbers& numbers = {});
    void apply(FunctionMetadata& metadata, const std::vector<const FunctionMetadata*>& others);

private:
    class Rewriter;
    void applyType(ValueType& type, const std::vector<const ValueType*>& others, const std::string& where);
    void applyTensor(TensorType& type, const std::vector<const TensorType*>& others, const std::string& where,
                     bool mayBeOpaque);
    std::optional<SymExpr> find(const ExpressionFinder::Values& values);
    std::optional<ExpressionFinder::Ratio> findRatio(std::span<const double> values) const;
    SymExpr opaque(const ExpressionFinder::Values& values, const std::string& where);
    SymExpr expression(const ExpressionFinder::Values& values, const std::string& where);
    template <typename Varies>
    std::string causeOf(const Varies& varies) const;

    std::vector<Symbol> symbols_;
    std::vector<SymbolBinding> bindings_;
    std::vector<SymbolValues> samples_, distinguishing_;
    ExpressionFinder finder_;
    std::optional<ExpressionMatcher> matcher_;  ///< takes its place if there are distinguishing samples
};

}  // namespace aotscope
