#pragma once

#include "record/compile_record.h"

#include <QString>
#include <vector>

namespace aotscope {

/// A stretch of time on one of a chart's rows: a graph, a module, an operation, or the overhead of a graph
/// (GraphTimes).
struct TimeBar {
    enum class Kind : std::uint8_t { graph, module, operation, overhead } kind = Kind::operation;
    QString text, tip;
    double start = 0, length = 0;  ///< microseconds
    int row = 0;
    int around = -1;  ///< the bar that contains this one
    bool backward = false;
    GraphKind graph = GraphKind::forward;
    std::vector<NodeId> nodes;  ///< that it represents; none: overhead

    double end() const { return start + length; }
};

/// Bars over time, each below the one that contains it, and memory over the same time.
struct TimePicture {
    struct Memory {
        double start = 0, end = 0;            ///< microseconds
        double measured = 0, predicted = -1;  ///< bytes; below 0: unknown
    };
    std::vector<TimeBar> bars;   ///< each after the one that contains it
    std::vector<Memory> memory;  ///< in order; empty: no curve

    double length() const;
    int rows() const;
    /// The bar that shows `node` of `graph`; -1: none.
    int barOf(NodeId node, GraphKind graph) const;
};

}  // namespace aotscope
