#pragma once

#include "load/exported/foreign.h"
#include "load/exported/weights.h"
#include "program/program.h"

namespace aotscope {

/// A torch.export program with its weights.
class ExportedProgram final : public Program {
public:
    /// Throws Error for a program that cannot run here; see graphOf() and makePlan().
    ExportedProgram(const exported::Document& document, std::unique_ptr<const ExportedWeights> weights,
                    ForeignOperators foreign, c10::Device device);
    ~ExportedProgram() override;

    c10::IValue call(const std::vector<c10::IValue>& state, const std::vector<c10::IValue>& inputs,
                     LocationSink* sink) const override;
    void materializeState() const override { weights_->fill(); }

    /// Warnings for the user: devices that are missing here, lost backwards.
    const std::vector<std::string>& warnings() const;
    /// The consequences of unknown operators, a sentence each.
    const std::vector<std::string>& unknownOperators() const { return unknownOperators_; }
    /// One sentence; empty if it can run.
    std::string whyNotRun() const;
    /// The inputs (args, kwargs) of a saved call in the order of inputs(). Throws Error if they do not match.
    std::vector<c10::IValue> inputsOfCall(const c10::IValue& argsAndKwargs) const;
    /// The structure of input `i`.
    const Structure& structureOfInput(std::size_t i) const;

private:
    struct Parts;
    std::unique_ptr<const Parts> parts_;
    std::unique_ptr<const ExportedWeights> weights_;
    std::vector<std::string> unknownOperators_;
};

}  // namespace aotscope
