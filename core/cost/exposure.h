#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

struct CollectiveTime;
struct GraphCommunication;

/// Why the computation stands still for a collective, and what would hide how much of that. Times are in milliseconds,
/// as those of CollectiveTime.
struct Exposure {
    enum class Cause : std::uint8_t {
        none,         ///< it is not exposed
        streamBusy,   ///< another collective is in its way
        issuedLate,   ///< its operands are there earlier
        waitedEarly,  ///< what needs the result comes later than the wait
        operandLate,  ///< its operand is made just before, and the result is needed at once
        graphEnds,    ///< nothing is left to compute beside it
    };
    struct Place {
        NodeId node = kNoNode;  ///< kNoNode: an input of the graph, or its end
        std::string name;
    };

    Cause cause = Cause::none;
    Place readyAfter;        ///< what makes the last of its operands
    double ready = 0;        ///< when that is done
    Place neededBy;          ///< the first operation that needs the result
    Place busyWith;          ///< the collective before it on the stream
    double delay = 0;        ///< how long it waits for that one
    double hiddenEarly = 0;  ///< of its exposure, if it and all others were issued when they are ready
    double hiddenLate = 0;   ///< of its exposure, if it were waited for directly before `neededBy`
};
/// "stream-busy", as the report has it.
std::string_view name(Exposure::Cause cause);

/// When a node of a graph ran, and for how long without standing still.
struct NodeMoment {
    const Node* node = nullptr;
    double done = 0, computing = 0;
};

/// Explains every collective of `found` that is exposed. `moments`: all nodes of its graph, in order.
void explainExposure(const std::vector<NodeMoment>& moments, GraphCommunication& found);

/// The explanation in sentences; empty if the collective is not exposed.
std::string exposureText(const CollectiveTime& time);

}  // namespace aotscope
