#include "panels/graph/graph_marks.h"

#include "canvas/colouring.h"
#include "canvas/layout/placements.h"

namespace aotscope {

void GraphMarks::addTo(DrawnGraph& drawn, const std::shared_ptr<const Graph>& graph,
                       const CompileRecord& record) const {
    if (partition && graph == record.graph(GraphKind::joint)) markPlacements(drawn, *graph, *partition, before.get());
    if (decoration) decoration(drawn, graph);
}

std::shared_ptr<const DrawnGraph> GraphMarks::marked(const DrawnGraph& drawn, const std::shared_ptr<const Graph>& graph,
                                                     const CompileRecord& record) const {
    auto marked = std::make_shared<DrawnGraph>(drawn);
    clearTints(*marked);
    addTo(*marked, graph, record);
    return marked;
}

}  // namespace aotscope
