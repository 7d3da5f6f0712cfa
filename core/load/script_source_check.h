#pragma once

#include "load/script_definitions.h"
#include "ops/operator_policy.h"

namespace aotscope {

/// Asks `judge` for every operator that the code of an archive names: torch.save(x, "f"), ops.quantized.linear(...),
/// x.save("f"). Which operator a method of a value is follows from its type, which only LibTorch's compiler knows: a
/// name that classes of the archive declare themselves is left to the check of the compiled graphs. Throws Error (a
/// clause without the file's name) for code that passes operators around as values, which PyTorch never writes.
void judgeSource(const ScriptDefinitions& code, OperatorJudge& judge);

/// LibTorch runs some code while it loads an archive: default arguments, constants of classes, and __setstate__ with
/// what it calls. The first two must be literals; __setstate__ may only put tensors together and assign attributes.
/// Anything else is judged as OperatorKind::runsAtLoad.
void judgeCodeRunAtLoad(const ScriptDefinitions& code, OperatorJudge& judge);

}  // namespace aotscope
