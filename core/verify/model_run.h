#pragma once

#include "load/model.h"
#include "passes/sizes/dynamic_shapes.h"
#include "program/inputs/example_inputs.h"
#include "record/options/options.h"
#include "runtime/compiled_function.h"
#include "verify/varying_inputs.h"

#include <functional>
#include <map>
#include <optional>

namespace aotscope {

/// The model, or its compiled form: a function of leaves.
using Callable = std::function<std::vector<c10::IValue>(const std::vector<c10::IValue>&)>;

/// The arguments of one run: fresh state and inputs, always with the same values.
struct RunArguments {
    std::vector<c10::IValue> leaves;         ///< for FlatFunction
    std::vector<at::Tensor> differentiable;  ///< leaf tensors that require grad
    std::vector<std::string> differentiableNames;
};

/// Outputs that a backward can start from, with their tangents.
struct BackwardStart {
    std::vector<at::Tensor> outputs, tangents;
};

/// A model with the inputs from the options, and their function.
class ModelRun {
public:
    /// Throws InputsNeeded if neither the model nor the options have inputs, Error if the inputs do not match.
    ModelRun(Model model, const Options& options);

    const Model& model() const { return model_; }
    const FlatFunction& function() const { return *function_; }
    /// The function with example inputs of other sizes; an empty map means the example's own.
    FlatFunction at(const SymbolValues& sizes) const;
    /// The spec in use; for recorded inputs, one with their shapes and dtypes.
    InputSpec describeInputs() const;
    std::vector<std::string> inputNames() const;

    /// The dynamic sizes of the options, the spec or the file. Throws Error for a range without a matching size.
    DynamicShapes dynamicShapes() const;
    /// Values of all symbols: the given sizes, and hints for the others. Throws Error for an unknown name.
    SymbolValues symbolValues(const SymbolValues& named) const;

    /// `ownState`: copies parameters and buffers, so that a run does not change the model.
    RunArguments arguments(bool ownState) const { return arguments(ownState, {}); }
    /// The same at other sizes; an empty map means those of the example.
    RunArguments arguments(bool ownState, const SymbolValues& sizes) const;

    /// Leaves of inputs whose random values use another seed. Inputs from a file are always the same.
    std::vector<c10::IValue> batch(std::uint64_t seed) const;
    /// Leaves of a copy of `inputs`, one for each input of the model.
    std::vector<c10::IValue> batch(const std::vector<c10::IValue>& inputs) const;

    /// The start of a backward, with the model's own tangents, if any.
    BackwardStart startOf(const std::vector<c10::IValue>& outputs) const;

private:
    c10::Device device() const { return c10::Device(options_.device); }
    /// The device on which inputs are created: the CPU, if the chosen device cannot run.
    c10::Device makingDevice() const;
    /// Whether all inputs are created on makingDevice(), the CPU, from a spec: traces do not need their values.
    bool madeOnCpu() const;
    /// The function with its example: inputs from a spec are allocated and filled when first read.
    FlatFunction withExample() const;
    FlatFunction onDevice(FlatFunction function);
    ExampleInputs inputs(const SymbolValues& sizes, c10::Device device, std::uint64_t seed) const;
    std::vector<c10::IValue> leavesOf(const ExampleInputs& inputs) const;
    void collectSymbols();
    void addSymbol(Symbol symbol, std::string alias);
    void addRange(const DynamicRange& range);
    void addDimension(const DynamicRange& range);
    void addAll();
    void addInteger(std::size_t leaf, const DynamicRange& range);
    ExampleInputs withIntegers(ExampleInputs inputs, const SymbolValues& named) const;
    bool vary(std::size_t leaf, std::int64_t dimension, const std::string& alias);
    std::string newName() const;
    std::string sizeText(std::size_t leaf, std::int64_t dimension) const;

    Model model_;
    Options options_;
    std::vector<c10::IValue> recorded_;  ///< inputs from a file
    std::optional<InputSpec> spec_;
    std::optional<InputSpec> variable_;  ///< the spec with a name for every dynamic dimension, without ranges
    std::optional<FlatFunction> function_;
    std::vector<at::Tensor> state_;  ///< the program's, on the device that runs it
    std::vector<Symbol> symbols_;
    std::vector<std::string> aliases_;             ///< by symbol: its name in the spec, the file or the options
    std::vector<VaryingDimension> varying_;        ///< of recorded inputs, by alias
    std::map<std::size_t, std::string> integers_;  ///< integer leaves that are dynamic, and their aliases
};

/// Tangent of output `index`: element k in row-major order is (((k * 3) % 8) - 3 + index) * 0.25.
at::Tensor standardTangent(const at::Tensor& output, std::size_t index);

/// Whether a backward can start from `output`.
bool startsBackward(const c10::IValue& output);

/// The start of a backward with standard tangents.
BackwardStart backwardStart(const std::vector<c10::IValue>& outputs);

}  // namespace aotscope
