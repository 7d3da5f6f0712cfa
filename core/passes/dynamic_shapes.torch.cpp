#include "passes/dynamic_shapes.h"

#include "ir/printer.h"
#include "passes/step_partition.h"
#include "support/library_error.h"

#include <ATen/ops/equal.h>

#include <array>

namespace aotscope {

namespace {

/// How far beyond its hint an unbounded size is explored.
constexpr std::int64_t kFarFactor = 16, kFarAtLeast = 1024;
/// How many steps from the hint a program with branches is traced one by one.
constexpr int kTrusted = 32;
constexpr std::int64_t kNeighbours = 4;
constexpr std::array<std::int64_t, 10> kSteps = {2, 3, 4, 5, 6, 7, 8, 16, 32, 64};
/// Symbols explored at a time: expressions are quadratic in them, and every term needs a trace.
constexpr std::size_t kMostSymbols = 8;

/// Numbers that are computed during tracing and depend on sizes can be computed by the graph instead.
bool isNumber(const at::Tensor& tensor) {
    return tensor.dim() == 0 && at::isIntegralType(tensor.scalar_type(), /*includeBool=*/false);
}

/// Operations on constants alone are computed during tracing: their results must not depend on sizes.
std::optional<std::string> difference(const ConstantTable& a, const ConstantTable& b) {
    if (a.size() != b.size()) return "the number of constants changes";
    for (const auto& [name, tensor] : a) {
        const auto it = b.find(name);
        if (it == b.end() || it->second.scalar_type() != tensor.scalar_type() || it->second.sizes() != tensor.sizes() ||
            (!isNumber(tensor) && !at::equal(it->second, tensor)))
            return "the constant '" + name + "' changes";
    }
    return std::nullopt;
}

std::string differenceOf(const TracedProgram& a, const TracedProgram& b) {
    auto found = structuralDifference(a.metadata, b.metadata);
    if (!found) found = structuralDifference(*a.functional, *b.functional);
    if (!found && a.joint) found = structuralDifference(*a.joint, *b.joint);
    if (!found) found = structuralDifference(*a.preFunctionalization, *b.preFunctionalization);
    if (!found) found = difference(a.constants, b.constants);
    return found ? *found : "";
}

TracedProgram traceProgram(const FlatFunction& function, const TraceOptions& options) {
    TracedProgram traced;
    DataDependentValues dataValues(function, options.gradMode, options.dialect);
    ForwardTrace asWritten = traceForward(function, dataValues);
    MetadataTrace metadata = traceMetadata(function, dataValues, options, asWritten);
    traced.preFunctionalization = std::move(asWritten.graph);
    if (metadata.takesOtherInputs()) traceWithGraphInputs(function, dataValues, options, metadata);
    if (metadata.metadata.needsAutograd) {
        Trace joint = traceJoint(function, dataValues, options, metadata, StepPartitioner(options.dialect));
        traced.joint = std::move(joint.graph);
        traced.constants = std::move(joint.constants);
    } else if (options.decompositions) {
        Trace decomposed = traceInference(function, dataValues, options, metadata);
        traced.joint = std::move(decomposed.graph);
        traced.constants = std::move(decomposed.constants);
    } else {
        traced.constants = std::move(metadata.functional.constants);
    }
    traced.functional = std::move(metadata.functional.graph);
    noteLayouts(metadata, traced.joint ? *traced.joint : *traced.functional);
    traced.metadata = metadata.metadata;
    traced.graphMetadata = metadata.graphMetadata;
    return traced;
}

/// Whether the program's control flow may depend on sizes.
bool branches(const Program& program) {
    for (const Node* node : program.source()->nodes())
        if (node->isCall("prim.If") || node->isCall("prim.Loop")) return true;
    return false;
}

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

}  // namespace

std::map<std::string, std::vector<std::int64_t>> ShapeExploration::numbers() const {
    std::map<std::string, std::vector<std::int64_t>> numbers;
    for (const auto& [name, tensor] : example_.constants) {
        if (!isNumber(tensor)) continue;
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

ShapeExploration::ShapeExploration(const DynamicShapes& declared, const Program& program, TracedProgram example,
                                   const TraceOptions& options, const Progress& progress)
    : declared_(declared),
      example_(std::move(example)),
      branches_(branches(program)),
      options_(options),
      progress_(progress),
      candidates_(declared.symbols),
      hints_(declared.hints()) {}

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

const ShapeExploration::Probe& ShapeExploration::probe(const SymbolValues& values) {
    const auto [it, isNew] = probes_.try_emplace(values);
    if (!isNew) return it->second;
    progress_.throwIfCancelled();
    Probe& probe = it->second;
    const auto failure = failureOf([&] {
        probe.traced = traceProgram(declared_.functionAt(complete(values)), options_);
        probe.difference = differenceOf(example_, *probe.traced);
    });
    if (failure) probe.difference = "tracing fails (" + *failure + ")";
    if (!probe.difference.empty()) probe.traced.reset();
    return probe;
}

const ShapeExploration::Probe& ShapeExploration::probe(const Symbol& symbol, std::int64_t value) {
    SymbolValues values = hints_;
    values[symbol.name] = value;
    return probe(values);
}

/// Whether the program stays the same if only this size changes by `step`.
bool ShapeExploration::works(const Symbol& symbol, std::int64_t step) {
    for (const std::int64_t value : {symbol.hint + step, symbol.hint - step})
        if (value >= symbol.min && value <= symbol.max && same(symbol, value)) return true;
    return false;
}

/// The distance between working sizes: 1, or a small number of which they are multiples; 0 if only the hint works.
std::int64_t ShapeExploration::findStep(const Symbol& symbol) {
    if (works(symbol, 1)) return 1;
    for (const std::int64_t step : kSteps)
        if (works(symbol, step)) return step;
    return 0;
}

/// The size closest to `end`, in steps from the hint, up to which the program stays the same.
std::int64_t ShapeExploration::findEnd(const Symbol& symbol, std::int64_t step, std::int64_t end) {
    const std::int64_t sign = end < symbol.hint ? -1 : 1;
    const auto at = [&](std::int64_t steps) { return symbol.hint + sign * step * steps; };
    std::int64_t good = 0, bad = (end - symbol.hint) * sign / step;
    if (same(symbol, at(bad))) return at(bad);
    while (bad - good > 1) {
        const std::int64_t middle = good + (bad - good) / 2;
        (same(symbol, at(middle)) ? good : bad) = middle;
    }
    guard(symbol, (sign < 0 ? ">= " : "<= ") + std::to_string(at(good)), whyNot(symbol, at(bad)));
    return at(good);
}

void ShapeExploration::narrowEnds(Symbol& symbol, std::int64_t step) {
    const bool bounded = symbol.max != Symbol::kNoMax;
    const std::size_t before = guards_.size();
    const std::int64_t upper =
        findEnd(symbol, step, bounded ? symbol.max : std::max(kFarAtLeast, symbol.hint * kFarFactor));
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
        const std::string difference = probe(symbol, next).difference;
        return difference.empty() ? "the program branches, and no larger distance from the example was traced"
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
    return "at " + symbol.name + " = " + std::to_string(value) + " " + probe(symbol, value).difference;
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

/// The last symbol that differs from its hint.
std::string ShapeExploration::lastMoved(const SymbolValues& values) const {
    std::string last;
    for (const Symbol& symbol : symbols_)
        if (values.at(symbol.name) != symbol.hint) last = symbol.name;
    return last;
}

void ShapeExploration::takeSample(const SymbolValues& values) {
    if (std::find(samples_.begin(), samples_.end(), values) != samples_.end()) return;
    const Probe& seen = probe(values);
    if (!seen.difference.empty())
        throw Inexpressible(lastMoved(values),
                            "not together with the other sizes: at " + printSizes(values) + " " + seen.difference);
    samples_.push_back(values);
    traces_.push_back(&*seen.traced);
}

/// Neighbours of the hint, which have every remainder of small divisors, distinguish roundings.
void ShapeExploration::takeNeighbours() {
    for (const Symbol& symbol : symbols_)
        for (std::int64_t steps = -kNeighbours; steps <= kNeighbours; ++steps) {
            SymbolValues values = hints_;
            const std::int64_t value = symbol.hint + steps * steps_.at(symbol.name);
            values[symbol.name] = value;
            if (value >= symbol.min && value <= symbol.max) takeSample(values);
        }
}

/// Besides the neighbours, enough samples for polynomials of degree two, and two more to confirm them.
void ShapeExploration::takeSamples() {
    samples_ = {hints_};
    traces_.clear();
    if (symbols_.empty()) return;
    takeNeighbours();
    const std::size_t n = symbols_.size(), wanted = samples_.size() + n + n * (n + 1) / 2 + 2;
    Sequence sequence;
    for (std::size_t attempt = 0; samples_.size() < wanted && attempt < 20 * wanted; ++attempt) {
        SymbolValues values = hints_;
        for (const Symbol& symbol : symbols_) {
            const std::int64_t step = steps_.at(symbol.name);
            const std::int64_t top = std::min(symbol.max, std::max<std::int64_t>(8 * symbol.hint, 64));
            values[symbol.name] = symbol.min + step * sequence.below((top - symbol.min) / step + 1);
        }
        takeSample(values);
    }
}

void ShapeExploration::run() {
    join();
    for (Symbol symbol : candidates_) (narrow(symbol) ? symbols_ : fixed_).push_back(std::move(symbol));
    while (symbols_.size() > kMostSymbols)
        fix(symbols_.back().name, "more than " + std::to_string(kMostSymbols) +
                                      " sizes vary; name those that matter with --dynamic NAME=MIN..MAX");
}

void ShapeExploration::fix(const std::string& name, std::string reason) {
    const auto symbol = std::ranges::find(symbols_, name, &Symbol::name);
    check(symbol != symbols_.end(), "only a symbol that varies can be fixed");
    std::erase_if(guards_, [&](const Guard& guard) { return guard.text.starts_with(name + " "); });
    std::erase_if(conditions_, [&](const SizeCondition& condition) { return condition.symbol == name; });
    guard(*symbol, "== " + std::to_string(symbol->hint), std::move(reason));
    fixed_.push_back(*symbol);
    symbols_.erase(symbol);
}

}  // namespace aotscope
