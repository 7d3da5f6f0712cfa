#include "compile/torchscript/number_nodes.h"

#include "support/error.h"

#include <torch/csrc/jit/ir/ir.h>

#include <map>

namespace aotscope {

namespace {

namespace jit = torch::jit;

/// By the last part of the name; overloads for sizes include the "aten." prefix.
const std::map<std::string_view, const char*>& symbols() {
    static const std::map<std::string_view, const char*> table = {
        {"eq", "aten::eq"},
        {"ne", "aten::ne"},
        {"le", "aten::le"},
        {"ge", "aten::ge"},
        {"lt", "aten::lt"},
        {"gt", "aten::gt"},
        {"add", "aten::add"},
        {"sub", "aten::sub"},
        {"mul", "aten::mul"},
        {"floordiv", "aten::floordiv"},
        {"mod", "aten::remainder"},
        {"truediv", "aten::div"},
        {"pow", "aten::pow"},
        {"neg", "aten::neg"},
        {"and_", "aten::__and__"},
        {"or_", "aten::__or__"},
        {"lshift", "aten::__lshift__"},
        {"rshift", "aten::__rshift__"},
        {"trunc", "aten::Int"},
        {"floor", "aten::floor"},
        {"ceil", "aten::ceil"},
        {"sqrt", "aten::sqrt"},
        {"sym_not", "aten::__not__"},
        {"sym_int", "aten::Int"},
        {"sym_float", "aten::Float"},
        {"sym_max", "prim::max"},
        {"sym_min", "prim::min"},
        {"sym_sqrt", "aten::sqrt"},
        {"_sym_sqrt", "aten::sqrt"},
        {"sym_sum", "aten::add"},
        {"aten.sym_size.int", "aten::size"},
        {"aten.sym_stride.int", "aten::stride"},
        {"aten.sym_numel.default", "aten::numel"},
        {"aten.sym_storage_offset.default", "aten::storage_offset"},
    };
    return table;
}

jit::Node* create(jit::Graph& graph, const char* symbol, const std::vector<jit::Value*>& inputs,
                  const std::string& what) {
    jit::Node* made = graph.create(c10::Symbol::fromQualString(symbol), inputs, 1);
    const jit::Operator* chosen = made->maybeOperator();
    if (!chosen) {
        made->destroy();
        throw Error("TorchScript has no operator for " + what);
    }
    made->output()->setType(chosen->schema().returns().at(0).type());
    return made;
}

c10::TypeKind typeKind(ScalarType::Kind kind) {
    return kind == ScalarType::Kind::integer   ? c10::TypeKind::IntType
           : kind == ScalarType::Kind::boolean ? c10::TypeKind::BoolType
                                               : c10::TypeKind::FloatType;
}

}  // namespace

jit::Node* conversionNode(jit::Graph& graph, jit::Value* number, ScalarType::Kind kind) {
    const char* symbol = kind == ScalarType::Kind::integer   ? "aten::Int"
                         : kind == ScalarType::Kind::boolean ? "aten::Bool"
                                                             : "aten::Float";
    return create(graph, symbol, {number}, "a number's conversion");
}

std::vector<jit::Node*> numberNodes(jit::Graph& graph, const Node& node, const std::vector<jit::Value*>& inputs) {
    const std::string_view op = node.op();
    const std::string_view name = op.starts_with("aten.") ? op : op.substr(op.rfind('.') + 1);
    const auto symbol = symbols().find(name);
    const std::string what = "%" + node.name() + " = " + node.op();
    if (symbol == symbols().end() || inputs.empty()) throw Error("TorchScript has no operator for " + what);
    std::vector<jit::Node*> nodes;
    if (name == "sym_sum") {
        jit::Value* sum = inputs[0];
        for (std::size_t i = 1; i < inputs.size(); ++i) {
            nodes.push_back(create(graph, symbol->second, {sum, inputs[i]}, what));
            sum = nodes.back()->output();
        }
        if (nodes.empty()) nodes.push_back(conversionNode(graph, sum, ScalarType::Kind::integer));
    } else {
        nodes.push_back(create(graph, symbol->second, inputs, what));
    }
    // Powers and roots of integers are floats in TorchScript.
    const auto* result = node.type.scalar();
    if (result && nodes.back()->output()->type()->kind() != typeKind(result->kind))
        nodes.push_back(conversionNode(graph, nodes.back()->output(), result->kind));
    return nodes;
}

}  // namespace aotscope
