#pragma once

#include "load/exported/export_schema.h"

#include <ATen/core/function_schema.h>

#include <vector>

namespace aotscope {

/// A call of an operator that nobody here knows, with the graph that has the types of its operands.
struct OperatorCall {
    const exported::Node* node;
    const exported::Graph* graph;
};

/// A schema that all of `calls` fit, from the names and kinds of their arguments and results. Throws Error for what no
/// schema can describe.
c10::FunctionSchema opaqueSchema(const c10::OperatorName& name, const std::vector<OperatorCall>& calls);

/// The types that the file has for the results of a call, lists flattened. Throws Error if a tensor has none.
std::vector<const exported::TensorMeta*> resultTypes(const OperatorCall& call);

}  // namespace aotscope
