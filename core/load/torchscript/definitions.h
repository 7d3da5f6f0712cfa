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

/// The operators of one file of TorchScript functions, by their names: "transformers::grouped_mm_fallback". A function
/// NAMESPACE__NAME computes an operator, NAMESPACE__NAME__fake makes results of the same shapes from meta tensors, and
/// NAMESPACE__NAME__backward is its gradient. NAMESPACE__NAME__OVERLOAD is for an overload. Others help them.
/// A function for one of LibTorch's operators is a rule for it; its schema is then that operator's.
using Definitions = std::map<std::string, DefinedOperator>;

/// Compiles a file, after its code has been judged as that of models is; nothing of it runs. The same text gives the
/// same definitions as long as they are in use. Throws Error, naming the file, and OperatorsRefused.
std::shared_ptr<const Definitions> readDefinitions(const std::filesystem::path& file, OperatorKinds allow);

/// Those for operators of a library that exported programs often call; compiled when they are asked for. Empty: of all
/// libraries.
const Definitions& builtInDefinitions(const std::string& library = {});
/// "torchao" of torchao::dequantize_affine.
std::string libraryOf(const c10::OperatorName& name);

/// The definition of the operator `name`, with its schema; nothing if there is none.
std::optional<DefinedOperator> findDefinition(const Definitions& definitions, const c10::OperatorName& name);

/// Lets the operators of `definitions` be computed by them, also those that only gradients call.
void install(const Definitions& definitions);

/// Registers the operator of this name in graphs, "quantized_decomposed.add.default", if a definition is built in.
bool registerBuiltIn(const std::string& graphName);

}  // namespace aotscope
