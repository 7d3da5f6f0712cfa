#include "program/program.h"

#include "support/budget.h"
#include "support/error.h"
#include "support/names.h"

namespace aotscope {

std::vector<c10::IValue> completeInputs(const Program& program, std::vector<c10::IValue> inputs) {
    const auto& declared = program.inputs();
    while (inputs.size() < declared.size() && declared[inputs.size()].defaultValue)
        inputs.push_back(*declared[inputs.size()].defaultValue);
    return inputs;
}

FlatFunction::FlatFunction(std::shared_ptr<const Program> program, const std::vector<c10::IValue>& given)
    : program_(std::move(program)) {
    const auto& declared = program_->inputs();
    const std::vector<c10::IValue> inputs = completeInputs(*program_, given);
    if (inputs.size() != declared.size()) {
        std::string names;
        for (const auto& input : declared) names += (names.empty() ? "" : ", ") + input.name;
        throw Error("the model takes " + counted(declared.size(), "input") + " (" + names + "), the input spec gives " +
                    std::to_string(inputs.size()) + "; give one entry for each");
    }
    for (const auto& tensor : program_->state()) {
        exampleLeaves_.emplace_back(tensor.value);
        leafNames_.push_back(tensor.name);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inputStructures_.push_back(flatten(inputs[i], exampleLeaves_, "input '" + declared[i].name + "'"));
        for (auto& name : inputStructures_.back().leafNames(declared[i].name)) leafNames_.push_back(std::move(name));
    }
}

FlatFunction::Result FlatFunction::operator()(const std::vector<c10::IValue>& leaves, LocationSink* sink) const {
    check(leaves.size() == exampleLeaves_.size(), "a flat function gets as many leaves as its example");
    std::size_t next = stateCount();
    const std::vector<c10::IValue> state(leaves.begin(), leaves.begin() + static_cast<std::ptrdiff_t>(next));
    std::vector<c10::IValue> inputs;
    for (const auto& structure : inputStructures_) inputs.push_back(unflatten(structure, leaves, next));
    Result result;
    ForeignRun run("running the model's code", program_->locations().size());
    try {
        result.structure = flatten(program_->call(state, inputs, sink), result.leaves, "an output of the model");
    } catch (const std::exception&) {
        run.rethrow();
        throw;
    }
    return result;
}

FlatFunction FlatFunction::withExample(std::vector<c10::IValue> leaves) const {
    check(leaves.size() == exampleLeaves_.size(), "a flat function gets as many leaves as its example");
    FlatFunction other = *this;
    other.exampleLeaves_ = std::move(leaves);
    other.makeInputs_ = nullptr;
    return other;
}

FlatFunction FlatFunction::withInputsFrom(std::function<std::vector<c10::IValue>()> makeInputs) const {
    FlatFunction other = *this;
    other.makeInputs_ = std::move(makeInputs);
    return other;
}

std::vector<c10::IValue> FlatFunction::exampleValues() const {
    program_->materializeState();
    if (!makeInputs_) return exampleLeaves_;
    std::vector<c10::IValue> leaves(exampleLeaves_.begin(),
                                    exampleLeaves_.begin() + static_cast<std::ptrdiff_t>(stateCount()));
    for (const c10::IValue& input : completeInputs(*program_, makeInputs_())) flatten(input, leaves, "an input");
    check(leaves.size() == exampleLeaves_.size(), "the values of an example have its nesting");
    return leaves;
}

FlatFunction FlatFunction::assumedOn(c10::Device device) const {
    FlatFunction other = *this;
    other.assumedDevice_ = device;
    return other;
}

}  // namespace aotscope
