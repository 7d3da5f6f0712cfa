#include "session_view.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace aotscope {

std::string sessionViewJson(const SessionView& view) {
    const std::string_view graph = name(view.graph);
    QJsonObject object{
        {QStringLiteral("graph"), QString::fromUtf8(graph.data(), static_cast<qsizetype>(graph.size()))},
        {QStringLiteral("pass"), view.pass},
        {QStringLiteral("node"), view.node},
        {QStringLiteral("zoom"), view.zoom},
        {QStringLiteral("x"), view.centre.x()},
        {QStringLiteral("y"), view.centre.y()},
        {QStringLiteral("table"), view.table},
        {QStringLiteral("file"), view.file}};
    if (view.boxes) {
        QJsonArray collapsed, hidden;
        for (const QString& key : view.boxes->collapsed) collapsed.append(key);
        for (const NodeId id : view.boxes->hidden) hidden.append(id);
        object[QStringLiteral("collapsed")] = collapsed;
        object[QStringLiteral("hidden")] = hidden;
    }
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

SessionView sessionViewFrom(const std::string& json) {
    const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
    SessionView view;
    view.graph = graphKindFromName(object[QStringLiteral("graph")].toString().toStdString()).value_or(view.graph);
    view.pass = object[QStringLiteral("pass")].toInt(view.pass);
    view.node = object[QStringLiteral("node")].toInt(view.node);
    if (object.contains(QStringLiteral("collapsed"))) {
        view.boxes.emplace();
        for (const auto& key : object[QStringLiteral("collapsed")].toArray()) view.boxes->collapsed << key.toString();
        for (const auto& id : object[QStringLiteral("hidden")].toArray()) view.boxes->hidden << id.toInt();
    }
    view.zoom = object[QStringLiteral("zoom")].toDouble();
    view.centre = {object[QStringLiteral("x")].toDouble(), object[QStringLiteral("y")].toDouble()};
    view.table = object[QStringLiteral("table")].toString();
    view.file = object[QStringLiteral("file")].toString();
    return view;
}

}  // namespace aotscope
