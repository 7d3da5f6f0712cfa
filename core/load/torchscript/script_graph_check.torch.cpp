#include "load/torchscript/script_graph_check.h"

#include "support/quoted.h"

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <vector>

namespace aotscope {

namespace {

namespace jit = torch::jit;
using c10::TypeKind;

/// Whether values know their own type, so that a wrong one is detected on use.
bool isPlain(const c10::Type& type) {
    switch (type.kind()) {
        case TypeKind::TensorType:
        case TypeKind::IntType:
        case TypeKind::FloatType:
        case TypeKind::BoolType:
        case TypeKind::ComplexType:
        case TypeKind::NumberType:
        case TypeKind::StringType:
        case TypeKind::NoneType:
        case TypeKind::DeviceObjType:
        case TypeKind::AnyType: return true;
        case TypeKind::ListType:
        case TypeKind::DictType:
        case TypeKind::OptionalType:
        case TypeKind::UnionType: {
            const auto contained = type.containedTypes();
            return std::all_of(contained.begin(), contained.end(), [](const auto& t) { return isPlain(*t); });
        }
        default: return false;
    }
}

std::vector<c10::TypePtr> alternatives(const c10::Type& type) {
    if (type.kind() == TypeKind::UnionType || type.kind() == TypeKind::OptionalType) {
        const auto contained = type.containedTypes();
        std::vector<c10::TypePtr> types(contained.begin(), contained.end());
        std::erase_if(types, [](const auto& t) { return t->kind() == TypeKind::NoneType; });
        return types;
    }
    return {};
}

bool isAmong(const c10::Type& type, const std::vector<c10::TypePtr>& types) {
    return std::any_of(types.begin(), types.end(), [&](const auto& t) { return type.isSubtypeOf(*t); });
}

/// Whether `condition` is isinstance(value, ...) and, if it `holds` or not, implies the type `to`.
bool implies(const jit::Node& condition, bool holds, const jit::Value* value, const c10::Type& to) {
    if (condition.kind() != c10::prim::isinstance || condition.input(0) != value) return false;
    const std::vector<c10::TypePtr>& tested = condition.tys(c10::attr::types);
    const auto fits = [&](const c10::TypePtr& t) { return t->isSubtypeOf(to); };
    if (holds) return std::all_of(tested.begin(), tested.end(), fits);
    auto rest = alternatives(*value->type());
    std::erase_if(rest, [&](const auto& t) { return isAmong(*t, tested); });
    return !rest.empty() && std::all_of(rest.begin(), rest.end(), fits);
}

/// unchecked_cast is what the compiler generates for `if isinstance(x, T)` and `if x is not None`; in a file it can
/// occur anywhere, and values of other types would be treated as tuples and objects of T.
bool isSoundCast(const jit::Node& cast) {
    const jit::Value* value = cast.input();
    const c10::Type &from = *value->type(), &to = *cast.output()->type();
    if (from.isSubtypeOf(to) || isPlain(to)) return true;
    const auto possible = alternatives(from);  // None is detected on use
    if (!possible.empty() &&
        std::all_of(possible.begin(), possible.end(), [&](const auto& t) { return t->isSubtypeOf(to); }))
        return true;
    for (const jit::Block* block = cast.owningBlock(); block->owningNode();
         block = block->owningNode()->owningBlock()) {
        const jit::Node& owner = *block->owningNode();
        if (owner.kind() == c10::prim::If && implies(*owner.input()->node(), owner.blocks()[0] == block, value, to))
            return true;
    }
    return false;
}

class GraphWalk {
public:
    explicit GraphWalk(OperatorJudge& judge) : judge_(judge) {}

    void walk(jit::Block* first) {
        blocks_.push_back(first);
        while (!blocks_.empty()) {
            jit::Block* block = blocks_.back();
            blocks_.pop_back();
            for (jit::Node* node : block->nodes()) visit(*node);
        }
    }

private:
    void visit(jit::Node& node) {
        for (jit::Block* inner : node.blocks()) blocks_.push_back(inner);
        for (const c10::Symbol name : node.attributeNames()) {
            if (node.kindOf(name) == jit::AttributeKind::g) blocks_.push_back(node.g(name)->block());
            if (node.kindOf(name) == jit::AttributeKind::gs)
                for (const auto& graph : node.gs(name)) blocks_.push_back(graph->block());
        }
        if (node.kind() == c10::prim::Constant) return;
        if (node.kind() == c10::prim::CallMethod) return object(*node.input(0)->type());
        if (node.kind() == c10::prim::CreateObject) return object(*node.output()->type());
        const c10::FunctionSchema* schema = node.maybeSchema();
        judge_.call(node.kind().toQualString(), schema ? schema->overload_name() : std::string());
        if (node.kind() == c10::prim::unchecked_cast && !isSoundCast(node))
            judge_.judge("unchecked_cast to " + shortened(node.output()->type()->annotation_str()),
                         {OperatorKind::rawMemory});
    }

    void object(const c10::Type& type) {
        const auto* named = type.castRaw<c10::ClassType>();
        if (named && named->name()) judge_.customClass(named->name()->qualifiedName());
    }

    OperatorJudge& judge_;
    std::vector<jit::Block*> blocks_;
};

}  // namespace

void judgeCompiledCode(const jit::Module& module, OperatorJudge& judge) {
    judgeCompiledCode(*module._ivalue()->compilation_unit(), judge);
}

void judgeCompiledCode(const jit::CompilationUnit& unit, OperatorJudge& judge) {
    GraphWalk walk(judge);
    for (jit::Function* function : unit.get_functions())
        if (auto* graphFunction = jit::tryToGraphFunction(*function)) walk.walk(graphFunction->graph()->block());
}

}  // namespace aotscope
