#include "load/torchscript/script_source_check.h"

#include "support/error.h"
#include "support/quoted.h"

#include <optional>

namespace aotscope {

namespace {

namespace jit = torch::jit;

bool isVariable(const jit::Expr& expression, const char* name) {
    return expression.kind() == jit::TK_VAR && jit::Var(expression).name().name() == name;
}

/// Walks one tree that may name operators.
class SourceWalk {
public:
    SourceWalk(const ScriptDefinitions& code, OperatorJudge& judge) : code_(code), judge_(judge) {}

    void walk(const jit::TreeRef& tree) {
        if (tree->kind() == '.') return select(jit::Select{jit::Expr(tree)});
        if (tree->kind() == jit::TK_APPLY && attributeByName(jit::Apply{jit::Expr(tree)})) return;
        if (tree->kind() == jit::TK_VAR) requireNoNamespace(jit::Expr(tree), jit::Var(tree).name().name());
        for (const jit::TreeRef& child : tree->trees()) walk(child);
    }

private:
    void select(const jit::Select& access) {
        const std::string name = access.selector().name();
        if (const auto space = namespaceOf(access.value())) {
            if (name == "nn") requireNoNamespace(access, "torch.nn");
            judge_.call(*space + "::" + name);
        } else if (isVariable(access.value(), "ops")) {
            requireNoNamespace(access, "ops." + name);
        } else if (!dottedName(access).starts_with("__torch__.")) {
            method(name);
            walk(access.value().tree());
        }
    }

    /// getattr(x, "save") is x.save. Returns whether it was a namespace's, so that nothing is left to check.
    bool attributeByName(const jit::Apply& apply) {
        const jit::TreeRef inputs = apply.inputs().tree();
        if (!isVariable(apply.callee(), "getattr") || inputs->trees().size() < 2) return false;
        const jit::TreeRef &object = inputs->trees()[0], &text = inputs->trees()[1];
        if (text->kind() != jit::TK_STRINGLITERAL) return false;
        const std::string name = jit::StringLiteral(text).text();
        const auto space = namespaceOf(jit::Expr(object));
        if (space) judge_.call(*space + "::" + name);
        else method(name);
        return space.has_value();
    }

    void method(const std::string& name) {
        if (!code_.declares(name)) judge_.call("aten::" + name);
    }

    /// The namespace that an expression refers to: "torch" and "torch.nn" are aten's.
    static std::optional<std::string> namespaceOf(const jit::Expr& expression) {
        if (isVariable(expression, "torch")) return "aten";
        if (expression.kind() != '.') return std::nullopt;
        const jit::Select select(expression);
        if (isVariable(select.value(), "ops")) return select.selector().name();
        return select.selector().name() == "nn" && namespaceOf(select.value()) ? std::optional<std::string>("aten")
                                                                               : std::nullopt;
    }

    static void requireNoNamespace(const jit::Expr& expression, const std::string& name) {
        if (isVariable(expression, "torch") || isVariable(expression, "ops") || expression.kind() == '.')
            throw Error("its code passes " + inQuotes(name) + " around as a value");
    }

    const ScriptDefinitions& code_;
    OperatorJudge& judge_;
};

}  // namespace

void judgeSource(const ScriptDefinitions& code, OperatorJudge& judge) {
    SourceWalk walk(code, judge);
    for (const auto& [name, definition] : code.all()) walk.walk(definition.tree);
}

}  // namespace aotscope
