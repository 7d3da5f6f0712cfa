#include "load/torchscript/script_model.h"

#include "load/torchscript/script_definitions.h"
#include "load/torchscript/script_grad_modes.h"
#include "load/torchscript/script_graph_check.h"
#include "load/torchscript/script_resolver.h"
#include "load/torchscript/script_source_check.h"
#include "load/torchscript/script_text.h"
#include "load/torchscript/script_types.h"
#include "program/inputs/describe_inputs.h"
#include "record/model_kind.h"
#include "support/error.h"

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/frontend/sugared_value.h>

#include <algorithm>
#include <variant>

namespace aotscope {

namespace {

namespace jit = torch::jit;

constexpr std::size_t kMostScriptText = 200'000;
/// The name of the text in ScriptDefinitions.
constexpr const char* kScriptRecord = "scratch.py";
constexpr const char* kScriptOpening = "the code cannot be read";

/// Functions in text order; the last one is the model.
std::vector<jit::Def> functionsOf(const ScriptDefinitions& code) {
    std::vector<jit::Def> functions;
    for (const auto& [name, definition] : code.all()) {
        if (definition.isClass()) throw Error("it defines a class; expected functions only");
        functions.emplace_back(definition.tree);
    }
    if (functions.empty()) throw Error("it defines no function; expected 'def f(x): ...'");
    std::ranges::sort(functions, {}, [](const jit::Def& def) { return def.range().start(); });
    return functions;
}

/// `function` renamed to forward.
jit::Def asForward(const jit::Def& function) {
    const jit::SourceRange& place = function.range();
    const auto self = jit::Param::create(place, jit::Ident::create(place, "self"), jit::Maybe<jit::Expr>::create(place),
                                         jit::Maybe<jit::Expr>::create(place), /*kwarg_only=*/false);
    std::vector<jit::Param> parameters{self};
    for (const jit::Param& parameter : function.decl().params()) parameters.push_back(parameter);
    const auto declaration =
        jit::Decl::create(place, jit::List<jit::Param>::create(place, parameters), function.decl().return_type());
    return jit::Def::create(place, jit::Ident::create(place, "forward"), declaration, function.statements());
}

/// Defined and judged.
jit::Module defined(const ScriptDefinitions& code, OperatorJudge& judge) {
    std::vector<jit::Def> functions = functionsOf(code);
    const jit::Def forward = asForward(functions.back());
    functions.pop_back();
    const auto unit = std::make_shared<jit::CompilationUnit>();
    defineGradModes(unit);
    const std::vector<jit::ResolverPtr> resolvers(functions.size(), scriptResolver(unit));
    if (!functions.empty()) unit->define(c10::QualifiedName("__torch__"), {}, {}, functions, resolvers, nullptr);
    jit::Module module(c10::QualifiedName("__torch__.Scratch"), unit);
    module.register_attribute("training", c10::BoolType::get(), true);
    const jit::SimpleSelf self(module.type());
    unit->define(module.type()->name(), {}, {}, {forward}, {scriptResolver(unit)}, &self);
    judgeCompiledCode(module, judge);
    judge.require(kScriptOpening);
    return module;
}

/// All tensors as f32[4, 5] that require grad, if there are only tensors.
std::optional<InputSpec> tensorInputs(const Program& program) {
    InputSpec spec = blankInputs(program);
    for (const InputItem& item : spec.inputs)
        if (!std::holds_alternative<InputItem::TensorRef>(item.data)) return std::nullopt;
    for (ValueSpec& value : spec.values)
        if (auto* leaf = std::get_if<LeafSpec>(&value)) {
            leaf->shape = {4, 5};
            leaf->requiresGrad = true;
        }
    return spec;
}

ScriptDefinitions judged(const std::string& text, OperatorJudge& judge) {
    if (text.size() > kMostScriptText) throw Error("it has more than 200 kB");
    ScriptDefinitions code;
    code.add(kScriptRecord, asDefinitions(text));
    requireShortChains(code);
    requireSmallTypes(code);
    judgeSource(code, judge);
    judgeCodeRunAtLoad(code, judge);
    judge.require(kScriptOpening);
    return code;
}

std::string nameOfModel(const std::string& code) {
    ScriptDefinitions definitions;
    definitions.add(kScriptRecord, asDefinitions(code));
    return functionsOf(definitions).back().name().name();
}

}  // namespace

jit::Module scriptModule(const std::string& code, OperatorKinds allow) {
    try {
        OperatorJudge judge(allow);
        return defined(judged(code, judge), judge);
    } catch (const OperatorsRefused&) {
        throw;
    } catch (const Error& e) {
        throw Error(std::string(kScriptOpening) + ": " + e.what());
    } catch (const std::exception& e) {
        throw Error(std::string(kScriptOpening) + ": " + compilerMessage(e.what(), kScriptRecord));
    }
}

void loadScript(const std::string& code, ModuleMode mode, const LoadSettings& settings, Model& model) {
    const jit::Module module = scriptModule(code, settings.allow);
    model.kind = "script";
    model.name = nameOfModel(code);
    if (isScript(model.path)) model.path = std::string(kScriptPrefix) + model.name;
    const auto& returns = module.get_method("forward").function().getSchema().returns();
    if (returns.size() == 1 && returns[0].type()->kind() == c10::TypeKind::NoneType)
        model.warnings.push_back(
            "'" + model.name +
            "' returns nothing: its results are lost unless they are written into an input; end it with 'return'");
    model.program = programOf(module, mode, settings.method, settings.device);
    model.sampleSpec = tensorInputs(*model.program);
}

}  // namespace aotscope
