#include "verify/observed_run.h"

#include "aten/convert.h"
#include "aten/packed.h"
#include "ir/output_names.h"
#include "ir/printer.h"
#include "support/error.h"
#include "verify/device_timer.h"
#include "verify/judge/comparison.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <unordered_set>

namespace aotscope {

namespace {

using Kind = Difference::Kind;

std::string memoryText(const std::string& name) { return "memory behind input '" + name + "'"; }

std::vector<std::uint32_t> versionsOf(const std::vector<c10::IValue>& values) {
    std::vector<std::uint32_t> versions;
    for (const auto& v : values)
        versions.push_back(
            isTensor(v) && !v.toTensor().is_inference() ? static_cast<std::uint32_t>(v.toTensor()._version()) : 0);
    return versions;
}

double millisecondsOf(DeviceTimer& timer, const std::function<void()>& work) {
    timer.mark();
    work();
    timer.mark();
    double us = 0;
    for (const double interval : timer.take()) us += interval;
    return us / 1000;
}

/// The numbers of NaN and infinite elements.
std::pair<std::int64_t, std::int64_t> notFiniteIn(const at::Tensor& t) {
    if ((!t.is_floating_point() && !t.is_complex()) || isPacked(t.scalar_type())) return {};
    const at::Tensor wide = t.detach().to(t.is_complex() ? at::kComplexDouble : at::kDouble);
    return {wide.isnan().sum().item<std::int64_t>(), wide.isinf().sum().item<std::int64_t>()};
}

class RunComparison {
public:
    RunComparison(const ObservedRun& eager, const ObservedRun& compiled, const FunctionMetadata& function,
                  const NoiseEstimate* noise)
        : eager_(eager), compiled_(compiled), function_(function), tolerance_{noise} {}

    CheckResult run() {
        result_.backwardRun = eager_.backwardRun;
        result_.backwardError = eager_.backwardError;
        result_.compiledBackwardError = compiled_.backwardError;
        compareOutputs();
        compareGradients();
        const auto beforeInputs = result_.differences.size();
        compareInputs();
        compareSurroundings();
        result_.inputsAfterOk = result_.differences.size() == beforeInputs;
        const auto beforeAliasing = result_.differences.size();
        compareAliasing();
        result_.aliasingOk = result_.differences.size() == beforeAliasing;
        result_.ok = result_.differences.empty();
        result_.eagerMs = eager_.ms;
        result_.compiledMs = compiled_.ms;
        for (CheckedValue& value : result_.values)
            value.equal =
                std::ranges::none_of(result_.differences, [&](const Difference& d) { return d.what == value.what; });
        return std::move(result_);
    }

private:
    void found(std::optional<Difference> difference) {
        if (difference) result_.differences.push_back(std::move(*difference));
    }

    void found(Kind kind, std::string what, std::string expected, std::string actual) {
        Difference d;
        d.kind = kind;
        d.what = std::move(what);
        d.expected = std::move(expected);
        d.actual = std::move(actual);
        result_.differences.push_back(std::move(d));
    }

    /// Sets everything except `equal`, which is known when everything has been compared. Returns the error.
    double compare(CheckedValue::Kind kind, std::size_t index, std::string name, const std::string& what,
                   const at::Tensor& expected, const at::Tensor& actual) {
        TensorComparison comparison = compareTensors(what, expected, actual, tolerance_);
        const auto& [nans, infs] = notFiniteIn(expected);
        result_.values.push_back({kind, index, std::move(name), what, printTensorType(typeOf(expected)),
                                  comparison.maxAbs, comparison.error, comparison.tolerance, true, nans, infs,
                                  comparison.meaningless});
        found(std::move(comparison.difference));
        return comparison.error;
    }

