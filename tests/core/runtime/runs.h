// Runs of compiled functions and of eager, with all their visible effects.
#pragma once

#include "aten/tensors.h"
#include "session/session.h"
#include "support/programs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/rand.h>
#include <torch/csrc/autograd/autograd.h>

namespace aotscope::test {

using Values = std::vector<c10::IValue>;

inline constexpr std::uint64_t kSeed = 11;

inline void seed(std::uint64_t value) {
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    generator.set_current_seed(value);
}

inline std::string describe(const at::Tensor& t) {
    return c10::str(t.scalar_type(), t.sizes(), t.strides(), t.requires_grad() ? " requires a gradient" : "");
}

/// The visible results of one run, as text (shapes, aliasing) and as numbers.
struct Outcome {
    std::vector<std::string> words;
    std::vector<at::Tensor> numbers;

    void add(const std::string& what, const c10::IValue& value) {
        if (!isTensor(value)) return words.push_back(what + c10::str(" ", value));
        words.push_back(what + " " + describe(value.toTensor()));
        numbers.push_back(value.toTensor().detach().clone());
    }
};

inline Outcome run(const ModelRun& modelRun, const Callable& function, bool inference) {
    Outcome seen;
    const RunArguments arguments = modelRun.arguments(/*ownState=*/true);
    seed(kSeed);
    const at::AutoGradMode grad(!inference);
    const Values outputs = function(arguments.leaves);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        seen.add(c10::str("output ", i), outputs[i]);
        if (!isTensor(outputs[i]) || outputs[i].toTensor().numel() == 0) continue;
        const auto alias = [&](const char* what, std::size_t k, const c10::IValue& other) {
            if (!isTensor(other) || !other.toTensor().is_alias_of(outputs[i].toTensor())) return;
            const bool same = other.toTensor().is_same(outputs[i].toTensor());
            seen.words.push_back(c10::str("output ", i, same ? " is " : " shares memory with ", what, " ", k));
        };
        for (std::size_t k = 0; k < arguments.leaves.size(); ++k) alias("input", k, arguments.leaves[k]);
        for (std::size_t k = 0; k < i; ++k) alias("output", k, outputs[k]);
    }
    const BackwardStart start = backwardStart(outputs);
    if (!inference && !start.outputs.empty()) {
        torch::autograd::backward(start.outputs, start.tangents);
        for (std::size_t i = 0; i < arguments.differentiable.size(); ++i) {
            const at::Tensor gradient = arguments.differentiable[i].grad();
            // No gradient and a zero gradient are equal here: compiled functions cannot pass the difference on.
            if (gradient.defined() && gradient.count_nonzero().item<int64_t>() > 0)
                seen.add("gradient of " + arguments.differentiableNames[i], gradient);
        }
    }
    for (std::size_t i = 0; i < arguments.leaves.size(); ++i)
        seen.add(c10::str("input ", i, " afterwards"), arguments.leaves[i]);
    seen.words.push_back(c10::str("next random number ", at::rand({1}).item<double>()));
    return seen;
}

inline Compiled compiledProgram(const std::string& name, Options options = {}) {
    const ProgramText& program = programText(name);
    options.mode = program.mode;
    return compile(program.module(), program.inputs, options);
}

inline Values arguments(std::initializer_list<at::Tensor> tensors) { return Values(tensors.begin(), tensors.end()); }
inline at::Tensor only(const Values& outputs) { return outputs.at(0).toTensor(); }
inline at::Tensor leafOf(const at::Tensor& t) { return t.detach().clone().set_requires_grad(true); }

}  // namespace aotscope::test
