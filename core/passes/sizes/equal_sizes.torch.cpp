// The part of ShapeExploration that finds and merges sizes that can only vary together.

#include "passes/sizes/dynamic_shapes.h"

#include <algorithm>

namespace aotscope {

namespace {

/// The maximum number of sizes that are tried in pairs.
constexpr std::size_t kMostInPairs = 8;

}  // namespace

/// Whether the program stays the same if these candidates, whose hints are equal, all change by one.
bool ShapeExploration::varyTogether(const Positions& group) {
    const std::int64_t hint = candidates_[group.front()].hint;
    for (const std::int64_t value : {hint + 1, hint - 1}) {
        SymbolValues values = hints_;
        bool reachable = true;
        for (const std::size_t i : group) {
            reachable = reachable && value >= candidates_[i].min && value <= candidates_[i].max;
            values[candidates_[i].name] = value;
        }
        if (reachable && same(values)) return true;
    }
    return false;
}

/// The members of `group` without which the first one cannot vary; `group` can vary together.
ShapeExploration::Positions ShapeExploration::needed(Positions group) {
    for (std::size_t i = group.size(); i-- > 1 && group.size() > 2;) {
        Positions fewer = group;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        if (varyTogether(fewer)) group = std::move(fewer);
    }
    return group;
}

/// The candidates that can only vary together with candidate `first`, itself included; empty: none. Tries pairs, then
/// sizes of the same dimension, such as the batch, then all sizes with the same hint.
ShapeExploration::Positions ShapeExploration::partnersOf(std::size_t first) {
    Positions all{first}, sameDimension{first};
    for (std::size_t k = first + 1; k < candidates_.size(); ++k) {
        if (candidates_[k].hint != candidates_[first].hint || works(candidates_[k], 1)) continue;
        all.push_back(k);
        if (shareDimension(candidates_[first], candidates_[k])) sameDimension.push_back(k);
    }
    if (all.size() <= kMostInPairs)
        for (std::size_t k = all.size(); k-- > 1;)
            if (varyTogether({first, all[k]})) return {first, all[k]};
    for (const Positions& group : {sameDimension, all})
        if (group.size() > 2 && varyTogether(group)) return needed(group);
    return {};
}

bool ShapeExploration::shareDimension(const Symbol& a, const Symbol& b) const {
    const auto& bindings = declared_.bindings;
    return std::ranges::any_of(bindings, [&](const SymbolBinding& of) {
        return of.symbol == a.name && std::ranges::any_of(bindings, [&](const SymbolBinding& other) {
                   return other.symbol == b.name && other.dimension == of.dimension;
               });
    });
}

void ShapeExploration::join() {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const Positions group = partnersOf(i);
        if (group.empty()) continue;
        for (std::size_t k = group.size(); k-- > 1;) {
            const Symbol& other = candidates_[group[k]];
            guard(other, "== " + candidates_[i].name,
                  whyNot(other, other.hint < other.max ? other.hint + 1 : other.hint - 1));
        }
        for (std::size_t k = group.size(); k-- > 1;) absorb(candidates_[i], group[k]);
        probes_.clear();
        free_ = false;  // until all are joined
    }
}

/// Makes a later candidate equal to `symbol`.
void ShapeExploration::absorb(Symbol& symbol, std::size_t position) {
    const Symbol other = candidates_[position];
    symbol.equals.push_back(other.name);
    symbol.min = std::max(symbol.min, other.min);
    symbol.max = std::min(symbol.max, other.max);
    hints_.erase(other.name);
    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(position));
}

}  // namespace aotscope
