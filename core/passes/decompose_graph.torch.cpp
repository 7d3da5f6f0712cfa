#include "passes/decompose_graph.h"

#include "aten/convert.h"
#include "aten/fake_tensor.h"
#include "aten/tensors.h"
#include "compile/compiler.h"
#include "ops/op_table.h"
#include "support/error.h"
#include "trace/fake_inputs.h"
#include "trace/function_recording.h"

namespace aotscope {

namespace {

/// Fake tensors for the inputs of a graph; equal storages are shared.
class Fakes {
public:
    c10::IValue make(const Node& placeholder) {
        const ValueType& type = placeholder.type;
        if (const TensorType* tensor = type.tensor()) return make(*tensor);
        const auto* number = type.scalar();
        if (!number) return {};
        if (number->kind == ScalarType::Kind::integer) return static_cast<std::int64_t>(number->hint);
        if (number->kind == ScalarType::Kind::boolean) return number->hint != 0;
        return number->hint;
    }

    at::Tensor make(const TensorType& type) {
        const PlainKernelScope plain;
        at::Tensor meta = emptyMeta(type.sizes, type.strides, toScalarType(type.dtype));
        auto* impl = meta.unsafeGetTensorImpl();
        if (type.storage >= 0) {
            const auto [it, isNew] = storages_.try_emplace(type.storage, meta.storage());
            if (!isNew) impl->set_storage_keep_dtype(it->second);
        }
        impl->set_storage_offset(type.storageOffset);
        return makeFake(meta, c10::Device(type.device.name));
    }

private:
    std::unordered_map<std::int64_t, c10::Storage> storages_;
};

/// Tells the recorder which node is running, and records what replaced it.
class Follower final : public StepObserver {
public:
    Follower(const Graph& graph, const std::vector<NodeId>& steps, Recorder& recorder, DecomposedGraph& result)
        : recorder_(recorder), result_(result) {
        std::unordered_map<NodeId, const Node*> nodes;
        for (const Node* node : graph.nodes()) nodes[node->id()] = node;
        for (const NodeId id : steps) steps_.push_back(nodes.at(id));
    }

    void before(std::size_t step) override {
        recorder_.provenance().follow(steps_[step]);
        start_ = recorder_.graph().size();
    }
    void results(std::size_t step, c10::ArrayRef<c10::IValue> values) override {
        const Node& original = *steps_[step];
        auto& became = result_.became[original.id()];
        for (std::size_t i = start_; i < recorder_.graph().size(); ++i) became.push_back(recorder_.graph().at(i)->id());
        if (!original.type.tuple()) return note(original, values.empty() ? c10::IValue() : values[0]);
        for (const Node* item : original.users())
            if (isGetitem(*item)) note(*item, values[static_cast<std::size_t>(*item->args()[1].integer())]);
    }
    void after(std::size_t) override {}

private:
    /// `value` is the result of `original`.
    void note(const Node& original, const c10::IValue& value) {
        Node* node = recorder_.graph().nodeOf(value);
        if (!node) return;
        auto& became = result_.became[original.id()];
        if (became.empty()) became.push_back(node->id());
        if (node->kind() == NodeKind::call && original.autograd.savedOutput != SavedOutput::no)
            node->autograd.savedOutput = recorder_.savedOutput();
    }

    Recorder& recorder_;
    DecomposedGraph& result_;
    std::vector<const Node*> steps_;
    std::size_t start_ = 0;
};

void requireTypes(const Graph& graph) {
    if (!graph.symbols().empty())
        throw Error("graph '" + graph.name() +
                    "' has dynamic shapes, but decomposition rules need concrete sizes; decompose it before its sizes "
                    "become symbols (--decompose), or use --static-shapes");
    for (const Node* node : graph.placeholders())
        if (!node->type.known() && !node->users().empty())
            throw Error("graph '" + graph.name() + "' cannot be decomposed: the type of its input %" + node->name() +
                        " is not known");
}

DecomposedGraph decompose(const Graph& graph, const ConstantTable& constants,
                          const std::shared_ptr<const DecompositionTable>& table) {
    DecomposedGraph result;
    const std::vector<std::shared_ptr<const SourceInfo>> noSources;
    LocationSink nowhere(noSources);
    Recorder recorder(graph.name(), nowhere, nullptr);
    recorder.decomposeBy(ChosenDecompositions::of(table));
    Fakes fakes;
    std::vector<c10::IValue> inputs;
    for (const Node* original : graph.placeholders()) {
        c10::IValue value = fakes.make(*original);
        recorder.provenance().follow(original);
        Node* node = isTensor(value)
                         ? recorder.addPlaceholder(original->name(), value.toTensor(), original->role, original->label)
                         : recorder.graph().addValuePlaceholder(original->name(), value, original->label);
        node->role = original->role;
        node->stage = original->stage;
        if (auto* tensor = node->type.tensor()) tensor->requiresGrad = original->type.tensor()->requiresGrad;
        else node->type = original->type;
        result.became[original->id()] = {node->id()};
        inputs.push_back(std::move(value));
    }
    ConstantTable known = constants;
    for (const Node* original : graph.nodes()) {
        const TensorType* type = original->kind() == NodeKind::constant ? original->type.tensor() : nullptr;
        if (!type || known.contains(original->op())) continue;
        const at::Tensor fake = fakes.make(*type);
        recorder.graph().addConstant(original->op(), fake, original->label);
        result.became[original->id()] = {recorder.graph().nodeOf(fake)->id()};
        known.emplace(original->op(), fake);
    }
    const auto compiled = makeInterpreter()->compile(graph, known);
    Follower follower(graph, compiled->steps(), recorder, result);
    const DispatchScope dispatch(recorder);
    const auto outputs = compiled->run(inputs, &follower);
    static_cast<Trace&>(result) = recorder.finish(outputs, graph.outputSlots());
    return result;
}

}  // namespace

DecomposedGraph decomposeGraph(const Graph& graph, const ConstantTable& constants,
                               const std::shared_ptr<const DecompositionTable>& table) {
    requireTypes(graph);
    DecomposedGraph result;
    runTraceThread([&] { result = decompose(graph, constants, table); });
    return result;
}

}  // namespace aotscope
