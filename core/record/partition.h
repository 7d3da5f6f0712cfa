#pragma once

#include "ir/graph.h"
#include "record/options/partition_options.h"
#include "support/error.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// Why a value cannot be saved (its edge in the flow network has infinite capacity).
enum class NoSaveReason : std::uint8_t { none, view, nonTensor };
std::string_view describe(NoSaveReason reason);

/// Why bans on recomputing a value do not apply.
enum class Exemption : std::uint8_t {
    none,
    view,           ///< computes nothing
    element,        ///< of a tuple: treated like the tuple's operation
    mustRecompute,  ///< requested by the user
    budget,         ///< the memory budget has no room for it
    symbolicReal,
    freshCopy,     ///< a constant of the program
    checkpointed,  ///< by activation checkpointing or a policy
    planned,       ///< a plan gives the saved values
};
std::string_view describe(Exemption exemption);

/// The distance of a value that no backward operation uses, except perhaps the output.
inline constexpr std::int64_t kNoBackwardUse = 1'000'000'000;

/// The cost of saving a value in the min-cut: `bytes` × `kBase` ^ `exponent` × `factor`. A value far from its backward
/// use lives longer; one that would otherwise be fused away must be written and read.
struct SavingCost {
    static constexpr double kBase = 1.1;
    std::int64_t bytes, exponent, factor;

    SavingCost(std::int64_t valueBytes, std::int64_t distance, bool materialized)
        : bytes(valueBytes), exponent(std::clamp<std::int64_t>(distance, 1, 100)), factor(materialized ? 1 : 2) {}
    std::int64_t total() const {
        const double farAway = std::pow(kBase, static_cast<double>(exponent));
        return static_cast<std::int64_t>(static_cast<double>(bytes) * farAway) * factor;
    }
};

/// The partitioner's facts and decision for one value of the joint graph.
struct ValueDecision {
    NodeId node = kNoNode;
    enum class Placement : std::uint8_t {
        forwardOnly,  ///< not needed by the backward
        saved,
        recomputed,
        backwardOnly,
    } placement = Placement::forwardOnly;
    std::vector<BanReason> bans;       ///< all rules that ban recomputation; the one that applied comes first
    std::vector<BanReason> overruled;  ///< rules that would ban it without `exemption`
    Exemption exemption = Exemption::none;
    NoSaveReason noSave = NoSaveReason::none;
    std::int64_t bytes = 0;
    std::int64_t distance = 0;  ///< operations to the nearest backward use; at least kNoBackwardUse: none
    std::int64_t capacity = 0;  ///< cost of saving it; CutNetwork::kInfinite: impossible; -1: unknown (default)
    std::int64_t flow = 0;
    bool materialized = true;  ///< exists in memory anyway; otherwise it would be fused away and costs double
};
std::string_view name(ValueDecision::Placement placement);
/// The reason for the decision: why saved, why recomputed, why neither.
std::string reasonOf(const ValueDecision& decision);

/// The flow network of a min-cut: a source, a sink, and an "in" and an "out" vertex for each node of the joint graph. A
/// value is saved if the minimum cut separates its "in" from its "out".
struct CutNetwork {
    struct Vertex {
        NodeId node = kNoNode;  ///< of the joint graph; kNoNode: source or sink
        bool out = false;
        bool sinkSide = false;  ///< of the minimum cut
    };
    enum class EdgeKind : std::uint8_t {
        banned,          ///< source to in: must not be recomputed
        value,           ///< in to out: saving the value
        use,             ///< out to in of a user
        alias,           ///< in to out of the alias in which autograd saves its own result: saving the value there
        inBackward,      ///< in to sink: computed in the backward
        mustRecompute,   ///< in to sink
        neededBackward,  ///< out to sink: must be available in the backward
    };
    struct Edge {
        int from = 0, to = 0;
        EdgeKind kind = EdgeKind::use;
        std::int64_t capacity = 0;  ///< kInfinite: cannot be cut
        std::int64_t flow = 0;
        bool saturated() const { return flow == capacity; }
    };
    static constexpr std::int64_t kInfinite = std::int64_t{1} << 60;
    static constexpr int kSource = 0, kSink = 1;

    std::vector<Vertex> vertices;
    std::vector<Edge> edges;
    std::int64_t flow = 0;  ///< the cut's capacity
};

/// One vertex of a path on which no value can be saved or recomputed.
struct PathStep {
    NodeId node = kNoNode;
    std::string name;
    std::string reason;  ///< "cannot be recomputed (random op)", "cannot be saved (non-tensor output)", ...
};

/// No finite cut exists.
class UnboundedCut : public Error {
public:
    UnboundedCut(const std::string& what, std::vector<PathStep> steps) : Error(what), path(std::move(steps)) {}
    std::vector<PathStep> path;  ///< from a value that cannot be recomputed to the one that needs it
};

