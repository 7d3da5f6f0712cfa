#pragma once

#include "ir/graph.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <string>

namespace aotscope {

DType toDType(at::ScalarType type);
at::ScalarType toScalarType(DType type);
Device toDevice(c10::Device device);

/// Shape, dtype and device of `tensor`; storage identity and requires_grad are left open.
TensorType typeOf(const at::Tensor& tensor);

/// "aten.add.Tensor" for aten::add.Tensor, "aten.relu.default" where there is no overload name.
std::string graphName(const c10::OperatorName& name);
/// The inverse of graphName.
c10::OperatorName operatorName(const std::string& graphName);

/// A value that an operation gets, as a graph argument. `type` is the schema's, which tells an int from a
/// dtype; `node` maps a defined tensor to its argument.
Argument toArgument(const c10::IValue& value, const c10::Type& type,
                    const std::function<Argument(const at::Tensor&)>& node);

/// A number where an operation takes a tensor; it does not take part in type promotion.
at::Tensor wrappedNumber(const at::Scalar& number);

/// A graph argument as the value that an operation with an argument of `type` gets. Nodes become None: the
/// interpreter fills them in. A number where a tensor is expected becomes a wrapped number.
c10::IValue toIValue(const Argument& argument, const c10::Type& type);

}  // namespace aotscope
