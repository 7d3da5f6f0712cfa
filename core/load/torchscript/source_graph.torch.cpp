#include "load/torchscript/source_graph.h"

#include "aten/convert.h"
#include "ir/graph.h"
#include "ir/output_names.h"
#include "load/torchscript/returned_values.h"

#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <unordered_set>

namespace aotscope {

namespace {

namespace jit = torch::jit;

/// Operations that only check or report.
bool isAssertion(const jit::Node* node) {
    return node->kind() == c10::prim::RaiseException || node->kind() == c10::aten::warn;
}

bool mutatesTensor(const jit::Node* node) {
    const auto* schema = node->maybeSchema();
    if (!schema || !schema->is_mutable()) return false;
    for (const jit::Value* input : node->inputs())
        if (input->type()->isSubtypeOf(*c10::TensorType::get())) return true;
    return false;
}

/// Nodes that the outputs or a mutation of a tensor depend on.
class Liveness {
public:
    explicit Liveness(const jit::Graph& graph) {
        for (const jit::Value* output : graph.outputs()) mark(output->node());
        findRoots(graph.block());
    }
    bool contains(const jit::Node* node) const { return live_.contains(node); }

private:
    void findRoots(const jit::Block* block) {
        for (const jit::Node* node : block->nodes()) {
            if (mutatesTensor(node) && !isAssertion(node)) mark(node);
            for (const jit::Block* inner : node->blocks()) findRoots(inner);
        }
    }

    void mark(const jit::Node* first) {
        std::vector<const jit::Node*> pending{first};
        while (!pending.empty()) {
            const jit::Node* node = pending.back();
            pending.pop_back();
            if (!live_.insert(node).second) continue;
            for (const jit::Value* input : node->inputs()) pending.push_back(input->node());
            for (const jit::Block* block : node->blocks())
                for (const jit::Value* output : block->outputs()) pending.push_back(output->node());
            if (const jit::Node* owner = node->owningBlock() ? node->owningBlock()->owningNode() : nullptr)
                pending.push_back(owner);
        }
    }

    std::unordered_set<const jit::Node*> live_;
};

class LoweredConverter {
public:
    explicit LoweredConverter(const LoweredMethod& lowered)
        : lowered_(lowered),
          live_(*lowered.graph),
          returned_(returnedValues(*lowered.graph)),
          graph_(std::make_unique<Graph>("source")) {}

    std::shared_ptr<const Graph> run() {
        const auto inputs = lowered_.graph->inputs();
        for (std::size_t i = 0; i < inputs.size(); ++i) addInput(inputs[i], i);
        copyBlock(lowered_.graph->block());
        std::vector<Argument> outputs;
        for (const jit::Value* output : returned_.leaves) outputs.push_back(argument(output));
        graph_->setOutput(std::move(outputs), userOutputs(returned_.structure.placeNames()));
        return std::move(graph_);
    }

private:
    void addInput(const jit::Value* input, std::size_t index) {
        if (index < lowered_.state.size()) {
            const StateTensor& state = lowered_.state[index];
            TensorType type = typeOf(state.value);
            type.requiresGrad = state.value.requires_grad();
            values_[input] = graph_->addPlaceholder("p_" + identifier(state.name), {type}, state.role, state.name);
            return;
        }
        const std::string name = input->debugNameBase();
        values_[input] = graph_->addPlaceholder(identifier(name), valueType(*input->type()), Role::userInput, name);
    }

    static std::string identifier(std::string name) {
        for (char& c : name)
            if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
        return name;
    }

    void copyBlock(const jit::Block* block) {
        for (const jit::Node* node : block->nodes()) {
            if (!live_.contains(node) || returned_.containers.contains(node) || node->kind() == c10::prim::Constant ||
                isAssertion(node))
                continue;
            if (node->kind() == c10::prim::ListConstruct || node->kind() == c10::prim::TupleConstruct)
                values_[node->output()] = arguments(node->inputs());
            else if (node->kind() == c10::prim::If) copyIf(node);
            else if (node->kind() == c10::prim::Loop) copyLoop(node);
            else addCall(node);
        }
    }

    void copyIf(const jit::Node* node) {
        for (const jit::Block* block : node->blocks()) copyBlock(block);
        bind(node, graph_->addCall("prim.If",
                                   {argument(node->input()), arguments(node->blocks()[0]->outputs()),
                                    arguments(node->blocks()[1]->outputs())},
                                   {}, {}));
    }

