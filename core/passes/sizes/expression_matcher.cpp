#include "passes/sizes/expression_matcher.h"

#include "support/integers.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Known sizes that are tried as parts of others.
constexpr std::size_t kMostParts = 64;
constexpr std::int64_t kLargestRounding = 16;

using Numbers = ExpressionFinder::Values;

template <typename Combine>
Numbers combined(const Numbers& a, const Numbers& b, Combine&& combine) {
    Numbers result(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) result[i] = combine(a[i], b[i]);
    return result;
}

/// Products beyond 64 bits become 0, which matches no other number.
std::int64_t productOf(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? 0 : product;
}

/// a / b if that is the same integer everywhere; 0 if not. `a` may have fewer values.
std::int64_t commonQuotient(const Numbers& a, const Numbers& b, std::size_t count) {
    if (b[0] == 0 || a[0] % b[0] != 0) return 0;
    const std::int64_t quotient = a[0] / b[0];
    for (std::size_t i = 1; i < count; ++i)
        if (productOf(quotient, b[i]) != a[i]) return 0;
    return quotient;
}

}  // namespace

/// The sizes with the values of one request; those with equal values at the distinguishing samples count as one.
class ExpressionMatcher::Matches {
public:
    explicit Matches(const Values& wanted) : wanted_(wanted) {}

    const Values& wanted() const { return wanted_; }
    std::size_t count() const { return wanted_.size(); }
    bool empty() const { return sizes_.empty(); }
    const std::vector<Size>& sizes() const { return sizes_; }

    /// Computes a size from a known one, or two, if it has the wanted values.
    template <typename Combine>
    void add(const Size& a, const Size& b, Combine&& combine) {
        for (std::size_t i = 0; i < count(); ++i)
            if (combine(a.seen[i], b.seen[i]) != wanted_[i]) return;
        Size size{combined(a.seen, b.seen, combine), combined(a.distinguishing, b.distinguishing, combine)};
        const auto equal = [&](const Size& s) { return s.distinguishing == size.distinguishing; };
        if (std::ranges::none_of(sizes_, equal)) sizes_.push_back(std::move(size));
    }

private:
    const Values& wanted_;
    std::vector<Size> sizes_;
};

ExpressionMatcher::ExpressionMatcher(const std::vector<Symbol>& symbols, const std::vector<SymbolValues>& seen,
                                     const std::vector<SymbolValues>& distinguishing)
    : finder_(symbols, distinguishing) {
    const auto valuesOf = [](const std::string& symbol, const std::vector<SymbolValues>& samples) {
        Values values;
        for (const SymbolValues& sample : samples) values.push_back(sample.at(symbol));
        return values;
    };
    monomials_.push_back({Values(seen.size(), 1), Values(distinguishing.size(), 1)});
    for (const Symbol& symbol : symbols)
        monomials_.push_back({valuesOf(symbol.name, seen), valuesOf(symbol.name, distinguishing)});
    const std::size_t linear = monomials_.size();
    for (std::size_t a = 1; a < linear; ++a)
        for (std::size_t b = a; b < linear; ++b)
            monomials_.push_back({combined(monomials_[a].seen, monomials_[b].seen, productOf),
                                  combined(monomials_[a].distinguishing, monomials_[b].distinguishing, productOf)});
    for (std::size_t i = linear; i < monomials_.size(); ++i) noteIfHidden(monomials_[i]);
    for (std::size_t i = 1; i < linear; ++i) learn(monomials_[i]);
}

void ExpressionMatcher::noteIfHidden(const Size& size) {
    if (size.seen.size() > 1 && size.seen[0] == size.seen[1] &&
        std::ranges::any_of(size.distinguishing, [&](std::int64_t v) { return v != size.seen[0]; }))
        hidden_.push_back(size);
}

std::optional<SymExpr> ExpressionMatcher::learn(Size size) {
    std::optional<SymExpr> expression = finder_.find(size.distinguishing);
    if (!expression) return std::nullopt;
    noteIfHidden(size);
    known_.push_back(std::move(size));
    expressions_.push_back(*expression);
    return expression;
}

std::optional<SymExpr> ExpressionMatcher::find(const Values& values) {
    if (std::ranges::all_of(values, [&](std::int64_t v) { return v == values[0]; })) {
        // A size that happens to be the same at these samples, or a number?
        const auto isSize = [&](const Size& size) {
            return std::equal(values.begin(), values.end(), size.seen.begin()) &&
                   std::ranges::any_of(size.distinguishing, [&](std::int64_t v) { return v != values[0]; });
        };
        if (std::ranges::any_of(hidden_, isSize)) return std::nullopt;
        return SymExpr(values[0]);
    }
    const auto it = found_.find(values);
    return it != found_.end() ? it->second : found_.emplace(values, search(values)).first->second;
}

std::optional<SymExpr> ExpressionMatcher::search(const Values& values) {
    std::optional<std::size_t> known;
    for (std::size_t i = 0; i < known_.size(); ++i) {
        if (!std::equal(values.begin(), values.end(), known_[i].seen.begin())) continue;
        if (known && known_[*known].distinguishing != known_[i].distinguishing) return std::nullopt;
        known = known ? known : i;
    }
    if (known) return expressions_[*known];
    const std::vector<Size> sizes = computed(values);
    return sizes.size() == 1 ? learn(sizes[0]) : std::nullopt;
}

