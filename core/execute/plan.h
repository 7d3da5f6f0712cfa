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

/// Where a register's value belongs among an operation's arguments.
struct PlanOperand {
    Register source = kUnused;
    std::size_t argument = 0;
    std::optional<std::size_t> element;  ///< within a list argument
    bool last = false;                   ///< the last use of the register: its value is moved
    enum class Convert : std::uint8_t {
        none,
        tensor,  ///< for a number where the operation takes a tensor
        real     ///< for an integer where it takes a real number
    } convert = Convert::none;
};

/// One call of a kernel, a computation with numbers, or the begin or end of a region. Otherwise it does nothing.
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
    bool listResult = false;                             ///< lists among the results are replaced by their elements
    bool allResults = false;                             ///< `results` has an entry for each result, used or not
    std::vector<Register> releases;                      ///< results that are unused
    std::shared_ptr<const StepKernel> kernel = nullptr;  ///< computes the result in place of `op`
    std::optional<std::size_t> location;                 ///< in the model
    bool communicates = false;                           ///< other ranks learn where this one is
};

/// A register, or a literal.
struct PlanOutput {
    Register source = kUnused;
    c10::IValue literal;
};

/// A graph as a list of calls over registers.
struct Plan {
    Register registers = 0;
    std::vector<std::string> names;  ///< of the nodes whose values are in the registers
    std::vector<Register> inputs, unusedInputs;
    std::vector<std::pair<Register, at::Tensor>> constants;
    std::vector<PlanStep> steps;
    std::vector<PlanOutput> outputs;
    std::vector<std::shared_ptr<const SourceInfo>> locations;
    bool asModel = false;
};

/// How a graph is planned.
struct PlanRules {
    /// The kernel that replaces a node's operation; null to run the operation itself.
    std::function<std::shared_ptr<const StepKernel>(const Node&)> kernel = nullptr;
    /// The graph is a model as written: it runs under its caller's grad mode and autocast, overwrites only what it
    /// says, and its calls match their operators' schemas exactly. Otherwise it runs below both.
    bool asModel = false;
    /// Nodes that are not run.
    bool (*skips)(const Node&) = nullptr;
    /// Replaces every device in the graph except meta.
    std::optional<c10::Device> device = std::nullopt;
    /// The beginning of errors about a node; by default "%add = aten.add.Tensor: ".
    std::string (*place)(const Node&) = nullptr;
};

/// Throws Error for an operation that LibTorch does not have or that has no such arguments, or a constant without a
/// value.
Plan makePlan(const Graph& graph, const ConstantTable& constants, const PlanRules& rules = {});

/// Runs all steps, with one value for each input: `args` is emptied as values are used for the last time. `observer`
/// and `sink` may be null.
std::vector<c10::IValue> runPlan(const Plan& plan, std::vector<c10::IValue>& args, StepObserver* observer,
                                 LocationSink* sink = nullptr);

/// The interpreter of `plan`, which reports `groups` and `note` as its own.
std::shared_ptr<const CompiledGraph> interpret(Plan plan, std::vector<std::vector<NodeId>> groups = {},
                                               std::string note = {});

/// Runs one step that neither begins nor ends a region. Leaves the results on the stack, with lists replaced by their
/// elements. Registers are emptied at their last use.
void executeStep(const PlanStep& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack);
/// The arguments of a step, as executeStep takes them.
void loadArguments(const PlanStep& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack);
/// Moves what executeStep has left on the stack into the registers of the results.
void storeResults(const PlanStep& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack);

}  // namespace aotscope
