// Gradients through decompositions against those of the kernels.

#include "rule_calls.h"
#include "test_decompositions.h"

#include "ops/decompositions/decomposition.h"
#include "ops/decompositions/decomposition_table.h"
#include "support/error.h"
#include "support/outcomes.h"
#include "support/schema_arguments.h"
#include "support/text.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/linspace.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// LibTorch's derivative of a variance over an empty list of dimensions (all of them) does not match its value.
bool reducesNoDimensions(const Values& arguments) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [](const c10::IValue& v) { return v.isIntList() && v.toIntList().empty(); });
}

/// Gradients of the results' sum, weighted, with respect to floating-point arguments; may be empty.
std::vector<at::Tensor> gradients(const Values& results, const std::vector<at::Tensor>& inputs) {
    std::vector<at::Tensor> outputs, weights;
    for (const at::Tensor& t : tensorsOf(results)) {
        if (!t.requires_grad()) continue;
        outputs.push_back(t);
        weights.push_back(at::linspace(-1, 2, t.numel(), t.options().requires_grad(false)).view(t.sizes()));
    }
    if (outputs.empty()) return {};
    return torch::autograd::grad(outputs, inputs, weights, std::nullopt, false, /*allow_unused=*/true);
}

/// LibTorch has no derivative of these, or a wrong one (that of an embedding's backward ignores frequencies).
bool hasDerivative(const std::string& op) {
    return op != "aten.fill.Tensor" && op != "aten.embedding_dense_backward.default";
}

}  // namespace

void TestDecompositions::derivatives_data() { values_data(); }
void TestDecompositions::derivatives() {
    QFETCH(QString, name);
    const DecompositionRow& row = rowNamed(name);
    if (isArbitrary(row.op)) QSKIP("what it computes is random");
    if (!hasDerivative(row.op)) QSKIP("there is no derivative to compare with");
    if (hasNoKernel(row.rule)) QSKIP("there is no kernel here to compare with");
    for (unsigned seed = 1, found = 0; seed <= 200 && found < 10; ++seed) {
        Random random(seed);
        seedGenerator(seed);
        std::vector<at::Tensor> inputs, real;
        std::optional<Try> result;
        try {
            Values arguments = argumentsFor(row, at::kDouble, random);
            if (reducesNoDimensions(arguments)) continue;
            for (auto& value : arguments)
                value = mapTensors(value, [&](const at::Tensor& t) {
                    if (!t.is_floating_point()) return t;
                    inputs.push_back(t.detach().clone().requires_grad_(true));
                    return inputs.back();
                });
            result = tryRow(row, arguments);
            if (!result) continue;
            // Gradients through the statistics that a normalization passes to its backward differ from LibTorch's.
            if (std::string(row.rule).ends_with("_norm"))
                for (Values* results : {&result->real, &result->ours}) results->resize(1);
            real = gradients(result->real, inputs);
        } catch (const std::exception&) {
            continue;  // the operation is not differentiable
        }
        if (real.empty() || !isFinite(real)) continue;
        ++found;
        std::vector<at::Tensor> ours;
        try {
            ours = gradients(result->ours, inputs);
        } catch (const std::exception& e) {
            QFAIL(qPrintable(u"seed %1: %2"_s.arg(seed).arg(q(e.what()).left(300))));
        }
        ours.resize(real.size());
        for (std::size_t i = 0; i < real.size(); ++i) {
            // An undefined gradient is zero.
            if (real[i].defined() && !ours[i].defined() && real[i].count_nonzero().item<int64_t>() == 0) continue;
            if (!real[i].defined() && (!ours[i].defined() || ours[i].count_nonzero().item<int64_t>() == 0)) continue;
            const std::string difference = differenceOf(ours[i], real[i], at::kDouble, false);
            QVERIFY2(difference.empty(), qPrintable(u"seed %1, argument %2: %3"_s.arg(seed).arg(i).arg(q(difference))));
        }
    }
}

/// The decomposed attention passes its weights to its backward; the gradients are those of the kernels.
void TestDecompositions::attentionGradients() {
    const auto row = [](const char* op) -> const DecompositionRow& {
        for (const auto& each : decompositionRows())
            if (std::string(each.op) == op) return each;
        throw Error("no such row");
    };
    const auto& forward = row("aten._scaled_dot_product_flash_attention_for_cpu.default");
    const auto& backward = row("aten._scaled_dot_product_flash_attention_for_cpu_backward.default");
    const at::AutoDispatchBelowADInplaceOrView kernelsOnly;
    for (const bool causal : {false, true}) {
        Random random(7);
        const auto tensor = [&] { return random.plain({2, 3, 5, 8}, at::kDouble).sub(0.5).mul(4); };
        const Values inputs = {tensor(), tensor(), tensor(), 0.0, causal, {}, {}};
        const at::Tensor grad = tensor();
        const auto gradientsBy = [&](const Values& results) {
            return Values{grad, inputs[0], inputs[1], inputs[2], results[0], results[1], 0.0, causal, {}, {}};
        };
        Values real = inputs, ours = inputs;
        operatorNamed(dispatcherName(forward)).callBoxed(real);
        QVERIFY(forward.run(ours));
        Values expected = gradientsBy(real), found = gradientsBy(ours);
        Values kept = expected;
        QVERIFY2(!backward.run(kept), "a call with the kernel's own sums stays");
        operatorNamed(dispatcherName(backward)).callBoxed(expected);
        QVERIFY(backward.run(found));
        QCOMPARE(found.size(), 3u);
        for (std::size_t i = 0; i < 3; ++i) {
            const auto difference = differenceOf(found[i].toTensor(), expected[i].toTensor(), at::kDouble, false);
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }
}
