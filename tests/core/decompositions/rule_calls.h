// Calls of decomposition rules, and of the kernels that they replace.
#pragma once

#include "aten/convert.h"
#include "ops/decompositions/decomposition.h"
#include "ops/decompositions/decomposition_table.h"
#include "support/decomposition_arguments.h"
#include "support/error.h"
#include "support/outcomes.h"
#include "support/schema_arguments.h"
#include "support/text.h"

#include <ATen/Context.h>
#include <ATen/ops/allclose.h>

#include <set>

#include <QtTest>

namespace aotscope::test {

template <typename Map>
c10::IValue mapTensors(const c10::IValue& value, Map&& map) {
    if (value.isTensor()) return value.toTensor().defined() ? c10::IValue(map(value.toTensor())) : value;
    if (!value.isTensorList()) return value;
    c10::List<at::Tensor> mapped;
    for (const at::Tensor& t : value.toTensorVector()) mapped.push_back(map(t));
    return mapped;
}

inline std::vector<at::Tensor> tensorsOf(const Values& values) {
    std::vector<at::Tensor> tensors;
    for (const auto& value : values)
        mapTensors(value, [&](const at::Tensor& t) {
            tensors.push_back(t);
            return t;
        });
    return tensors;
}

/// "aten::add.Tensor" of "aten.add.Tensor".
inline std::string dispatcherName(const DecompositionRow& row) {
    const auto name = operatorName(row.op);
    return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

/// Only sizes and dtypes of their results can be compared.
inline bool isArbitrary(const std::string& op) {
    static const std::set<std::string> arbitrary = {"aten.rand_like.default",      "aten.randn_like.default",
                                                    "aten.native_dropout.default", "aten.empty_like.default",
                                                    "aten.new_empty.default",      "aten.empty_permuted.default"};
    return arbitrary.contains(op);
}

/// No kernel to compare with on this device, or none with the same arguments.
inline bool hasNoKernel(const std::string& rule) {
    return rule == "bias_gradient" || rule == "rms_norm_backward" || rule == "attention_backward_by_weights";
}

/// How many results are compared; values passed to a kernel's own backward are not.
inline std::size_t comparedResults(const std::string& op) {
    return op == "aten._scaled_dot_product_flash_attention_for_cpu.default" || op == "aten.log_sigmoid_forward.default"
               ? 1
               : 99;
}

/// Operations whose arguments are between zero and one.
inline bool takesProbabilities(const std::string& op) {
    return op.find("binary_cross_entropy") != std::string::npos || op.find("native_") != std::string::npos ||
           op == "aten.xlogy.Tensor";
}

/// Random arguments with floating-point tensors of `type`; half of the time they are negative, too.
inline Values argumentsFor(const DecompositionRow& row, at::ScalarType type, Random& random) {
    const std::string name = dispatcherName(row);
    const Generator* known = nullptr;
    for (const Generators* all : {&decompositionGenerators(), &generators()})
        if (const auto it = all->find(name); it != all->end() && !known) known = &it->second;
    Values arguments = known ? known->arguments(random) : schemaArguments(operatorNamed(name).schema(), random);
    const bool centre = !takesProbabilities(row.op) && random.coin();
    if (std::string(row.op).find("softmax_backward_data") != std::string::npos) arguments.back() = type;
    for (auto& value : arguments)
        value = mapTensors(value, [&](const at::Tensor& t) {
            if (t.is_complex()) throw Error("complex numbers are not decomposed");
            if (t.scalar_type() == at::kBool && t.numel() > 0) return t.clone().random_(0, 2);
            if (!t.is_floating_point()) return t;
            const at::Tensor cast = t.to(type);
            // Except where derivatives jump: at 0, 0.5, 1.
            const at::Tensor numbers = centre ? cast.sub(0.5037).mul(6) : cast.mul(0.9963);
            return at::isComplexType(type) ? numbers.mul(c10::complex<double>(1, 0.7)) : numbers;
        });
    return arguments;
}

inline std::string differenceOf(const at::Tensor& ours, const at::Tensor& real, at::ScalarType type, bool arbitrary) {
    if (!ours.defined() || !real.defined()) return ours.defined() == real.defined() ? "" : "one is undefined";
    if (ours.sizes() != real.sizes()) return c10::str("sizes ", ours.sizes(), ", expected ", real.sizes());
    if (ours.scalar_type() != real.scalar_type())
        return c10::str("type ", ours.scalar_type(), ", expected ", real.scalar_type());
    if (arbitrary) return "";
    // Kernels round in other places, and some store their constants as float.
    const bool isDouble = type == at::kDouble || type == at::kComplexDouble;
    const double tolerance = isDouble ? 1e-7 : type == at::kFloat ? 1e-4 : 8e-2;
    const auto wide = at::isComplexType(real.scalar_type()) ? at::kComplexDouble : at::kDouble;
    const at::Tensor a = ours.to(wide), b = real.to(wide);
    if (at::allclose(a, b, tolerance, tolerance, /*equal_nan=*/true)) return "";
    return c10::str("values differ by ", a.sub(b).abs().max().item<double>(), " of ", b.abs().max().item<double>());
}

/// Makes the arguments reproducible.
inline void seedGenerator(unsigned seed) {
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    generator.set_current_seed(seed);
}

/// The results of the rule for a call that the kernel accepts; nothing if either of them declines it.
struct Try {
    Values real, ours;
};

inline std::optional<Try> tryRow(const DecompositionRow& row, const Values& arguments) {
    Try result{arguments, arguments};
    try {
        operatorNamed(dispatcherName(row)).callBoxed(result.real);
    } catch (const std::exception&) {
        return std::nullopt;
    }
    if (!row.run(result.ours)) return std::nullopt;
    for (Values* results : {&result.real, &result.ours}) {
        results->resize(std::min(results->size(), comparedResults(row.op)));
        // Gradients may be returned without being requested.
        const auto& declared = operatorNamed(dispatcherName(row)).schema().arguments();
        if (declared.empty() || declared.back().name() != "output_mask") continue;
        const auto asked = arguments.back().toBoolList();
        for (std::size_t i = 0; i < results->size(); ++i)
            if (!asked[i]) (*results)[i] = at::Tensor();
    }
    return result;
}

inline bool isFinite(const std::vector<at::Tensor>& tensors) {
    return std::all_of(tensors.begin(), tensors.end(),
                       [](const at::Tensor& t) { return !t.defined() || t.isfinite().all().item<bool>(); });
}

inline QString rowName(const DecompositionRow& row) { return u"%1 %2 %3"_s.arg(q(row.op), q(row.rule)).arg(row.sets); }

inline const DecompositionRow& rowNamed(const QString& name) {
    for (const auto& row : decompositionRows())
        if (rowName(row) == name) return row;
    throw Error("no such row");
}

}  // namespace aotscope::test
