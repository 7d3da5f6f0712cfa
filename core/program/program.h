#pragma once

#include "ir/node_attributes.h"
#include "program/location_sink.h"
#include "program/pytree.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

class Graph;

/// A parameter or buffer, lifted to an input.
struct StateTensor {
    std::string name;  ///< "layer1.0.conv1.weight"
    Role role = Role::parameter;
    at::Tensor value;
};

/// The declaration of a user input.
struct InputDeclaration {
    std::string name;
    c10::TypePtr type;
    std::optional<c10::IValue> defaultValue;  ///< used if the caller passes fewer inputs
};

/// A model as a pure function of its parameters, buffers and user inputs. Created by loaders; nothing else (tracing,
/// eager runs) accesses the model file. Immutable and thread-safe.
class Program {
public:
    virtual ~Program() = default;

    /// Parameters, then buffers, each in the order of PyTorch's named_parameters and named_buffers; tied tensors only
    /// once.
    const std::vector<StateTensor>& state() const { return state_; }
    const std::vector<InputDeclaration>& inputs() const { return inputs_; }
    /// The program as the user wrote it, for display.
    const std::shared_ptr<const Graph>& source() const { return source_; }
    /// Source locations in the model; a running program gives their indices to its LocationSink.
    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const { return locations_; }

    /// Runs the program operation by operation, unoptimized, in the caller's grad mode. `state` replaces state(),
    /// element by element. `sink` may be null.
    virtual c10::IValue call(const std::vector<c10::IValue>& state, const std::vector<c10::IValue>& inputs,
                             LocationSink* sink) const = 0;

    /// Fills state tensors without values; called before anything runs. Thread-safe, and may be called repeatedly.
    virtual void materializeState() const {}

protected:
    std::vector<StateTensor> state_;
    std::vector<InputDeclaration> inputs_;
    std::shared_ptr<const Graph> source_;
    std::vector<std::shared_ptr<const SourceInfo>> locations_;
};

/// `inputs` followed by the defaults of missing ones.
std::vector<c10::IValue> completeInputs(const Program& program, std::vector<c10::IValue> inputs);

/// A program with flattened inputs and outputs: (state tensors..., input leaves...) -> output leaves.
class FlatFunction {
public:
    /// `inputs` are example inputs, whose structure this function accepts. Throws Error if their number does not match
    /// the program.
    FlatFunction(std::shared_ptr<const Program> program, const std::vector<c10::IValue>& inputs);

    const Program& program() const { return *program_; }
    /// State tensors followed by the leaves of the example inputs.
    const std::vector<c10::IValue>& exampleLeaves() const { return exampleLeaves_; }
    std::size_t stateCount() const { return program_->state().size(); }
    /// Name and role of each input leaf, including state.
    const std::vector<std::string>& leafNames() const { return leafNames_; }
    Role leafRole(std::size_t i) const { return i < stateCount() ? program_->state()[i].role : Role::userInput; }

    struct Result {
        std::vector<c10::IValue> leaves;
        Structure structure;
    };
    /// Throws Error if the program returns nothing, or anything other than tensors, numbers and containers of these.
    Result operator()(const std::vector<c10::IValue>& leaves, LocationSink* sink = nullptr) const;

    /// The same function with a different example.
    FlatFunction withExample(std::vector<c10::IValue> leaves) const;

    /// The same function, for example inputs without values on the meta device: `makeInputs` creates them with values,
    /// one for each input of the program.
    FlatFunction withInputsFrom(std::function<std::vector<c10::IValue>()> makeInputs) const;
    /// The example with values: exampleLeaves() may have none. May return the example's own memory.
    std::vector<c10::IValue> exampleValues() const;

    /// The device for the example in traces; nothing: its own device.
    const std::optional<c10::Device>& assumedDevice() const { return assumedDevice_; }
    FlatFunction assumedOn(c10::Device device) const;

private:
    std::shared_ptr<const Program> program_;
    std::vector<Structure> inputStructures_;
    std::vector<c10::IValue> exampleLeaves_;
    std::vector<std::string> leafNames_;
    std::optional<c10::Device> assumedDevice_;
    std::function<std::vector<c10::IValue>()> makeInputs_;  ///< null: the example has values
};

}  // namespace aotscope
