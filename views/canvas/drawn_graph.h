#pragma once

#include "ir/graph.h"
#include "models/metadata_words.h"
#include "ops/op_table.h"
#include "passes/record.h"

#include <QSizeF>
#include <QString>
#include <QStringList>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// One box of the picture. Elements of a tuple are drawn with the operation that makes the tuple; parameters,
/// buffers, constants and saved values are lines in the boxes that use them.
struct DrawnNode {
    enum class Kind : std::uint8_t { call, input, output };

    NodeId id = kNoNode;
    Kind kind = Kind::call;
    QString title;
    QStringList lines;  ///< type, attached inputs, what the value is for
    QString name;       ///< "%relu_3"
    QString module;
    QString origin;  ///< the autograd node and the place in the model
    Stage stage = Stage::forward;
    OpFamily family = OpFamily::other;
    bool saved = false;       ///< crosses from forward to backward
    bool recomputed = false;  ///< computed again in the backward
    /// What the program does to the input that this is, or to the inputs whose new values this computes.
    std::optional<InputEffect> effect;
    std::optional<OutputType> returnedAs;  ///< outputs: how they relate to other values
    bool syntheticBase = false;            ///< an input that stands for several that overlap
    bool intermediateBase = false;         ///< returned beside its views
    QString memory;                        ///< tag of the values that share its memory, "A"
    int partner = -1;                      ///< ladder: index of the forward node that this one differentiates
    QSizeF size;                           ///< in pixels at 100 %
};

struct DrawnEdge {
    enum class Kind : std::uint8_t {
        flow,  ///< within the forward or within the backward
        rung,  ///< a value saved in the forward and used in the backward
    };
    int from = 0, to = 0;
    Kind kind = Kind::flow;
    NodeId value = kNoNode;  ///< the node whose value travels along
};

/// What is drawn of a graph, before anything has a place.
struct DrawnGraph {
    GraphKind kind = GraphKind::joint;
    std::vector<DrawnNode> nodes;
    std::vector<DrawnEdge> edges;
    std::unordered_map<NodeId, int> indexOf;  ///< also of nodes that are drawn inside another one
    /// Of values that are lines in the boxes that use them, the first of these boxes.
    std::unordered_map<NodeId, int> attachedTo;
    std::vector<std::pair<QString, QString>> memoryGroups;  ///< tag and members

    bool isLadder() const { return kind == GraphKind::joint; }
};

/// `partition` may be null; with it, saved and recomputed values are marked.
DrawnGraph drawGraph(const Graph& graph, GraphKind kind, const Partition* partition);
/// With everything that `record` knows: mutation and aliasing too.
DrawnGraph drawGraph(const Graph& graph, GraphKind kind, const CompileRecord& record);

QString toQString(std::string_view text);

}  // namespace aotscope
