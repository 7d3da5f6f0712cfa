#pragma once

#include "support/mapped_file.h"

#include <string>

namespace aotscope {

/// For a file that is no model: what it is and how to get one, as a clause for an error: "it is a state_dict: weights
/// without a program; ...". Empty for an unknown kind of file.
std::string describeForeignFile(const MappedFile& file);

}  // namespace aotscope
