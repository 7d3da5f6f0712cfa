#include "verify/model_run.h"

#include "aten/convert.h"
#include "aten/copy_tensor.h"
#include "device/device.h"
#include "ir/printer.h"
#include "program/inputs/describe_inputs.h"
#include "program/inputs/saved_inputs.h"
#include "support/names.h"

#include <ATen/ops/arange.h>

#include <algorithm>

namespace aotscope {

namespace {

std::vector<std::string> namesOf(const Program& program) {
    std::vector<std::string> names;
    for (const auto& input : program.inputs()) names.push_back(input.name);
    return names;
}

[[noreturn]] void askForInputs(const Model& model) {
    InputSpec blank = model.suggestedSpec ? *model.suggestedSpec : blankInputs(*model.program);
    std::string example = printInputSpec(blank);
    std::erase_if(example, [](char c) { return c == '\n' || c == ' '; });
    const std::string why = model.whyNoInputs.empty() ? "'" + model.path + "' has no example inputs"
                                                      : "the example inputs in '" + model.path + "' cannot be used (" +
                                                            model.whyNoInputs + ")";
    throw InputsNeeded(why + "; give --inputs SPEC.json, for example with " + example, std::move(blank),
                       namesOf(*model.program));
}

void requireStrided(const std::vector<c10::IValue>& leaves, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < leaves.size(); ++i)
        if (leaves[i].isTensor() && leaves[i].toTensor().defined() && leaves[i].toTensor().layout() != at::kStrided)
            throw Error("'" + names[i] + "' is a tensor of layout " + c10::str(leaves[i].toTensor().layout()) +
                        "; expected dense (strided) tensors");
}

}  // namespace

ModelRun::ModelRun(Model model, const Options& options) : model_(std::move(model)), options_(options) {
    options.use({"--inputs", "--seed", "--dynamic", "--static-shapes", "--device"});
    if (const auto* spec = std::get_if<InputSpec>(&options.inputs)) spec_ = *spec;
    else if (const auto* file = std::get_if<std::filesystem::path>(&options.inputs))
        recorded_ = readSavedInputs(*file, model_.program->inputs());
    else if (model_.sampleSpec) spec_ = model_.sampleSpec;
    else if (!model_.recordedInputs.empty()) recorded_ = model_.recordedInputs;
    else if (!blankInputs(*model_.program).inputs.empty()) askForInputs(model_);
    function_.emplace(onDevice(withExample()));
    requireStrided(function_->exampleLeaves(), function_->leafNames());
    if (options_.staticShapes) return;
    variable_ = spec_;
    collectSymbols();
}

c10::Device ModelRun::makingDevice() const {
    return whyDeviceCannotRun(options_.device).empty() ? device() : c10::Device(at::kCPU);
}

bool ModelRun::madeOnCpu() const {
    const auto elsewhere = [](const ValueSpec& value) {
        const auto* leaf = std::get_if<LeafSpec>(&value);
        return leaf && !leaf->device.empty() && leaf->device != "cpu";
    };
    return spec_ && makingDevice().is_cpu() && std::ranges::none_of(spec_->values, elsewhere);
}

FlatFunction ModelRun::withExample() const {
    const c10::Device device = madeOnCpu() ? c10::Device(c10::kMeta) : makingDevice();
    const FlatFunction function(model_.program, inputs({}, device, options_.seed).values);
    if (!device.is_meta()) return function;
    // Without this ModelRun, which may be moved or destroyed.
    return function.withInputsFrom(
        [spec = *spec_, program = model_.program, seed = options_.seed, folder = options_.inputFolder] {
            return makeInputs(spec, program->inputs(), seed, c10::Device(c10::kCPU), folder).values;
        });
}

/// Moves the program's state to a device that can run it; tensors that share memory continue to do so.
FlatFunction ModelRun::onDevice(FlatFunction function) {
    const c10::Device making = makingDevice();
    if (!making.is_cpu()) model_.program->materializeState();
    std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
    for (const auto& tensor : model_.program->state())
        state_.push_back(making.is_cpu() ? tensor.value : copyTensor(tensor.value, storages, making));
    if (device().is_cpu()) return function;
    if (making.is_cpu()) return function.assumedOn(device());
    std::vector<c10::IValue> leaves(state_.begin(), state_.end());
    const auto& example = function.exampleLeaves();
    leaves.insert(leaves.end(), example.begin() + static_cast<std::ptrdiff_t>(state_.size()), example.end());
    return function.withExample(std::move(leaves));
}

ExampleInputs ModelRun::inputs(const SymbolValues& sizes, c10::Device device, std::uint64_t seed) const {
    if (!spec_ && sizes.empty()) return copyInputs(recorded_, device);
    SymbolValues named;
    for (std::size_t i = 0; i < symbols_.size(); ++i)
        if (const auto it = sizes.find(symbols_[i].name); it != sizes.end()) named[aliases_[i]] = it->second;
    if (spec_) {
        SymbolValues sizesOfSpec = named;
        for (const auto& [leaf, alias] : integers_) sizesOfSpec.erase(alias);
        return withIntegers(
            makeInputs(withSizes(variable_ ? *variable_ : *spec_, {sizesOfSpec.begin(), sizesOfSpec.end()}),
                       model_.program->inputs(), seed, device, options_.inputFolder),
            named);
    }
    std::vector<c10::IValue> resized = resizeInputs(recorded_, varying_, named, device);
    return withIntegers(device.is_meta() ? ExampleInputs{std::move(resized), {}} : copyInputs(resized, device), named);
}

