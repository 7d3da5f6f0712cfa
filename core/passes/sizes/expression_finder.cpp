#include "passes/sizes/expression_finder.h"

#include "support/integers.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

using Values = ExpressionFinder::Values;

constexpr std::size_t kLatest = 48;  ///< known expressions tried as building blocks
constexpr std::int64_t kLargestDivisor = 64;

std::optional<std::int64_t> constantOf(const Values& values) {
    return std::all_of(values.begin(), values.end(), [&](auto v) { return v == values[0]; }) ? std::optional(values[0])
                                                                                             : std::nullopt;
}

/// The number that `combine` computes for every pair; nothing if they differ or `combine` has no result.
template <typename Combine>
std::optional<std::int64_t> common(const Values& a, const Values& b, Combine&& combine) {
    std::optional<std::int64_t> result;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const std::optional<std::int64_t> c = combine(a[i], b[i]);
        if (!c || (result && *result != *c)) return std::nullopt;
        result = c;
    }
    return result;
}

std::optional<std::int64_t> exactQuotient(std::int64_t a, std::int64_t b) {
    return b != 0 && a % b == 0 ? std::optional(a / b) : std::nullopt;
}

/// Products beyond 64 bits become 0, which matches no other number.
Values multiply(const Values& a, const Values& b) {
    Values product(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        if (__builtin_mul_overflow(a[i], b[i], &product[i])) product[i] = 0;
    return product;
}

/// Solves rows * x = right by elimination; nothing unless the solution is unique.
std::optional<std::vector<long double>> solve(std::vector<std::vector<long double>> rows, std::size_t unknowns) {
    for (std::size_t column = 0; column < unknowns; ++column) {
        const auto pivot =
            std::max_element(rows.begin() + static_cast<std::ptrdiff_t>(column), rows.end(),
                             [&](const auto& a, const auto& b) { return std::fabs(a[column]) < std::fabs(b[column]); });
        if (pivot == rows.end() || std::fabs((*pivot)[column]) < 1e-9L) return std::nullopt;
        std::swap(*pivot, rows[column]);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (r == column) continue;
            const long double factor = rows[r][column] / rows[column][column];
            for (std::size_t c = column; c <= unknowns; ++c) rows[r][c] -= factor * rows[column][c];
        }
    }
    std::vector<long double> x(unknowns);
    for (std::size_t i = 0; i < unknowns; ++i) x[i] = rows[i][unknowns] / rows[i][i];
    return x;
}

/// The smallest factor that makes all of `x` integers.
std::optional<std::int64_t> commonDenominator(const std::vector<long double>& x) {
    for (std::int64_t d = 1; d <= kLargestDivisor; ++d)
        if (std::all_of(x.begin(), x.end(), [&](long double v) {
                return std::fabs(v * d - std::round(v * d)) < 1e-6L * std::max(1.0L, std::fabs(v));
            }))
            return d;
    return std::nullopt;
}

}  // namespace

std::size_t ExpressionFinder::Hash::operator()(const Values& values) const {
    std::size_t hash = 0;
    for (auto v : values) hash = hash * 1099511628211ULL + std::hash<std::int64_t>()(v);
    return hash;
}

ExpressionFinder::ExpressionFinder(const std::vector<Symbol>& symbols, std::vector<SymbolValues> samples)
    : samples_(std::move(samples)) {
    addMonomials(symbols);
    for (std::size_t i = 1; i < linear_; ++i) learn(monomials_[i].values, monomials_[i].expression);
}

void ExpressionFinder::addMonomials(const std::vector<Symbol>& symbols) {
    monomials_.push_back({1, Values(samples_.size(), 1)});
    for (const Symbol& symbol : symbols) {
        Values values;
        for (const auto& sample : samples_) values.push_back(sample.at(symbol.name));
        monomials_.push_back({SymExpr::symbol(symbol.name), std::move(values)});
    }
    linear_ = monomials_.size();
    for (std::size_t a = 1; a < linear_; ++a)
        for (std::size_t b = a; b < linear_; ++b)
            monomials_.push_back({monomials_[a].expression * monomials_[b].expression,
                                  multiply(monomials_[a].values, monomials_[b].values)});
}

SymExpr ExpressionFinder::learn(const Values& values, const SymExpr& expression) {
    if (byValues_.emplace(values, expression).second) known_.push_back({values, expression});
    return expression;
}

