#pragma once

#include "ir/symbolic.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// Finds integer expressions of symbols from their values at several samples of the symbols. Found expressions become
/// building blocks, so sizes are best requested in the order in which a program computes them.
class ExpressionFinder {
public:
    /// One number for every sample.
    using Values = std::vector<std::int64_t>;

    /// `samples` give every symbol a value; more samples make a wrong guess less likely.
    ExpressionFinder(const std::vector<Symbol>& symbols, std::vector<SymbolValues> samples);

    /// A number if all values are equal. Tries, in this order: known expressions; polynomials of the symbols, divided
    /// by a number; products, multiples and (e + a)//b + c of known expressions. Nothing if none of these matches.
    std::optional<SymExpr> find(const Values& values);

    /// Adds `expression`, with these values, to the known ones and returns it.
    SymExpr learn(const Values& values, const SymExpr& expression);

    /// c / e or c * e, with a constant c and an expression e.
    struct Ratio {
        double constant = 0;
        SymExpr expression;
        bool divides = true;
    };
    /// The real expression with these values; nothing if no known expression (or one less) matches them.
    std::optional<Ratio> findRatio(std::span<const double> values) const;
    /// The same for one expression with the values `of`, of which there may be more than in `values`.
    static std::optional<Ratio> ratio(std::span<const double> values, const Values& of, const SymExpr& expression);

private:
    struct Known {
        Values values;
        SymExpr expression;
    };
    struct Monomial {
        SymExpr expression;
        Values values;
    };
    struct Hash {
        std::size_t operator()(const Values& values) const;
    };

    void addMonomials(const std::vector<Symbol>& symbols);
    std::optional<SymExpr> polynomial(const Values& values, std::size_t terms) const;
    std::optional<SymExpr> fromKnown(const Values& values) const;
    std::optional<SymExpr> quotient(const Values& values, const Known& base) const;

    std::vector<SymbolValues> samples_;
    std::vector<Monomial> monomials_;  ///< 1, the symbols, their pairwise products
    std::size_t linear_ = 0;           ///< number of leading monomials of degree 0 and 1
    std::vector<Known> known_;
    std::unordered_map<Values, SymExpr, Hash> byValues_;
};

}  // namespace aotscope
