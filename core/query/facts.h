#pragma once

#include "record/compile_record.h"
#include "record/results.h"
#include "record/value_facts.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace aotscope {

/// A node, and what its record knows of it: what a query can ask for.
struct QueryFacts {
    const Node* node = nullptr;
    GraphKind graph = GraphKind::joint;
    const ValueDecision* decision = nullptr;  ///< of the partitioner; null: none was made
    bool saved = false, recomputed = false;
    bool mutatedInput = false;          ///< the program changes this input
    bool returned = false;              ///< the graph returns its value
    double microseconds = -1;           ///< measured; -1: not
    const ValueFacts* value = nullptr;  ///< of a run that is stepped through; null: none
};

/// What each node of a graph took in microseconds. Both halves count for a joint graph: what is recomputed runs twice.
std::unordered_map<NodeId, double> microsecondsOf(const TimingResult& timing, GraphKind kind);

/// Finds the facts of nodes of all graphs of one record, which must outlive it, as must the times.
class RecordFacts {
public:
    /// `timing` may be null: nothing has been timed.
    explicit RecordFacts(const CompileRecord& record, const TimingResult* timing = nullptr);

    /// Of all nodes but the output, in order.
    std::vector<QueryFacts> of(const Graph& graph, GraphKind kind) const;

private:
    const CompileRecord& record_;
    std::unordered_map<NodeId, const ValueDecision*> decisions_;
    std::unordered_set<NodeId> saved_, recomputed_;
    const TimingResult* timing_;
};

}  // namespace aotscope
