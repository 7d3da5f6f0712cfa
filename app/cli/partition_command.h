#pragma once

#include "cli/command_line.h"

namespace aotscope {

/// 'aotscope partition': what is saved, what is recomputed, and why.
int showPartition(const Command& command);

/// 'aotscope diff': what distinguishes two models or reports, or two passes of one run.
int showDifference(const Command& command);

/// Says on stderr if estimated times on `device` are not to be trusted.
void warnOfDisturbance(const std::string& device);

}  // namespace aotscope
