#include "load/torchscript/script_types.h"

#include "support/error.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>

namespace aotscope {

namespace {

namespace jit = torch::jit;

constexpr double kMostParts = 10'000;    ///< per type
constexpr double kMostPartsOfAll = 2e6;  ///< over all values with larger types
constexpr double kLarger = 16;

struct Parts;
/// The parts of a type; null: irrelevant.
using Shape = std::shared_ptr<const Parts>;

/// A tuple's elements, with names for a named tuple; or a list's element type.
struct Parts {
    std::vector<Shape> elements;
    std::vector<std::string> names = {};
    bool isList = false;
    double size = 1;  ///< of the whole type
};

double sizeOf(const Shape& shape) { return shape ? shape->size : 1; }

Shape tupleOf(std::vector<Shape> elements, std::vector<std::string> names = {}) {
    double size = 1;
    for (const Shape& element : elements) size += sizeOf(element);
    return std::make_shared<const Parts>(Parts{std::move(elements), std::move(names), false, size});
}
Shape listShape(Shape element) {
    const double size = 1 + sizeOf(element);
    return std::make_shared<const Parts>(Parts{{std::move(element)}, {}, true, size});
}
Shape larger(const Shape& a, const Shape& b) { return sizeOf(a) < sizeOf(b) ? b : a; }

/// Tracks the types of values through the code, as far as tuples are concerned.
class TypeSizes {
public:
    explicit TypeSizes(const ScriptDefinitions& code) : code_(code) {
        for (const auto& [name, definition] : code.all()) {
            for (const auto& [method, tree] : definition.methods) functions_[method].push_back(tree);
            if (!definition.isClass()) functions_[lastOf(name)].push_back(definition.tree);
        }
    }

    void run() {
        for (const auto& [name, trees] : functions_)
            for (const jit::TreeRef& tree : trees) returnedBy(tree);
        for (const auto& [name, definition] : code_.all())
            if (definition.isClass()) ofClass(definition);
    }

private:
    using Variables = std::unordered_map<std::string, Shape>;

    static std::string lastOf(const std::string& name) { return name.substr(name.rfind('.') + 1); }

    const Shape& noted(const Shape& shape) {
        if (sizeOf(shape) > kLarger) all_ += sizeOf(shape);
        if (sizeOf(shape) > kMostParts || all_ > kMostPartsOfAll)
            throw Error("its tuples of tuples have more than " + std::to_string(static_cast<int>(kMostParts)) +
                        " parts in all");
        return shape;
    }

    // --- types as written ---

    Shape ofType(const jit::Expr& type) {
        if (type.kind() != jit::TK_SUBSCRIPT) {
            const ScriptDefinition* definition = code_.find(dottedName(type));
            return definition && definition->isNamedTuple ? ofClass(*definition) : nullptr;
        }
        const jit::Subscript subscript(type);
        const std::string name = lastOf(dottedName(subscript.value()));
        std::vector<Shape> arguments;
        for (const jit::Expr& argument : subscript.subscript_exprs()) arguments.push_back(ofType(argument));
        if (arguments.empty()) return nullptr;
        if (name == "Tuple") return noted(tupleOf(std::move(arguments)));
        Shape largest = *std::max_element(arguments.begin(), arguments.end(),
                                          [](const Shape& a, const Shape& b) { return sizeOf(a) < sizeOf(b); });
        return name == "Optional" || name == "Union" || name == "Future" ? largest
                                                                         : noted(listShape(std::move(largest)));
    }

    /// For a named tuple; for other classes only the members are checked, which their type does not repeat.
    Shape ofClass(const ScriptDefinition& definition) {
        const auto [it, isNew] = classes_.try_emplace(definition.name);
        if (!isNew) return it->second;
        std::vector<Shape> elements;
        std::vector<std::string> names;
        for (const jit::Stmt& statement : jit::ClassDef(definition.tree).body()) {
            if (statement.kind() != jit::TK_ASSIGN) continue;
            const jit::Assign field(statement);
            if (!field.type().present() || field.lhs_list()[0].kind() != jit::TK_VAR) continue;
            elements.push_back(ofType(field.type().get()));
            names.push_back(jit::Var(field.lhs_list()[0]).name().name());
            Shape& known = members_[names.back()];
            known = larger(known, elements.back());
        }
        if (!definition.isNamedTuple) return nullptr;
        return classes_[definition.name] = noted(tupleOf(std::move(elements), std::move(names)));
    }

    // --- values ---

