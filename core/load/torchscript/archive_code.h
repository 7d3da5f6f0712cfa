#pragma once

#include "ops/operator_policy.h"
#include "program/files/archive.h"

namespace aotscope {

/// Checks all code of a TorchScript archive before LibTorch loads it, which parses whatever a pickle names and runs
/// some of it immediately. Reports its calls to `judge`. Throws Error (a clause without the file's name) for code that
/// LibTorch's recursive parser and compiler must not get.
void judgeArchive(ZipArchive& archive, OperatorJudge& judge);

}  // namespace aotscope
