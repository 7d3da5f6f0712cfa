#pragma once

#include "load/printed/log/log_index.h"
#include "load/printed/parser.h"
#include "record/compile_record.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// A graph that Inductor printed before or after its own passes.
struct InductorGraph {
    std::string title;  ///< "after-joint"; empty: "pre-grad" or "post-grad"
    GraphKind kind = GraphKind::inference;
    std::shared_ptr<const Graph> graph;
    bool continues = false;  ///< its nodes have the ids of the graph that it derives from
    bool changed = true;     ///< it differs from that graph
};

/// By the graph that they derive from. `joint`: also those of the inference graph, with the same passes.
struct InductorGraphs {
    std::vector<InductorGraph> preGrad, joint, postGrad;
};

/// Connects Inductor's graphs, in the order in which they were printed, with the graphs of their compilation: nodes
/// that passes keep have the same ids, roles and stages.
class InductorStages {
public:
    explicit InductorStages(const std::map<GraphKind, std::shared_ptr<Graph>>& graphs);

    /// Skips a graph printed before passes if it equals the graph that it derives from.
    void add(PrintedModule& module, const PrintedSection& section);
    InductorGraphs take() { return std::move(found_); }

private:
    using Graphs = std::map<GraphKind, std::shared_ptr<const Graph>>;

    const Graph* referenceFor(const std::vector<InductorGraph>& list, GraphKind kind) const;
    GraphKind halfOfPostGrad() const;
    std::shared_ptr<const Graph> finished(PrintedModule& module, const std::string& name, GraphKind kind,
                                          const Graph* before);

    Graphs graphs_;
    NodeId next_ = 0;            ///< an unused id
    std::size_t postGrads_ = 0;  ///< halves that are finished
    InductorGraphs found_;
};

}  // namespace aotscope
