#pragma once

#include "ops/defined_operators.h"
#include "ops/operator_kinds.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace aotscope {

struct DefinedOperator {
    c10::FunctionSchema schema;
    std::shared_ptr<const OperatorDefinition> definition;
};

/// The operators of one file of TorchScript functions, by their names: "transformers::grouped_mm_fallback". A function
/// NAMESPACE__NAME computes an operator, NAMESPACE__NAME__fake makes results of the same shapes from meta tensors, and
/// NAMESPACE__NAME__backward is its gradient. Others help them.
using Definitions = std::map<std::string, DefinedOperator>;

/// Compiles a file, after its code has been judged as that of models is; nothing of it runs. The same text gives the
/// same definitions as long as they are in use. Throws Error, naming the file, and OperatorsRefused.
std::shared_ptr<const Definitions> readDefinitions(const std::filesystem::path& file, OperatorKinds allow);

/// Those for operators of libraries that exported programs often call.
const Definitions& builtInDefinitions();

}  // namespace aotscope
