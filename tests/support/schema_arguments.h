#pragma once

#include "support/rule_arguments.h"

#include <ATen/core/function_schema.h>

namespace aotscope::test {

/// Random arguments for any operator, guessed from the types and names in its schema. Kernels refuse some of them.
Values schemaArguments(const c10::FunctionSchema& schema, Random& random);

}  // namespace aotscope::test
