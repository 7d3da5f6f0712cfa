#pragma once

#include "ir/argument.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <string>

namespace aotscope {

DType toDType(at::ScalarType type);
at::ScalarType toScalarType(DType type);
Device toDevice(c10::Device device);

/// Shape, dtype and device of `tensor`; storage number and requires_grad are left at their defaults.
TensorType typeOf(const at::Tensor& tensor);

/// "aten.add.Tensor" for aten::add.Tensor, "aten.relu.default" without an overload name.
std::string graphName(const c10::OperatorName& name);
/// The inverse of graphName.
c10::OperatorName operatorName(const std::string& graphName);

/// The type itself if it is not optional.
const c10::Type& withoutOptional(const c10::Type& type);

/// An argument of an operation as a graph argument. `type` is the schema's, which distinguishes an int from a dtype;
/// `node` maps a defined tensor to its argument. Throws Error for values that a graph cannot hold.
Argument toArgument(const c10::IValue& value, const c10::Type& type,
                    const std::function<Argument(const at::Tensor&)>& node);

/// A number as a tensor argument: a wrapped number, which does not take part in type promotion.
at::Tensor wrappedNumber(const at::Scalar& number);

/// A graph argument as an IValue of the schema's `type`. Nodes become None; the interpreter fills them in. A number
/// where the schema has a tensor becomes a wrapped number, None an undefined tensor. Throws Error if the two do not
/// match.
c10::IValue toIValue(const Argument& argument, const c10::Type& type);

}  // namespace aotscope
