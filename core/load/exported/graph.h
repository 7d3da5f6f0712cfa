#pragma once

#include "ir/graph.h"
#include "load/exported/foreign.h"
#include "program/program.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace aotscope {

/// Where the value of a symbol is found, and its value at export.
struct SymbolPlace {
    std::size_t leaf = 0;  ///< of the user inputs
    std::int64_t dimension = 0, exported = 0;
};

/// An exported program as an executable graph; see PlanRules::asModel. Regions are inlined between operations that mark
/// their begin and end.
struct ExportedGraph {
    /// Returns what the program returns, including new values of mutated inputs.
    std::shared_ptr<const Graph> graph;

    /// What a placeholder corresponds to.
    struct Input {
        std::optional<std::size_t> state;  ///< its index; nothing for user inputs
        std::size_t leaf = 0;              ///< otherwise the index of the user input
    };
    std::vector<Input> inputs;
    std::vector<std::size_t> cloned;  ///< placeholders that are copied, since the backward may need the old value

    /// How an output is handled.
    struct Output {
        bool returned = true;
        std::optional<std::size_t>
            target;  ///< otherwise, the placeholder to copy it into; nothing: it is already in place
    };
    std::vector<Output> outputs;

    /// Batch norms whose running statistics nothing else needs: they are updated in place, as in the original model.
    std::unordered_set<const Node*> batchNorms;
    /// For calls of operators without shape functions: the result types in the file.
    std::unordered_map<const Node*, std::vector<exported::TensorMeta>> types;
    std::map<std::string, SymbolPlace> symbols;
    std::vector<std::string> warnings;  ///< sentences
};

/// The inputs and outputs of a program. `stateOfInput`: for every input of the program, its index in `state`, or
/// nothing for literals and for user inputs, whose names are `leafNames`; `outputNames`: OutputInfo::name of the user
/// outputs.
struct ExportedSignature {
    const std::vector<StateTensor>& state;
    const std::vector<std::optional<std::size_t>>& stateOfInput;
    const std::vector<std::string>& leafNames;
    const std::vector<std::string>& outputNames;
};

/// For a run on `device`. Throws Error naming an invalid node.
ExportedGraph graphOf(const exported::Document& document, const ExportedSignature& signature,
                      const ForeignOperators& foreign, c10::Device device);

/// "operation 'add' (torch.ops.aten.add.Tensor) of the exported program: "
std::string placeInProgram(const std::string& name, const std::string& target);

}  // namespace aotscope