std::optional<SymExpr> ExpressionFinder::find(const Values& values) {
    if (const auto constant = constantOf(values)) return SymExpr(*constant);
    if (const auto it = byValues_.find(values); it != byValues_.end()) return it->second;
    std::optional<SymExpr> found = polynomial(values, linear_);
    if (!found) found = polynomial(values, monomials_.size());
    if (!found) found = fromKnown(values);
    return found ? std::optional(learn(values, *found)) : std::nullopt;
}

/// Needs one sample more than there are terms, so that at least one confirms the solution.
std::optional<SymExpr> ExpressionFinder::polynomial(const Values& values, std::size_t terms) const {
    if (samples_.size() <= terms) return std::nullopt;
    std::vector<std::vector<long double>> rows;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        std::vector<long double> row;
        for (std::size_t t = 0; t < terms; ++t) row.push_back(static_cast<long double>(monomials_[t].values[i]));
        row.push_back(static_cast<long double>(values[i]));
        rows.push_back(std::move(row));
    }
    const auto x = solve(std::move(rows), terms);
    const auto denominator = x ? commonDenominator(*x) : std::nullopt;
    if (!denominator) return std::nullopt;
    SymExpr sum;
    for (std::size_t t = terms; t-- > 0;)
        sum = sum + SymExpr(std::llround((*x)[t] * static_cast<long double>(*denominator))) * monomials_[t].expression;
    sum = floorDivide(sum, *denominator);
    for (std::size_t i = 0; i < samples_.size(); ++i)
        if (sum.evaluate(samples_[i]) != values[i]) return std::nullopt;
    return sum;
}

std::optional<SymExpr> ExpressionFinder::fromKnown(const Values& values) const {
    const std::size_t first = known_.size() > kLatest ? known_.size() - kLatest : 0;
    for (std::size_t i = known_.size(); i-- > first;) {
        const Known& base = known_[i];
        if (const auto c = common(values, base.values, exactQuotient)) return SymExpr(*c) * base.expression;
        if (const auto c = common(values, base.values, [](auto v, auto b) { return std::optional(v - b); }))
            return base.expression + *c;
        if (const auto c = common(base.values, values, exactQuotient)) return floorDivide(base.expression, *c);
    }
    for (std::size_t i = known_.size(); i-- > first;)
        for (std::size_t k = i + 1; k-- > first;)
            if (const auto c = common(values, multiply(known_[i].values, known_[k].values), exactQuotient))
                return SymExpr(*c) * (known_[i].expression * known_[k].expression);
    for (std::size_t i = known_.size(); i-- > first;)
        if (auto e = quotient(values, known_[i])) return e;
    return std::nullopt;
}

/// (base + a)//b + c, the form of convolution and pooling sizes.
std::optional<SymExpr> ExpressionFinder::quotient(const Values& values, const Known& base) const {
    for (std::int64_t b = 2; b <= 16; ++b)
        for (std::int64_t a = 0; a < b; ++a)
            if (const auto c = common(values, base.values,
                                      [&](auto v, auto e) { return std::optional(v - floorQuotient(e + a, b)); }))
                return floorDivide(base.expression + a, b) + *c;
    return std::nullopt;
}

std::optional<ExpressionFinder::Ratio> ExpressionFinder::findRatio(std::span<const double> values) const {
    for (const Known& base : known_)
        if (auto found = ratio(values, base.values, base.expression)) return found;
    return std::nullopt;
}

std::optional<ExpressionFinder::Ratio> ExpressionFinder::ratio(std::span<const double> values, const Values& of,
                                                               const SymExpr& expression) {
    const auto constant = [&](auto&& term) -> std::optional<double> {
        const double first = term(0);
        for (std::size_t i = 1; i < values.size(); ++i)
            if (!(std::fabs(term(i) - first) <= 1e-12 * std::fabs(first))) return std::nullopt;
        return first;
    };
    for (const std::int64_t less : {0, 1}) {
        const auto e = [&](std::size_t i) { return static_cast<double>(of[i] - less); };
        if (const auto c = constant([&](std::size_t i) { return values[i] * e(i); }))
            return Ratio{*c, expression + (-less), true};
        if (const auto c = constant([&](std::size_t i) { return e(i) == 0 ? NAN : values[i] / e(i); }))
            return Ratio{*c, expression + (-less), false};
    }
    return std::nullopt;
}

}  // namespace aotscope
