// The part of ShapeExploration that takes samples, from which expressions of sizes are found.

#include "ir/printer.h"
#include "passes/sizes/dynamic_shapes.h"
#include "passes/sizes/sample_sizes.h"

#include <algorithm>
#include <cstdlib>

namespace aotscope {

namespace {

/// Samples of the program as written: more of them rarely distinguish expressions.
constexpr std::size_t kMostKnown = 8;
/// Samples taken to tell numbers apart, before many are taken for all numbers.
constexpr std::size_t kMostTelling = 20;

bool contains(const std::vector<SymbolValues>& samples, const SymbolValues& values) {
    return std::find(samples.begin(), samples.end(), values) != samples.end();
}

}  // namespace

/// Whether the whole program is the same, or has told which symbols are deep; if so, false.
bool ShapeExploration::takeSample(const SymbolValues& values) {
    const Probe& seen = wholly(values);
    if (!seen.difference->empty()) {
        if (seen.sameAsWritten && findDeep(values)) return false;
        blameOne(values);
    }
    samples_.push_back(values);
    asWritten_.push_back(seen.asWritten.get());
    traces_.push_back(&*seen.traced);
    return true;
}

/// Symbols that make the whole program another one if only they have the value that they have here.
bool ShapeExploration::findDeep(const SymbolValues& values) {
    const std::size_t before = deep_.size();
    for (const Symbol& symbol : symbols_) {
        SymbolValues alone = hints_;
        alone[symbol.name] = values.at(symbol.name);
        if (alone != hints_ && !wholly(alone).difference->empty()) deep_.insert(symbol.name);
    }
    return deep_.size() > before;
}

/// Throws Inexpressible for the last of the symbols that cannot have these values at the same time.
void ShapeExploration::blameOne(const SymbolValues& values) {
    const bool asWritten = !probe(values).sameAsWritten;
    const auto fails = [&](const SymbolValues& tried) {
        return asWritten ? !same(tried) : !wholly(tried).difference->empty();
    };
    SymbolValues fewest = values;
    std::string last;
    for (std::size_t i = symbols_.size(); i-- > 0;) {
        const Symbol& symbol = symbols_[i];
        if (fewest.at(symbol.name) == symbol.hint) continue;
        SymbolValues fewer = fewest;
        fewer[symbol.name] = symbol.hint;
        if (fewer != hints_ && fails(fewer)) fewest = std::move(fewer);
        else if (last.empty()) last = symbol.name;
    }
    throw Inexpressible(
        last, "not together with the other sizes: at " + printSizes(fewest) + " " + *wholly(fewest).difference);
}

/// Whether no size is further from its hint than a step.
bool ShapeExploration::isNext(const SymbolValues& values) const {
    return std::ranges::all_of(
        symbols_, [&](const Symbol& s) { return std::abs(values.at(s.name) - s.hint) <= steps_.at(s.name); });
}

bool ShapeExploration::isUntold(const SymbolValues& values) { return !contains(samples_, values) && same(values); }

/// Whether all numbers in the program as written tell something: the strides of sizes that became 1 do not.
bool ShapeExploration::isTelling(const SymbolValues& values) { return isUntold(values) && !probe(values).degenerate; }

/// Sizes at which the program as written was traced for other reasons.
void ShapeExploration::takeKnownSamples() {
    const auto isInUse = [&](const SymbolValues& values) {
        return std::ranges::all_of(fixed_, [&](const Symbol& s) { return values.at(s.name) == s.hint; }) &&
               std::ranges::all_of(
                   symbols_, [&](const Symbol& s) { return s.min <= values.at(s.name) && values.at(s.name) <= s.max; });
    };
    for (const auto& [values, probe] : probes_) {
        if (asWritten_.size() == kMostKnown) return;
        if (!isInUse(values) || !isTelling(values)) continue;
        samples_.push_back(values);
        asWritten_.push_back(probe.asWritten.get());
    }
}

void ShapeExploration::takeAsWritten(std::span<const SymbolValues> samples) {
    for (const SymbolValues& values : samples) {
        if (!isUntold(values)) continue;
        samples_.push_back(values);
        asWritten_.push_back(probe(values).asWritten.get());
    }
}

void ShapeExploration::takeMore(const Ambiguous& number) {
    check(wanted_ != Samples::all, "all samples tell what can be told");
    const auto takeFirst = [&](std::vector<SymbolValues>& samples, const auto& isUseful) {
        const auto first = std::ranges::find_if(number.apart(), isUseful);
        if (first == number.apart().end()) return false;
        samples.push_back(*first);
        return true;
    };
    const auto takeOne = [&] {
        if (telling_.size() + tellingWhole_.size() >= kMostTelling) return false;
        if (number.known() == Ambiguous::Known::whole)
            return takeFirst(tellingWhole_, [&](const SymbolValues& values) {
                return !contains(tellingWhole_, values) && same(values) && !probe(values).degenerate;
            });
        return takeFirst(telling_, [&](const SymbolValues& values) { return isTelling(values); }) ||
               takeFirst(telling_, [&](const SymbolValues& values) { return isUntold(values); });
    };
    if (!takeOne()) wanted_ = wanted_ == Samples::few ? Samples::near : Samples::all;
}

std::vector<SymbolValues> ShapeExploration::distinguishing() const {
    if (wanted_ == Samples::all) return {};
    return distinguishingSizes(symbols_, steps_, hints_);
}

/// False if the exploration has to be repeated.
bool ShapeExploration::trySamples() {
    samples_ = {hints_};
    asWritten_.clear();
    traces_.clear();
    const auto all = distinguishingSizes(symbols_, steps_, hints_);
    if (wanted_ == Samples::all)
        return std::ranges::all_of(std::span(all).subspan(1), [&](const auto& values) { return takeSample(values); });
    const bool asExplored = !branches_ && varyFreely() && symbols_.size() == moved_.size();
    const auto unrelated = asExplored ? unrelated_ : differentSizes(symbols_, steps_, hints_);
    if (!unrelated) {
        wanted_ = Samples::all;
        return trySamples();
    }
    if (!takeSample(*unrelated)) return false;
    for (const SymbolValues& values : tellingWhole_)
        if (!takeSample(values)) return false;
    takeAsWritten(telling_);
    takeKnownSamples();
    if (wanted_ == Samples::few) return true;
    std::vector<SymbolValues> neighbours = neighbouringSizes(symbols_, steps_, hints_);
    std::erase_if(neighbours, [&](const auto& values) { return !isNext(values) || !isTelling(values); });
    takeAsWritten(neighbours);
    return true;
}

void ShapeExploration::takeSamples() {
    while (!symbols_.empty() && !trySamples()) {
        startAgain();
        run();
    }
}

}  // namespace aotscope
