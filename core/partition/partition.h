#pragma once

#include "ir/graph.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace aotscope {

enum class PartitionAlgorithm : std::uint8_t {
    standard,
    minCut,
    printed,  ///< not computed here: Python's own, read from a printout
};
std::string_view name(PartitionAlgorithm algorithm);

/// Why the min-cut partitioner may not recompute a value. In the order in which the rules are tried.
enum class BanReason : std::uint8_t {
    primalInput,
    forwardSeed,
    mustSave,
    clonedInput,  ///< the protective copy of an input that the runtime overwrites afterwards
    notAllowListed,
    randomOp,
    computeIntensive,
    materializedInBackward,
    reduction,
    usedFarApart,
    longFusibleChain,
};
/// The sentence behind "cannot recompute: ".
std::string_view describe(BanReason reason);

/// Why a value cannot be saved (its edge in the flow network is infinite).
enum class NoSaveReason : std::uint8_t { none, view, nonTensor };
std::string_view describe(NoSaveReason reason);

/// What the min-cut partitioner knew and decided about one value of the joint graph.
struct ValueDecision {
    NodeId node = kNoNode;
    enum class Fate : std::uint8_t {
        forwardOnly,  ///< the backward does not need it
        saved,
        recomputed,
        backwardOnly,
    } fate = Fate::forwardOnly;
    std::vector<BanReason> bans;  ///< all rules that forbid recomputation, in the order found
    NoSaveReason noSave = NoSaveReason::none;
    std::int64_t bytes = 0;
    std::int64_t distance = 0;  ///< operations to the nearest backward use
    std::int64_t capacity = 0;  ///< cost of saving it; FlowNetwork::kInfinite: impossible
    std::int64_t flow = 0;
    bool materialized = true;  ///< exists in memory anyway; otherwise it would be fused away and costs double
};

struct SavedValue {
    NodeId node = kNoNode;
    std::string name, op;  ///< op: "placeholder" for an input
    std::string label;     ///< the user's name of an input
    TensorType type;
    enum class Kind : std::uint8_t { activation, input, symint } kind = Kind::activation;
    std::string reason;
    bool donated = false;  ///< nothing else holds its memory: the backward may free or overwrite it
};
std::string_view name(SavedValue::Kind kind);

struct RecomputedValue {
    NodeId node = kNoNode;
    std::string name, op;
    std::int64_t bytes = 0;
};

struct Partition {
    PartitionAlgorithm algorithm = PartitionAlgorithm::standard;
    std::shared_ptr<const Graph> forward, backward;
    std::vector<SavedValue> saved;
    std::vector<RecomputedValue> recomputed;  ///< computed in the forward and again in the backward
    std::vector<ValueDecision> decisions;     ///< min-cut only: one for each value of the joint graph

    /// Bytes of the distinct storages among the saved values that belong to no input.
    std::int64_t savedUniqueBytes() const;
    std::int64_t savedBytes(SavedValue::Kind kind) const;
};

struct MinCutOptions {
    bool staticParameters = false;  ///< parameters stay in memory anyway: saving them costs nothing
    bool banNotInAllowList = true;  ///< false: a deny list of random and compute-intensive operators instead
    bool banMaterializedBackward = true;
    bool banReductions = true;
    bool banUsedFarApart = true;
    bool banLongFusibleChains = true;
    bool recomputeViews = false;
    std::set<NodeId> mustSave, mustRecompute;
    std::set<NodeId> dontBan;  ///< never banned, whatever the rules say
};

/// Splits a joint graph (after dead-code and common-subexpression elimination) at the boundary between forward
/// and backward as traced: every forward value that the backward uses is saved.
Partition partitionByDefault(const Graph& joint);

/// Splits a joint graph where the fewest bytes cross, recomputing cheap operations in the backward.
/// Source of the rules: PyTorch 2.13, min_cut_rematerialization_partition.
/// Throws Error with the offending chain if no finite cut exists.
Partition partitionByMinCut(const Graph& joint, const MinCutOptions& options);

}  // namespace aotscope