/// Sizes with these values that are computed from known ones.
std::vector<ExpressionMatcher::Size> ExpressionMatcher::computed(const Values& values) const {
    Matches matches(values);
    matchOne(matches);
    matchProducts(matches);
    // With more freedom, two values would match by accident.
    if (matches.empty() && values.size() > 2) matchSums(matches);
    if (matches.empty() && values.size() > 2) matchRoundings(matches);
    return matches.sizes();
}

/// All sizes, and numbers, with these values.
std::vector<ExpressionMatcher::Size> ExpressionMatcher::candidates(const Values& values) const {
    std::vector<Size> sizes;
    const auto addMatching = [&](const std::vector<Size>& some) {
        for (const Size& size : some)
            if (std::equal(values.begin(), values.end(), size.seen.begin())) sizes.push_back(size);
    };
    if (std::ranges::all_of(values, [&](std::int64_t v) { return v == values[0]; })) {
        sizes.push_back({values, Values(monomials_[0].distinguishing.size(), values[0])});
        addMatching(hidden_);
    } else {
        addMatching(known_);
    }
    return sizes.empty() ? computed(values) : sizes;
}

std::vector<std::size_t> ExpressionMatcher::samplesApart(const Values& values) const {
    const std::vector<Size> sizes = candidates(values);
    std::vector<std::pair<std::size_t, std::size_t>> told;  // how many stay equal at most, and the sample
    for (std::size_t i = 0; i < monomials_[0].distinguishing.size(); ++i) {
        std::map<std::int64_t, std::size_t> equal;
        std::size_t most = 0;
        for (const Size& size : sizes) most = std::max(most, ++equal[size.distinguishing[i]]);
        if (equal.size() > 1) told.emplace_back(most, i);
    }
    std::ranges::stable_sort(told, {}, &std::pair<std::size_t, std::size_t>::first);
    std::vector<std::size_t> samples;
    for (const auto& [most, sample] : told) samples.push_back(sample);
    return samples;
}

/// Multiples and parts of a size, and sizes at a fixed distance.
void ExpressionMatcher::matchOne(Matches& matches) const {
    const Values& wanted = matches.wanted();
    const auto tryBase = [&](const Size& base) {
        if (const auto factor = commonQuotient(wanted, base.seen, wanted.size()))
            matches.add(base, base, [factor](std::int64_t b, std::int64_t) { return productOf(factor, b); });
        if (const auto divisor = commonQuotient(base.seen, wanted, wanted.size()))
            matches.add(base, base, [divisor](std::int64_t b, std::int64_t) { return floorQuotient(b, divisor); });
        const std::int64_t distance = wanted[0] - base.seen[0];
        matches.add(base, base, [distance](std::int64_t b, std::int64_t) { return b + distance; });
    };
    for (std::size_t i = 1; i < monomials_.size(); ++i) tryBase(monomials_[i]);
    for (const Size& base : known_) tryBase(base);
}

void ExpressionMatcher::matchProducts(Matches& matches) const {
    const std::size_t first = known_.size() > kMostParts ? known_.size() - kMostParts : 0;
    Values product(matches.count());
    for (std::size_t a = first; a < known_.size(); ++a)
        for (std::size_t b = first; b <= a; ++b) {
            for (std::size_t i = 0; i < product.size(); ++i)
                product[i] = productOf(known_[a].seen[i], known_[b].seen[i]);
            const std::int64_t factor = commonQuotient(matches.wanted(), product, product.size());
            if (factor != 0)
                matches.add(known_[a], known_[b],
                            [factor](std::int64_t x, std::int64_t y) { return productOf(factor, productOf(x, y)); });
        }
}

/// Sums of two monomials with integer factors.
void ExpressionMatcher::matchSums(Matches& matches) const {
    const Values& wanted = matches.wanted();
    for (std::size_t a = 1; a < monomials_.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const Values &x = monomials_[a].seen, &y = monomials_[b].seen;
            // Of the equations f * x + g * y == wanted, the first two.
            const std::int64_t determinant = productOf(x[0], y[1]) - productOf(x[1], y[0]);
            const std::int64_t f = productOf(wanted[0], y[1]) - productOf(wanted[1], y[0]);
            const std::int64_t g = productOf(x[0], wanted[1]) - productOf(x[1], wanted[0]);
            if (determinant == 0 || f % determinant != 0 || g % determinant != 0) continue;
            matches.add(monomials_[a], monomials_[b],
                        [f = f / determinant, g = g / determinant](std::int64_t p, std::int64_t q) {
                            return productOf(f, p) + productOf(g, q);
                        });
        }
}

/// (e + a)//b + c, the form of convolution and pooling sizes.
void ExpressionMatcher::matchRoundings(Matches& matches) const {
    for (const Size& base : known_)
        for (std::int64_t b = 2; b <= kLargestRounding; ++b)
            for (std::int64_t a = 0; a < b; ++a) {
                const std::int64_t c = matches.wanted()[0] - floorQuotient(base.seen[0] + a, b);
                matches.add(base, base,
                            [a, b, c](std::int64_t e, std::int64_t) { return floorQuotient(e + a, b) + c; });
            }
}

std::optional<ExpressionFinder::Ratio> ExpressionMatcher::findRatio(std::span<const double> values) const {
    std::optional<ExpressionFinder::Ratio> found;
    for (std::size_t i = 0; i < known_.size(); ++i) {
        const auto ratio = ExpressionFinder::ratio(values, known_[i].seen, expressions_[i]);
        if (ratio && found && !(ratio->divides == found->divides && ratio->expression == found->expression))
            return std::nullopt;
        if (ratio) found = ratio;
    }
    return found;
}

}  // namespace aotscope
