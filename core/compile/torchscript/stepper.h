#pragma once

#include "compile/compiler.h"
#include "compile/torchscript/graph_builder.h"

#include <ATen/core/stack.h>

#include <unordered_map>

namespace torch::jit {
struct Value;
}  // namespace torch::jit

namespace aotscope {

/// Runs a TorchScript graph node by node for observers, with the operators that TorchScript's interpreter calls.
class TorchScriptStepper {
public:
    explicit TorchScriptStepper(const TorchScriptGraph& source);

    const std::vector<NodeId>& steps() const { return stepNodes_; }
    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver& observer) const;

private:
    using Register = std::size_t;
    struct Operand {
        Register source;
        bool last = false;  ///< the last use of the register
    };
    struct Call {
        mutable torch::jit::Operation operation;  ///< its call operator is not const, but calls are safe
        std::vector<Operand> operands;
        std::vector<Register> results;
    };
    /// All calls for one node of ours; the last one returns the node's results.
    struct Step {
        std::vector<Call> calls;
        std::vector<Register> releases;  ///< results that nothing uses
    };
    Call callOf(torch::jit::Node& node);
    Register registerOf(const torch::jit::Value* value);
    void markLastUses();

    std::unordered_map<const torch::jit::Value*, Register> registers_;
    std::vector<c10::IValue> initial_;  ///< constants in their registers
    std::vector<Register> inputs_, outputs_, unusedInputs_;
    std::vector<Step> steps_;
    std::vector<NodeId> stepNodes_;
};

}  // namespace aotscope
