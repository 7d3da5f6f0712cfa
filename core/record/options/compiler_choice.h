#pragma once

#include "ir/node_attributes.h"
#include "record/graph_kind.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace aotscope {

/// The names of the backends for the graphs: built-in, or from plug-ins.
struct CompilerChoice {
    std::string forward = "interpreter";
    std::string backward, inference;              ///< for these graphs; empty: same as forward
    std::map<std::string, std::string> settings;  ///< "NAME.KEY" to value, for the backend NAME
    std::vector<std::filesystem::path> plugins;   ///< shared libraries with further backends

    const std::string& ofBackward() const { return backward.empty() ? forward : backward; }
    const std::string& ofInference() const { return inference.empty() ? forward : inference; }
};

/// The backend of a graph.
struct CompilerUse {
    GraphKind graph = GraphKind::forward;  ///< forward, backward or inference
    std::string chosen, used;              ///< equal unless the interpreter took over
    std::string note;                      ///< why it did, or what else could not be done as requested: one sentence
    std::vector<std::vector<NodeId>> groups =
        {};         ///< of nodes that one kernel computes together; nothing: not compiled yet
    double ms = 0;  ///< compile time; 0: not compiled yet

    /// Ignores the compile time.
    bool operator==(const CompilerUse& other) const {
        return graph == other.graph && chosen == other.chosen && used == other.used && note == other.note &&
               groups == other.groups;
    }
};

/// The backends that were chosen, before anything is compiled.
std::vector<CompilerUse> usesOf(const CompilerChoice& choice);
/// The same backends for other graphs.
std::vector<CompilerUse> notCompiledYet(std::vector<CompilerUse> uses);

}  // namespace aotscope
