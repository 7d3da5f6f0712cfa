#pragma once

#include "ir/node_attributes.h"
#include "load/exported/batching.h"
#include "load/exported/export_schema.h"
#include "load/exported/foreign.h"
#include "ops/number_functions.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace aotscope {

/// A value of a running program: a constant, or the content of a slot.
struct Operand {
    static constexpr std::size_t kConstant = static_cast<std::size_t>(-1);
    std::size_t slot = kConstant;
    c10::IValue constant;

    bool isConstant() const { return slot == kConstant; }
};

/// One argument of a call: an operand or a list of operands, converted to the schema's type.
struct ArgumentPlan {
    enum class Convert : std::uint8_t { none, number, real, list };
    Convert convert = Convert::none;  ///< number: a number given for a tensor; real: an integer given for a float
    Operand operand;
    std::vector<Operand> elements;  ///< list
    c10::TypePtr elementType;       ///< list

    c10::IValue value(const std::vector<c10::IValue>& slots) const;
};

struct Block;

/// What a step does: calls an operator,
struct CallStep {
    c10::OperatorHandle op;
    std::shared_ptr<const OperatorDefinition> definition = nullptr;  ///< that the plan was made with; may be null
    /// Of an operator without shapes of its own: the types that the file has for its results.
    std::vector<exported::TensorMeta> types = {};
    std::vector<Operand> numbers = {};  ///< that the graphs take which the operator runs
};
/// computes a number,
struct NumberStep {
    NumberFunction function = nullptr;
};
/// throws unless its argument is true,
struct AssertionStep {
    std::string message;
};
/// begins or ends a vmap, or hides or shows its dimension,
struct BatchingStep {
    Batching what = Batching::prepare;
};
struct AutocastRegion {
    c10::DeviceType device = c10::DeviceType::CPU;
    std::optional<at::ScalarType> dtype;
    bool enabled = true;
    std::optional<bool> cache;
};
/// or runs a region of the program under its own grad mode or autocast state, or with activation checkpointing.
struct RegionStep {
    std::optional<bool> gradMode;
    std::optional<AutocastRegion> autocast;
    std::optional<std::int32_t> checkpoint;  ///< its number, in the order in which such regions run
    std::shared_ptr<Block> body;
};

/// One resolved operation of a program.
struct Step {
    std::variant<NumberStep, CallStep, AssertionStep, BatchingStep, RegionStep> what;
    std::vector<ArgumentPlan> arguments;
    /// Slots of each result; a result that is a list of tensors has one for each.
    std::vector<std::vector<std::size_t>> results;
    std::vector<bool> resultIsList;
    std::optional<std::size_t> location;
    std::vector<std::size_t> lastUses;  ///< slots that are used for the last time
};

struct Block {
    std::vector<Step> steps;
};

/// Where the value of a symbol is found, and what it was when the program was exported.
struct SymbolPlace {
    std::size_t slot = 0;
    std::int64_t dimension = 0, exported = 0;
};

/// A graph that is ready to run.
struct ProgramPlan {
    std::size_t slots = 0;
    std::vector<std::optional<std::size_t>> inputs;  ///< slot of each input of the graph; nothing for constants
    Block body;
    std::vector<Operand> outputs;
    std::vector<std::shared_ptr<const SourceInfo>> locations;
    std::vector<std::string> warnings, unknownOperators;  ///< sentences
    std::map<std::string, SymbolPlace> symbols;           ///< if results have types of the file
    std::string whyNotRun;                                ///< one sentence; empty if it can run
};

/// Looks up every operator and checks every argument, for a run on `device`. Throws Error naming the node that cannot
/// run here.
ProgramPlan planProgram(const exported::Document& document, const ForeignOperators& foreign, c10::Device device);

/// A graph of the program that an operator such as cond runs.
struct SubgraphPlan {
    std::size_t slots = 0;
    std::vector<bool> inputs;  ///< which have the first slots: whether each is a number
    Block body;
    std::vector<Operand> outputs;
    /// Those of the whole program.
    std::shared_ptr<const std::vector<std::shared_ptr<const SourceInfo>>> locations;
};
/// As the argument of that operator, which gives it the tensors among its inputs.
c10::IValue subgraphValue(SubgraphPlan plan);

class LocationSink;
/// Runs the steps of `plan`; `slots` holds the inputs. `sink` may be null.
void runProgram(const ProgramPlan& plan, std::vector<c10::IValue>& slots, LocationSink* sink);

}  // namespace aotscope
