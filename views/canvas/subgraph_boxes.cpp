#include "canvas/subgraph_boxes.h"

#include "canvas/layout/box_size.h"
#include "ir/subgraphs.h"
#include "ops/subgraph_role.h"

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr qsizetype kLongestOperand = 40;  ///< letters

void addBoxes(DrawnGraph& drawn, DrawnGraph& inside, NodeId firstId, Stage stage) {
    for (DrawnNode& box : inside.nodes) {
        if (box.id != kNoNode) box.id += firstId;
        box.stage = stage;
        box.origin.forward = kNoNode;
        box.subgraph = static_cast<int>(drawn.subgraphs.size()) - 1;
        drawn.nodes.push_back(std::move(box));
    }
}

/// Inputs of a subgraph name the outer values that they receive.
void nameOperands(DrawnGraph& inside, const SubgraphRun& run) {
    const std::vector<const Node*> operands = subgraphOperands(run);
    const std::vector<Node*> placeholders = run.graph->placeholders();
    for (Index i = 0; i < operands.size(); ++i) {
        const auto box = inside.indexOf.find(placeholders[i]->id());
        if (!operands[i] || box == inside.indexOf.end()) continue;
        DrawnNode& input = inside.nodes[static_cast<Index>(box->second)];
        const QString name =
            operands[i]->label.empty() ? u'%' + toQString(operands[i]->name()) : toQString(operands[i]->label);
        input.lines << QObject::tr("from %1").arg(name.right(kLongestOperand));
        input.size = boxSize(input);
    }
}

void addSubgraph(DrawnGraph& drawn, int owner, const SubgraphRun& run) {
    DrawnGraph inside = drawGraph(*run.graph, GraphKind::inference, nullptr);
    if (inside.nodes.empty()) return;
    nameOperands(inside, run);
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
