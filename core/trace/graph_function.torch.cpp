#include "trace/graph_function.h"

#include "trace/views/synthetic_bases.h"

namespace aotscope {

GraphFunction::GraphFunction(const FlatFunction& function, const FunctionMetadata& metadata)
    : function_(function), metadata_(&metadata), convention_(metadata.convention) {}

GraphFunction::GraphFunction(const FlatFunction& function)
    : function_(function), convention_(CallingConvention::plain(function.exampleLeaves().size())) {}

std::vector<c10::IValue> GraphFunction::exampleInputs() const {
    return packArguments(convention_, function_.exampleLeaves());
}

std::string GraphFunction::inputName(std::size_t i) const {
    const GraphInput& input = convention_.inputs[i];
    if (!input.syntheticBase) return function_.leafNames()[input.arguments.front()];
    std::string names;
    for (const std::size_t argument : input.arguments)
        names += (names.empty() ? "" : ", ") + function_.leafNames()[argument];
    return "base of " + names;
}

FlatFunction::Result GraphFunction::operator()(const std::vector<c10::IValue>& inputs, LocationSink* sink) const {
    return function_(convention_.isPlain() ? inputs : unpackArguments(*metadata_, inputs, function_.exampleLeaves()),
                     sink);
}

}  // namespace aotscope
