#pragma once

#include "ir/graph.h"

#include <QJsonObject>
#include <QJsonValue>
#include <QMap>
#include <QStringList>

namespace aotscope::test {

using Histogram = QMap<QString, int>;

/// Operations that only hide a value from autograd have no node in our graphs. Operators that run subgraphs have no
/// namespace there.
inline Histogram histogram(const QJsonValue& value) {
    Histogram counts;
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it) {
        const QString& op = it.key();
        if (op == QLatin1String("aten.detach.default") || op == QLatin1String("aten.alias.default")) continue;
        if (op == QLatin1String("aten._assert_tensor_metadata.default")) continue;  // computes nothing
        if (op == QLatin1String("aten.lift_fresh_copy.default")) continue;          // a constant's copy is folded here
        if (op == QLatin1String("aten.sym_size.int")) continue;                     // dynamic shapes are not compared
        if (op.startsWith(QLatin1String("operator.")) && op != QLatin1String("operator.getitem")) continue;
        counts[op] += it->toInt();
    }
    return counts;
}

inline Histogram histogram(const Graph& graph) {
    QJsonObject counts;
    for (const auto& [op, count] : opHistogram(graph))
        counts[QString::fromStdString(op).remove(QStringLiteral("higher_order."))] = count;
    return histogram(counts);
}

/// A line for every operation that occurs more or less often than expected.
inline QString difference(const Histogram& ours, const Histogram& theirs) {
    QStringList lines;
    for (const QString& op : ours.keys() + theirs.keys())
        if (ours.value(op) != theirs.value(op) && !lines.contains(op))
            lines << QStringLiteral("%1: %2, expected %3").arg(op).arg(ours.value(op)).arg(theirs.value(op));
    lines.removeDuplicates();
    return lines.join(QLatin1Char('\n'));
}

}  // namespace aotscope::test
