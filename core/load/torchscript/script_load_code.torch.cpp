#include "load/torchscript/script_source_check.h"

#include "support/quoted.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace aotscope {

namespace {

namespace jit = torch::jit;

/// Total calls that one __setstate__ may make.
constexpr std::size_t kMostCalls = 1000;

template <typename T>
bool isOneOf(const T& value, std::initializer_list<T> values) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

std::string variable(const jit::Expr& expression) {
    return expression.kind() == jit::TK_VAR ? jit::Var(expression).name().name() : std::string();
}

/// Whether a value that LibTorch computes while loading is a plain literal: numbers, texts, and containers of them.
class Literal {
public:
    explicit Literal(const ScriptDefinitions& code) : code_(code) {}

    bool operator()(const jit::TreeRef& tree) const {
        switch (tree->kind()) {
            case jit::TK_CONST:
            case jit::TK_STRINGLITERAL:
            case jit::TK_TRUE:
            case jit::TK_FALSE:
            case jit::TK_NONE: return true;
            case jit::TK_VAR: return isOneOf<std::string>(jit::Var(tree).name().name(), {"inf", "nan", "infj", "nanj"});
            case '.': return isName(jit::Expr(tree));
            case jit::TK_APPLY: return isConstructor(jit::Apply{jit::Expr(tree)});
            case jit::TK_LIST_LITERAL:
            case jit::TK_TUPLE_LITERAL:
            case jit::TK_DICT_LITERAL:
            case jit::TK_LIST:
            case jit::TK_UNARY_MINUS:
            case '+':
            case '-': return all(tree->trees());  // a complex number is a sum
            default: return false;
        }
    }

private:
    bool all(const jit::TreeList& trees) const { return std::all_of(trees.begin(), trees.end(), *this); }

    /// A tensor in the table of constants, or a member of an enumeration.
    static bool isName(const jit::Expr& expression) {
        const std::string name = dottedName(expression);
        return name.starts_with("CONSTANTS.") || name.starts_with("__torch__.");
    }

    /// annotate(List[int], []), torch.device("cpu"), complex(1, 2), a named tuple.
    bool isConstructor(const jit::Apply& apply) const {
        const std::string name = dottedName(apply.callee());
        const auto& inputs = apply.inputs().tree()->trees();
        const bool simple = apply.attributes().empty();
        if (name == "annotate") return simple && inputs.size() == 2 && (*this)(inputs[1]);
        const ScriptDefinition* definition = code_.find(name);
        const bool known = name == "torch.device" || name == "complex" || (definition && definition->isNamedTuple);
        if (!known || !all(inputs)) return false;
        for (const jit::Attribute& attribute : apply.attributes())
            if (!(*this)(attribute.value().tree())) return false;
        return true;
    }

    const ScriptDefinitions& code_;
};

/// Thrown internally: an allowed __setstate__ does not do this.
struct BeyondAssembly {
    std::string what;
};

/// What __setstate__ of one class may do: assign attributes, extract values from its argument, call operators of the
/// allow-list and, without cycles, methods of its own class with the same restrictions.
class AssemblyCheck {
public:
    explicit AssemblyCheck(const ScriptDefinition& owner) : owner_(owner) {}

    /// Counts the calls. Throws BeyondAssembly.
    std::size_t method(const std::string& name) {
        if (const auto it = calls_.find(name); it != calls_.end()) {
            if (!it->second) throw BeyondAssembly{"calls itself"};
            return *it->second;
        }
        calls_[name] = std::nullopt;
        const jit::Def def(owner_.methods.at(name));
        const std::string outerSelf = std::exchange(self_, selfOf(def));
        const std::size_t outerCount = std::exchange(count_, 1);
        for (const jit::Stmt& statement : def.statements()) this->statement(statement.tree());
        const std::size_t count = std::exchange(count_, outerCount);
        self_ = outerSelf;
        calls_[name] = count;
        return count;
    }

private:
    static std::string selfOf(const jit::Def& def) {
        const auto params = def.decl().params();
        return params.empty() ? std::string() : (*params.begin()).ident().name();
    }

