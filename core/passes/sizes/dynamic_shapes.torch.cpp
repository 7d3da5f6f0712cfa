#include "passes/sizes/dynamic_shapes.h"

#include "passes/sizes/sample_sizes.h"
#include "support/library_error.h"

#include <array>
#include <functional>
#include <numeric>
#include <set>

namespace aotscope {

namespace {

/// How many steps from the hint a program with branches is traced one by one.
constexpr int kTrusted = 32;
constexpr std::array<std::int64_t, 10> kSteps = {2, 3, 4, 5, 6, 7, 8, 16, 32, 64};  ///< the last: a power of two
constexpr std::int64_t kCommonMultiple =
    std::accumulate(kSteps.begin(), kSteps.end(), std::int64_t{1}, std::lcm<std::int64_t, std::int64_t>);
/// Every step is a divisor of one of these; tables, of positions for instance, often end before the common multiple.
constexpr std::array<std::int64_t, 3> kNearMultiples = {64, 42, 5};
/// Symbols explored at a time: expressions are quadratic in them, and every term needs a trace.
constexpr std::size_t kMostSymbols = 8;
/// Symbols of which each is left out in turn to see whether the others vary freely.
constexpr std::size_t kFewSymbols = 4;
/// Whether the program's control flow may depend on sizes.
bool branches(const Program& program) {
    for (const Node* node : program.source()->nodes())
        if (node->isCall("prim.If") || node->isCall("prim.Loop")) return true;
    return false;
}

/// The sizes of the inputs, ascending, each once.
std::vector<std::int64_t> sizesOfInputs(const Graph& graph) {
    std::set<std::int64_t> sizes;
    for (const Node* input : graph.placeholders())
        if (const TensorType* type = input->type.tensor()) sizes.insert(type->sizes.begin(), type->sizes.end());
    return {sizes.begin(), sizes.end()};
}

/// Whether a size of `graph` is 0 or 1 where it is larger in `example`: such sizes broadcast, and have any stride.
bool degenerates(const Graph& graph, const Graph& example) {
    for (std::size_t n = 0; n < example.size(); ++n) {
        const TensorType *type = graph.at(n)->type.tensor(), *usual = example.at(n)->type.tensor();
        if (!type || !usual) continue;
        for (std::size_t d = 0; d < usual->sizes.size(); ++d)
            if (type->sizes[d] <= 1 && usual->sizes[d] > 1) return true;
    }
    return false;
}

std::string withoutNumbers(std::string text) {
    std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
    return text;
}

bool between(std::int64_t value, std::int64_t one, std::int64_t other) {
    return std::min(one, other) <= value && value <= std::max(one, other);
}

}  // namespace

std::map<std::string, std::vector<std::int64_t>> ShapeExploration::numbers() const {
    std::map<std::string, std::vector<std::int64_t>> numbers;
    for (const auto& [name, tensor] : example_.constants) {
        if (!isSizeNumber(tensor)) continue;
        auto& values = numbers[name] = {tensor.item<int64_t>()};
        for (const TracedProgram* trace : traces_) values.push_back(trace->constants.at(name).item<int64_t>());
    }
    return numbers;
}

SymbolValues DynamicShapes::hints() const {
    SymbolValues values;
    for (const Symbol& symbol : symbols) values[symbol.name] = symbol.hint;
    return values;
}

ShapeExploration::ShapeExploration(const DynamicShapes& declared, const Program& program, const TracedProgram& example,
                                   const TraceOptions& options, const Progress& progress)
    : declared_(declared),
      example_(example),
      branches_(branches(program)),
      options_(options),
      progress_(progress),
      usualEnds_(sizesOfInputs(*example.preFunctionalization)) {
    startAgain();
}

void ShapeExploration::startAgain() {
    candidates_ = declared_.symbols;
    hints_ = declared_.hints();
    symbols_.clear();
    fixed_.clear();
    guards_.clear();
    conditions_.clear();
    steps_.clear();
    ends_.clear();
    telling_.clear();
    tellingWhole_.clear();
    free_ = lowest_ = std::nullopt;
}

/// `values` and those of symbols that are equal to one of them.
SymbolValues ShapeExploration::complete(const SymbolValues& values) const {
    SymbolValues all = values;
    for (const Symbol& symbol : candidates_)
        for (const auto& other : symbol.equals) all[other] = values.at(symbol.name);
    return all;
}

std::vector<SymbolBinding> ShapeExploration::bindings() const {
    std::vector<SymbolBinding> bindings;
    for (const Symbol& symbol : symbols_)
        for (const SymbolBinding& b : declared_.bindings)
            if (b.symbol == symbol.name ||
                std::find(symbol.equals.begin(), symbol.equals.end(), b.symbol) != symbol.equals.end())
                bindings.push_back({symbol.name, b.input, b.dimension});
    return bindings;
}

ShapeExploration::Probe& ShapeExploration::probe(const SymbolValues& values) {
    const auto [it, isNew] = probes_.try_emplace(values);
    Probe& probe = it->second;
    if (!isNew) return probe;
    progress_.throwIfCancelled();
    const auto failure = failureOf([&] {
        probe.trace = std::make_unique<SizedTrace>(declared_.functionAt(complete(values)), options_);
        probe.asWritten = probe.trace->asWritten();
        probe.sameAsWritten = !structuralDifference(*example_.preFunctionalization, *probe.asWritten);
        probe.degenerate = probe.sameAsWritten && degenerates(*probe.asWritten, *example_.preFunctionalization);
    });
    if (failure) probe.difference = "tracing fails (" + *failure + ")";
    return probe;
}

/// Traces the whole program.
const ShapeExploration::Probe& ShapeExploration::wholly(const SymbolValues& values) {
    Probe& probe = this->probe(values);
    if (probe.difference) return probe;
    const auto failure = failureOf([&] {
        probe.traced = probe.trace->complete();
        probe.difference = differenceOf(example_, *probe.traced);
    });
    if (failure) probe.difference = "tracing fails (" + *failure + ")";
    if (!probe.difference->empty()) probe.traced.reset();
    probe.trace.reset();
    return probe;
}

/// Whether the program is the same as for the example.
bool ShapeExploration::same(const SymbolValues& values) {
    const Probe& known = probe(values);
    if (known.difference) return known.difference->empty();
    const bool isDeep = std::ranges::any_of(
        deep_, [&](const std::string& name) { return hints_.contains(name) && values.at(name) != hints_.at(name); });
    const bool enough = !known.sameAsWritten || (!isDeep && !known.degenerate);
    return enough ? known.sameAsWritten : wholly(values).difference->empty();
}

bool ShapeExploration::same(const Symbol& symbol, std::int64_t value) {
    if (knownSame(symbol, value)) return true;
    SymbolValues values = hints_;
    values[symbol.name] = value;
    return same(values);
}

/// Whether all candidates that vary can do so at the same time, to sizes that have nothing in common.
bool ShapeExploration::varyFreely() {
    if (free_) return *free_;
    const auto tryAll = [&](const std::vector<Symbol>& moved) {
        unrelated_ = unrelatedSizes(moved, {}, hints_);
        return !moved.empty() && unrelated_ && same(*unrelated_);
    };
    const auto varies = [&](const Symbol& symbol) {
        for (const std::int64_t value : {symbol.hint + 1, symbol.hint - 1}) {
            SymbolValues values = hints_;
            values[symbol.name] = value;
            if (value >= symbol.min && value <= symbol.max && same(values)) return true;
        }
        return false;
    };
    moved_.clear();
    std::vector<Symbol> moved = candidates_;
    std::erase_if(moved, [](const Symbol& s) { return s.min == s.max; });
    free_ = tryAll(moved);
    // Mostly it is the channels of an image that cannot vary: programs fail at once if they do.
    for (std::size_t i = 0; !*free_ && moved.size() <= kFewSymbols && i < moved.size(); ++i) {
        std::vector<Symbol> others = moved;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        if (tryAll(others)) {
            free_ = true;
            moved = std::move(others);
        }
    }
    if (!*free_ && moved.size() > 1 && std::erase_if(moved, std::not_fn(varies)) > 0) free_ = tryAll(moved);
    for (const Symbol& symbol : moved) moved_.push_back(symbol.name);
    return *free_;
}

/// Whether these can be as small as their ranges allow, at the same time.
bool ShapeExploration::reachLowest() {
    if (lowest_) return *lowest_;
    varyFreely();
    SymbolValues values = hints_;
    for (const Symbol& symbol : candidates_)
        if (std::ranges::find(moved_, symbol.name) != moved_.end()) values[symbol.name] = symbol.min;
    lowest_ = same(values);
    return *lowest_;
}

/// Whether sizes of all symbols that were tried at the same time show that the program is the same if only this size
/// changes. Never if it has branches: any single size may take a different one.
bool ShapeExploration::knownSame(const Symbol& symbol, std::int64_t value) {
    if (branches_) return false;
    if (varyFreely() && between(value, symbol.hint, unrelated_->at(symbol.name))) return true;
    const auto step = steps_.find(symbol.name);
    const auto declared = std::ranges::find(candidates_, symbol.name, &Symbol::name);
    return step != steps_.end() && step->second == 1 && value == declared->min && value < symbol.hint && reachLowest();
}

/// Whether the program stays the same if only this size changes by `step`.
bool ShapeExploration::works(const Symbol& symbol, std::int64_t step) {
    for (const std::int64_t value : {symbol.hint + step, symbol.hint - step})
        if (value >= symbol.min && value <= symbol.max && same(symbol, value)) return true;
    return false;
}

/// Whether tracing fails next to the hint and at distances of which all steps are divisors, for the same reason.
bool ShapeExploration::failsAtEveryStep(const Symbol& symbol) {
    const auto reasonAt = [&](std::int64_t distance) -> std::string {
        SymbolValues values = hints_;
        values[symbol.name] = symbol.hint + distance;
        if (symbol.hint + distance > symbol.max || same(values)) return "";
        return withoutNumbers(probe(values).difference.value_or(""));
    };
    const std::string reason = reasonAt(1);
    const auto failsSoAt = [&](std::int64_t distance) { return reasonAt(distance) == reason; };
    if (reason.empty()) return false;
    return failsSoAt(kCommonMultiple) || std::ranges::all_of(kNearMultiples, failsSoAt);
}

/// The distance between working sizes: 1, or a small number of which they are multiples; 0 if only the hint works.
std::int64_t ShapeExploration::findStep(const Symbol& symbol) {
    if (works(symbol, 1)) return 1;
    if (failsAtEveryStep(symbol)) return 0;
    // If a power of two works and its half does not, then no step with another factor works, either.
    std::int64_t power = kSteps.back();
    if (!works(symbol, power)) {
        const auto step = std::ranges::find_if(kSteps, [&](std::int64_t s) { return works(symbol, s); });
        return step == kSteps.end() ? 0 : *step;
    }
    while (power > 2 && works(symbol, power / 2)) power /= 2;
    return power;
}

/// The size closest to `end`, in steps from the hint, up to which the program stays the same. Ranges often end at the
/// size of an input, such as a table of positions, or where that of a similar size does, as for height and width: these
/// sizes are tried first.
std::int64_t ShapeExploration::findEnd(const Symbol& symbol, std::int64_t step, std::int64_t end) {
    const std::int64_t sign = end < symbol.hint ? -1 : 1;
    const auto at = [&](std::int64_t steps) { return symbol.hint + sign * step * steps; };
    std::int64_t good = 0, bad = (end - symbol.hint) * sign / step;
    if (same(symbol, at(bad))) return at(bad);
    const auto [known, isNew] = ends_.try_emplace({symbol.hint, sign * step}, 0);
    if (!isNew && known->second < bad) {
        (known->second == 0 || same(symbol, at(known->second)) ? good : bad) = known->second;
        if (good == known->second && bad > good + 1 && !same(symbol, at(good + 1))) bad = good + 1;
    }
    std::vector<std::int64_t> usual;
    for (const std::int64_t size : usualEnds_) usual.push_back((size - symbol.hint) * sign / step);
    std::ranges::sort(usual);
    bool atUsual = false;  // whether `good` is one
    while (bad - good > 1) {
        const auto first = std::ranges::upper_bound(usual, good), last = std::ranges::lower_bound(usual, bad);
        const bool any = first < last;
        const std::int64_t middle = any ? *(first + (last - first) / 2) : atUsual ? good + 1 : good + (bad - good) / 2;
        const bool works = same(symbol, at(middle));
        (works ? good : bad) = middle;
        atUsual = works ? any : atUsual && any;
    }
    known->second = good;
    guard(symbol, (sign < 0 ? ">= " : "<= ") + std::to_string(at(good)), whyNot(symbol, at(bad)));
    return at(good);
}

void ShapeExploration::narrowEnds(Symbol& symbol, std::int64_t step) {
    const bool bounded = symbol.max != Symbol::kNoMax;
    const std::size_t before = guards_.size();
    const std::int64_t upper = findEnd(symbol, step, bounded ? symbol.max : farFrom(symbol.hint));
    const bool endsEarly = guards_.size() > before;
    if (bounded || endsEarly) symbol.max = upper;
    if (bounded && !endsEarly) guard(symbol, "<= " + std::to_string(upper), "the range that was asked for");
    const std::size_t lower = guards_.size();
    const bool specialised = symbol.min <= 2;
    symbol.min = findEnd(symbol, step, symbol.min);
    if (guards_.size() == lower)
        guard(symbol, ">= " + std::to_string(symbol.min),
              specialised ? "0 and 1 are specialised" : "the range that was asked for");
}

/// Any single size may take a different branch: with branches, only traced sizes are trusted.
void ShapeExploration::keepTraced(Symbol& symbol, std::int64_t step) {
    const auto lastSame = [&](std::int64_t direction, std::int64_t end) {
        std::int64_t value = symbol.hint;
        for (int i = 0; i < kTrusted && (end - value) * direction >= step; ++i) {
            if (!same(symbol, value + direction * step)) break;
            value += direction * step;
        }
        return value;
    };
    const std::int64_t max = lastSame(1, symbol.max), min = lastSame(-1, symbol.min);
    const auto reason = [&](std::int64_t next) {
        return same(symbol, next) ? "the program branches, and no larger distance from the example was traced"
                                  : whyNot(symbol, next);
    };
    if (max < symbol.max) guard(symbol, "<= " + std::to_string(max), reason(max + step));
    if (min > symbol.min) guard(symbol, ">= " + std::to_string(min), reason(min - step));
    symbol.max = max;
    symbol.min = min;
}

void ShapeExploration::guard(const Symbol& symbol, const std::string& condition, std::string reason) {
    guards_.push_back({symbol.name + " " + condition, nullptr, Guard::Kind::size,
                       symbol.name + " is " + symbol.origin + "; " + std::move(reason)});
}

std::string ShapeExploration::whyNot(const Symbol& symbol, std::int64_t value) {
    SymbolValues values = hints_;
    values[symbol.name] = value;
    return "at " + symbol.name + " = " + std::to_string(value) + " " + *wholly(values).difference;
}

/// False if only one value of the symbol works.
bool ShapeExploration::narrow(Symbol& symbol) {
    const std::int64_t step = findStep(symbol);
    if (step == 0) {
        const std::int64_t next = symbol.hint < symbol.max ? symbol.hint + 1 : symbol.hint - 1;
        guard(symbol, "== " + std::to_string(symbol.hint),
              symbol.min == symbol.max ? "the range holds one size" : whyNot(symbol, next));
        return false;
    }
    steps_[symbol.name] = step;
    if (step > 1) {
        const std::int64_t rest = symbol.hint % step;
        guard(symbol, "% " + std::to_string(step) + " == " + std::to_string(rest), whyNot(symbol, symbol.hint + 1));
        conditions_.push_back({symbol.name, step, rest});
    }
    narrowEnds(symbol, step);
    if (branches_) keepTraced(symbol, step);
    return true;
}

void ShapeExploration::run() {
    join();
    free_ = lowest_ = std::nullopt;
    for (Symbol symbol : candidates_) (narrow(symbol) ? symbols_ : fixed_).push_back(std::move(symbol));
    while (symbols_.size() > kMostSymbols)
        specialize(symbols_.back().name, "more than " + std::to_string(kMostSymbols) +
                                             " sizes vary; name those that matter with --dynamic NAME=MIN..MAX");
    for (const auto& [name, reason] : never_)
        if (std::ranges::find(symbols_, name, &Symbol::name) != symbols_.end()) specialize(name, reason);
}

void ShapeExploration::fix(const std::string& name, const std::string& reason) {
    never_.emplace(name, reason);
    telling_.clear();
    tellingWhole_.clear();
    specialize(name, reason);
}

void ShapeExploration::specialize(const std::string& name, std::string reason) {
    const auto symbol = std::ranges::find(symbols_, name, &Symbol::name);
    check(symbol != symbols_.end(), "only a symbol that varies can be fixed");
    std::erase_if(guards_, [&](const Guard& guard) { return guard.text.starts_with(name + " "); });
    std::erase_if(conditions_, [&](const SizeCondition& condition) { return condition.symbol == name; });
    guard(*symbol, "== " + std::to_string(symbol->hint), std::move(reason));
    fixed_.push_back(*symbol);
    symbols_.erase(symbol);
}

}  // namespace aotscope
