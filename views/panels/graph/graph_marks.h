#pragma once

#include "canvas/drawn_graph.h"
#include "record/compile_record.h"

#include <functional>

namespace aotscope {

/// Additional marks of boxes: the placement of values by a partition, and tints.
struct GraphMarks {
    /// Gives boxes tints of their own; also called in the background.
    using Decoration = std::function<void(DrawnGraph&, const std::shared_ptr<const Graph>&)>;

    std::shared_ptr<const Partition> partition, before;  ///< on the final joint graph, and its baseline
    Decoration decoration;                               ///< empty: none

    /// On boxes without marks.
    void addTo(DrawnGraph& drawn, const std::shared_ptr<const Graph>& graph, const CompileRecord& record) const;
    /// In place of the marks of the boxes.
    std::shared_ptr<const DrawnGraph> marked(const DrawnGraph& drawn, const std::shared_ptr<const Graph>& graph,
                                             const CompileRecord& record) const;
};

}  // namespace aotscope
