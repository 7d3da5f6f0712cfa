#include "verify/check.h"

#include "aten/full_precision.h"
#include "aten/random_state.h"
#include "distributed/world.h"
#include "execute/out_of_memory.h"
#include "ir/printer.h"
#include "support/elapsed.h"
#include "support/library_error.h"
#include "support/progress.h"
#include "verify/judge/random_rules.h"
#include "verify/model_autocast.h"
#include "verify/observed_run.h"

namespace aotscope {

namespace {

/// Values whose elements differ.
std::set<std::string> valuesThatDiffer(const CheckResult& result) {
    std::set<std::string> names;
    for (const Difference& difference : result.differences)
        if (difference.kind == Difference::Kind::value || difference.kind == Difference::Kind::memory)
            names.insert(difference.what);
    return names;
}

/// The possible effect of rounding on these values of `eager`, and on those of the graphs of `compiled`.
NoiseEstimate noiseOf(std::set<std::string> names, const ModelRun& modelRun, const Options& options,
                      const SymbolValues& sizes, const ObservedRun& eager, const CompiledFunction& compiled) {
    NoiseEstimate noise(std::move(names));
    const auto observed = [&](const Callable& function, const Arithmetic& as) {
        return namedTensors(observeRun(modelRun, options, sizes, function, as), compiled.metadata());
    };
    const Callable program = [&](const auto& leaves) { return modelRun.at(sizes)(leaves).leaves; };
    const auto still = [leaves = namedTensors(eager, compiled.metadata())] { return leaves; };
    measureNoise(noise, observed, program, still, compiled);
    return noise;
}

/// Eager does not run at these sizes. Thrown with the reason.
class EagerRefused : public Error {
public:
    using Error::Error;
};

/// At other sizes than the example's, the model itself may fail: an embedding has a fixed number of rows.
ObservedRun eagerRun(const ModelRun& modelRun, const SymbolValues& sizes, const Options& options,
                     bool* reordered = nullptr) {
    try {
        return observeRun(modelRun, options, sizes, [&](const auto& leaves) {
            const RandomRules sameNumbers(options, /*always=*/reordered != nullptr);
            auto outputs = modelRun.at(sizes)(leaves).leaves;
            if (reordered) *reordered = sameNumbers.reordered();
            return outputs;
        });
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        throw;
    } catch (const std::exception& e) {
        if (sizes.empty() || isOutOfMemory(e)) throw;
        throw EagerRefused(firstSentence(e.what()));
    }
}

/// The compiled function for some leaves.
using FindCompiled = std::function<std::shared_ptr<const CompiledFunction>(const std::vector<c10::IValue>& leaves)>;

CheckResult checkOnce(const ModelRun& modelRun, const FindCompiled& find, const SymbolValues& sizes,
                      const Options& options, const Progress& progress) {
    const FullPrecision inFull;
    progress.enter("eager run");
    ObservedRun eager = eagerRun(modelRun, sizes, options);
    progress.enter("compiled run");
    std::shared_ptr<const CompiledFunction> compiled;
    const ObservedRun actual = observeRun(modelRun, options, sizes, [&](const auto& leaves) {
        compiled = find(leaves);
        return compiled->run(leaves, {});
    });
    progress.enter("comparison");
    CheckResult result = compareRuns(eager, actual, compiled->metadata());
    // All ranks of a distributed program run equally often, if one of them must.
    if (auto differing = valuesThatDiffer(result); World::current()->anyRank(!differing.empty())) {
        progress.enter("rounding errors");
        bool reordered = false;
        if (ObservedRun likeGraphs = eagerRun(modelRun, sizes, options, &reordered); reordered)
            eager = std::move(likeGraphs);
        const NoiseEstimate noise = noiseOf(std::move(differing), modelRun, options, sizes, eager, *compiled);
        result = compareRuns(eager, actual, compiled->metadata(), &noise);
        if (reordered)
            result.notes.push_back(
                "eager draws the random numbers of bernoulli_ and in-place dropout on tensors that are not contiguous "
                "in the order of their memory, the graphs in that of their elements; here both do the latter");
    }
    for (Difference& difference : result.differences) difference.sizes = sizes;
    return result;
}

FindCompiled finderIn(CompileCache& cache) {
    return [&cache](const auto& leaves) { return cache.find(leaves); };
}

/// `count` sizes of a symbol other than its hint, in ascending order, spread over the usual ones that `guards` accept.
std::vector<std::int64_t> otherSizes(const Symbol& symbol, std::size_t count, SymbolValues values,
                                     const SizeGuards& guards) {
    std::vector<std::int64_t> all, chosen;
    const std::int64_t top = std::min(symbol.max, 2 * symbol.hint + 8);
    for (std::int64_t value = symbol.min; value <= top; ++value) {
        values[symbol.name] = value;
        if (value != symbol.hint && guards.admits(values)) all.push_back(value);
    }
    for (std::size_t i = 0; i < count && !all.empty(); ++i) chosen.push_back(all[(all.size() - 1) * i / (count - 1)]);
    return chosen;
}

std::vector<SymbolValues> otherSizes(const std::vector<Symbol>& symbols, const SizeGuards& guards) {
    std::vector<SymbolValues> list(4);
    SymbolValues hints;
    for (const Symbol& symbol : symbols) hints[symbol.name] = symbol.hint;
    for (const Symbol& symbol : symbols) {
        const auto sizes = otherSizes(symbol, list.size(), hints, guards);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            list[i][symbol.name] = sizes[i];
            for (const auto& other : symbol.equals) list[i][other] = sizes[i];
        }
    }
    return list;
}

/// Adds one of the other sizes to `result`. Eager may not run at sizes that the user did not request.
std::optional<CheckResult> checkSizes(CheckResult& result, const ModelRun& modelRun, CompileCache& cache,
                                      const SymbolValues& values, const Options& options, const Progress& progress) {
    const std::size_t before = cache.recompilations().size();
    try {
        CheckResult here = checkOnce(modelRun, finderIn(cache), values, options, progress);
        SizeCheck check{values, here.ok, cache.recompilations().size() > before, {}, {}};
        if (check.recompiled) check.reason = cache.recompilations().back().reason;
        result.sizes.push_back(std::move(check));
        return here;
    } catch (const EagerRefused& refused) {
        if (!options.checkSizes.empty())
            throw Error("the model does not run at " + printSizes(values) + ": " + refused.what() +
                        "; name other sizes with --at");
        result.sizes.push_back({values, true, false, {}, refused.what()});
        return std::nullopt;
    }
}

void checkOtherSizes(CheckResult& result, const ModelRun& modelRun, CompileCache& cache,
                     const std::vector<SymbolValues>& sizes, const Options& options, const Progress& progress) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const SymbolValues& values = sizes[i];
        progress.enter(stageOf("sizes", i + 1, sizes.size()));
        const auto here = checkSizes(result, modelRun, cache, values, options, progress);
        if (!here) continue;
        result.ok = result.ok && here->ok;
        result.outputsMaxError = std::max(result.outputsMaxError, here->outputsMaxError);
        result.gradsMaxError = std::max(result.gradsMaxError, here->gradsMaxError);
        result.inputsAfterOk = result.inputsAfterOk && here->inputsAfterOk;
        result.aliasingOk = result.aliasingOk && here->aliasingOk;
        result.differences.insert(result.differences.end(), here->differences.begin(), here->differences.end());
    }
}

}  // namespace

