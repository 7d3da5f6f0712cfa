#include "passes/sizes/sample_sizes.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace aotscope {

namespace {

constexpr std::int64_t kFarFactor = 16, kFarAtLeast = 1024;
constexpr std::int64_t kNeighbours = 4;
/// All divisors that are tried as steps have one of its factors.
constexpr std::int64_t kFactorsOfSteps = 2 * 3 * 5 * 7;
constexpr std::int64_t kSmallFactors = kFactorsOfSteps * 11 * 13;

/// A deterministic sequence of pseudorandom numbers.
class Sequence {
public:
    std::int64_t below(std::int64_t limit) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::int64_t>((state_ >> 33) % static_cast<std::uint64_t>(limit));
    }

private:
    std::uint64_t state_ = 1;
};

void addNew(std::vector<SymbolValues>& all, SymbolValues values) {
    if (std::find(all.begin(), all.end(), values) == all.end()) all.push_back(std::move(values));
}

/// Whether a symbol may have this value beside those that others have already.
using IsNew = std::function<bool(std::int64_t)>;

/// The value of one symbol for unrelatedSizes().
std::optional<std::int64_t> unrelatedSize(const Symbol& symbol, std::int64_t step, const IsNew& isNew) {
    const bool bounded = symbol.max != Symbol::kNoMax;
    const auto acceptable = [&](std::int64_t steps, bool fewFactors) {
        const std::int64_t value = symbol.hint + steps * step;
        return value >= symbol.min && value <= symbol.max && std::gcd(steps, kFactorsOfSteps) == 1 && isNew(value) &&
               (!fewFactors || std::gcd(value, kSmallFactors) == std::gcd(step, value));
    };
    const std::int64_t far = ((bounded ? symbol.max : farFrom(symbol.hint)) - symbol.hint) / step;
    constexpr std::int64_t most = 4096;
    if (bounded && acceptable(far, false)) return symbol.hint + far * step;  // saves a trace at the end
    for (const bool fewFactors : {true, false}) {
        for (std::int64_t i = 0; i < most; ++i) {
            const std::int64_t steps = bounded ? far - i : far + 1 + i;
            if (acceptable(steps, fewFactors)) return symbol.hint + steps * step;
        }
    }
    return std::nullopt;
}

template <typename Choose>
std::optional<SymbolValues> chosenSizes(const std::vector<Symbol>& symbols, const SizeSteps& steps,
                                        const SymbolValues& hints, Choose&& choose) {
    SymbolValues values = hints;
    std::set<std::int64_t> taken;
    for (const auto& [name, hint] : hints) taken.insert(hint);
    const auto product = [](std::int64_t a, std::int64_t b) {
        return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
    };
    std::vector<const Symbol*> chosen;
    for (const Symbol& symbol : symbols) {
        const auto step = steps.find(symbol.name);
        // A product of two that stays as it was would be taken for a fixed number.
        const IsNew isNew = [&](std::int64_t value) {
            return !taken.contains(value) && std::ranges::none_of(chosen, [&](const Symbol* other) {
                return product(value, values[other->name]) == product(symbol.hint, other->hint);
            });
        };
        const auto value = choose(symbol, step == steps.end() ? 1 : step->second, isNew);
        if (!value) return std::nullopt;
        values[symbol.name] = *value;
        taken.insert(*value);
        chosen.push_back(&symbol);
    }
    return values;
}

}  // namespace

std::int64_t farFrom(std::int64_t hint) { return std::max(kFarAtLeast, hint * kFarFactor); }

std::vector<SymbolValues> distinguishingSizes(const std::vector<Symbol>& symbols, const SizeSteps& steps,
                                              const SymbolValues& hints) {
    std::vector<SymbolValues> all{hints};
    for (const Symbol& symbol : symbols)
        for (std::int64_t i = -kNeighbours; i <= kNeighbours; ++i) {
            SymbolValues values = hints;
            const std::int64_t value = symbol.hint + i * steps.at(symbol.name);
            values[symbol.name] = value;
            if (value >= symbol.min && value <= symbol.max) addNew(all, std::move(values));
        }
    const std::size_t n = symbols.size(), wanted = all.size() + n + n * (n + 1) / 2 + 2;
    Sequence sequence;
    for (std::size_t attempt = 0; n > 0 && all.size() < wanted && attempt < 20 * wanted; ++attempt) {
        SymbolValues values = hints;
        for (const Symbol& symbol : symbols) {
            const std::int64_t step = steps.at(symbol.name);
            const std::int64_t top = std::min(symbol.max, std::max<std::int64_t>(8 * symbol.hint, 64));
            values[symbol.name] = symbol.min + step * sequence.below((top - symbol.min) / step + 1);
        }
        addNew(all, std::move(values));
    }
    return all;
}

std::vector<SymbolValues> neighbouringSizes(const std::vector<Symbol>& symbols, const SizeSteps& steps,
                                            const SymbolValues& hints) {
    std::vector<SymbolValues> all;
    for (std::int64_t i = -kNeighbours; i <= kNeighbours; ++i) {
        SymbolValues values = hints;
        for (const Symbol& symbol : symbols) {
            const std::int64_t value = symbol.hint + i * steps.at(symbol.name);
            if (value >= symbol.min && value <= symbol.max) values[symbol.name] = value;
        }
        if (values != hints) addNew(all, std::move(values));
    }
    return all;
}

std::optional<SymbolValues> unrelatedSizes(const std::vector<Symbol>& symbols, const SizeSteps& steps,
                                           const SymbolValues& hints) {
    return chosenSizes(symbols, steps, hints, unrelatedSize);
}

std::optional<SymbolValues> differentSizes(const std::vector<Symbol>& symbols, const SizeSteps& steps,
                                           const SymbolValues& hints) {
    const auto choose = [](const Symbol& symbol, std::int64_t step, const IsNew& isNew) -> std::optional<std::int64_t> {
        if (const auto unrelated = unrelatedSize(symbol, step, isNew)) return unrelated;
        constexpr std::int64_t most = 64;
        std::optional<std::int64_t> found;
        for (std::int64_t i = 1; i <= most; ++i)
            for (const std::int64_t value : {symbol.hint - i * step, symbol.hint + i * step}) {
                if (value < symbol.min || value > symbol.max) continue;
                if (isNew(value)) return value;
                found = found.value_or(value);
            }
        return found;
    };
    return chosenSizes(symbols, steps, hints, choose);
}

}  // namespace aotscope
