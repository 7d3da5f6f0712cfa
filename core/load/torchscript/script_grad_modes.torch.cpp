#include "load/torchscript/script_grad_modes.h"

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/parser.h>
#include <torch/csrc/jit/frontend/resolver.h>

namespace aotscope {

namespace {

namespace jit = torch::jit;

/// Scripted like the classes in torch/autograd/grad_mode.py.
std::string switching(const std::string& to) {
    return "def __init__(self) -> None:\n    self.prev = False\n"
           "def __enter__(self) -> None:\n"
           "    self.prev = torch.is_grad_enabled()\n    torch.set_grad_enabled(" +
           to + ")\n";
}

/// It takes effect immediately: it can also be called alone.
constexpr const char* kSetGradEnabled =
    "def __init__(self, mode: bool) -> None:\n"
    "    self.prev = torch.is_grad_enabled()\n    torch.set_grad_enabled(mode)\n"
    "def __enter__(self) -> None:\n    pass\n";

constexpr const char* kExit =
    "def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:\n"
    "    torch.set_grad_enabled(self.prev)\n";

c10::QualifiedName classNamed(const std::string& name) { return {"__torch__.torch.autograd.grad_mode." + name}; }

void defineMode(const std::shared_ptr<jit::CompilationUnit>& unit, const std::string& name,
                const std::string& methods) {
    const auto type = c10::ClassType::create(classNamed(name), unit);
    type->addAttribute("prev", c10::BoolType::get());
    unit->register_type(type);
    jit::Parser parser(std::make_shared<jit::Source>(methods + kExit, "grad_mode.py", 0));
    std::vector<jit::Def> definitions;
    while (parser.lexer().cur().kind != jit::TK_EOF) definitions.emplace_back(parser.parseFunction(/*is_method=*/true));
    const std::vector<jit::ResolverPtr> resolvers(definitions.size(), jit::nativeResolver());
    const jit::SimpleSelf self(type);
    unit->define(type->name(), {}, {}, definitions, resolvers, &self);
}

}  // namespace

void defineGradModes(const std::shared_ptr<jit::CompilationUnit>& unit) {
    defineMode(unit, "no_grad", switching("False"));
    defineMode(unit, "enable_grad", switching("True"));
    defineMode(unit, "set_grad_enabled", kSetGradEnabled);
}

std::shared_ptr<jit::SugaredValue> gradMode(const jit::CompilationUnit& unit, const std::string& name) {
    const auto type = unit.get_class(classNamed(name));
    return type ? std::make_shared<jit::ClassValue>(type) : nullptr;
}

}  // namespace aotscope