    void compareOutputs() {
        const auto &expected = eager_.outputs, &actual = compiled_.outputs;
        if (expected.size() != actual.size())
            return found(Kind::presence, "number of outputs", std::to_string(expected.size()),
                         std::to_string(actual.size()));
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const std::string what = outputText(function_, i);
            if (!isTensor(expected[i]) || !isTensor(actual[i])) {
                found(compareValues(what, expected[i], actual[i]));
                continue;
            }
            const at::Tensor &e = expected[i].toTensor(), &a = actual[i].toTensor();
            const double error = compare(CheckedValue::Kind::output, i, outputLabel(function_, i), what, e, a);
            result_.outputsMaxError = std::max(result_.outputsMaxError, error);
            found(compareStrides(what, e, a));
            if (sharesWithInput(e, eager_) && e.numel() > 0 && e.storage_offset() != a.storage_offset())
                found(Kind::offset, what, std::to_string(e.storage_offset()), std::to_string(a.storage_offset()));
        }
    }

    static bool sharesWithInput(const at::Tensor& output, const ObservedRun& run) {
        for (const auto& leaf : run.arguments.leaves)
            if (isTensor(leaf) && storageOf(leaf.toTensor()) == storageOf(output)) return true;
        return false;
    }

    static std::string backwardOf(const ObservedRun& run) {
        if (!run.backwardError.empty()) return "impossible (" + run.backwardError + ")";
        return run.backwardRun ? "possible" : "none";
    }

    void compareGradients() {
        if (eager_.backwardRun != compiled_.backwardRun ||
            eager_.backwardError.empty() != compiled_.backwardError.empty())
            return found(Kind::presence, "backward", backwardOf(eager_), backwardOf(compiled_));
        const at::NoGradGuard noGrad;
        for (std::size_t i = 0; i < eager_.gradients.size(); ++i) {
            const std::string& name = eager_.arguments.differentiableNames[i];
            const std::string what = gradientText(name);
            const at::Tensor &expected = eager_.gradients[i], &actual = compiled_.gradients[i];
            if (!expected.defined() && !actual.defined()) continue;
            if (expected.defined() == actual.defined()) {
                const double error = compare(CheckedValue::Kind::gradient, i, name, what, expected, actual);
                result_.gradsMaxError = std::max(result_.gradsMaxError, error);
                continue;
            }
            // Where eager has no gradient, a compiled function may have zeros: autograd cannot distinguish them.
            const at::Tensor& present = expected.defined() ? expected : actual;
            if (present.count_nonzero().item<int64_t>() != 0)
                found(Kind::presence, what, expected.defined() ? "a tensor" : "nothing",
                      actual.defined() ? "a tensor" : "nothing");
        }
    }

    void compareInputs() {
        const auto &expected = eager_.arguments.leaves, &actual = compiled_.arguments.leaves;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (!isTensor(expected[i])) continue;
            const std::string& name = function_.inputs[i].name;
            const std::string what = inputText(name);
            const at::Tensor &e = expected[i].toTensor(), &a = actual[i].toTensor();
            if (eager_.written[i] || compiled_.written[i]) compare(CheckedValue::Kind::input, i, name, what, e, a);
            else found(compareTensors(what, e, a, tolerance_).difference);
            if (e.strides() != a.strides()) found(Kind::strides, what, c10::str(e.strides()), c10::str(a.strides()));
            if (e.storage_offset() != a.storage_offset())
                found(Kind::offset, what, std::to_string(e.storage_offset()), std::to_string(a.storage_offset()));
            const auto text = [](bool written) { return written ? "written" : "not written"; };
            if (eager_.written[i] != compiled_.written[i])
                found(Kind::version, what, text(eager_.written[i]), text(compiled_.written[i]));
        }
    }

