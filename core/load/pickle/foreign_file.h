#pragma once

#include "support/mapped_file.h"

#include <string>

namespace aotscope {

/// For a file that is not a model: what it is and how to get a model, as a clause for an error: "it is a state_dict:
/// weights without a program; ...". Empty if unknown.
std::string describeForeignFile(const MappedFile& file);

}  // namespace aotscope
