#pragma once

#include "record/compile_record.h"
#include "record/results/graph_example.h"

#include <memory>
#include <optional>
#include <string>

namespace aotscope {

struct MinifyOptions {
    /// What the graph must continue to show, one of several: see MinifyCondition.
    std::string condition = "check fails | compile fails | nan";
    std::optional<GraphKind> graph;  ///< nothing: the first of the compiled graphs that shows it
};

/// Whether any requested condition depends on the graph's compiler. Throws Error; QueryError for a query.
bool usesCompiler(const MinifyOptions& wanted);

struct GraphSize {
    std::size_t operations = 0, inputs = 0, outputs = 0;
};

/// The smallest part of a graph that still shows what the whole one shows.
struct MinifyResult {
    std::shared_ptr<const Graph> graph;
    GraphKind kind = GraphKind::forward;
    std::string found;  ///< what it shows, as a clause
    GraphSize before, after;
    std::size_t tried = 0;  ///< number of graphs that were run
    double ms = 0;
    GraphExample example;
};

}  // namespace aotscope
