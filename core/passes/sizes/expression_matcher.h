#pragma once

#include "passes/sizes/expression_finder.h"

#include <map>

namespace aotscope {

/// Finds expressions from their values at few samples: what programs compute of sizes is mostly a size that is known
/// already, a multiple, a product or a quotient of such sizes. It never guesses: if several of these have the given
/// values, but differ at the samples of an ExpressionFinder, there is no result.
class ExpressionMatcher {
public:
    using Values = ExpressionFinder::Values;

    /// `seen`: the samples of requests, which may be for fewer, but at least the first two of them. `distinguishing`:
    /// the samples for which expressions are written as an ExpressionFinder writes them.
    ExpressionMatcher(const std::vector<Symbol>& symbols, const std::vector<SymbolValues>& seen,
                      const std::vector<SymbolValues>& distinguishing);

    /// A number if all values are equal, and those of no size that varies; otherwise the only expression that matches;
    /// nothing if there is none, or more than one. Sizes are best requested in the order in which a program computes
    /// them.
    std::optional<SymExpr> find(const Values& values);
    /// The distinguishing samples at which the expressions with these values differ, the most telling first; none if
    /// fewer than two expressions have them.
    std::vector<std::size_t> samplesApart(const Values& values) const;
    /// As of ExpressionFinder; nothing if several real expressions match.
    std::optional<ExpressionFinder::Ratio> findRatio(std::span<const double> values) const;
    /// Whether a size happens to be the same at the first samples: equal values may not be a number.
    bool hidesSizes() const { return !hidden_.empty(); }

private:
    /// An expression by its values at all samples of both kinds.
    struct Size {
        Values seen, distinguishing;
    };
    class Matches;
    std::optional<SymExpr> search(const Values& values);
    std::vector<Size> computed(const Values& values) const;
    std::vector<Size> candidates(const Values& values) const;
    void matchOne(Matches& matches) const;
    void matchProducts(Matches& matches) const;
    void matchSums(Matches& matches) const;
    void matchRoundings(Matches& matches) const;
    std::optional<SymExpr> learn(Size size);
    void noteIfHidden(const Size& size);

    ExpressionFinder finder_;
    std::vector<Size> monomials_;       ///< 1, the symbols, their pairwise products
    std::vector<Size> known_;           ///< the monomials but 1, and what was found
    std::vector<SymExpr> expressions_;  ///< of known_
    std::vector<Size> hidden_;          ///< those that are the same at the first samples
    std::map<Values, std::optional<SymExpr>> found_;
};

}  // namespace aotscope
