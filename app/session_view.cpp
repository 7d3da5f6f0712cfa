#include "session_view.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace aotscope {

std::string sessionViewJson(const SessionView& view) {
    const std::string_view graph = name(view.graph);
    const QJsonObject object{
        {QStringLiteral("graph"), QString::fromUtf8(graph.data(), static_cast<qsizetype>(graph.size()))},
        {QStringLiteral("pass"), view.pass},
        {QStringLiteral("node"), view.node},
        {QStringLiteral("zoom"), view.zoom},
        {QStringLiteral("x"), view.centre.x()},
        {QStringLiteral("y"), view.centre.y()},
        {QStringLiteral("table"), view.table},
        {QStringLiteral("file"), view.file}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

SessionView sessionViewFrom(const std::string& json) {
    const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
    SessionView view;
    view.graph = graphKindFromName(object[QStringLiteral("graph")].toString().toStdString()).value_or(view.graph);
    view.pass = object[QStringLiteral("pass")].toInt(view.pass);
    view.node = object[QStringLiteral("node")].toInt(view.node);
    view.zoom = object[QStringLiteral("zoom")].toDouble();
    view.centre = {object[QStringLiteral("x")].toDouble(), object[QStringLiteral("y")].toDouble()};
    view.table = object[QStringLiteral("table")].toString();
    view.file = object[QStringLiteral("file")].toString();
    return view;
}

}  // namespace aotscope
