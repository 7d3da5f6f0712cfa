#pragma once

#include "ops/decompositions/decomposition.h"
#include "ops/dialect.h"

#include <ATen/core/operator_name.h>

namespace aotscope {

/// Replaces calls of an operation before they enter autograd, as PyTorch's tracer does with implementations registered
/// in Python: the gradient is that of the operations in the rule.
struct BeforeAutogradRow {
    const char* op;             ///< "aten.dropout.default"
    const char* rule;           ///< "dropout"
    Decomposition run;          ///< may leave a call unchanged
    bool everyDialect = false;  ///< needed for tracing: reads or writes memory not in the schema
};

/// All rules.
const std::vector<BeforeAutogradRow>& beforeAutogradRows();

/// The rule for calls of `name`; null if they are not replaced.
Decomposition findBeforeAutograd(const c10::OperatorName& name, Dialect dialect);

// One file per family.
std::vector<BeforeAutogradRow> activationsBeforeAutograd();
std::vector<BeforeAutogradRow> collectivesBeforeAutograd();
std::vector<BeforeAutogradRow> cubicUpsamplingBeforeAutograd();
std::vector<BeforeAutogradRow> lossesBeforeAutograd();
std::vector<BeforeAutogradRow> normalizationBeforeAutograd();
std::vector<BeforeAutogradRow> recurrentBeforeAutograd();
std::vector<BeforeAutogradRow> shapesBeforeAutograd();
std::vector<BeforeAutogradRow> spectralBeforeAutograd();
std::vector<BeforeAutogradRow> upsamplingBeforeAutograd();

}  // namespace aotscope
