#pragma once

#include "ir/metadata.h"
#include "load/printed/graph_rules.h"
#include "load/printed/log/inductor_graphs.h"
#include "load/printed/log/log_index.h"
#include "record/compile_record.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// The graphs of one compilation, matched to each other: a value has the same id in joint, forward and backward graph;
/// placeholders have roles, outputs slots, and nodes stages.
struct PrintedFamily {
    std::map<GraphKind, std::shared_ptr<Graph>> graphs;
    InductorGraphs inductor;
    std::map<std::string, std::shared_ptr<const Graph>> nested;  ///< graphs of control flow, by class name
    FunctionMetadata metadata;
    bool staticInputs = false;       ///< Python had inputs that are in memory anyway, so saving them was free
    std::vector<std::string> notes;  ///< conclusions and their basis
    bool typesKnown = true;          ///< every tensor of the joint graph has sizes
    bool underived = false;          ///< as in PrintedModule, for one of the graphs
    std::map<std::string, std::string> unsized;  ///< as in PrintedModule, for all graphs
    std::vector<std::string> unreadable;         ///< skipped graphs, and why
    std::vector<std::string> problems;           ///< errors in a graph, or that it causes in Python
};

/// Reads and connects the graphs of `compile`. Throws Error with file and line for text that is not a graph.
PrintedFamily readFamily(const LogIndex& index, const PrintedCompile& compile, const GraphRules& rules);

}  // namespace aotscope
