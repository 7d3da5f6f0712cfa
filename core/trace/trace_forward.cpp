#include "trace/recorder.h"
#include "trace/trace.h"

namespace aotscope {

Trace traceForward(const FlatFunction& function, FakeInputs fakes, DataOracle& oracle) {
    LocationSink location(function.program().locations());
    Recorder recorder("forward-traced", location, oracle);
    for (std::size_t i = 0; i < fakes.leaves.size(); ++i) {
        const std::string name = "arg" + std::to_string(i) + "_1";
        const c10::IValue& leaf = fakes.leaves[i];
        if (leaf.isTensor())
            recorder.addPlaceholder(name, leaf.toTensor(), function.leafRole(i), function.leafNames()[i]);
        else recorder.addValuePlaceholder(name, leaf, function.leafNames()[i]);
    }
    const DispatchScope dispatch(recorder);
    const auto result = function(fakes.leaves, &location);
    std::vector<OutputSlot> slots;
    for (std::size_t i = 0; i < result.leaves.size(); ++i)
        slots.push_back({Role::userOutput, "output " + std::to_string(i)});
    Trace trace;
    trace.graph = recorder.finish(result.leaves, std::move(slots));
    trace.constants = recorder.constants();
    trace.fallbacks = recorder.fallbacks();
    trace.readings = recorder.readings();
    return trace;
}

}  // namespace aotscope
