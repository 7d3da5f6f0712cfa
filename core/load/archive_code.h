#pragma once

#include "ops/operator_policy.h"
#include "program/archive.h"

namespace aotscope {

/// Looks through a TorchScript archive before LibTorch loads it: all code in it, of which LibTorch parses whatever a
/// pickle names and runs some at once, and the classes of C++ that pickles make. Asks `judge` for what they call.
/// Throws Error (a clause without the file's name) for what LibTorch's recursive parser and compiler must not see.
void judgeArchive(ZipArchive& archive, OperatorJudge& judge);

}  // namespace aotscope
