#pragma once

#include "cost/exposure.h"
#include "cost/machine_model.h"
#include "cost/unshards.h"
#include "distributed/links.h"
#include "ops/collectives.h"
#include "record/compile_record.h"
#include "record/options/options.h"

#include <algorithm>
#include <vector>

namespace aotscope {

/// One collective of a graph on a timeline of two streams, computation and communication. Times are in milliseconds
/// from the start of the graph on this rank.
struct CollectiveTime {
    NodeId node = kNoNode;
    std::string name;
    std::string module;  ///< "layers.0.attention"; empty: the top level, or unknown
    Collective call;
    RankGroup group;
    std::int64_t sentBytes = 0;        ///< by this rank
    double issue = 0;                  ///< when the computation stream reaches it
    double start = 0, end = 0;         ///< on the communication stream, which runs one after the other
    double wait = 0;                   ///< when the computation needs the result; the end of the graph if it never does
    std::vector<std::string> waits;    ///< the nodes that wait for it; may be empty
    std::vector<NodeId> waitIds;       ///< the same
    std::vector<std::string> savedAs;  ///< the result, or its views, as saved for the backward
    Exposure why;

    double duration() const { return end - start; }
    /// How long the computation stream waits for it.
    double exposed() const { return std::max(0.0, end - wait); }
};

/// An operation on the computation stream, in milliseconds.
struct ComputationTime {
    NodeId node = kNoNode;
    std::string name, op;
    double start = 0, duration = 0;
};

/// The collectives of one module.
struct ModuleCommunication {
    std::string module;  ///< empty: the top level, or unknown
    std::size_t calls = 0;
    std::int64_t sentBytes = 0;
    double communicating = 0, exposed = 0;  ///< milliseconds
};

/// The collectives and the other operations of one graph.
struct GraphCommunication {
    GraphKind graph = GraphKind::forward;
    std::vector<CollectiveTime> collectives;
    std::vector<ComputationTime> computations;
    double computing = 0, communicating = 0, exposed = 0, total = 0;  ///< milliseconds

    std::int64_t sentBytes() const;
    /// Saved results of all-gathers: unsharded memory that is kept from the forward to the backward.
    std::int64_t savedGatherBytes() const;
    /// The longest exposed ones first.
    std::vector<ModuleCommunication> modules() const;
};

/// An unshard of a parameter, with its cost in all graphs that gather it.
struct UnshardCost {
    Unshard unshard;
    UnshardFate fate = UnshardFate::unused;
    std::int64_t savedBytes = 0, sentBytes = 0;
    double exposed = 0;  ///< milliseconds; for a bucket, that of the whole bucket
};

/// The graphs that run and communicate.
struct Communication {
    std::vector<GraphCommunication> graphs;
    std::vector<UnshardCost> unshards;  ///< of the joint graph
    std::string problem;  ///< why the groups of the graphs do not fit into the world, as a sentence; empty: they do

    /// The collective that this node is, or waits for, in the graph where it is exposed longest; null if it is neither.
    const CollectiveTime* find(NodeId node) const;
    /// The unshard that this node belongs to; null if it belongs to none.
    const UnshardCost* unshardOf(NodeId node) const;
    std::int64_t sentBytes() const;
    double exposed() const;  ///< milliseconds
    double total() const;    ///< milliseconds of all graphs, one after the other
    std::int64_t largestGroup() const;
};

/// Durations are estimates: for operations by what is known of them (node_figures.h) and the model of the machine,
/// which is asked for only if there are collectives; for these by the latency and bandwidth of `links`.
Communication communicationOf(const CompileRecord& record, const WorldShape& world, const Links& links,
                              const MachineSource& machine);

/// The same for a partition.
Communication communicationOf(const Partition& partition, const WorldShape& world, const Links& links,
                              const MachineModel& machine, const OperatorCosts& costs);

/// Milliseconds that a collective of `group` takes.
double collectiveMs(const Collective& collective, const RankGroup& group, const Links& links);

}  // namespace aotscope
