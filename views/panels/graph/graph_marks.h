#pragma once

#include "canvas/drawn_graph.h"
#include "record/compile_record.h"

#include <functional>

namespace aotscope {

/// What boxes show beyond their graph: what a partition makes of the values, and tints.
struct GraphMarks {
    /// Gives boxes tints of their own; called in the background, too.
    using Decoration = std::function<void(DrawnGraph&, const std::shared_ptr<const Graph>&)>;

    std::shared_ptr<const Partition> partition, before;  ///< on the final joint graph, and what it is compared with
    Decoration decoration;                               ///< empty: none

    /// On boxes that have no marks yet.
    void addTo(DrawnGraph& drawn, const std::shared_ptr<const Graph>& graph, const CompileRecord& record) const;
    /// In place of the marks that the boxes have.
    std::shared_ptr<const DrawnGraph> marked(const DrawnGraph& drawn, const std::shared_ptr<const Graph>& graph,
                                             const CompileRecord& record) const;
};

}  // namespace aotscope
