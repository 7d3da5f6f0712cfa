#pragma once

#include "load/model.h"
#include "load/torchscript/module_builder.h"
#include "passes/pipeline.h"
#include "record/results/results.h"
#include "verify/model_run.h"

#include <memory>
#include <string>
#include <vector>

namespace aotscope::test {

/// A scripted module. Held by pointer, so that tests need not see its headers, which are slow to compile.
using ScriptModule = std::shared_ptr<torch::jit::Module>;
using Attributes = std::vector<ModuleBuilder::Attribute>;

/// A module of one class with these methods ("def forward(self, x: Tensor) -> Tensor: ...").
ScriptModule moduleFrom(const std::string& methods, Attributes attributes = {});

/// `module` with example inputs from an input spec, or from `options` if the spec is empty.
ModelRun modelRunOf(const ScriptModule& module, const std::string& spec, Options options = {});

/// A model run through the whole pipeline; every graph is verified after every pass.
struct Compiled {
    ModelRun modelRun;
    Options options;
    Compilation compilation;

    const CompileRecord& record() const { return *compilation.record; }
    const CompiledFunction& function() const { return *compilation.function; }
};
Compiled compile(const ScriptModule& module, const std::string& spec, Options options = {},
                 const GraphHook& hook = nullptr);

/// Checks `compiled` against `eager`; inputs that the guards refuse are recompiled.
CheckResult checkAgainst(const ModelRun& eager, const Compiled& compiled);
inline CheckResult check(const Compiled& compiled) { return checkAgainst(compiled.modelRun, compiled); }

/// A parameter with elements 0.1, 0.2, ... that requires a gradient.
at::Tensor learned(at::IntArrayRef sizes);

}  // namespace aotscope::test
