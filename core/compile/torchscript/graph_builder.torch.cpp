#include "compile/torchscript/graph_builder.h"

#include "aten/convert.h"
#include "aten/find_operator.h"
#include "compile/torchscript/number_nodes.h"
#include "ir/printer.h"
#include "ops/number_functions.h"
#include "ops/op_table.h"
#include "support/error.h"

#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <unordered_map>

namespace aotscope {

namespace {

namespace jit = torch::jit;

bool isTensorType(const c10::Type& type) { return type.isSubtypeOf(*c10::OptionalType::ofTensor()); }

/// The type of a value with known sizes, for readers of the graph's text.
c10::TypePtr typeOfValue(const TensorType& type) {
    return c10::TensorType::create(toScalarType(type.dtype), c10::Device(type.device.name),
                                   c10::VaryingShape<int64_t>(type.sizes), c10::VaryingShape<int64_t>(type.strides),
                                   /*requires_grad=*/false);
}

class Builder {
public:
    Builder(const Graph& graph, const ConstantTable& constants) : source_(graph), constants_(constants) {}

    TorchScriptGraph run() {
        writeLines();
        for (const Node* node : source_.nodes()) {
            switch (node->kind()) {
                case NodeKind::placeholder: addInput(*node); break;
                case NodeKind::constant: values_[node] = graph_->insertConstant(constantOf(*node)); break;
                case NodeKind::call: addCall(*node); break;
                case NodeKind::output: break;
            }
        }
        for (const Argument& output : source_.outputs())
            graph_->registerOutput(output.node() ? valueOf(output.node())
                                                 : graph_->insertConstant(toIValue(output, *c10::AnyType::get())));
        graph_->lint();
        return {graph_, std::move(lines_)};
    }

private:
    /// Ranges refer to the text, which must not change afterwards.
    void writeLines() {
        std::string text;
        for (const Node* node : source_.nodes()) {
            if (node->kind() != NodeKind::call || isGetitem(*node)) continue;
            const std::size_t start = text.size();
            lines_[start] = node->id();
            text += printNode(*node);
            ends_[node] = {start, text.size()};
            text += '\n';
        }
        text_ = std::make_shared<jit::Source>(text, source_.name(), 1);
    }

    jit::Node* insert(jit::Node* made, const Node& node) {
        const auto [start, end] = ends_.at(&node);
        return graph_->insertNode(made)->setSourceRange({text_, start, end});
    }

    void describe(jit::Value* value, const Node& node) {
        value->setDebugName(node.name());
        if (const auto* tensor = node.type.tensor(); tensor && source_.symbols().empty())
            value->setType(typeOfValue(*tensor));
        values_[&node] = value;
    }

    void addInput(const Node& node) {
        jit::Value* value = graph_->addInput();
        if (const auto* number = node.type.scalar())
            value->setType(number->kind == ScalarType::Kind::integer   ? c10::TypePtr(c10::IntType::get())
                           : number->kind == ScalarType::Kind::boolean ? c10::TypePtr(c10::BoolType::get())
                                                                       : c10::TypePtr(c10::FloatType::get()));
        describe(value, node);
    }

    at::Tensor constantOf(const Node& node) const {
        const auto it = constants_.find(node.op());
        if (it == constants_.end())
            throw Error("the graph refers to the constant '" + node.op() + "', whose value is not available");
        return it->second.detach();
    }

    jit::Value* valueOf(const Node* node) const {
        const auto it = values_.find(node);
        if (it == values_.end()) throw Error("%" + node->name() + " is a tuple; only its elements can be used");
        return it->second;
    }

    void addCall(const Node& node) {
        if (isGetitem(node))
            return describe(elements_.at(node.args()[0].node()).at(static_cast<std::size_t>(*node.args()[1].integer())),
                            node);
        if (findNumberFunction(node.op())) return addNumber(node);
        if (isHigherOrder(node))
            throw Error("TorchScript has no operators that run graphs: %" + node.name() + " = " + node.op());
        const auto op = findOperator(node.op());
        if (!op) throw Error("operation '" + node.op() + "' is not known to LibTorch");
        const c10::OperatorName& name = op->operator_name();
        const c10::FunctionSchema& schema = op->schema();
        bool numberForTensor = false;
        std::vector<jit::Value*> inputs;
        for (std::size_t i = 0; i < schema.arguments().size(); ++i)
            inputs.push_back(addArgument(node, schema.arguments()[i], i, numberForTensor));
        jit::Node* call =
            insert(graph_->create(c10::Symbol::fromQualString(name.name), inputs, schema.returns().size()), node);
        for (std::size_t i = 0; i < schema.returns().size(); ++i)
            call->outputs()[i]->setType(schema.returns()[i].type());
        requireOperator(*call, node, name, numberForTensor);
        addResults(*call, node);
    }

