#pragma once

#include "ir/graph.h"
#include "models/tables/metadata_words.h"
#include "models/tint.h"
#include "models/words/to_qstring.h"
#include "ops/op_table.h"
#include "record/compile_record.h"

#include <QSizeF>
#include <QString>
#include <QStringList>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// The side of a minimum cut on which a value lies, or whether it is cut.
enum class CutSide : std::uint8_t { source, sink, cut };

/// One box of the picture. Elements of a tuple are drawn with the operation that returns the tuple; parameters,
/// buffers, constants and saved values are lines in the boxes that use them.
struct DrawnNode {
    enum class Kind : std::uint8_t {
        call,
        input,
        output,
        group,
        port,  ///< levels of groups: where a value crosses the border of the group
    };

    /// The origin of the operation.
    struct Origin {
        QString module, moduleType;
        NodeId forward = kNoNode;  ///< backward operations: the forward operation that they differentiate
        QString text;              ///< the autograd node and the place in the model
    };

    /// How the partition places the values.
    struct Placement {
        bool saved = false;                      ///< crosses from forward to backward
        bool recomputed = false;                 ///< computed again in the backward
        int savedValues = 0, recomputedOps = 0;  ///< these as PartitionFigures counts them
        std::int64_t savedBytes = 0;
        std::optional<ValueDecision::Placement> decided;  ///< joint graphs only
        QString reason;                                   ///< why, and how large it is
        QString change;                                   ///< the change from the compared partition; empty: none
    };

    /// Which memory it writes to and shares.
    struct Aliasing {
        /// How the program updates this input, or the inputs whose new values this computes.
        std::optional<InputEffect> effect;
        std::optional<OutputType> returnedAs;  ///< outputs: how they relate to other values
        bool syntheticBase = false;            ///< an input that represents several overlapping ones
        bool intermediateBase = false;         ///< returned beside its views
        QString tag;                           ///< of the values that share its memory, "A"
    };

    /// Its place in the flow network of a minimum cut.
    struct Cut {
        std::optional<CutSide> side;  ///< flow networks only
        bool saturated = false;       ///< saturated
    };

    NodeId id = kNoNode;
    Kind kind = Kind::call;
    int operations = 0;  ///< of the graph that it represents: an operation and the elements of its tuple
    QString title;
    QStringList lines;     ///< type, attached inputs, what the value is for
    QStringList attached;  ///< parameters and other values that are lines: "layer1.conv1.weight (%primals_3)"
    QString name;          ///< "%relu_3"
    Stage stage = Stage::forward;
    OpFamily family = OpFamily::other;
    Origin origin;
    Placement placement;
    Aliasing aliasing;
    Cut cut;
    std::optional<Tint> tint;  ///< in place of the theme's colour
    QString value;             ///< what the tint tells: "Size: 2.1 MB"
    bool ghost = false;        ///< differences: only the other graph has it
    int partner = -1;          ///< ladder: index of the forward node that this one differentiates
    int group = -1;     ///< closed groups and operators: the entry of DrawnGraph::groups that this box represents
    int frame = -1;     ///< open operators: the group of their subgraphs. The box is the title of its frame
    int within = 0;     ///< the innermost of DrawnGraph::groups around the box, without runs
    int run = -1;       ///< the run that it is part of; -1: none
    int subgraph = -1;  ///< of DrawnGraph::subgraphs, the one that contains it; -1: none
    QSizeF size;        ///< in pixels at 100 %

    /// Its name for people: for an input, the name in the model.
    const QString& shownName() const { return kind == Kind::input ? title : name; }
    /// The innermost group around the box that can be closed.
    int innermost() const { return run >= 0 ? run : within; }
};

struct DrawnEdge {
    enum class Kind : std::uint8_t {
        flow,  ///< within the forward or within the backward
        rung,  ///< a value of the forward that the backward uses
    };
    int from = 0, to = 0;
    Kind kind = Kind::flow;
    NodeId value = kNoNode;   ///< the node whose value travels along
    double flow = -1;         ///< flow networks: share of the largest flow, 0 to 1
    QString tip;              ///< flow networks: what the edge carries
    bool recomputed = false;  ///< a rung whose value is recomputed, not kept
    int count = 1;            ///< the number of graph edges in this bundle between groups
};

/// A subgraph run by an operator, whose boxes are in the picture.
struct DrawnSubgraph {
    int owner = 0;  ///< the box of the operator
    QString title;  ///< "true_fn: true_graph_0"
};

class GroupTree;

/// What is drawn of a graph, before layout.
struct DrawnGraph {
    GraphKind kind = GraphKind::joint;
    std::vector<DrawnNode> nodes;
    std::vector<DrawnEdge> edges;
    std::vector<DrawnSubgraph> subgraphs;     ///< an owner precedes its subgraphs; empty where some are closed
    std::unordered_map<NodeId, int> indexOf;  ///< also of nodes drawn inside another one
    /// For values drawn as lines in the boxes that use them, the first of these boxes.
    std::unordered_map<NodeId, int> attachedTo;
    std::vector<std::pair<QString, QString>> memoryGroups;  ///< tag and members
    std::vector<TintMeaning> tints;                         ///< the legend, where boxes have tints
    bool network = false;                                   ///< the flow network of a cut instead of the graph itself
    QString note;                                           ///< what is left out
    std::shared_ptr<const GroupTree> groups;  ///< the modules and operators around the boxes; null: not grouped

    bool isLadder() const { return kind == GraphKind::joint && !network; }
    /// For ladders, whether a box is in the backward half.
    bool isBackward(int box) const {
        return isLadder() && nodes[static_cast<std::size_t>(box)].stage == Stage::backward;
    }
    /// The operator whose subgraphs contain a box; -1: none.
    int ownerOf(int box) const {
        const int subgraph = nodes[static_cast<std::size_t>(box)].subgraph;
        return subgraph < 0 ? -1 : subgraphs[static_cast<std::size_t>(subgraph)].owner;
    }
};

/// `partition` may be null; otherwise, saved and recomputed values are marked.
DrawnGraph drawGraph(const Graph& graph, GraphKind kind, const Partition* partition);
/// With all information of `record`, including mutation and aliasing.
DrawnGraph drawGraph(const Graph& graph, GraphKind kind, const CompileRecord& record);

/// The text of the tooltip about the placement of a box.
QStringList placementLines(const DrawnNode& node);

}  // namespace aotscope
