#include "canvas/subgraph_boxes.h"

#include "ir/subgraphs.h"
#include "ops/subgraph_role.h"

namespace aotscope {

namespace {

using Index = std::size_t;

void addBoxes(DrawnGraph& drawn, DrawnGraph& inside, NodeId firstId, Stage stage) {
    for (DrawnNode& box : inside.nodes) {
        if (box.id != kNoNode) box.id += firstId;
        box.stage = stage;
        box.origin.forward = kNoNode;
        box.subgraph = static_cast<int>(drawn.subgraphs.size()) - 1;
        drawn.nodes.push_back(std::move(box));
    }
}

void addSubgraph(DrawnGraph& drawn, int owner, const SubgraphRun& run) {
    DrawnGraph inside = drawGraph(*run.graph, GraphKind::inference, nullptr);
    if (inside.nodes.empty()) return;
    const int first = static_cast<int>(drawn.nodes.size());
    drawn.subgraphs.push_back({owner, toQString(subgraphTitle(run))});
    addBoxes(drawn, inside, run.firstId, drawn.nodes[static_cast<Index>(owner)].stage);
    for (DrawnEdge& edge : inside.edges) {
        edge.from += first;
        edge.to += first;
        if (edge.value != kNoNode) edge.value += run.firstId;
        drawn.edges.push_back(std::move(edge));
    }
    for (const auto& [id, box] : inside.indexOf) drawn.indexOf.emplace(id + run.firstId, box + first);
    for (const auto& [id, box] : inside.attachedTo) drawn.attachedTo.emplace(id + run.firstId, box + first);
}

}  // namespace

void addSubgraphs(DrawnGraph& drawn, const Graph& graph) {
    for (const SubgraphRun& run : subgraphRuns(graph))
        if (const auto owner = drawn.indexOf.find(run.ownerId); owner != drawn.indexOf.end())
            addSubgraph(drawn, owner->second, run);
}

}  // namespace aotscope