/// How the saved values were chosen under a memory budget.
struct BudgetOutcome {
    double budget = 1;
    enum class Cut : std::uint8_t {
        fastest,    ///< by the unchanged rules
        wider,      ///< without the rules about distance, chains and materialization
        widest,     ///< only random and compute-intensive operations are never recomputed
        knapsack,   ///< some of these are recomputed, too
        inputsOnly  ///< everything is recomputed
    } cut = Cut::fastest;
    std::int64_t inputBytes = 0;    ///< at budget 0
    std::int64_t fastestBytes = 0;  ///< at budget 1
    std::int64_t savedBytes = 0;    ///< total size of the chosen values, inputs included
    int cuts = 1;                   ///< number of cuts solved
    double excess = 0;  ///< by how much the knapsack's kept items exceed `budget`, as a share of the range from 0 to 1:
                        ///< one solver can exceed its limit
    struct Item {
        NodeId node = kNoNode;
        std::int64_t bytes = 0;
        double runtime = 0;  ///< in units of the estimator
        bool kept = false;   ///< not recomputed
    };
    std::vector<Item> items;  ///< of the knapsack, largest first
};
std::string_view name(BudgetOutcome::Cut cut);
/// One sentence if the knapsack keeps more than the budget allows, otherwise empty.
std::string excessText(const BudgetOutcome& outcome);

/// What the planner found for a limit of memory. Peaks are predicted, without parameters, inputs and tangents.
struct PeakPlan {
    enum class Status : std::uint8_t {
        optimal,    ///< no plan under the limit recomputes less
        bounded,    ///< no plan recomputes less than `boundMs`
        infeasible  ///< no plan under the limit was found: this is the one with the lowest peak
    } status = Status::bounded;
    std::int64_t limitBytes = 0;
    std::int64_t peakBytes = 0;
    std::int64_t keepAllBytes = 0;  ///< if nothing is recomputed
    double recomputedMs = 0;        ///< a step, by the times of operations; views count nothing
    double boundMs = 0;             ///< no plan under the limit recomputes less
    double msPerMegabyte = 0;       ///< by how much one more MB lets the bound fall; 0: not known, or nothing is tight
    std::int64_t leastPeakBytes = 0;       ///< the lowest peak of all plans found
    std::int64_t leastPeakBoundBytes = 0;  ///< no plan has a lower one
    double seconds = 0;                    ///< that planning took
    NodeId tightest = kNoNode;             ///< that runs at the peak; kNoNode: none, between forward and backward
    std::string moment;                    ///< the peak, in words: "at %mul_3 in the backward"
    std::string note;                      ///< why less is proved than could be: a sentence, or empty
};
std::string_view name(PeakPlan::Status status);
/// brokenLimitText, or "the optimal plan for a peak of at most 4.10 MB recomputes 260 µs, with a peak of 3.90 MB ...".
std::string planText(const PeakPlan& plan);
/// One sentence if no plan under the limit was found, otherwise empty.
std::string brokenLimitText(const PeakPlan& plan);

struct SavedValue {
    NodeId node = kNoNode;
    std::string name, op;  ///< op: "placeholder" for an input
    std::string label;     ///< the user's name of an input
    TensorType type;
    enum class Kind : std::uint8_t { activation, input, symint } kind = Kind::activation;
    std::string reason;
    bool donated = false;  ///< nothing else holds its memory: the backward may free or overwrite it
    /// The type as printed by Python, if its sizes are symbols without values; `type` is then meaningless.
    std::string unsized;

    /// "4.1 kB", "?"
    std::string bytesText() const;
};
std::string_view name(SavedValue::Kind kind);

struct RecomputedValue {
    NodeId node = kNoNode;
    std::string name, op;
    std::int64_t bytes = 0;  ///< of recomputed results; 0 for views
};

struct Partition {
    PartitionAlgorithm algorithm = PartitionAlgorithm::defaultPartition;
    std::shared_ptr<const Graph> forward, backward;
    std::vector<SavedValue> saved;
    std::vector<RecomputedValue> recomputed;    ///< nodes in both graphs; PartitionFigures says which of them compute
    std::vector<ValueDecision> decisions;       ///< one for each value of the joint graph; empty if printed
    std::shared_ptr<const CutNetwork> network;  ///< of the cut; null for other algorithms, and if all is recomputed
    std::optional<BudgetOutcome> budget;        ///< min-cut only
    std::optional<PeakPlan> plan;               ///< planned for a limit of the peak only

    /// Same as PartitionFigures::savedBytes.
    std::int64_t savedUniqueBytes() const;
    std::int64_t savedBytes(SavedValue::Kind kind) const;
};

}  // namespace aotscope
