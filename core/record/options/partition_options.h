#pragma once

#include "ir/node_attributes.h"
#include "record/options/collective_moves.h"

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aotscope {

enum class PartitionAlgorithm : std::uint8_t {
    defaultPartition,
    minCut,
    printed,  ///< Python's own, read from a printout
    planned,  ///< what to save is given: in a plan, or by a partition function
};
std::string_view name(PartitionAlgorithm algorithm);
/// Whether operations that compute the same are merged before the partitioner. Merged with one of the backward, a value
/// of the forward would be saved by the default partitioner.
constexpr bool mergesOperations(PartitionAlgorithm algorithm) {
    return algorithm == PartitionAlgorithm::minCut || algorithm == PartitionAlgorithm::planned;
}

/// How the values to save under a memory budget are chosen, so that recomputing the others takes the least time.
enum class KnapsackSolver : std::uint8_t {
    dynamicProgramming,  ///< weights rounded to a ten-thousandth of the budget's range
    greedy,              ///< by time per byte
    exact,               ///< weights in bytes, as they are
    slidingHirschberg,   ///< rounded as for dynamic programming; of equally good choices it takes others
};
std::string_view name(KnapsackSolver solver);  ///< "dp", "greedy", "exact", "hirschberg"

/// Cost model for recomputing an operation.
enum class RuntimeEstimator : std::uint8_t {
    flops,
    testing,   ///< every operation the same
    roofline,  ///< milliseconds on this machine, from operations, bytes and a short calibration
    measured,  ///< milliseconds as timed
};
std::string_view name(RuntimeEstimator estimator);

/// The rules of one minimum cut.
struct MinCutOptions {
    bool staticParameters = false;  ///< parameters and buffers stay in memory anyway: saving them is free
    bool banNotInAllowList = true;  ///< false: a deny list of random and compute-intensive operators instead
    bool banMaterializedBackward = true;
    bool banReductions = true;
    bool banUsedFarApart = true;
    bool banLongFusibleChains = true;
    bool recomputeViews = false;
    std::set<NodeId> mustSave, mustRecompute;
    std::set<NodeId> dontBan;  ///< never banned, whatever the rules say

    /// Recompute everything except random and compute-intensive operations: disables every rule but the one for
    /// reductions.
    void beAggressive() {
        banNotInAllowList = banMaterializedBackward = banUsedFarApart = banLongFusibleChains = false;
    }
};

/// All options of a partition.
struct PartitionOptions {
    PartitionAlgorithm algorithm = PartitionAlgorithm::minCut;
    std::vector<std::string> plan;   ///< planned: the values of the joint graph to save, by name, and no others
    std::filesystem::path function;  ///< planned: a plug-in whose partition function makes the plan
    MinCutOptions cut;
    double memoryBudget = 1.0;  ///< min-cut: 0 saves only the inputs, 1 is fastest
    KnapsackSolver solver = KnapsackSolver::dynamicProgramming;
    RuntimeEstimator estimator = RuntimeEstimator::flops;
    std::vector<std::string> save, recompute;  ///< nodes of the joint graph by name, in addition to those of `cut`
    /// "must_save=op:mm": what becomes of all operations of the forward that a query matches; the last one counts.
    std::vector<std::string> policies;
    /// Parameters whose all-gathers the backward repeats instead of saving what they gather, by name; or "all".
    std::vector<std::string> reshard;
    CollectiveMoves moves;
};

/// The policy and the query of one of `policies`. Throws UsageError.
std::pair<CheckpointPolicy, std::string> splitPolicy(const std::string& text);

}  // namespace aotscope
