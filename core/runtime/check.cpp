#include "runtime/check.h"

#include "ir/printer.h"
#include "support/error.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <cstdio>

namespace aotscope {

namespace {

/// Everything a user can see of one run.
struct Observed {
    RunArguments arguments;
    std::vector<c10::IValue> outputs;
    std::vector<at::Tensor> gradients;
    bool backwardRun = false;
};

using Callable = std::function<std::vector<c10::IValue>(const std::vector<c10::IValue>&)>;

Observed observe(const Workload& workload, const Options& options, const SymbolValues& sizes,
                 const Callable& function) {
    Observed seen;
    seen.arguments = workload.arguments(/*ownState=*/true, sizes);
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    generator.set_current_seed(options.seed);
    const at::AutoGradMode grad(!options.inference);
    seen.outputs = function(seen.arguments.leaves);
    if (options.inference) return seen;
    const BackwardStart start = backwardStart(seen.outputs);
    if (start.outputs.empty()) return seen;
    torch::autograd::backward(start.outputs, start.tangents);
    seen.backwardRun = true;
    for (const auto& leaf : seen.arguments.differentiable) seen.gradients.push_back(leaf.grad());
    return seen;
}

/// Differences larger than this, relative to the largest element, are no rounding.
double tolerance(at::ScalarType type) {
    switch (type) {
        case at::kDouble:
        case at::kComplexDouble: return 1e-9;
        case at::kHalf: return 1e-2;
        case at::kBFloat16: return 5e-2;
        default: return 1e-4;
    }
}

/// Largest difference divided by the largest element; infinite if only one has NaNs somewhere.
double relativeError(const at::Tensor& expected, const at::Tensor& actual) {
    const at::NoGradGuard noGrad;
    if (expected.numel() == 0) return 0;
    const auto wide = expected.is_complex() ? at::kComplexDouble : at::kDouble;
    const at::Tensor a = expected.detach().to(at::kCPU).to(wide), b = actual.detach().to(at::kCPU).to(wide);
    if (!a.isnan().equal(b.isnan())) return INFINITY;
    const at::Tensor both = a.eq(b).logical_or(a.isnan());
    const at::Tensor difference = a.sub(b).abs().masked_fill(both, 0);
    const double largest = a.abs().nan_to_num(0, 1, 1).max().item<double>();
    return difference.max().item<double>() / std::max(largest, 1e-12);
}

class Comparison {
public:
    Comparison(const Observed& eager, const Observed& compiled) : eager_(eager), compiled_(compiled) {}

    CheckResult run() {
        result_.backwardRun = eager_.backwardRun;
        compareOutputs();
        compareGradients();
        compareInputs();
        compareAliasing();
        result_.ok = result_.details.empty();
        return std::move(result_);
    }

private:
    void found(std::string what) { result_.details.push_back(std::move(what)); }

    static bool isTensor(const c10::IValue& v) { return v.isTensor() && v.toTensor().defined(); }

    /// Compares two tensors; returns the relative error, or reports a difference of shape.
    double compareTensors(const std::string& what, const at::Tensor& expected, const at::Tensor& actual) {
        if (expected.sizes() != actual.sizes() || expected.scalar_type() != actual.scalar_type()) {
            found(what + " is " + c10::str(actual.scalar_type(), actual.sizes()) + ", eager has " +
                  c10::str(expected.scalar_type(), expected.sizes()));
            return INFINITY;
        }
        const double error = relativeError(expected, actual);
        if (error > tolerance(expected.scalar_type())) {
            char text[64];
            std::snprintf(text, sizeof text, "%.3g", error);
            found(what + " differs from eager by " + text + " of its largest element");
        }
        return error;
    }

    void compareOutputs() {
        if (eager_.outputs.size() != compiled_.outputs.size())
            return found("the compiled function returns " + std::to_string(compiled_.outputs.size()) +
                         " values, eager " + std::to_string(eager_.outputs.size()));
        for (std::size_t i = 0; i < eager_.outputs.size(); ++i) {
            const std::string what = "output " + std::to_string(i);
            if (isTensor(eager_.outputs[i]) != isTensor(compiled_.outputs[i]))
                found(what + " is a tensor in only one of eager and compiled");
            else if (isTensor(eager_.outputs[i]))
                result_.outputsMaxError =
                    std::max(result_.outputsMaxError,
                             compareTensors(what, eager_.outputs[i].toTensor(), compiled_.outputs[i].toTensor()));
            else if (!(eager_.outputs[i] == compiled_.outputs[i])) found(what + " differs from eager");
        }
    }

    void compareGradients() {
        if (eager_.backwardRun != compiled_.backwardRun)
            return found("a backward is possible in only one of eager and compiled");
        const at::NoGradGuard noGrad;
        for (std::size_t i = 0; i < eager_.gradients.size(); ++i) {
            const std::string what = "gradient of '" + eager_.arguments.differentiableNames[i] + "'";
            const at::Tensor &expected = eager_.gradients[i], &actual = compiled_.gradients[i];
            if (!expected.defined() && !actual.defined()) continue;
            if (expected.defined() != actual.defined()) {
                // Where eager leaves no gradient, a compiled function may leave zeros: autograd cannot tell them apart.
                const at::Tensor& present = expected.defined() ? expected : actual;
                if (present.count_nonzero().item<int64_t>() != 0)
                    found(what + " exists in only one of eager and compiled");
                continue;
            }
            result_.gradsMaxError = std::max(result_.gradsMaxError, compareTensors(what, expected, actual));
        }
    }

