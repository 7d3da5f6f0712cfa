#pragma once

#include "load/model.h"

#include <string>

namespace aotscope {

/// Loads the code of "script:CODE" or of a .py file: TorchScript functions that people type, of which the last one is
/// the model. A function may stand in one line, "def f(x): return x.sin()", or be a lambda. The code is judged as that
/// of archives is; nothing of it runs. Its tensors have no example inputs but those that it suggests. Throws Error with
/// the line, and OperatorsRefused.
void loadScript(const std::string& code, ModuleMode mode, const LoadSettings& settings, Model& model);

/// The module of such a model, for torch.jit.save. Throws as loadScript does.
torch::jit::Module scriptModule(const std::string& code, OperatorKinds allow);

}  // namespace aotscope
