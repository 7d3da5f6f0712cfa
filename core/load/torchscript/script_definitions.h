#pragma once

#include <torch/csrc/jit/frontend/tree_views.h>

#include <map>
#include <set>
#include <string>

namespace aotscope {

/// A class or a free function in the code of a TorchScript archive, parsed but not compiled.
struct ScriptDefinition {
    std::string name;  ///< qualified: "__torch__.models.MLP"
    torch::jit::TreeRef tree;
    std::map<std::string, torch::jit::TreeRef> methods;  ///< for a class
    bool isNamedTuple = false;

    bool isClass() const { return tree->kind() == torch::jit::TK_CLASS_DEF; }
};

/// All code of an archive.
class ScriptDefinitions {
public:
    /// Parses the record "code/__torch__/models.py". Throws Error (a clause without the file's name) for text that is
    /// not TorchScript, is nested too deeply for LibTorch, or defines a name twice.
    void add(const std::string& record, const std::string& text);

    const std::map<std::string, ScriptDefinition>& all() const { return definitions_; }
    const ScriptDefinition* find(const std::string& name) const;
    /// Whether any class has a method or attribute with this name.
    bool declares(const std::string& name) const { return members_.contains(name); }

private:
    void addDefinition(ScriptDefinition definition);
    void addMembers(ScriptDefinition& definition);

    std::size_t tokens_ = 0;
    std::map<std::string, ScriptDefinition> definitions_;
    std::set<std::string> members_;
};

/// "__torch__.models.MLP" for an expression of only names and dots; empty for any other.
std::string dottedName(const torch::jit::Expr& expression);

/// Throws Error (a clause without the file's name) if chains of definitions that refer to each other are so long that
/// LibTorch, which compiles them recursively, would overflow the stack.
void requireShortChains(const ScriptDefinitions& code);

}  // namespace aotscope
