#pragma once

#include "support/rule_arguments.h"

namespace aotscope::test {

/// Random arguments for operators ("aten::mv") that are decomposed and whose schema does not say enough.
const Generators& decompositionGenerators();

}  // namespace aotscope::test
