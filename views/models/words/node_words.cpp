#include "models/words/node_words.h"

#include "ir/printer.h"
#include "models/words/to_qstring.h"
#include "ops/operator_facts.h"
#include "support/formatted.h"

namespace aotscope {

QString shownName(const std::string& name, const std::string& label) {
    return toQString(label.empty() ? "%" + name : label);
}

QString shownName(const Node& node) {
    return shownName(node.name(), node.kind() == NodeKind::constant ? std::string() : node.label);
}

QString fullName(const Node& node) {
    if (node.kind() == NodeKind::constant && !node.label.empty())
        return QStringLiteral("%1 = %2").arg(shownName(node), toQString(node.label));
    return node.label.empty() || node.label == node.name()
               ? shownName(node)
               : QStringLiteral("%1 (%%2)").arg(toQString(node.label), toQString(node.name()));
}

QString roleWords(Role role) {
    switch (role) {
        case Role::none: return QObject::tr("input");
        case Role::saved: return QObject::tr("saved tensor");
        case Role::savedSymint: return QObject::tr("saved SymInt");
        default: return toQString(name(role)).replace(u'_', u' ');
    }
}

QString typeText(const TensorType& type) {
    QString text = toQString(printTensorType(type));
    const QString device = toQString(type.device.name);
    if (device != QLatin1String("cpu")) text.insert(text.size() - device.size(), u' ');
    return text;
}

QString typeText(const ValueType& type) {
    if (const auto* tensor = type.tensor()) return typeText(*tensor);
    const auto* tuple = type.tuple();
    if (!tuple) return toQString(printType(type));
    QStringList elements;
    for (const ValueType& element : *tuple) elements << typeText(element);
    return u'(' + elements.join(QStringLiteral(", ")) + u')';
}

std::vector<NodeProperty> typeProperties(const ValueType& type) {
    if (!type.known()) return {};
    const auto* tensor = type.tensor();
    if (!tensor) return {{QObject::tr("type"), typeText(type)}};
    QStringList strides;
    for (const auto stride : tensor->strides) strides << QString::number(stride);
    return {{QObject::tr("type"), typeText(*tensor)},
            {QObject::tr("strides"), strides.join(QStringLiteral(", "))},
            {QObject::tr("bytes"), toQString(formatBytes(tensor->bytes()))},
            {QObject::tr("device"), toQString(tensor->device.name)}};
}

std::vector<NamedArgument> namedArguments(const Node& node) {
    std::vector<NamedArgument> arguments;
    const OperatorFacts* facts = operatorFacts(node.op());
    const std::size_t named = facts ? facts->parameters.size() : 0;
    for (std::size_t i = 0; i < node.args().size(); ++i)
        arguments.push_back({i < named ? toQString(facts->parameters[i].name) : QString::number(i), &node.args()[i]});
    for (const auto& [key, value] : node.kwargs()) arguments.push_back({toQString(key), &value});
    return arguments;
}

}  // namespace aotscope
