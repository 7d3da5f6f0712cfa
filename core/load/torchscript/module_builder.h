#pragma once

#include <ATen/core/ivalue.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// Builds TorchScript modules from class sources. Modules of one class whose attributes have the same types share one
/// compiled type.
class ModuleBuilder {
public:
    ModuleBuilder();

    /// `text`: classes of the form "class NAME:" with indented methods; `file` is shown as provenance.
    void addSource(const std::string& file, const std::string& text);

    struct Attribute {
        enum class Kind { parameter, buffer, plain, module } kind;
        std::string name;
        c10::IValue value;
    };
    static Attribute parameter(std::string name, at::Tensor value) {
        return {Attribute::Kind::parameter, std::move(name), std::move(value)};
    }
    static Attribute buffer(std::string name, at::Tensor value) {
        return {Attribute::Kind::buffer, std::move(name), std::move(value)};
    }
    static Attribute plain(std::string name, c10::IValue value) {
        return {Attribute::Kind::plain, std::move(name), std::move(value)};
    }
    static Attribute module(std::string name, const torch::jit::Module& value);

    torch::jit::Module make(const std::string& className, std::vector<Attribute> attributes);

    /// Calls its children in order.
    torch::jit::Module sequential(const std::vector<torch::jit::Module>& children);

    /// Contains its children; has no method.
    torch::jit::Module list(const std::vector<torch::jit::Module>& children);

private:
    struct ClassText {
        std::string file, body;
        std::size_t firstLine = 1;
    };
    torch::jit::Module compile(const std::string& className, const std::vector<Attribute>& attributes,
                               const ClassText& text);
    torch::jit::Module container(const std::string& className, const std::vector<torch::jit::Module>& children,
                                 const std::string& forward);

    std::shared_ptr<torch::jit::CompilationUnit> unit_;
    std::map<std::string, ClassText> texts_;
    std::map<std::string, c10::ClassTypePtr> compiled_;  ///< by class name and attribute types
};

}  // namespace aotscope
