#pragma once

#include "support/mapped_file.h"

#include <string>

namespace aotscope {

/// For a file that is no model of ours: what it is and how to get one, a clause for an error, as in "it is a
/// state_dict: weights without a program; ...". Empty when it is nothing known.
std::string describeForeignFile(const MappedFile& file);

}  // namespace aotscope
