#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <string>
#include <vector>

namespace aotscope {

/// A call on meta tensors, for a shape rule.
struct RuleCall {
    c10::ArrayRef<c10::IValue> args;  ///< all arguments in schema order, defaults filled in
    c10::Device device;               ///< of the real tensors

    at::Tensor tensor(std::size_t i) const { return args[i].isNone() ? at::Tensor() : args[i].toTensor(); }
    bool has(std::size_t i) const { return args[i].isTensor() && args[i].toTensor().defined(); }
};

/// Computes the results as meta tensors with the shapes, strides and dtypes of the kernel for `device`. Needed for
/// operators without a C++ meta kernel in LibTorch.
using ShapeRule = std::vector<c10::IValue> (*)(const RuleCall& call);

/// The rule of "aten::convolution", with ".overload" if it has one; null without a rule.
ShapeRule findShapeRule(const c10::OperatorName& name);

/// Names of all operators that have a rule, sorted.
std::vector<std::string> shapeRuleNames();

// One file per family.
using ShapeRuleRow = std::pair<const char*, ShapeRule>;
std::vector<ShapeRuleRow> attentionRules();
std::vector<ShapeRuleRow> collectiveRules();
std::vector<ShapeRuleRow> convolutionRules();
std::vector<ShapeRuleRow> elementwiseRules();
std::vector<ShapeRuleRow> indexingRules();
std::vector<ShapeRuleRow> linalgRules();
std::vector<ShapeRuleRow> lossRules();
std::vector<ShapeRuleRow> normalizationRules();
std::vector<ShapeRuleRow> optimizerRules();
std::vector<ShapeRuleRow> quantizationRules();
std::vector<ShapeRuleRow> randomRules();
std::vector<ShapeRuleRow> recurrentRules();
std::vector<ShapeRuleRow> reductionRules();
std::vector<ShapeRuleRow> spatialRules();
std::vector<ShapeRuleRow> spectralRules();

}  // namespace aotscope