    void compareInputs() {
        const auto before = result_.details.size();
        const auto &expected = eager_.arguments.leaves, &actual = compiled_.arguments.leaves;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (!isTensor(expected[i])) continue;
            const std::string what = "input " + std::to_string(i) + " after the run";
            const at::Tensor &e = expected[i].toTensor(), &a = actual[i].toTensor();
            compareTensors(what, e, a);
            if (e.strides() != a.strides() || e.storage_offset() != a.storage_offset())
                found(what + " has other strides than eager's");
        }
        result_.inputsAfterOk = result_.details.size() == before;
    }

    void compareAliasing() {
        const auto before = result_.details.size();
        const auto expected = aliases(eager_), actual = aliases(compiled_);
        for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i)
            if (expected[i] != actual[i])
                found("output " + std::to_string(i) + " " + actual[i] + "; in eager it " + expected[i]);
        result_.aliasingOk = result_.details.size() == before;
    }

    /// What each output shares memory with, and whether it requires a gradient.
    static std::vector<std::string> aliases(const Observed& run) {
        const auto storage = [](const c10::IValue& v) {
            return v.toTensor().unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
        };
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < run.outputs.size(); ++i) {
            const c10::IValue& output = run.outputs[i];
            std::string text;
            if (isTensor(output)) {
                const auto share = [&](const std::string& kind, const std::vector<c10::IValue>& others,
                                       std::size_t limit) {
                    for (std::size_t k = 0; k < limit; ++k) {
                        if (!isTensor(others[k]) || storage(others[k]) != storage(output)) continue;
                        const bool same = others[k].toTensor().is_same(output.toTensor());
                        text += (same ? "is " : "shares memory with ") + kind + " " + std::to_string(k) + ", ";
                    }
                };
                if (output.toTensor().numel() > 0) {
                    share("input", run.arguments.leaves, run.arguments.leaves.size());
                    share("output", run.outputs, i);
                }
                text += output.toTensor().requires_grad() ? "requires a gradient" : "requires no gradient";
            }
            texts.push_back(std::move(text));
        }
        return texts;
    }

    const Observed& eager_;
    const Observed& compiled_;
    CheckResult result_;
};

CheckResult checkOnce(const Workload& workload, CompileCache& cache, const SymbolValues& sizes, const Options& options,
                      const Progress& progress) {
    progress.enter("eager run");
    const Observed eager =
        observe(workload, options, sizes, [&](const auto& leaves) { return workload.at(sizes)(leaves).leaves; });
    progress.enter("compiled run");
    const Observed actual =
        observe(workload, options, sizes, [&](const auto& leaves) { return cache.find(leaves)->run(leaves, {}); });
    progress.enter("comparison");
    return Comparison(eager, actual).run();
}

/// `count` sizes of a symbol other than its hint, from the smallest on, spread over the usual ones that `guards` admit.
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

void checkOtherSizes(CheckResult& result, const Workload& workload, CompileCache& cache,
                     const std::vector<SymbolValues>& sizes, const Options& options, const Progress& progress) {
    for (const SymbolValues& values : sizes) {
        const std::size_t misses = cache.counts().reasons.size();
        const CheckResult here = checkOnce(workload, cache, values, options, progress);
        SizeCheck check{values, here.ok, cache.counts().reasons.size() > misses, {}};
        if (check.recompiled) check.reason = cache.counts().reasons.back();
        result.sizes.push_back(std::move(check));
        result.ok = result.ok && here.ok;
        result.outputsMaxError = std::max(result.outputsMaxError, here.outputsMaxError);
        result.gradsMaxError = std::max(result.gradsMaxError, here.gradsMaxError);
        result.inputsAfterOk = result.inputsAfterOk && here.inputsAfterOk;
        result.aliasingOk = result.aliasingOk && here.aliasingOk;
        for (const auto& detail : here.details) result.details.push_back("at " + printSizes(values) + ": " + detail);
    }
}

}  // namespace

CheckResult checkAgainstEager(const Workload& workload, CompileCache& cache, const std::vector<Symbol>& symbols,
                              const Options& options, const Progress& progress) {
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    const at::Tensor state = generator.get_state();
    CheckResult result = checkOnce(workload, cache, {}, options, progress);
    std::vector<SymbolValues> sizes;
    for (const SymbolValues& named : options.checkSizes) sizes.push_back(workload.symbolValues(named));
    if (sizes.empty() && !symbols.empty()) sizes = otherSizes(symbols, cache.first().sizes());
    checkOtherSizes(result, workload, cache, sizes, options, progress);
    generator.set_state(state);
    result.hits = cache.counts().hits;
    result.misses = cache.counts().misses;
    return result;
}

}  // namespace aotscope
