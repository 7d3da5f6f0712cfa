#pragma once

#include "load/model.h"

#include <string>

namespace aotscope {

/// Loads the code of "script:CODE" or of a .py file: user-written TorchScript functions, the last of which is the
/// model. A function may be on one line, "def f(x): return x.sin()", or be a lambda. The code is judged like that of
/// archives and does not run. It has only suggested example inputs. Throws Error with the line, and OperatorsRefused.
void loadScript(const std::string& code, ModuleMode mode, const LoadSettings& settings, Model& model);

/// The module of such a model, for torch.jit.save. Throws like loadScript.
torch::jit::Module scriptModule(const std::string& code, OperatorKinds allow);

}  // namespace aotscope
