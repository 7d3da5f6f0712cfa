#pragma once

#include "record/compile_record.h"

#include <string>
#include <vector>

namespace aotscope {

/// The operations of a run at which its graphs deliberately differ from those of Python's AOTAutograd, one sentence
/// each: the node, its place in the model, and why. The manual has the whole list (python.md).
std::vector<std::string> pythonDifferences(const CompileRecord& record);

}  // namespace aotscope
