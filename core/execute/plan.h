#pragma once

#include "execute/compiled_graph.h"
#include "execute/regions.h"
#include "execute/register_map.h"
#include "execute/step_kernel.h"
#include "ops/number_functions.h"
#include "program/constant_table.h"
#include "program/location_sink.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <functional>
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
    enum class Convert : std::uint8_t {
        none,
        tensor,  ///< of a number, where the operation takes a tensor
        real     ///< of an integer, where it takes a real number
    } convert = Convert::none;
};

/// One call of a kernel, a computation with numbers, or the begin or end of a region. With none of these it does
/// nothing.
struct PlanStep {
    NodeId node = kNoNode;
    std::optional<c10::OperatorHandle> op;
    NumberFunction arithmetic = nullptr;
    BeginRegion begins = nullptr;
    bool endsRegion = false;
    std::optional<c10::OperatorHandle> inPlace;  ///< writes into the first argument, if nothing else holds it
    std::vector<c10::IValue> arguments;          ///< literals, with gaps for operands
    std::vector<PlanOperand> operands;
    std::vector<Register> results;
    bool listResult = false;                             ///< lists among the results stand for their elements
    bool allResults = false;                             ///< `results` has one for each, used or not
    std::vector<Register> releases;                      ///< results that nothing uses
    std::shared_ptr<const StepKernel> kernel = nullptr;  ///< computes the result in place of `op`
    std::optional<std::size_t> location;                 ///< in the model
    bool communicates = false;                           ///< other ranks are told where this one is
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
    std::vector<std::shared_ptr<const SourceInfo>> locations;
    bool asModel = false;
};

/// How a graph is planned.
struct PlanRules {
    /// What runs a node in place of its operation; returns null for the operation itself.
    std::function<std::shared_ptr<const StepKernel>(const Node&)> kernel = nullptr;
    /// The graph is a model as it was written: it runs in the grad mode and under the autocast of its caller,
    /// overwrites nothing that it does not say, and its calls fit their operators exactly. Else it runs below both.
    bool asModel = false;
    /// Nodes that are not run.
    bool (*skips)(const Node&) = nullptr;
    /// Stands for every device that the graph names, but for meta.
    std::optional<c10::Device> device = std::nullopt;
    /// What errors about a node start with; "%add = aten.add.Tensor: " if not given.
    std::string (*place)(const Node&) = nullptr;
};

/// Throws Error for an operation that LibTorch does not know or that is called in a way that it does not have, or a
/// constant without a value.
Plan makePlan(const Graph& graph, const ConstantTable& constants, const PlanRules& rules = {});

/// Runs all steps, with one value for each input: `args` is emptied as values are used for the last time. `observer`
/// and `sink` may be null.
std::vector<c10::IValue> runPlan(const Plan& plan, std::vector<c10::IValue>& args, StepObserver* observer,
                                 LocationSink* sink = nullptr);

/// The interpreter of `plan`, which reports `groups` and `note` as its own.
std::shared_ptr<const CompiledGraph> interpret(Plan plan, std::vector<std::vector<NodeId>> groups = {},
                                               std::string note = {});

/// Runs one step that is neither begin nor end of a region. Leaves the results on the stack, lists element by element.
/// Registers are emptied at their last use.
void executeStep(const PlanStep& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack);
/// The arguments of a step, as executeStep takes them.
void loadArguments(const PlanStep& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack);
/// Moves what executeStep has left on the stack into the registers of the results.
void storeResults(const PlanStep& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack);

}  // namespace aotscope