std::vector<SymbolValues> sizesToCheck(const ModelRun& modelRun, const std::vector<Symbol>& symbols,
                                       const SizeGuards& guards, const Options& options) {
    std::vector<SymbolValues> sizes;
    for (const SymbolValues& named : options.checkSizes) sizes.push_back(modelRun.symbolValues(named));
    return sizes.empty() && !symbols.empty() ? otherSizes(symbols, guards) : sizes;
}

bool runsInEager(const ModelRun& modelRun, const SymbolValues& sizes, const Options& options) {
    try {
        eagerRun(modelRun, sizes, options);
        return true;
    } catch (const EagerRefused&) {
        return false;
    }
}

std::string eagerFailsUnderAutocast(const ModelRun& modelRun, const Options& options) {
    if (options.autocast == Autocast::off) return {};
    bool fails = true;
    failureOf([&] {  // why is already known
        const auto autocast = modelAutocast(options);
        const Callable eager = [&](const auto& leaves) { return modelRun.function()(leaves).leaves; };
        fails = !observeRun(modelRun, options, {}, eager).backwardError.empty();
    });
    if (!fails) return {};
    return "; eager fails under --autocast " + std::string(name(options.autocast)) +
           ", too: leave it out, or cast in the model";
}

CheckResult checkAtExample(const ModelRun& modelRun, const std::shared_ptr<const CompiledFunction>& compiled,
                           const Options& options, const Progress& progress) {
    const RandomStateGuard kept;
    CheckResult result = checkOnce(
        modelRun, [&](const auto&) { return compiled; }, {}, options, progress);
    for (const Difference& difference : result.differences) result.details.push_back(describe(difference));
    return result;
}

CheckResult checkAgainstEager(const ModelRun& modelRun, CompileCache& cache, const std::vector<Symbol>& symbols,
                              const Options& options, const Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    const RandomStateGuard kept;
    CheckResult result = checkOnce(modelRun, finderIn(cache), {}, options, progress);
    checkOtherSizes(result, modelRun, cache, sizesToCheck(modelRun, symbols, cache.first().sizes(), options), options,
                    progress);
    for (const Difference& difference : result.differences) result.details.push_back(describe(difference));
    result.hits = cache.counts().hits;
    result.misses = cache.counts().misses;
    result.recompilations = cache.recompilations();
    result.compilers = cache.compilers();
    result.seed = options.seed;
    result.tookMs = msSince(start);
    return result;
}

}  // namespace aotscope
