#pragma once

#include "execute/compiled_graph.h"
#include "execute/register_map.h"
#include "ops/number_functions.h"
#include "program/constant_table.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace aotscope {

/// Where a register's value goes among an operation's arguments.
struct PlanOperand {
    Register source = kUnused;
    std::size_t argument = 0;
    std::optional<std::size_t> element;  ///< within a list argument
    bool last = false;                   ///< nothing uses the register afterwards: its value is moved
    bool wraps = false;                  ///< a number where the operation takes a tensor
};

/// A kernel that LibTorch does not have. Takes its arguments from the stack and leaves its results there. Thread-safe.
class StepKernel {
public:
    virtual ~StepKernel() = default;
    virtual void call(torch::jit::Stack& stack) const = 0;
    /// As CompiledGraph::shownBy has it.
    virtual std::vector<NodeId> shown() const { return {}; }
};
using KernelTable = std::map<std::string, std::shared_ptr<const StepKernel>>;

/// One call of a kernel, or a computation with numbers.
struct PlanStep {
    NodeId node = kNoNode;
    std::optional<c10::OperatorHandle> op;  ///< none: `arithmetic` computes the result
    NumberFunction arithmetic = nullptr;
    std::optional<c10::OperatorHandle> inPlace;  ///< writes into the first argument, if nothing else holds it
    std::vector<c10::IValue> arguments;          ///< literals, with gaps for operands
    std::vector<PlanOperand> operands;
    std::vector<Register> results;
    bool listResult = false;
    std::vector<Register> releases;                      ///< results that nothing uses
    std::shared_ptr<const StepKernel> kernel = nullptr;  ///< computes the result in place of `op`
};

/// A register, or a literal.
struct PlanOutput {
    Register source = kUnused;
    c10::IValue literal;
};

/// A graph as a list of calls over registers.
struct Plan {
    Register registers = 0;
    std::vector<std::string> names;  ///< of the nodes whose values the registers hold
    std::vector<Register> inputs, unusedInputs;
    std::vector<std::pair<Register, at::Tensor>> constants;
    std::vector<PlanStep> steps;
    std::vector<PlanOutput> outputs;
};

/// Operations that `kernels` names run through those. Throws Error for an operation that LibTorch does not know, or a
/// constant without a value.
Plan makePlan(const Graph& graph, const ConstantTable& constants, const KernelTable& kernels = {});

/// The interpreter of `plan`, which reports `groups` and `note` as its own.
std::shared_ptr<const CompiledGraph> interpret(Plan plan, std::vector<std::vector<NodeId>> groups = {},
                                               std::string note = {});

/// Runs one step. Leaves the results on the stack, lists element by element. Registers are emptied at their last use.
void executeStep(const PlanStep& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack);
/// Moves what executeStep has left on the stack into the registers of the results.
void storeResults(const PlanStep& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack);

}  // namespace aotscope
