#pragma once

#include "record/compile_record.h"
#include "record/results/results.h"
#include "record/results/value_facts.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace aotscope {

/// A node with the facts that a query can test.
struct QueryFacts {
    const Node* node = nullptr;
    GraphKind graph = GraphKind::joint;
    const ValueDecision* decision = nullptr;  ///< of the partitioner; null if there is none
    bool saved = false, recomputed = false;
    bool mutatedInput = false;          ///< the program mutates this input
    bool returned = false;              ///< the graph returns it
    double microseconds = -1;           ///< measured; -1 if it was not
    const ValueFacts* value = nullptr;  ///< from a run in the debugger, or null
    bool anyValue = false;              ///< to test whether any value could match
};

/// The time of each node of a graph in µs. For a joint graph, the sum over forward and backward, since recomputed nodes
/// run twice.
std::unordered_map<NodeId, double> microsecondsOf(const TimingResult& timing, GraphKind kind);

/// Finds the facts of nodes in all graphs of one record. The record and the times must outlive it.
class RecordFacts {
public:
    /// `timing` may be null: not timed.
    explicit RecordFacts(const CompileRecord& record, const TimingResult* timing = nullptr);

    /// All nodes except the output, in order.
    std::vector<QueryFacts> of(const Graph& graph, GraphKind kind) const;

private:
    const CompileRecord& record_;
    std::unordered_map<NodeId, const ValueDecision*> decisions_;
    std::unordered_set<NodeId> saved_, recomputed_;
    const TimingResult* timing_;
};

}  // namespace aotscope
