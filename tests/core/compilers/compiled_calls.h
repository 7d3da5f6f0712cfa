// Arguments, results and steps of compiled graphs.
#pragma once

#include "compile/compiler.h"

#include <ATen/TensorOperators.h>

namespace aotscope::test {

using Values = std::vector<c10::IValue>;
inline Values arguments(std::initializer_list<at::Tensor> tensors) { return Values(tensors.begin(), tensors.end()); }
inline at::Tensor only(const Values& outputs) { return outputs.at(0).toTensor(); }

/// The observed values, as text.
class Protocol final : public StepObserver {
public:
    void arguments(c10::ArrayRef<c10::IValue> args) override { text += "args " + std::to_string(args.size()); }
    void before(std::size_t step) override { text += ", " + std::to_string(step) + ":"; }
    void results(std::size_t, c10::ArrayRef<c10::IValue> values) override {
        for (const auto& value : values)
            text += value.isTensor() ? c10::str(value.toTensor().sizes()) : c10::str(value.toScalar());
    }
    void after(std::size_t) override {}
    std::string text;
};

}  // namespace aotscope::test
