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
    const ValueDecision* decision = nullptr;  ///< of the partitioner; null: none was made
    bool saved = false, recomputed = false;
    bool mutatedInput = false;          ///< the program changes this input
    bool returned = false;              ///< the graph returns its value
    double microseconds = -1;           ///< measured; -1: not
    const ValueFacts* value = nullptr;  ///< of a run that is stepped through; null: none
    bool anyValue = false;              ///< it may have any value: whether a test of values can hold is asked
};

/// The time of each node of a graph in µs. For a joint graph the sum over both halves, since recomputed nodes run
/// twice.
std::unordered_map<NodeId, double> microsecondsOf(const TimingResult& timing, GraphKind kind);

/// Finds the facts of nodes in all graphs of one record, which must outlive it, as must the times.
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
