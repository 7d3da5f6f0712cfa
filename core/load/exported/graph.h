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

/// Where the value of a symbol is found, and what it was when the program was exported.
struct SymbolPlace {
    std::size_t leaf = 0;  ///< of the user inputs
    std::int64_t dimension = 0, exported = 0;
};

/// An exported program as a graph that runs; see PlanRules::asModel. Regions are inlined: operations mark where they
/// begin and end.
struct ExportedGraph {
    /// Returns what the program does, new values of mutated inputs among it.
    std::shared_ptr<const Graph> graph;

    /// What a placeholder stands for.
    struct Input {
        std::optional<std::size_t> state;  ///< its index; nothing for user inputs
        std::size_t leaf = 0;              ///< else that of the user input
    };
    std::vector<Input> inputs;
    std::vector<std::size_t> cloned;  ///< placeholders that get a copy, since the backward may need the old value

    /// What becomes of an output.
    struct Output {
        bool returned = true;
        std::optional<std::size_t>
            target;  ///< else the placeholder that it is copied into; nothing: it is there already
    };
    std::vector<Output> outputs;

    /// Batch norms whose running statistics nothing else needs: they update them in place, as in the original model.
    std::unordered_set<const Node*> batchNorms;
    /// For calls of operators without shapes of their own: the types that the file has for the results.
    std::unordered_map<const Node*, std::vector<exported::TensorMeta>> types;
    std::map<std::string, SymbolPlace> symbols;
    std::vector<std::string> warnings;  ///< sentences
};

/// What the inputs and outputs of a program are. `stateOfInput` gives for every input of the program its index in
/// `state`, nothing for user inputs, whose names are `leafNames`, and for literals; `outputNames` are those of user
/// outputs, as OutputInfo has them.
struct ExportedSignature {
    const std::vector<StateTensor>& state;
    const std::vector<std::optional<std::size_t>>& stateOfInput;
    const std::vector<std::string>& leafNames;
    const std::vector<std::string>& outputNames;
};

/// For a run on `device`. Throws Error naming the node that has no meaning.
ExportedGraph graphOf(const exported::Document& document, const ExportedSignature& signature,
                      const ForeignOperators& foreign, c10::Device device);

/// "operation 'add' (torch.ops.aten.add.Tensor) of the exported program: "
std::string placeInProgram(const std::string& name, const std::string& target);

}  // namespace aotscope
