#pragma once

#include "ir/metadata.h"
#include "program/program.h"

namespace aotscope {

/// A function that takes the inputs of its graph instead of its callers' arguments.
class GraphFunction {
public:
    /// `metadata` is that of the arguments and has the calling convention. Both must outlive this.
    GraphFunction(const FlatFunction& function, const FunctionMetadata& metadata);
    /// Every argument is an input of the graph.
    explicit GraphFunction(const FlatFunction& function);

    const Program& program() const { return function_.program(); }
    std::size_t inputCount() const { return convention_.inputs.size(); }
    /// The function's example arguments as inputs of the graph.
    std::vector<c10::IValue> exampleInputs() const;
    /// Per-argument facts by input of the graph; nothing for a base.
    template <typename T>
    std::vector<std::optional<T>> ofInputs(const std::vector<std::optional<T>>& ofArguments) const {
        std::vector<std::optional<T>> result;
        for (const GraphInput& input : convention_.inputs)
            result.push_back(input.syntheticBase ? std::nullopt : ofArguments[input.arguments.front()]);
        return result;
    }
    const std::optional<c10::Device>& assumedDevice() const { return function_.assumedDevice(); }
    std::string inputName(std::size_t i) const;
    Role inputRole(std::size_t i) const { return function_.leafRole(convention_.inputs[i].arguments.front()); }

    FlatFunction::Result operator()(const std::vector<c10::IValue>& inputs, LocationSink* sink) const;

private:
    const FlatFunction& function_;
    const FunctionMetadata* metadata_ = nullptr;
    CallingConvention convention_;
};

}  // namespace aotscope
