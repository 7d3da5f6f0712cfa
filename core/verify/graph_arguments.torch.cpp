#include "verify/graph_arguments.h"

#include "aten/convert.h"
#include "aten/random_state.h"
#include "support/error.h"
#include "verify/judge/graph_values.h"
#include "verify/run_io.h"

#include <ATen/ops/empty_strided.h>

namespace aotscope {

namespace {

/// For the outputs of the forward graph, from their types alone.
std::vector<c10::IValue> madeUpTangents(const FunctionMetadata& metadata) {
    std::vector<c10::IValue> tangents;
    for (const TensorType& type : metadata.tangents) {
        const auto options = at::TensorOptions(c10::Device(type.device.name)).dtype(toScalarType(type.dtype));
        const at::Tensor like = at::empty_strided(type.sizes, type.strides, options);
        tangents.emplace_back(standardTangent(like, tangents.size()));
    }
    return tangents;
}

}  // namespace

GraphArguments graphArguments(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
                              const SymbolValues& sizes) {
    const CompiledFunction& function = *compilation.function;
    const auto& record = *compilation.record;
    const auto kinds = executedGraphs(record);
    const auto first = record.graph(kinds.front()), backward = kinds.size() > 1 ? record.graph(kinds[1]) : nullptr;
    ValueObserver ahead(*first, function.forward().steps(), nullptr);
    std::optional<ValueObserver> back;
    if (backward) back.emplace(*backward, function.backward().steps(), nullptr);
    std::string error;
    const RandomStateGuard kept;
    try {
        recordRunIO(modelRun, options, sizes, [&](const std::vector<c10::IValue>& leaves) {
            return function.run(leaves, {&ahead, back ? &*back : nullptr});
        });
    } catch (const std::exception& e) {
        error = firstSentence(e.what());
    }
    GraphArguments arguments;
    arguments.primals = ahead.calledWith();
    if (!backward) return arguments;
    const FunctionMetadata& metadata = *record.graphMetadata;
    const auto count = metadata.tangents.size();
    const std::vector<c10::IValue>& given = back->calledWith();
    if (given.size() >= count && !given.empty()) {
        arguments.tangents.assign(given.end() - static_cast<std::ptrdiff_t>(count), given.end());
        return arguments;
    }
    arguments.tangents = madeUpTangents(sizes.empty() ? metadata : metadata.at(sizes));
    arguments.whyMadeUp =
        error.empty() ? "nothing flows back in the compiled function" : "the compiled function fails: " + error;
    return arguments;
}

std::vector<std::size_t> savedOutputs(const Graph& forward) {
    std::vector<std::size_t> saved;
    const auto& slots = forward.outputSlots();
    for (const Role role : {Role::savedSymint, Role::saved})
        for (std::size_t i = 0; i < slots.size(); ++i)
            if (slots[i].role == role) saved.push_back(i);
    return saved;
}

}  // namespace aotscope
