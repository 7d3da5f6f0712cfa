#pragma once

#include "load/torchscript/script_definitions.h"
#include "ops/operator_policy.h"

namespace aotscope {

/// Reports every operator that the code of an archive names to `judge`: torch.save(x, "f"), ops.quantized.linear(...),
/// x.save("f"). The operator of a method call depends on the type of its value, which only LibTorch's compiler knows:
/// names declared by classes of the archive are left to the check of the compiled graphs. Throws Error (a clause
/// without the file's name) for code that passes operators as values, which PyTorch never writes.
void judgeSource(const ScriptDefinitions& code, OperatorJudge& judge);

/// LibTorch runs some code while it loads an archive: default arguments, constants of classes, and __setstate__ with
/// everything that it calls. The first two must be literals; __setstate__ may only assemble tensors and assign
/// attributes. Anything else is reported as OperatorKind::runsAtLoad.
void judgeCodeRunAtLoad(const ScriptDefinitions& code, OperatorJudge& judge);

}  // namespace aotscope