    void statement(const jit::TreeRef& tree) {
        switch (tree->kind()) {
            case jit::TK_ASSIGN: {
                const jit::Assign assign{jit::Stmt(tree)};
                for (const jit::Expr& target : assign.lhs_list()) this->target(target.tree());
                if (assign.rhs().present()) expression(assign.rhs().get().tree());
                return;
            }
            case jit::TK_EXPR_STMT: return expression(tree->trees().at(0));
            case jit::TK_IF: {
                const jit::If branch{jit::Stmt(tree)};
                expression(branch.cond().tree());
                for (const jit::Stmt& inner : branch.trueBranch()) statement(inner.tree());
                for (const jit::Stmt& inner : branch.falseBranch()) statement(inner.tree());
                return;
            }
            case jit::TK_RETURN:
            case jit::TK_ASSERT: return expression(tree->trees().at(0));
            case jit::TK_PASS: return;
            default: throw BeyondAssembly{"contains '" + jit::kindToString(tree->kind()) + "'"};
        }
    }

    /// A variable, an attribute of the object itself, or several.
    void target(const jit::TreeRef& tree) {
        if (tree->kind() == jit::TK_VAR) return requireNotSelf(jit::Var(tree).name().name());
        if (tree->kind() == '.') return attribute(jit::Select{jit::Expr(tree)});
        if (tree->kind() != jit::TK_TUPLE_LITERAL) throw BeyondAssembly{"writes into a value"};
        for (const jit::Expr& element : jit::TupleLiteral{jit::Expr(tree)}.inputs()) target(element.tree());
    }

    void requireNotSelf(const std::string& name) const {
        if (name == self_) throw BeyondAssembly{"replaces '" + name + "'"};
    }

    /// The types of nested objects are not checked yet.
    void attribute(const jit::Select& select) const {
        const std::string root = variable(select.value());
        if (root != self_ && root != "CONSTANTS") throw BeyondAssembly{"looks into another object"};
    }

    void expression(const jit::TreeRef& tree) {
        switch (tree->kind()) {
            case '.': return attribute(jit::Select{jit::Expr(tree)});
            case jit::TK_APPLY: return call(jit::Apply{jit::Expr(tree)});
            case jit::TK_VAR:
            case jit::TK_CONST:
            case jit::TK_STRINGLITERAL:
            case jit::TK_TRUE:
            case jit::TK_FALSE:
            case jit::TK_NONE: return;
            case jit::TK_LIST:
            case jit::TK_LIST_LITERAL:
            case jit::TK_TUPLE_LITERAL:
            case jit::TK_DICT_LITERAL:
            case jit::TK_SUBSCRIPT:
            case jit::TK_SLICE_EXPR:
            case jit::TK_OPTION:
            case jit::TK_UNARY_MINUS:
            case jit::TK_NOT:
            case jit::TK_AND:
            case jit::TK_OR:
            case jit::TK_IF_EXPR:
                for (const jit::TreeRef& child : tree->trees()) expression(child);
                return;
            default: throw BeyondAssembly{"contains '" + jit::kindToString(tree->kind()) + "'"};
        }
    }

    void add(std::size_t calls) {
        count_ += calls;
        if (count_ > kMostCalls) throw BeyondAssembly{"makes more than 1,000 calls"};
    }

    void call(const jit::Apply& apply) {
        add(1);
        const std::string name = dottedName(apply.callee());
        std::size_t types = 0;
        if (isOneOf<std::string>(name, {"annotate", "isinstance"})) types = 1;
        else if (isOneOf<std::string>(name, {"unchecked_cast", "uninitialized"})) types = plainTypes(apply);
        else if (!isBuiltin(name) && !isOperator(name)) ownMethod(apply);
        const auto& inputs = apply.inputs().tree()->trees();
        const bool typeComesLast = name == "isinstance";
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (typeComesLast ? i == 0 : i >= types) expression(inputs[i]);
        for (const auto& attribute : apply.attributes()) expression(attribute.value().tree());
    }

    static bool isBuiltin(const std::string& name) {
        return isOneOf<std::string>(name, {"int", "float", "bool", "str", "len", "complex", "tuple"});
    }

    /// torch.NAME and ops.SPACE.NAME
    static bool isOperator(const std::string& dotted) {
        std::string name;
        if (dotted.starts_with("torch.")) name = "aten::" + dotted.substr(6);
        if (dotted.starts_with("ops.")) {
            name = dotted.substr(4);
            const auto dot = name.find('.');
            if (dot != std::string::npos) name.replace(dot, 1, "::");
        }
        if (name.empty()) return false;
        if (name.find('.') != std::string::npos || !mayRunAtLoad(name))
            throw BeyondAssembly{"calls " + shortened(name)};
        return true;
    }