    /// TorchScript chooses an overload by the types of its inputs.
    static void requireOperator(const jit::Node& call, const Node& node, const c10::OperatorName& name,
                                bool numberForTensor) {
        const jit::Operator* chosen = call.maybeOperator();
        if (!chosen) throw Error("TorchScript has no operator for %" + node.name() + " = " + node.op());
        const c10::OperatorName found = chosen->schema().operator_name();
        if (!(found == name) && !numberForTensor)
            throw Error("TorchScript takes %" + node.name() + " = " + node.op() + " for " + graphName(found));
    }

    jit::Value* addArgument(const Node& node, const c10::Argument& declared, std::size_t position,
                            bool& numberForTensor) {
        const Argument* given = node.argument(position, declared.name());
        if (!given && !declared.default_value())
            throw Error("%" + node.name() + " = " + node.op() + " lacks the argument '" + declared.name() + "'");
        if (!given) return graph_->insertConstant(*declared.default_value());
        if (given->isNone() && declared.type()->kind() == c10::TypeKind::TensorType)
            return insert(graph_->createAutogradZero(), node)->output();  // an undefined tensor
        if (isTensorType(*declared.type())) {
            const bool number = given->node() ? given->node()->type.scalar() != nullptr : !given->isNone();
            numberForTensor = numberForTensor || number;
            if (number && !given->node()) return graph_->insertConstant(toIValue(*given, *c10::AnyType::get()));
        }
        if (given->node()) return valueOf(given->node());
        return given->list() ? addList(*given, declared, node)
                             : graph_->insertConstant(toIValue(*given, *declared.real_type()));
    }

    /// A constant where possible.
    jit::Value* addList(const Argument& list, const c10::Argument& declared, const Node& node) {
        const c10::Type &type = withoutOptional(*declared.type()), &real = withoutOptional(*declared.real_type());
        if (type.kind() != c10::TypeKind::ListType)
            throw Error("%" + node.name() + ": expected a single value, found a list");
        const c10::TypePtr element = type.expectRef<c10::ListType>().getElementType(),
                           realElement = real.expectRef<c10::ListType>().getElementType();
        bool constant = !isTensorType(*element);
        forEachNode(list, [&](const Node*) { constant = false; });
        if (constant) return graph_->insertConstant(toIValue(list, real));
        std::vector<jit::Value*> values;
        for (const Argument& a : *list.list())
            values.push_back(a.node() ? valueOf(a.node()) : graph_->insertConstant(toIValue(a, *realElement)));
        return insert(graph_->createList(element, values), node)->output();
    }

    void addResults(jit::Node& call, const Node& node) {
        const auto* tuple = node.type.tuple();
        if (!tuple && call.outputs().size() == 1) {
            const auto* number = node.type.scalar();
            jit::Value* result = call.output();
            if (number && result->type()->kind() == c10::TypeKind::NumberType)
                result = insert(conversionNode(*graph_, result, number->kind), node)->output();
            return describe(result, node);
        }
        const bool list = call.outputs().size() == 1;
        if (tuple && list && call.output()->type()->kind() != c10::TypeKind::ListType)
            throw Error("%" + node.name() + " = " + node.op() + " returns no list");
        const auto outputs = list && tuple
                                 ? insert(graph_->createListUnpack(call.output(), tuple->size()), node)->outputs()
                                 : call.outputs();
        elements_[&node] = {outputs.begin(), outputs.end()};
    }

    void addNumber(const Node& node) {
        std::vector<jit::Value*> inputs;
        const auto add = [&](const Argument& a) {
            inputs.push_back(a.node() ? valueOf(a.node()) : graph_->insertConstant(toIValue(a, *c10::AnyType::get())));
        };
        for (const Argument& a : node.args()) {
            if (const auto* list = a.list()) std::for_each(list->begin(), list->end(), add);
            else add(a);
        }
        jit::Value* result = nullptr;
        for (jit::Node* made : numberNodes(*graph_, node, inputs)) result = insert(made, node)->output();
        describe(result, node);
    }

    const Graph& source_;
    const ConstantTable& constants_;
    std::shared_ptr<jit::Graph> graph_ = std::make_shared<jit::Graph>();
    std::shared_ptr<jit::Source> text_;
    std::map<std::size_t, NodeId> lines_;
    std::unordered_map<const Node*, std::pair<std::size_t, std::size_t>> ends_;
    std::unordered_map<const Node*, jit::Value*> values_;
    std::unordered_map<const Node*, std::vector<jit::Value*>> elements_;
};

}  // namespace

NodeId TorchScriptGraph::origin(const jit::Node& node) const {
    if (node.kind() == c10::prim::Constant) return kNoNode;
    const auto it = lines.find(node.sourceRange().start());
    return it == lines.end() ? kNoNode : it->second;
}

TorchScriptGraph buildTorchScript(const Graph& graph, const ConstantTable& constants) {
    return Builder(graph, constants).run();
}

}  // namespace aotscope
