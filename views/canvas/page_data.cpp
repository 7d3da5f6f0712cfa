#include "canvas/page_data.h"

#include "ir/printer.h"
#include "ir/provenance.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace aotscope {

namespace {

QJsonArray idsOf(std::span<Node* const> nodes) {
    QJsonArray ids;
    for (const Node* node : nodes) ids.append(node->id());
    return ids;
}

void add(QJsonObject& object, const char* key, const QString& value) {
    if (!value.isEmpty()) object[QLatin1String(key)] = value;
}

QString operationOf(const Node& node) {
    switch (node.kind()) {
        case NodeKind::placeholder:
            return node.role == Role::none ? QStringLiteral("input") : toQString(name(node.role));
        case NodeKind::constant: return QStringLiteral("constant ") + toQString(node.op());
        case NodeKind::output: return QStringLiteral("output");
        default: return toQString(node.op());
    }
}

const DrawnNode* boxOf(const DrawnGraph& graph, NodeId id) {
    for (const auto* places : {&graph.indexOf, &graph.attachedTo})
        if (const auto found = places->find(id); found != places->end())
            return &graph.nodes[static_cast<std::size_t>(found->second)];
    return nullptr;
}

using Nodes = std::unordered_map<NodeId, const Node*>;

QJsonObject factsOf(const Node& node, const Nodes& all, const DrawnGraph& graph) {
    QJsonObject object{{QStringLiteral("id"), node.id()},
                       {QStringLiteral("inputs"), idsOf(node.inputs())},
                       {QStringLiteral("users"), idsOf(node.users())}};
    add(object, "name", toQString(node.name()));
    add(object, "op", operationOf(node));
    if (node.type.known()) add(object, "type", toQString(printType(node.type)));
    add(object, "args", toQString(printArguments(node)));
    add(object, "label", toQString(node.label));
    const Provenance provenance = provenanceOf(node);
    if (const auto& place = provenance.source) {
        add(object, "module", toQString(place->module));
        add(object, "source", toQString(placeText(place.get())));
    }
    if (!provenance.function.empty()) {
        const auto forward = all.find(provenance.forward);
        add(object, "autograd", toQString(describe(provenance, forward == all.end() ? nullptr : forward->second)));
    }
    add(object, "stage", node.stage == Stage::backward ? QStringLiteral("backward") : QStringLiteral("forward"));
    if (const DrawnNode* box = boxOf(graph, node.id())) {
        object[QStringLiteral("box")] = box->id;
        if (box->id == node.id()) add(object, "fate", fateLines(*box).join(u'\n'));
    }
    return object;
}

}  // namespace

QByteArray pageData(const DrawnGraph& graph, const Graph& source) {
    Nodes all;
    for (const Node* node : source.nodes()) all[node->id()] = node;
    QJsonArray nodes;
    for (const Node* node : source.nodes()) nodes.append(factsOf(*node, all, graph));
    QByteArray json = QJsonDocument(QJsonObject{{QStringLiteral("graph"), toQString(source.name())},
                                                {QStringLiteral("nodes"), nodes}})
                          .toJson(QJsonDocument::Compact);
    // Only strings hold these, and there an escape means the same.
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    return json;
}

}  // namespace aotscope
