#pragma once

#include "cli/command_line.h"

namespace aotscope {

/// 'aotscope pareto': memory against time over memory budgets.
int showPareto(const Command& command);

}  // namespace aotscope
