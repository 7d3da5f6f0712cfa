#pragma once

#include "ir/graph.h"
#include "support/literals.h"

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
        if (op == "aten.detach.default"_L1 || op == "aten.alias.default"_L1) continue;
        if (op == "aten._assert_tensor_metadata.default"_L1) continue;  // computes nothing
        if (op == "aten.lift_fresh_copy.default"_L1) continue;          // a constant's copy is folded here
        if (op == "aten.sym_size.int"_L1) continue;                     // dynamic shapes are not compared
        if (op.startsWith("operator."_L1) && op != "operator.getitem"_L1) continue;
        counts[op] += it->toInt();
    }
    return counts;
}

inline Histogram histogram(const Graph& graph) {
    QJsonObject counts;
    for (const auto& [op, count] : opHistogram(graph))
        counts[QString::fromStdString(op).remove(u"higher_order."_s)] = count;
    return histogram(counts);
}

/// A line for every operation that occurs more or less often than expected.
inline QString difference(const Histogram& ours, const Histogram& theirs) {
    QStringList lines;
    for (const QString& op : ours.keys() + theirs.keys())
        if (ours.value(op) != theirs.value(op) && !lines.contains(op))
            lines << u"%1: %2, expected %3"_s.arg(op).arg(ours.value(op)).arg(theirs.value(op));
    lines.removeDuplicates();
    return lines.join(u'\n');
}

}  // namespace aotscope::test
