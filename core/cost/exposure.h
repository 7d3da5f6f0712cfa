#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

struct CollectiveTime;
struct GraphCommunication;

/// Why the computation waits for a collective, and how much of that could be hidden. Times are in milliseconds, as in
/// CollectiveTime.
struct Exposure {
    enum class Cause : std::uint8_t {
        none,         ///< not exposed
        streamBusy,   ///< another collective occupies the stream
        issuedLate,   ///< its operands are ready earlier
        waitedEarly,  ///< the first use comes later than the wait
        operandLate,  ///< its operand is computed just before, and the result is needed at once
        graphEnds,    ///< no computation is left to overlap with
    };
    struct Place {
        NodeId node = kNoNode;  ///< kNoNode: an input of the graph, or its end
        std::string name;
    };

    Cause cause = Cause::none;
    Place readyAfter;        ///< computes the last of its operands
    double ready = 0;        ///< when that is done
    Place neededBy;          ///< the first operation that needs the result
    Place busyWith;          ///< the previous collective on the stream
    double delay = 0;        ///< how long it waits for that one
    double hiddenEarly = 0;  ///< of its exposure, if all collectives were issued when they are ready
    double hiddenLate = 0;   ///< of its exposure, if it were waited for directly before `neededBy`
};
/// "stream-busy", as in the report.
std::string_view name(Exposure::Cause cause);

/// When a node of a graph ran, and for how long without waiting.
struct NodeMoment {
    const Node* node = nullptr;
    double done = 0, computing = 0;
};

/// Explains every collective of `found` that is exposed. `moments`: all nodes of its graph, in order.
void explainExposure(const std::vector<NodeMoment>& moments, GraphCommunication& found);

/// The explanation as text; empty if the collective is not exposed.
std::string exposureText(const CollectiveTime& time);

}  // namespace aotscope
