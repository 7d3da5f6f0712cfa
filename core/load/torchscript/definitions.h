#pragma once

#include "ops/defined_operators.h"
#include "ops/operator_kinds.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace aotscope {

struct DefinedOperator {
    c10::FunctionSchema schema;
    std::shared_ptr<const OperatorDefinition> definition;
};

/// The operators of one file of TorchScript functions, by name: "transformers::grouped_mm_fallback". A function
/// NAMESPACE__NAME computes an operator, NAMESPACE__NAME__fake computes results of the same shapes from meta tensors,
/// and NAMESPACE__NAME__backward is its gradient. NAMESPACE__NAME__OVERLOAD is for an overload. Other functions are
/// helpers. A function for a LibTorch operator is a rule with that operator's schema.
using Definitions = std::map<std::string, DefinedOperator>;

/// Compiles a file, after judging its code like that of models, without running it. Equal texts share their definitions
/// while they are in use. Throws Error, naming the file, and OperatorsRefused.
std::shared_ptr<const Definitions> readDefinitions(const std::filesystem::path& file, OperatorKinds allow);

/// Built-in definitions for operators of a library that exported programs often call; compiled on demand. Empty: of all
/// libraries.
const Definitions& builtInDefinitions(const std::string& library = {});
/// "torchao" for torchao::dequantize_affine.
std::string libraryOf(const c10::OperatorName& name);

/// The definition of the operator `name`, with its schema, if it has one.
std::optional<DefinedOperator> findDefinition(const Definitions& definitions, const c10::OperatorName& name);

/// Makes `definitions` compute their operators, including those that only gradients call.
void install(const Definitions& definitions);

/// Registers the operator with this name in graphs, "quantized_decomposed.add.default", if it is built in.
bool registerBuiltIn(const std::string& graphName);

}  // namespace aotscope
