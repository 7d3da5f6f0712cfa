#include "models/node_words.h"

#include "io/text_report.h"
#include "ir/printer.h"
#include "models/to_qstring.h"
#include "ops/schema_names.h"

namespace aotscope {

std::vector<NodeProperty> typeProperties(const ValueType& type) {
    if (!type.known()) return {};
    const auto* tensor = type.tensor();
    if (!tensor) return {{QObject::tr("type"), toQString(printType(type))}};
    QStringList strides;
    for (const auto stride : tensor->strides) strides << QString::number(stride);
    return {{QObject::tr("type"), toQString(printTensorType(*tensor))},
            {QObject::tr("strides"), strides.join(QStringLiteral(", "))},
            {QObject::tr("bytes"), toQString(formatBytes(tensor->bytes()))},
            {QObject::tr("device"), toQString(tensor->device.name)}};
}

std::vector<NamedArgument> namedArguments(const Node& node) {
    std::vector<NamedArgument> arguments;
    const auto names = argumentNames(node.op());
    for (std::size_t i = 0; i < node.args().size(); ++i)
        arguments.push_back({i < names.size() ? toQString(names[i]) : QString::number(i), &node.args()[i]});
    for (const auto& [key, value] : node.kwargs()) arguments.push_back({toQString(key), &value});
    return arguments;
}

}  // namespace aotscope
