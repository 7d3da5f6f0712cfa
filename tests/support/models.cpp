#include "support/models.h"

#include "support/saved_model.h"
#include "verify/check.h"

#include <ATen/ops/arange.h>
#include <torch/csrc/jit/api/module.h>

#include <sstream>

namespace aotscope::test {

ScriptModule moduleFrom(const std::string& methods, Attributes attributes) {
    std::istringstream lines(methods);
    std::string line, text = "class Model:\n";
    while (std::getline(lines, line)) text += "    " + line + "\n";
    ModuleBuilder builder;
    builder.addSource("model.py", text);
    return std::make_shared<torch::jit::Module>(builder.make("Model", std::move(attributes)));
}

ModelRun modelRunOf(const ScriptModule& module, const std::string& spec, Options options) {
    Model model;
    model.name = model.path = "model";
    model.kind = "torchscript";
    model.program = programOf(*module, options.mode);
    if (!spec.empty()) options.inputs = parseInputSpec(spec, "spec");
    return ModelRun(std::move(model), options);
}

Compiled compile(const ScriptModule& module, const std::string& spec, Options options, const GraphHook& hook) {
    options.verify = true;
    Compiled compiled{modelRunOf(module, spec, options), options, {}};
    compiled.compilation =
        compileFunction(compiled.modelRun.function(), options, compiled.modelRun.dynamicShapes(), {}, hook);
    return compiled;
}

CheckResult checkAgainst(const ModelRun& eager, const Compiled& compiled) {
    const auto recompile = [&](const std::vector<c10::IValue>& leaves) {
        return compileFunction(compiled.modelRun.function().withExample(leaves), compiled.options, {}, {});
    };
    CompileCache cache(compiled.compilation.function, recompile, compiled.options.recompileLimit);
    return checkAgainstEager(eager, cache, compiled.record().symbols, compiled.options, {});
}

at::Tensor learned(at::IntArrayRef sizes) {
    const auto count = c10::multiply_integers(sizes);
    return at::arange(1, count + 1, at::kFloat).mul(0.1).view(sizes).set_requires_grad(true);
}

void saveModel(const std::string& methods, const std::string& path) {
    moduleFrom(methods, {ModuleBuilder::parameter("w", learned({3}))})->save(path);
}

}  // namespace aotscope::test
