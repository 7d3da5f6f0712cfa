#include "trace/convert.h"
#include "trace/function_recording.h"

namespace aotscope {

namespace {

std::vector<std::optional<TensorType>> typesOf(const std::vector<c10::IValue>& values) {
    std::vector<std::optional<TensorType>> types;
    for (const c10::IValue& value : values)
        types.push_back(value.isTensor() && value.toTensor().defined() ? std::optional(typeOf(value.toTensor()))
                                                                       : std::nullopt);
    return types;
}

ForwardTrace trace(const FlatFunction& function, DataOracle& oracle) {
    const FakeInputs fakes(function.exampleLeaves());
    LocationSink location(function.program().locations());
    Recorder recorder("forward-traced", location, &oracle);
    std::vector<c10::IValue> arguments;
    for (std::size_t i = 0; i < fakes.leaves.size(); ++i) {
        const std::string name = "arg" + std::to_string(i) + "_1";
        const c10::IValue& leaf = fakes.leaves[i];
        if (leaf.isTensor())
            recorder.addPlaceholder(name, leaf.toTensor(), function.leafRole(i), function.leafNames()[i]);
        else recorder.addValuePlaceholder(name, leaf, function.leafNames()[i]);
        arguments.push_back(fakes.leaves[fakes.duplicateOf[i]]);
    }
    const DispatchScope dispatch(recorder);
    const auto result = function(arguments, &location);
    std::vector<OutputSlot> slots;
    for (std::size_t i = 0; i < result.leaves.size(); ++i)
        slots.push_back({Role::userOutput, "output " + std::to_string(i)});
    return {takeTrace(recorder, result.leaves, std::move(slots)), typesOf(arguments), typesOf(result.leaves)};
}

}  // namespace

ForwardTrace traceForward(const FlatFunction& function, DataOracle& oracle) {
    ForwardTrace result;
    runTraceThread([&] { result = trace(function, oracle); });
    return result;
}

}  // namespace aotscope
