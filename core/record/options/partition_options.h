#pragma once

#include "ir/node_attributes.h"
#include "record/options/collective_moves.h"

#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aotscope {

enum class PartitionAlgorithm : std::uint8_t {
    defaultPartition,
    minCut,
    printed,  ///< Python's own, from printed graphs
    planned,  ///< the values to save are given by a plan or a partition function
};
std::string_view name(PartitionAlgorithm algorithm);
/// Whether common subexpressions are eliminated before the partitioner. The default partitioner would save a forward
/// value that is merged with one of the backward.
constexpr bool mergesOperations(PartitionAlgorithm algorithm) {
    return algorithm == PartitionAlgorithm::minCut || algorithm == PartitionAlgorithm::planned;
}

/// How the values to save under a memory budget are chosen, so that recomputing the others takes the least time.
enum class KnapsackSolver : std::uint8_t {
    dynamicProgramming,  ///< weights rounded to a ten-thousandth of the budget's range
    greedy,              ///< by time per byte
    exact,               ///< exact weights in bytes
    slidingHirschberg,   ///< rounded as for dynamic programming; chooses differently among equals
};
std::string_view name(KnapsackSolver solver);  ///< "dp", "greedy", "exact", "hirschberg"

/// Cost model for recomputing an operation.
enum class RuntimeEstimator : std::uint8_t {
    flops,
    testing,   ///< the same for every operation
    roofline,  ///< milliseconds on this machine, from operations, bytes and a short calibration
    measured,  ///< measured milliseconds
};
std::string_view name(RuntimeEstimator estimator);

/// The order of the operations in the forward and the backward.
enum class OperationOrdering : std::uint8_t {
    traced,  ///< as the partitioner leaves them: that of the trace, what is recomputed as late as it can be
    memory,  ///< moved within their dependencies if that lowers the predicted peak
};
std::string_view name(OperationOrdering order);

/// Why the min-cut partitioner must not recompute a value, in order of precedence.
enum class BanReason : std::uint8_t {
    primalInput,
    forwardSeed,
    mustSave,
    clonedInput,     ///< the protective copy of an input that the runtime overwrites afterwards
    tagged,          ///< by activation checkpointing or a policy
    regionBorder,    ///< between two checkpointed regions
    collective,      ///< other ranks take part in it
    effect,          ///< ordered by tokens
    mutationSource,  ///< what the forward writes to an input that the backward also overwrites
    notAllowListed,
    randomOp,
    computeIntensive,
    materializedInBackward,
    reduction,
    usedFarApart,
    longFusibleChain,
};

/// The rules of one minimum cut.
struct MinCutOptions {
    bool staticParameters = false;  ///< parameters and buffers are in memory anyway: saving them is free
    bool banNotInAllowList = true;  ///< false: uses a deny list of random and compute-intensive operators instead
    bool banMaterializedBackward = true;
    bool banReductions = true;
    bool banUsedFarApart = true;
    bool banLongFusibleChains = true;
    bool recomputeViews = false;
    std::set<NodeId> mustSave, mustRecompute;
    std::set<NodeId> dontBan;  ///< never banned, regardless of the rules

    /// Recomputes everything except random and compute-intensive operations: disables all rules except that for
    /// reductions.
    void beAggressive() {
        banNotInAllowList = banMaterializedBackward = banUsedFarApart = banLongFusibleChains = false;
    }
};

/// The texts for a ban on recomputation, and the option that disables it.
struct BanRule {
    BanReason reason;
    std::string_view text;                    ///< completes the sentence "cannot recompute: "
    std::string_view sentence;                ///< about the value: "Its operation uses random numbers."
    bool replaced = false;                    ///< by the list of cheap operations, if that is enabled
    bool MinCutOptions::*option = nullptr;    ///< null: it cannot be disabled
    std::string_view flag = {};               ///< of --no-ban: "reductions"
    std::string_view session = {};            ///< key of the option in session files
    std::string_view label = {};              ///< of the option in the window: "Ban Reductions"
    std::string_view values = {}, help = {};  ///< what it bans: "reductions", and a definition
};
/// One for each reason, in order of precedence.
std::span<const BanRule> banRules();
std::string_view describe(BanReason reason);  ///< BanRule::text
/// Why `options` disable a rule: "switched off"; empty if they do not.
std::string_view whyNotAsked(const BanRule& rule, const MinCutOptions& options);

/// All options of a partition.
struct PartitionOptions {
    PartitionAlgorithm algorithm = PartitionAlgorithm::minCut;
    std::vector<std::string> plan;   ///< planned: the values of the joint graph to save, by name, and no others
    std::filesystem::path function;  ///< planned: a plug-in whose partition function creates the plan
    std::string peak;                ///< planned: the limit that a plan is made for; see PeakLimit
    double planSeconds = 10;         ///< to prove and improve it; 0: neither
    MinCutOptions cut;
    double memoryBudget = 1.0;  ///< min-cut: 0 saves only the inputs, 1 is fastest
    KnapsackSolver solver = KnapsackSolver::dynamicProgramming;
    RuntimeEstimator estimator = RuntimeEstimator::flops;
    std::vector<std::string> save, recompute;  ///< nodes of the joint graph by name, in addition to those of `cut`
    /// "must_save=op:mm": the policy for all forward operations that match a query; the last match applies.
    std::vector<std::string> policies;
    /// Parameters whose all-gathers the backward repeats instead of saving their results, by name; or "all".
    std::vector<std::string> reshard;
    CollectiveMoves moves;
    bool dropCopies = false;  ///< use originals instead of copies that nobody writes into
    OperationOrdering order = OperationOrdering::traced;
};

/// Whether a plan is made for the limit of the peak.
inline bool plansByPeak(const PartitionOptions& options) {
    return options.algorithm == PartitionAlgorithm::planned && !options.peak.empty() && options.plan.empty() &&
           options.function.empty();
}

/// The policy and the query of one of `policies`. Throws UsageError.
std::pair<CheckpointPolicy, std::string> splitPolicy(const std::string& text);

}  // namespace aotscope
