#pragma once

#include "models/table_content.h"
#include "record/value_facts.h"

#include <optional>

namespace aotscope {

/// A value of a run that is stepped through.
struct ShownValue {
    GraphKind graph = GraphKind::forward;
    NodeId node = kNoNode;
    QString name;                     ///< "%relu_3"
    std::optional<ValueFacts> facts;  ///< nothing: it was not computed yet
};

/// One row for each: shape, range, mean, deviation, how many NaNs and infinities.
TableContent watchTable(const std::vector<ShownValue>& values);

/// The first elements, row by row of the last dimension.
QString firstElements(const ValueFacts& facts);

}  // namespace aotscope
