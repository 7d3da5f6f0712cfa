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

/// One collective of a graph on a timeline of two streams, one that computes and one that communicates. Times are in
/// milliseconds from the start of the graph, as this rank sees them.
struct CollectiveTime {
    NodeId node = kNoNode;
    std::string name;
    std::string module;  ///< "layers.0.attention"; empty: the top level, or not known
    Collective call;
    RankGroup group;
    std::int64_t sentBytes = 0;  ///< by this rank
    double issue = 0;            ///< when the computation gets there
    double start = 0, end = 0;   ///< on the stream that communicates, which does one after the other
    double wait = 0;             ///< when the computation needs the result; that of the graph's end if it never does
    std::vector<std::string> waits;    ///< the nodes that wait for it; empty: none does
    std::vector<NodeId> waitIds;       ///< the same
    std::vector<std::string> savedAs;  ///< the result, or views of it, among what is saved for the backward
    Exposure why;

    double duration() const { return end - start; }
    /// How long the computation stands still for it.
    double exposed() const { return std::max(0.0, end - wait); }
};

/// An operation on the stream that computes, in milliseconds.
struct ComputationTime {
    NodeId node = kNoNode;
    std::string name, op;
    double start = 0, duration = 0;
};

/// The collectives of one module.
struct ModuleCommunication {
    std::string module;  ///< empty: the top level, or not known
    std::size_t calls = 0;
    std::int64_t sentBytes = 0;
    double communicating = 0, exposed = 0;  ///< milliseconds
};

/// The collectives of one graph, and the operations beside them.
struct GraphCommunication {
    GraphKind graph = GraphKind::forward;
    std::vector<CollectiveTime> collectives;
    std::vector<ComputationTime> computations;
    double computing = 0, communicating = 0, exposed = 0, total = 0;  ///< milliseconds

    std::int64_t sentBytes() const;
    /// Of results of all-gathers: unsharded memory that is kept from the forward to the backward.
    std::int64_t savedGatherBytes() const;
    /// Those that are exposed longest come first.
    std::vector<ModuleCommunication> modules() const;
};

/// An unshard of a parameter, with what it costs in all graphs that gather it.
struct UnshardCost {
    Unshard unshard;
    UnshardFate fate = UnshardFate::unused;
    std::int64_t savedBytes = 0, sentBytes = 0;
    double exposed = 0;  ///< milliseconds; of a bucket, those of the bucket
};

/// The graphs that run, those that communicate.
struct Communication {
    std::vector<GraphCommunication> graphs;
    std::vector<UnshardCost> unshards;  ///< of the joint graph
    std::string problem;  ///< why the groups of the graphs do not fit into the world: one sentence; empty: they do

    /// The collective that this node is, or waits for, in whichever graph it is exposed longest; null: it is none.
    const CollectiveTime* find(NodeId node) const;
    /// The unshard that this node belongs to; null: it does not.
    const UnshardCost* unshardOf(NodeId node) const;
    std::int64_t sentBytes() const;
    double exposed() const;  ///< milliseconds
    double total() const;    ///< milliseconds of all graphs, one after the other
    std::int64_t largestGroup() const;
};

/// Durations are estimates: of operations by the model of `device`, which is asked for only if there are collectives;
/// of these by latency and bandwidth of `links`.
Communication communicationOf(const CompileRecord& record, const WorldShape& world, const Links& links,
                              const std::string& device);

/// The same with a model of the machine.
Communication communicationOf(const CompileRecord& record, const WorldShape& world, const Links& links,
                              const MachineModel& machine);

/// The same for a partition.
Communication communicationOf(const Partition& partition, const WorldShape& world, const Links& links,
                              const MachineModel& machine);

/// Milliseconds that a collective of `group` takes.
double collectiveMs(const Collective& collective, const RankGroup& group, const Links& links);

}  // namespace aotscope