/// The inputs with other values of the dynamic integers.
ExampleInputs ModelRun::withIntegers(ExampleInputs inputs, const SymbolValues& named) const {
    if (integers_.empty()) return inputs;
    std::size_t leaf = 0;
    for (c10::IValue& value : inputs.values) {
        std::vector<c10::IValue> leaves;
        const Structure structure = flatten(value, leaves, "an input");
        for (c10::IValue& element : leaves) {
            const auto integer = integers_.find(leaf++);
            if (integer == integers_.end()) continue;
            if (const auto size = named.find(integer->second); size != named.end()) element = size->second;
        }
        std::size_t next = 0;
        value = unflatten(structure, leaves, next);
    }
    return inputs;
}

InputSpec ModelRun::describeInputs() const { return spec_ ? *spec_ : aotscope::describeInputs(recorded_); }

std::vector<std::string> ModelRun::inputNames() const { return namesOf(*model_.program); }

RunArguments ModelRun::arguments(bool ownState, const SymbolValues& sizes) const {
    model_.program->materializeState();
    RunArguments run;
    std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
    for (std::size_t i = 0; i < state_.size(); ++i) {
        const at::Tensor tensor = ownState ? copyTensor(state_[i], storages) : state_[i];
        run.leaves.emplace_back(tensor);
        if (tensor.requires_grad()) {
            run.differentiable.push_back(tensor);
            run.differentiableNames.push_back(model_.program->state()[i].name);
        }
    }
    const ExampleInputs fresh = inputs(sizes, makingDevice(), options_.seed);
    for (auto& leaf : leavesOf(fresh)) run.leaves.push_back(std::move(leaf));
    const std::vector<std::string> names = inputNames();
    for (const at::Tensor& leaf : fresh.leaves) {
        if (!leaf.requires_grad()) continue;
        const auto place = std::ranges::find_if(
            run.leaves, [&](const c10::IValue& value) { return value.isTensor() && value.toTensor().is_same(leaf); });
        const auto index = static_cast<std::size_t>(place - run.leaves.begin());
        run.differentiable.push_back(leaf);
        run.differentiableNames.push_back(index < names.size() ? names[index] : "an input");
    }
    return run;
}

std::vector<c10::IValue> ModelRun::leavesOf(const ExampleInputs& inputs) const {
    std::vector<c10::IValue> leaves;
    for (const auto& value : completeInputs(*model_.program, inputs.values)) flatten(value, leaves, "an input");
    return leaves;
}

std::vector<c10::IValue> ModelRun::batch(std::uint64_t seed) const {
    return leavesOf(inputs({}, makingDevice(), seed));
}

std::vector<c10::IValue> ModelRun::batch(const std::vector<c10::IValue>& inputs) const {
    return leavesOf(copyInputs(inputs, makingDevice()));
}

BackwardStart ModelRun::startOf(const std::vector<c10::IValue>& outputs) const {
    BackwardStart start = backwardStart(outputs);
    if (model_.tangents.empty()) return start;
    if (model_.tangents.size() != start.outputs.size())
        throw Error("the inputs have " + counted(model_.tangents.size(), "tangent") + "; a backward starts from " +
                    counted(start.outputs.size(), "output"));
    for (std::size_t i = 0; i < start.tangents.size(); ++i) {
        const at::Tensor& given = model_.tangents[i];
        at::Tensor& tangent = start.tangents[i];
        const bool wide = tangent.scalar_type() == at::kDouble && given.is_floating_point();  // for a run in float64
        if (given.sizes() != tangent.sizes() || (given.scalar_type() != tangent.scalar_type() && !wide))
            throw Error("tangent " + std::to_string(i + 1) + " of the inputs is " + printTensorType(typeOf(given)) +
                        "; its output is " + printTensorType(typeOf(tangent)));
        tangent = given.to(tangent.options());
    }
    return start;
}

at::Tensor standardTangent(const at::Tensor& output, std::size_t index) {
    const at::Tensor k = at::arange(output.numel(), at::TensorOptions().dtype(at::kDouble));
    const at::Tensor values = k.mul(3).remainder(8).sub(3).add(static_cast<double>(index)).mul(0.25);
    return values.view(output.sizes()).to(output.options());
}

bool startsBackward(const c10::IValue& output) {
    return output.isTensor() && output.toTensor().defined() && output.toTensor().requires_grad() &&
           output.toTensor().grad_fn();
}

BackwardStart backwardStart(const std::vector<c10::IValue>& outputs) {
    BackwardStart start;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (!startsBackward(outputs[i])) continue;
        start.outputs.push_back(outputs[i].toTensor());
        start.tangents.push_back(standardTangent(start.outputs.back(), i));
    }
    return start;
}

}  // namespace aotscope
