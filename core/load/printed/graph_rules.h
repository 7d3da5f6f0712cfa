#pragma once

#include "load/printed/parser.h"
#include "ops/operator_kinds.h"
#include "record/lowered_graph.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace aotscope {

struct DecompositionTable;

/// Types of values by name in graphs of the same compilation.
using KnownTypes = std::unordered_map<std::string, TensorType>;

/// What readers of printed graphs ask about operations. Thread-safe.
class GraphRules {
public:
    virtual ~GraphRules() = default;

    /// Derives the strides of `module`'s tensors that are not printed from their operations: a view's follow from its
    /// base. Inputs use `known`. Without a rule or a known type, strides are contiguous. Adds the module's types to
    /// `known`.
    void deriveStrides(PrintedModule& module, KnownTypes& known) const;
    /// Derives all types of a module where only the inputs have types, as loaded by a script.
    void deriveFromInputs(PrintedModule& module) const;
    /// See lowerGraph(). Throws Error.
    virtual LoweredGraph lower(const Graph& graph, const std::shared_ptr<const DecompositionTable>& table,
                               OperatorKinds allow) const = 0;

private:
    /// These return false if something cannot be derived for lack of LibTorch.
    virtual bool deriveStridesOf(const std::vector<Node*>& nodes) const = 0;
    virtual bool deriveUntyped(Graph& graph) const = 0;
};

/// Where LibTorch is missing: nothing is derived, and lowering throws Error.
const GraphRules& rulesWithoutTorch();

/// The warning about graphs that are PrintedModule::underived.
std::string underivedWarning();

}  // namespace aotscope
