#include "canvas/page_data.h"

#include "canvas/difference_picture.h"
#include "ir/printer.h"
#include "ir/provenance.h"
#include "ir/subgraphs.h"
#include "models/picture_text.h"
#include "models/words/node_words.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <functional>

namespace aotscope {

namespace {

void add(QJsonObject& object, const char* key, const QString& value) {
    if (!value.isEmpty()) object[QLatin1String(key)] = pictureText(value, kMostShown);
}

QString operationOf(const Node& node) {
    switch (node.kind()) {
        case NodeKind::placeholder: return roleWords(node.role);
        case NodeKind::constant: return QStringLiteral("constant ") + toQString(node.op());
        case NodeKind::output: return QStringLiteral("output");
        default: return toQString(node.op());
    }
}

std::optional<int> boxOf(const DrawnGraph& graph, NodeId id) {
    for (const auto* places : {&graph.indexOf, &graph.attachedTo})
        if (const auto found = places->find(id); found != places->end()) return found->second;
    return std::nullopt;
}

/// Writes the nodes of one graph; `idOf` returns their ids in the picture.
class Facts {
public:
    using IdOf = std::function<NodeId(NodeId)>;

    Facts(const DrawnGraph& drawn, const Graph& source, IdOf idOf) : drawn_(drawn), idOf_(std::move(idOf)) {
        for (const Node* node : source.nodes()) all_[node->id()] = node;
    }

    QJsonObject of(const Node& node) const { return of(node, node.stage); }

    QJsonObject of(const Node& node, Stage stage) const {
        const NodeId id = idOf_(node.id());
        QJsonObject object{{QStringLiteral("id"), id},
                           {QStringLiteral("inputs"), idsOf(node.inputs())},
                           {QStringLiteral("users"), idsOf(node.users())}};
        add(object, "name", toQString(node.name()));
        add(object, "op", operationOf(node));
        if (node.type.known()) add(object, "type", toQString(printType(node.type)));
        add(object, "args", toQString(printArguments(node)));
        add(object, "label", toQString(node.label));
        addProvenance(object, node);
        add(object, "stage", toQString(name(stage)));
        if (const auto place = boxOf(drawn_, id)) {
            object[QStringLiteral("box")] = *place;
            const DrawnNode& box = drawn_.nodes[static_cast<std::size_t>(*place)];
            const QStringList lines = placementLines(box);
            if (box.id == id && !lines.isEmpty()) object[QStringLiteral("fate")] = lines.join(u'\n');
        }
        return object;
    }

private:
    QJsonArray idsOf(std::span<Node* const> nodes) const {
        QJsonArray ids;
        for (const Node* node : nodes) ids.append(idOf_(node->id()));
        return ids;
    }

    void addProvenance(QJsonObject& object, const Node& node) const {
        const Provenance provenance = provenanceOf(node);
        if (const auto& place = provenance.source) {
            add(object, "module", toQString(place->module));
            add(object, "source", toQString(placeText(place.get())));
        }
        if (provenance.function.empty()) return;
        const auto forward = all_.find(provenance.forward);
        add(object, "autograd", toQString(describe(provenance, forward == all_.end() ? nullptr : forward->second)));
    }

    const DrawnGraph& drawn_;
    IdOf idOf_;
    std::unordered_map<NodeId, const Node*> all_;
};

QJsonArray closedModules(const DrawnGraph& graph) {
    QJsonArray modules;
    for (std::size_t place = 0; place < graph.nodes.size(); ++place) {
        const DrawnNode& box = graph.nodes[place];
        if (box.kind != DrawnNode::Kind::group) continue;
        modules.append(QJsonObject{{QStringLiteral("box"), static_cast<int>(place)},
                                   {QStringLiteral("name"), pictureText(box.name, kMostShown)},
                                   {QStringLiteral("title"), box.title},
                                   {QStringLiteral("module"), pictureText(box.origin.module, kMostShown)},
                                   {QStringLiteral("stage"), toQString(name(box.stage))},
                                   {QStringLiteral("fate"), (box.lines + placementLines(box)).join(u'\n')}});
    }
    return modules;
}

QByteArray jsonOf(const DrawnGraph& graph, const Graph& source, const QJsonArray& nodes) {
    QByteArray json = QJsonDocument(QJsonObject{{QStringLiteral("graph"), toQString(source.name())},
                                                {QStringLiteral("nodes"), nodes},
                                                {QStringLiteral("modules"), closedModules(graph)}})
                          .toJson(QJsonDocument::Compact);
    // Only strings contain these, where an escape means the same.
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    return json;
}

/// The subgraphs inside the graph, if they are in the picture.
void addInner(QJsonArray& nodes, const DrawnGraph& graph, const Graph& source) {
    for (const SubgraphRun& run : subgraphRuns(source)) {
        const auto owner = boxOf(graph, run.ownerId);
        if (!owner) continue;
        const Facts facts(graph, *run.graph, [&run](NodeId id) { return run.firstId + id; });
        const Stage stage = graph.nodes[static_cast<std::size_t>(*owner)].stage;
        for (const Node* node : run.graph->nodes())
            if (boxOf(graph, run.idOf(*node))) nodes.append(facts.of(*node, stage));
    }
}

QJsonArray nodesOf(const DrawnGraph& graph, const Graph& source) {
    const Facts facts(graph, source, std::identity());
    QJsonArray nodes;
    for (const Node* node : source.nodes()) nodes.append(facts.of(*node));
    addInner(nodes, graph, source);
    return nodes;
}

}  // namespace

QByteArray pageData(const DrawnGraph& graph, const Graph& source) {
    return jsonOf(graph, source, nodesOf(graph, source));
}

QByteArray pageData(const DrawnGraph& graph, const GraphDifference& difference) {
    std::unordered_map<NodeId, NodeId> twins;
    for (const DifferenceRow& row : difference.rows)
        if (row.before != kNoNode && row.after != kNoNode) twins[row.before] = row.after;
    const Facts gone(graph, *difference.before, [&](NodeId id) {
        const auto twin = twins.find(id);
        return twin == twins.end() ? ghostId(id) : twin->second;
    });
    QJsonArray nodes = nodesOf(graph, *difference.after);
    for (const Node* node : difference.before->nodes())
        if (graph.indexOf.contains(ghostId(node->id()))) nodes.append(gone.of(*node));
    return jsonOf(graph, *difference.after, nodes);
}

}  // namespace aotscope