    Shape ofCall(const jit::Apply& call, const Variables& variables) {
        const std::string name = dottedName(call.callee());
        if (const ScriptDefinition* definition = code_.find(name); definition && definition->isNamedTuple)
            return ofClass(*definition);
        if ((name == "annotate" || name == "unchecked_cast") && !call.inputs().empty()) return ofType(call.inputs()[0]);
        for (const jit::Expr& input : call.inputs()) ofValue(input, variables);
        const bool isMember = call.callee().kind() == '.';
        const auto known = functions_.find(isMember ? jit::Select(call.callee()).selector().name() : lastOf(name));
        Shape result;
        if (known != functions_.end())
            for (const jit::TreeRef& tree : known->second) result = larger(result, returnedBy(tree));
        return result;
    }

    static std::optional<std::int64_t> integerOf(const jit::Expr& value) {
        if (value.kind() == jit::TK_UNARY_MINUS) {
            const auto positive = integerOf(jit::Expr(value.tree()->tree(0)));
            return positive ? std::optional(-*positive) : std::nullopt;
        }
        if (value.kind() != jit::TK_CONST || !jit::Const(value).isIntegral()) return std::nullopt;
        return jit::Const(value).asIntegral();
    }

    /// The position in `size` elements that an index selects, as in a slice; `otherwise` if it is unknown.
    static std::size_t placeOf(const jit::Maybe<jit::Expr>& index, std::size_t size, std::size_t otherwise) {
        const auto given = index.present() ? integerOf(index.get()) : std::nullopt;
        if (!given) return otherwise;
        const auto count = static_cast<std::int64_t>(size);
        return static_cast<std::size_t>(std::clamp<std::int64_t>(*given < 0 ? *given + count : *given, 0, count));
    }

    Shape ofSubscript(const jit::Subscript& subscript, const Variables& variables) {
        Shape whole = ofValue(subscript.value(), variables);
        if (!whole || whole->isList) return whole ? whole->elements[0] : nullptr;
        const auto& elements = whole->elements;
        const jit::Expr index = subscript.subscript_exprs()[0];
        if (index.kind() == jit::TK_SLICE_EXPR) {
            const jit::SliceExpr slice(index);
            const auto begin = placeOf(slice.start(), elements.size(), 0),
                       end = std::max(begin, placeOf(slice.end(), elements.size(), elements.size()));
            return noted(tupleOf({elements.begin() + static_cast<std::ptrdiff_t>(begin),
                                  elements.begin() + static_cast<std::ptrdiff_t>(end)}));
        }
        auto at = integerOf(index);
        if (at && *at < 0) *at += static_cast<std::int64_t>(elements.size());
        if (!at) return whole;
        return *at >= 0 && *at < static_cast<std::int64_t>(elements.size()) ? elements[static_cast<std::size_t>(*at)]
                                                                            : nullptr;
    }

    Shape ofMember(const jit::Select& select, const Variables& variables) {
        const std::string name = select.selector().name();
        if (const Shape whole = ofValue(select.value(), variables); whole)
            if (const auto at = std::find(whole->names.begin(), whole->names.end(), name); at != whole->names.end())
                return whole->elements[static_cast<std::size_t>(at - whole->names.begin())];
        const auto known = members_.find(name);
        return known == members_.end() ? nullptr : known->second;
    }

    Shape ofValue(const jit::Expr& value, const Variables& variables) {
        switch (value.kind()) {
            case jit::TK_VAR: {
                const auto known = variables.find(jit::Var(value).name().name());
                return known == variables.end() ? nullptr : known->second;
            }
            case jit::TK_TUPLE_LITERAL: {
                std::vector<Shape> elements;
                for (const jit::Expr& element : jit::TupleLiteral(value).inputs())
                    elements.push_back(ofValue(element, variables));
                return noted(tupleOf(std::move(elements)));
            }
            case jit::TK_LIST_LITERAL: {
                Shape element;
                for (const jit::Expr& e : jit::ListLiteral(value).inputs())
                    element = larger(element, ofValue(e, variables));
                return noted(listShape(std::move(element)));
            }
            case jit::TK_DICT_LITERAL: {
                Shape element;
                for (const jit::Expr& e : jit::DictLiteral(value).value_inputs())
                    element = larger(element, ofValue(e, variables));
                return noted(listShape(std::move(element)));
            }
            case jit::TK_IF_EXPR: {
                const jit::TernaryIf choice(value);
                return larger(ofValue(choice.true_expr(), variables), ofValue(choice.false_expr(), variables));
            }
            case '.': return ofMember(jit::Select(value), variables);
            case jit::TK_SUBSCRIPT: return ofSubscript(jit::Subscript(value), variables);
            case jit::TK_APPLY: return ofCall(jit::Apply(value), variables);
            case '+': {  // concatenates tuples
                const jit::BinOp both(value);
                const Shape a = ofValue(both.lhs(), variables), b = ofValue(both.rhs(), variables);
                if (!a || !b || a->isList || b->isList) return larger(a, b);
                std::vector<Shape> elements = a->elements;
                elements.insert(elements.end(), b->elements.begin(), b->elements.end());
                return noted(tupleOf(std::move(elements)));
            }
            default: return nullptr;
        }
    }

