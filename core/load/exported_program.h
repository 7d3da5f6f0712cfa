#pragma once

#include "load/exported_weights.h"
#include "program/program.h"

namespace aotscope {

/// A program that torch.export has saved, with its weights.
class ExportedProgram final : public Program {
public:
    /// Throws Error for what cannot run here; see planProgram().
    ExportedProgram(const exported::Document& document, std::unique_ptr<const ExportedWeights> weights,
                    c10::Device device);
    ~ExportedProgram() override;

    c10::IValue call(const std::vector<c10::IValue>& state, const std::vector<c10::IValue>& inputs,
                     LocationSink* sink) const override;
    void materializeState() const override { weights_->fill(); }

    /// What a person should know of the program: devices that are not here, lost backwards.
    const std::vector<std::string>& warnings() const;
    /// The inputs (args, kwargs) of a saved call in the order of inputs(). Throws Error when they do not fit.
    std::vector<c10::IValue> inputsOfCall(const c10::IValue& argsAndKwargs) const;
    /// The nesting of input `i`.
    const Structure& structureOfInput(std::size_t i) const;

private:
    struct Parts;
    std::unique_ptr<const Parts> parts_;
    std::unique_ptr<const ExportedWeights> weights_;
};

}  // namespace aotscope
