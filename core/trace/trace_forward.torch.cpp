#include "aten/convert.h"
#include "ir/output_names.h"
#include "ops/op_table.h"
#include "trace/function_recording.h"

#include <set>

namespace aotscope {

namespace {

std::vector<std::optional<TensorType>> typesOf(const std::vector<c10::IValue>& values) {
    std::vector<std::optional<TensorType>> types;
    for (const c10::IValue& value : values)
        types.push_back(value.isTensor() && value.toTensor().defined() ? std::optional(typeOf(value.toTensor()))
                                                                       : std::nullopt);
    return types;
}

std::vector<LazyBits> bitsOf(const std::vector<c10::IValue>& values) {
    std::vector<LazyBits> bits;
    for (const c10::IValue& value : values) {
        const at::Tensor tensor = value.isTensor() ? value.toTensor() : at::Tensor();
        bits.push_back(tensor.defined() ? LazyBits{tensor.is_conj(), tensor.is_neg()} : LazyBits());
    }
    return bits;
}

std::int64_t storageNumberOf(const Node* node) {
    return node && node->type.tensor() ? node->type.tensor()->storage : -1;
}

/// Whether `value` is an as_strided view of memory that is written to after the view was created.
bool isOvertaken(const Graph& graph, const Node* value) {
    const Node* view = value;
    while (view && !view->isCall("aten.as_strided.default"))
        view = hasTag(*view, kView) && !view->args().empty() ? view->args()[0].node() : nullptr;
    if (!view) return false;
    bool later = false;
    for (const Node* node : graph.nodes()) {
        if (later && node->kind() == NodeKind::call && isMutating(node->op()) &&
            storageNumberOf(node) == storageNumberOf(view))
            return true;
        later = later || node == view;
    }
    return false;
}

/// Storages are numbered by the graph's values.
void noteStorages(ForwardTrace& trace) {
    std::set<std::int64_t> restrided;
    for (const Node* node : trace.graph->nodes())
        if (node->isCall("aten.as_strided.default")) restrided.insert(storageNumberOf(node));
    const auto placeholders = trace.graph->placeholders();
    for (std::size_t i = 0; i < trace.after.size(); ++i) {
        const std::int64_t storage = storageNumberOf(placeholders[i]);
        if (trace.after[i]) trace.after[i]->storage = storage;
        trace.restrided.push_back(trace.after[i] && restrided.contains(storage));
    }
    for (std::size_t i = 0; i < trace.results.size(); ++i)
        if (trace.results[i]) trace.results[i]->storage = storageNumberOf(trace.graph->outputs()[i].node());
    for (const Argument& output : trace.graph->outputs())
        trace.overtaken.push_back(isOvertaken(*trace.graph, output.node()));
}

ForwardTrace trace(const FlatFunction& function, DataDependentValues& dataValues) {
    const FakeInputs fakes(function.exampleLeaves(), function.assumedDevice());
    LocationSink location(function.program().locations());
    Recorder recorder("forward-traced", location, &dataValues);
    recorder.recordAsWritten();
    std::vector<c10::IValue> arguments;
    for (std::size_t i = 0; i < fakes.leaves.size(); ++i) {
        const std::string name = "arg" + std::to_string(i) + "_1";
        const c10::IValue& leaf = fakes.leaves[i];
        if (leaf.isTensor())
            recorder.addPlaceholder(name, leaf.toTensor(), function.leafRole(i), function.leafNames()[i]);
        else recorder.graph().addValuePlaceholder(name, leaf, function.leafNames()[i]);
        arguments.push_back(fakes.leaves[fakes.duplicateOf[i]]);
    }
    const DispatchScope dispatch(recorder);
    const auto result = function(arguments, &location);
    dataValues.memory().noteCaller(arguments, result.leaves);
    std::vector<OutputSlot> slots = userOutputs(result.structure.placeNames());
    ForwardTrace trace{
        recorder.finish(result.leaves, std::move(slots)), typesOf(arguments), typesOf(result.leaves), {}, {}};
    trace.bits = bitsOf(result.leaves);
    noteStorages(trace);
    return trace;
}

}  // namespace

ForwardTrace traceForward(const FlatFunction& function, DataDependentValues& dataValues) {
    ForwardTrace result;
    runTraceThread([&] { result = trace(function, dataValues); });
    return result;
}

}  // namespace aotscope