    void copyLoop(const jit::Node* node) {
        const jit::Block* body = node->blocks()[0];
        std::vector<Argument> initial;
        for (std::size_t i = 2; i < node->inputs().size(); ++i) initial.push_back(argument(node->inputs()[i]));
        values_[body->inputs()[0]] = graph_->addCall("prim.LoopIndex", {argument(node->inputs()[0])}, {}, {});
        for (std::size_t i = 1; i < body->inputs().size(); ++i)
            values_[body->inputs()[i]] =
                graph_->addCall("prim.LoopCarried", {initial[i - 1]}, {}, valueType(*body->inputs()[i]->type()));
        copyBlock(body);
        bind(node, graph_->addCall("prim.Loop", {arguments(body->outputs().slice(1))}, {}, {}));
    }

    void addCall(const jit::Node* node) {
        std::vector<Argument> args;
        for (const jit::Value* input : node->inputs()) args.push_back(argument(input));
        std::string op = node->kind().toQualString();
        if (const auto* schema = node->maybeSchema(); schema && !node->kind().is_prim())
            op = graphName(schema->operator_name());
        else op.replace(op.find("::"), 2, ".");
        Node* call = graph_->addCall(op, std::move(args), {},
                                     node->outputs().size() == 1 ? valueType(*node->output()->type()) : ValueType{});
        if (const auto it = lowered_.locationOf.find(node); it != lowered_.locationOf.end())
            call->source = lowered_.locations[it->second];
        bind(node, call);
    }

    void bind(const jit::Node* node, Node* call) {
        if (node->outputs().size() == 1) {
            values_[node->output()] = call;
            return;
        }
        for (std::size_t i = 0; i < node->outputs().size(); ++i) {
            if (!node->outputs()[i]->hasUses()) continue;
            Node* item = graph_->addCall("operator.getitem", {call, static_cast<std::int64_t>(i)}, {},
                                         valueType(*node->outputs()[i]->type()));
            item->source = call->source;
            values_[node->outputs()[i]] = item;
        }
    }

    Argument argument(const jit::Value* value) {
        if (const auto it = values_.find(value); it != values_.end()) return it->second;
        const auto constant = jit::toIValue(value);
        if (!constant) return std::string("?");
        if (constant->isTensor() && constant->toTensor().defined())
            return values_[value] = graph_->addConstant("_tensor_constant", {typeOf(constant->toTensor())});
        try {
            return toArgument(*constant, *c10::AnyType::get(), {});
        } catch (const std::exception&) {
            return constant->type()->repr_str();
        }
    }

    template <typename Values>
    Argument arguments(const Values& values) {
        Argument::List list;
        for (const jit::Value* value : values) list.push_back(argument(value));
        return list;
    }

    static ValueType valueType(const c10::Type& type) {
        if (type.kind() == c10::TypeKind::IntType) return {ScalarType{ScalarType::Kind::integer, 0}};
        if (type.kind() == c10::TypeKind::FloatType) return {ScalarType{ScalarType::Kind::real, 0}};
        if (type.kind() == c10::TypeKind::BoolType) return {ScalarType{ScalarType::Kind::boolean, 0}};
        if (type.kind() == c10::TypeKind::NoneType) return {OtherType::none};
        if (type.kind() == c10::TypeKind::StringType) return {OtherType::text};
        const auto* tensor = type.castRaw<c10::TensorType>();
        if (!tensor) return {};
        const auto sizes = tensor->sizes().concrete_sizes();
        if (!sizes || !tensor->scalarType()) return {};
        TensorType known;
        known.dtype = toDType(*tensor->scalarType());
        known.sizes = *sizes;
        const auto strides = tensor->strides().concrete_sizes();
        known.strides = strides ? *strides : contiguousStrides(known.sizes);
        return {known};
    }

    const LoweredMethod& lowered_;
    Liveness live_;
    ReturnedValues returned_;
    std::unique_ptr<Graph> graph_;
    std::unordered_map<const jit::Value*, Argument> values_;
};

}  // namespace

std::shared_ptr<const Graph> sourceGraph(const LoweredMethod& lowered) { return LoweredConverter(lowered).run(); }

}  // namespace aotscope
