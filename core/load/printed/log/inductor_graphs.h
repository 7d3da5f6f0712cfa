#pragma once

#include "load/printed/log/log_index.h"
#include "load/printed/parser.h"
#include "record/compile_record.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// A graph that Inductor printed before or after passes of its own.
struct InductorGraph {
    std::string title;  ///< "after-joint"; empty: "pre-grad" or "post-grad"
    GraphKind kind = GraphKind::inference;
    std::shared_ptr<const Graph> graph;
    bool continues = false;  ///< its nodes have the ids of the graph that it was made from
    bool changed = true;     ///< it is not that graph
};

/// By what they are made from. `joint`: also of the inference graph, which has the same passes.
struct InductorGraphs {
    std::vector<InductorGraph> preGrad, joint, postGrad;
};

/// Connects Inductor's graphs, in the order in which they were printed, with the graphs of their compilation: nodes
/// that passes have kept have the same ids, roles and stages.
class InductorStages {
public:
    explicit InductorStages(const std::map<GraphKind, std::shared_ptr<Graph>>& graphs);

    /// A graph printed before passes is left out where it is the graph that it was made from.
    void add(PrintedModule& module, const PrintedSection& section);
    InductorGraphs take() { return std::move(found_); }

private:
    using Graphs = std::map<GraphKind, std::shared_ptr<const Graph>>;

    const Graph* referenceFor(const std::vector<InductorGraph>& list, GraphKind kind) const;
    GraphKind halfOfPostGrad() const;
    std::shared_ptr<const Graph> finished(PrintedModule& module, const std::string& name, GraphKind kind,
                                          const Graph* before);

    Graphs graphs_;
    NodeId next_ = 0;            ///< an id that no node has
    std::size_t postGrads_ = 0;  ///< halves that have come to their end
    InductorGraphs found_;
};

}  // namespace aotscope
