#pragma once

#include "models/palette.h"
#include "models/tables/table_content.h"
#include "record/results/value_facts.h"

#include <optional>

namespace aotscope {

/// The same value on one of several ranks.
struct RankValue {
    std::size_t rank = 0;
    std::optional<ValueFacts> facts;  ///< nothing: not computed yet
};

/// A value of a run in the debugger.
struct ShownValue {
    GraphKind graph = GraphKind::forward;
    NodeId node = kNoNode;
    QString name;                     ///< "%relu_3"
    std::optional<ValueFacts> facts;  ///< nothing: see `missing`
    QString missing = {};             ///< why it has no value; empty: not computed yet
    /// For all ranks that are stepped together and run this program; `facts` are those of the shown one. Empty: a
    /// single run.
    std::vector<RankValue> ranks = {};
};

/// One row for each: shape, range, mean, deviation, number of NaNs and infinities. With ranks, one for each of them,
/// with what differs from the first rank that has a value.
TableContent watchTable(const std::vector<ShownValue>& values);

/// The values and ranks of that table's rows, in order.
struct RankRowMark {
    std::size_t rank = 0;
    int group = -1;  ///< the same number for ranks with equal values, from 0; -1: no value, or no ranks
};
std::vector<RankRowMark> rankRowMarks(const std::vector<ShownValue>& values);
/// The colour of a group; all groups after the first few share one.
Meaning meaningOfGroup(int group);

/// The meaning of the colours for one value: "ranks 0, 1, 3", and for the next group "rank 2: [0, 1] is 77, not 0.2".
struct RankGroupText {
    int group = 0;
    QString text;
};
std::vector<RankGroupText> rankGroups(const ShownValue& value);

/// The first elements, row by row of the last dimension.
QString firstElements(const ValueFacts& facts);

}  // namespace aotscope
