#pragma once

#include "load/exported/export_schema.h"

#include <ATen/core/function_schema.h>

#include <vector>

namespace aotscope {

/// A call of an unknown operator, and the graph with the types of its operands.
struct OperatorCall {
    const exported::Node* node;
    const exported::Graph* graph;
};

/// A schema that matches all `calls`, from the names and kinds of their arguments and results. Throws Error if no
/// schema can describe them.
c10::FunctionSchema opaqueSchema(const c10::OperatorName& name, const std::vector<OperatorCall>& calls);

/// The result types of a call in the file, lists flattened. Throws Error if a tensor has none.
std::vector<const exported::TensorMeta*> resultTypes(const OperatorCall& call);

}  // namespace aotscope