    /// For inputs that are views: memory around them that a write may have changed.
    void compareSurroundings() {
        const auto &expected = eager_.arguments.leaves, &actual = compiled_.arguments.leaves;
        std::unordered_set<const c10::StorageImpl*> seen;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (!isTensor(expected[i]) || !seen.insert(storageOf(expected[i].toTensor())).second) continue;
            const at::Tensor e = wholeMemory(expected[i].toTensor()), a = wholeMemory(actual[i].toTensor());
            if (e.numel() <= expected[i].toTensor().numel()) continue;
            auto difference = compareTensors(memoryText(function_.inputs[i].name), e, a, tolerance_).difference;
            if (difference && difference->kind == Kind::value) difference->kind = Kind::memory;
            found(std::move(difference));
        }
    }

    void compareAliasing() {
        const auto expected = aliases(eager_), actual = aliases(compiled_);
        for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i)
            if (expected[i] != actual[i]) found(Kind::aliasing, outputText(function_, i), expected[i], actual[i]);
    }

    /// The memory that each output shares, and whether it requires grad.
    std::vector<std::string> aliases(const ObservedRun& run) const {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < run.outputs.size(); ++i) {
            const c10::IValue& output = run.outputs[i];
            std::string text;
            if (isTensor(output)) {
                const auto share = [&](const std::vector<c10::IValue>& others, std::size_t limit, const auto& nameOf) {
                    for (std::size_t k = 0; k < limit; ++k) {
                        if (!isTensor(others[k]) || storageOf(others[k].toTensor()) != storageOf(output.toTensor()))
                            continue;
                        const bool same = others[k].toTensor().is_same(output.toTensor());
                        text += (same ? "is " : "shares memory with ") + nameOf(k) + ", ";
                    }
                };
                if (output.toTensor().numel() > 0) {
                    share(run.arguments.leaves, run.arguments.leaves.size(),
                          [&](std::size_t k) { return "input '" + function_.inputs[k].name + "'"; });
                    share(run.outputs, i, [&](std::size_t k) { return outputText(function_, k); });
                }
                text += output.toTensor().requires_grad() ? "requires a gradient" : "requires no gradient";
            }
            texts.push_back(std::move(text));
        }
        return texts;
    }

    const ObservedRun& eager_;
    const ObservedRun& compiled_;
    const FunctionMetadata& function_;
    Tolerance tolerance_;
    CheckResult result_;
};

}  // namespace

ObservedRun observeRun(const ModelRun& modelRun, const Options& options, const SymbolValues& sizes,
                       const Callable& function, const Arithmetic& arithmetic) {
    SeededRun run(modelRun, options, sizes, arithmetic);
    ObservedRun seen;
    seen.arguments = run.arguments();
    const auto before = versionsOf(seen.arguments.leaves);
    DeviceTimer timer(c10::Device(options.device));
    seen.ms = millisecondsOf(timer, [&] { seen.outputs = run.forward(function); });
    const auto after = versionsOf(seen.arguments.leaves);
    for (std::size_t i = 0; i < before.size(); ++i) seen.written.push_back(before[i] != after[i]);
    const BackwardStart start = run.startOf(seen.outputs);
    if (start.outputs.empty()) return seen;
    try {
        seen.ms += millisecondsOf(
            timer, [&] { run.backward([&] { torch::autograd::backward(start.outputs, start.tangents); }); });
    } catch (const std::exception& e) {
        seen.backwardError = firstSentence(e.what());
        return seen;
    }
    seen.backwardRun = true;
    for (const auto& leaf : seen.arguments.differentiable) seen.gradients.push_back(leaf.grad());
    return seen;
}

NamedTensors namedTensors(const ObservedRun& run, const FunctionMetadata& function) {
    NamedTensors named;
    const auto add = [&](const std::string& what, const at::Tensor& tensor) {
        if (tensor.defined()) named.emplace_back(what, tensor.detach());
    };
    for (std::size_t i = 0; i < run.outputs.size(); ++i)
        if (isTensor(run.outputs[i])) add(outputText(function, i), run.outputs[i].toTensor());
    for (std::size_t i = 0; i < run.gradients.size(); ++i)
        add(gradientText(run.arguments.differentiableNames[i]), run.gradients[i]);
    for (std::size_t i = 0; i < run.arguments.leaves.size(); ++i) {
        if (!isTensor(run.arguments.leaves[i])) continue;
        const at::Tensor& leaf = run.arguments.leaves[i].toTensor();
        add(inputText(function.inputs[i].name), leaf);
        if (run.written[i] && leaf.storage().nbytes() > leaf.nbytes())
            add(memoryText(function.inputs[i].name), wholeMemory(leaf));
    }
    return named;
}

CheckResult compareRuns(const ObservedRun& eager, const ObservedRun& compiled, const FunctionMetadata& function,
                        const NoiseEstimate* noise) {
    return RunComparison(eager, compiled, function, noise).run();
}

}  // namespace aotscope
