#pragma once

#include "record/results.h"

#include <string>
#include <vector>

namespace aotscope {

/// A row for every rank, and what differs on each.
std::string ranksText(const std::vector<CheckResult>& checks);

}  // namespace aotscope
