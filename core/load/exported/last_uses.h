#pragma once

#include "load/exported/plan.h"

#include <vector>

namespace aotscope {

/// Notes at the steps of `block` which slots they are the last to use, so that their values are freed there; those of
/// `outputs` are kept.
void freeAfterLastUse(Block& block, const std::vector<Operand>& outputs);

}  // namespace aotscope