    // --- statements ---

    static void assign(const jit::Expr& target, const Shape& shape, Variables& variables, bool certain) {
        if (target.kind() == jit::TK_VAR) {
            Shape& known = variables[jit::Var(target).name().name()];
            known = certain ? shape : larger(known, shape);
        } else if (target.kind() == jit::TK_TUPLE_LITERAL) {
            assignParts(jit::TupleLiteral(target).inputs(), shape, variables, certain);
        }
    }

    static void assignParts(const jit::List<jit::Expr>& targets, const Shape& shape, Variables& variables,
                            bool certain) {
        for (std::size_t i = 0; i < targets.size(); ++i) {
            if (!shape || shape->elements.empty()) assign(targets[i], nullptr, variables, certain);
            else
                assign(targets[i], shape->elements[shape->isList ? 0 : std::min(i, shape->elements.size() - 1)],
                       variables, certain);
        }
    }

    void runAssignment(const jit::Assign& statement, Variables& variables, bool certain) {
        Shape shape;
        if (statement.rhs().present()) shape = ofValue(statement.rhs().get(), variables);
        if (statement.type().present()) shape = larger(shape, ofType(statement.type().get()));
        const auto targets = statement.lhs_list();
        if (targets.size() == 1) assign(targets[0], shape, variables, certain);
        else
            for (const jit::Expr& target : targets) assign(target, shape, variables, certain);  // a = b = value
    }

    /// Returns the largest type that the statements return.
    Shape runStatements(const jit::List<jit::Stmt>& statements, Variables& variables, bool certain) {
        Shape result;
        for (const jit::Stmt& statement : statements) {
            switch (statement.kind()) {
                case jit::TK_ASSIGN: runAssignment(jit::Assign(statement), variables, certain); break;
                case jit::TK_RETURN: result = larger(result, ofValue(jit::Return(statement).expr(), variables)); break;
                case jit::TK_EXPR_STMT: ofValue(jit::ExprStmt(statement).expr(), variables); break;
                case jit::TK_IF:
                    result = larger(result, runStatements(jit::If(statement).trueBranch(), variables, false));
                    result = larger(result, runStatements(jit::If(statement).falseBranch(), variables, false));
                    break;
                case jit::TK_WHILE:
                    result = larger(result, runStatements(jit::While(statement).body(), variables, false));
                    break;
                case jit::TK_FOR:
                    result = larger(result, runStatements(jit::For(statement).body(), variables, false));
                    break;
                case jit::TK_WITH:
                    result = larger(result, runStatements(jit::With(statement).body(), variables, certain));
                    break;
                default: break;
            }
        }
        return result;
    }

    /// Also checks the function, once.
    Shape returnedBy(const jit::TreeRef& tree) {
        const auto [it, isNew] = returned_.try_emplace(tree.get());
        if (!isNew) return it->second;  // nothing yet for a recursive one, which LibTorch rejects
        const jit::Def function(tree);
        Variables variables;
        for (const jit::Param& parameter : function.decl().params())
            if (parameter.type().present()) variables[parameter.ident().name()] = ofType(parameter.type().get());
        Shape result = runStatements(function.statements(), variables, true);
        if (function.decl().return_type().present())
            result = larger(result, ofType(function.decl().return_type().get()));
        return returned_[tree.get()] = result;
    }

    const ScriptDefinitions& code_;
    std::unordered_map<std::string, std::vector<jit::TreeRef>> functions_;  ///< includes methods, by their own names
    std::unordered_map<std::string, Shape> classes_, members_;
    std::unordered_map<const jit::Tree*, Shape> returned_;
    double all_ = 0;
};

}  // namespace

void requireSmallTypes(const ScriptDefinitions& code) { TypeSizes(code).run(); }

}  // namespace aotscope
