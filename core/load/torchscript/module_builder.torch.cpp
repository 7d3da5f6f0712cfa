#include "load/torchscript/module_builder.h"

#include "support/error.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/frontend/parser.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/frontend/sugared_value.h>

#include <sstream>

namespace aotscope {

namespace {

namespace jit = torch::jit;

std::vector<jit::Def> parseMethods(const std::string& file, const std::string& body, std::size_t firstLine) {
    jit::Parser parser(std::make_shared<jit::Source>(body, file, firstLine));
    std::vector<jit::Def> methods;
    while (parser.lexer().cur().kind != jit::TK_EOF) methods.emplace_back(parser.parseFunction(/*is_method=*/true));
    return methods;
}

}  // namespace

ModuleBuilder::ModuleBuilder() : unit_(std::make_shared<jit::CompilationUnit>()) {}

ModuleBuilder::Attribute ModuleBuilder::module(std::string name, const jit::Module& value) {
    return {Attribute::Kind::module, std::move(name), value._ivalue()};
}

void ModuleBuilder::addSource(const std::string& file, const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    ClassText* current = nullptr;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
        if (line.starts_with("class ")) {
            current = &texts_[line.substr(6, line.find(':') - 6)];
            *current = {file, "", number + 1};
        } else if (current) {
            current->body += line.substr(std::min<std::size_t>(line.size(), 4)) + "\n";
        }
    }
}

jit::Module ModuleBuilder::make(const std::string& className, std::vector<Attribute> attributes) {
    const auto it = texts_.find(className);
    check(it != texts_.end(), "no class text for '" + className + "'");
    attributes.push_back(plain("training", true));
    return compile(className, attributes, it->second);
}

jit::Module ModuleBuilder::compile(const std::string& className, const std::vector<Attribute>& attributes,
                                   const ClassText& text) {
    std::string key = className;
    for (const auto& a : attributes) key += "|" + a.name + ":" + a.value.type()->repr_str();
    c10::ClassTypePtr& type = compiled_[key];
    if (type) {
        jit::Module module(unit_, type);
        for (const auto& a : attributes) module._ivalue()->setAttr(a.name, a.value);
        return module;
    }
    jit::Module module(c10::QualifiedName("__torch__.samples." + className), unit_, /*shouldMangle=*/true);
    for (const auto& a : attributes) {
        switch (a.kind) {
            case Attribute::Kind::parameter: module.register_parameter(a.name, a.value.toTensor(), false); break;
            case Attribute::Kind::buffer: module.register_buffer(a.name, a.value.toTensor()); break;
            case Attribute::Kind::plain: module.register_attribute(a.name, a.value.type(), a.value); break;
            case Attribute::Kind::module: module.register_module(a.name, jit::Module(a.value.toObject())); break;
        }
    }
    type = module.type();
    const auto methods = parseMethods(text.file, text.body, text.firstLine);
    const std::vector<jit::ResolverPtr> resolvers(methods.size(), jit::nativeResolver());
    const jit::SimpleSelf self(type);
    unit_->define(type->name(), {}, {}, methods, resolvers, &self);
    return module;
}

jit::Module ModuleBuilder::sequential(const std::vector<jit::Module>& children) {
    std::string forward = "def forward(self, x: Tensor) -> Tensor:\n";
    for (std::size_t i = 0; i < children.size(); ++i)
        forward += "    x = getattr(self, \"" + std::to_string(i) + "\").forward(x)\n";
    return container("Sequential", children, forward + "    return x\n");
}

jit::Module ModuleBuilder::list(const std::vector<jit::Module>& children) {
    return container("ModuleList", children, "");
}

jit::Module ModuleBuilder::container(const std::string& className, const std::vector<jit::Module>& children,
                                     const std::string& forward) {
    std::vector<Attribute> attributes;
    for (std::size_t i = 0; i < children.size(); ++i) attributes.push_back(module(std::to_string(i), children[i]));
    attributes.push_back(plain("training", true));
    return compile(className, attributes, {"containers.py", forward, 1});
}

}  // namespace aotscope