    /// Casts are unchecked: allows only types that are checked on use.
    static std::size_t plainTypes(const jit::Apply& apply) {
        if (apply.inputs().empty() || !isPlain((*apply.inputs().begin()).tree()))
            throw BeyondAssembly{"casts to a type without a check"};
        return 1;
    }
    static bool isPlain(const jit::TreeRef& type) {
        if (type->kind() == jit::TK_VAR)
            return isOneOf<std::string>(jit::Var(type).name().name(), {"Tensor", "int", "float", "bool", "str", "List",
                                                                       "Dict", "Optional", "Device", "complex"});
        if (type->kind() != jit::TK_SUBSCRIPT && type->kind() != jit::TK_LIST) return false;
        return std::all_of(type->trees().begin(), type->trees().end(), isPlain);
    }

    void ownMethod(const jit::Apply& apply) {
        if (apply.callee().kind() == '.' && !dottedName(apply.callee()).starts_with("__torch__.")) {
            const jit::Select select(apply.callee());
            const std::string name = select.selector().name();
            if (variable(select.value()) == self_ && owner_.methods.contains(name)) {
                add(method(name));
                return;
            }
            throw BeyondAssembly{"calls the method " + inQuotes(name) + " of another object"};
        }
        throw BeyondAssembly{"calls a function"};
    }

    const ScriptDefinition& owner_;
    std::map<std::string, std::optional<std::size_t>> calls_;  ///< by method; nothing: currently being examined
    std::string self_;
    std::size_t count_ = 0;
};

class LoadCode {
public:
    LoadCode(const ScriptDefinitions& code, OperatorJudge& judge) : code_(code), isLiteral_(code), judge_(judge) {}

    void definition(const ScriptDefinition& definition) {
        if (!definition.isClass()) return defaults(definition.tree, definition.name);
        for (const jit::Stmt& statement : jit::ClassDef(definition.tree).body()) {
            if (statement.kind() == jit::TK_DEF) defaults(statement.tree(), definition.name);
            if (statement.kind() == jit::TK_ASSIGN) constant(jit::Assign(statement), definition.name);
        }
        if (!definition.methods.contains("__setstate__")) return;
        try {
            requireNoHiddenCalls();
            AssemblyCheck(definition).method("__setstate__");
        } catch (const BeyondAssembly& e) {
            refuse("code in __setstate__ of " + shortened(definition.name) + " (it " + e.what + ")");
        }
    }

private:
    void refuse(const std::string& what) { judge_.judge(what, {OperatorKind::runsAtLoad}); }

    /// x[0] and len(x) call methods if x is an object.
    void requireNoHiddenCalls() const {
        for (const char* name : {"__getitem__", "__len__", "__bool__", "__int__", "__float__", "__complex__", "__str__",
                                 "__neg__", "__contains__"})
            if (code_.declares(name)) throw BeyondAssembly{"may call '" + std::string(name) + "'"};
    }

    /// The defaults of a function and of nested functions.
    void defaults(const jit::TreeRef& tree, const std::string& owner) {
        if (tree->kind() == jit::TK_DEF)
            for (const jit::Param& param : jit::Def(tree).decl().params())
                if (param.defaultValue().present() && !isLiteral_(param.defaultValue().get().tree()))
                    refuse("code in the default of " + inQuotes(param.ident().name()) + " in " + shortened(owner));
        for (const jit::TreeRef& child : tree->trees()) defaults(child, owner);
    }

    /// `__annotations__["0"] = Tensor` names a type.
    void constant(const jit::Assign& assign, const std::string& owner) {
        const bool annotation = assign.lhs_list().size() == 1 && assign.lhs().kind() == jit::TK_SUBSCRIPT;
        if (!annotation && assign.rhs().present() && !isLiteral_(assign.rhs().get().tree()))
            refuse("code in a constant of " + shortened(owner));
    }

    const ScriptDefinitions& code_;
    Literal isLiteral_;
    OperatorJudge& judge_;
};

}  // namespace

void judgeCodeRunAtLoad(const ScriptDefinitions& code, OperatorJudge& judge) {
    if (judge.allows(OperatorKind::runsAtLoad)) return;
    LoadCode check(code, judge);
    for (const auto& [name, definition] : code.all()) check.definition(definition);
}

}  // namespace aotscope
