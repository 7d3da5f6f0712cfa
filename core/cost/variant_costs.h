#pragma once

#include "cost/node_figures.h"
#include "distributed/links.h"
#include "ir/metadata.h"
#include "record/partition.h"
#include "record/results/results.h"

#include <array>
#include <memory>
#include <optional>
#include <unordered_map>

namespace aotscope {

/// Where the times of operations come from.
enum class TimeBasis : std::uint8_t {
    measured,   ///< the operations were timed
    estimated,  ///< by the roofline model
    unreliable  ///< by the roofline model, with the rates of a disturbed calibration
};

/// A time, with its reliability: "1.31 ms" if measured, "1.3 ms" if estimated, or "unreliable".
std::string timeText(double ms, TimeBasis basis);

/// Run times of the operations of a joint graph in milliseconds: measured once they have been timed, otherwise
/// estimated. Cheap to copy.
class NodeTimes {
public:
    /// `costs`: what is known of operations that have not been timed in these graphs; may be null.
    explicit NodeTimes(const MachineModel& machine, std::shared_ptr<const OperatorCosts> costs = nullptr)
        : machine_(machine), costs_(costs ? std::move(costs) : std::make_shared<const OperatorCosts>()) {}

    /// Bases estimates on other rates.
    void setMachine(const MachineModel& machine) { machine_ = machine; }
    /// Bases them on what is known now of the operations; `costs` may be null.
    void setCosts(std::shared_ptr<const OperatorCosts> costs) {
        costs_ = costs ? std::move(costs) : std::make_shared<const OperatorCosts>();
    }
    /// Those of a run; partitions are compiled likewise.
    void setCompilers(std::vector<CompilerUse> compilers) {
        compilers_ = notCompiledYet(std::move(compilers));  // their groups are those of one partition
    }
    /// The communicating ranks, for the communication of a partition.
    void setRanks(const WorldShape& world, const Links& links) {
        world_ = world;
        links_ = links;
    }
    /// Uses the measured time of every step as a share of its graph's time (GraphTimes), so that those of the timed
    /// partition add up to the measurement. Nodes without a step of their own are computed by another node's kernel.
    void learn(const TimingResult& timing);

    /// For one run of a node: the mean of both graphs, if it runs in both.
    double ms(const Node& node) const;
    /// The same for one graph. A node that was not timed in it takes as long as in the other one.
    double ms(const Node& node, bool backward) const { return figure(node, backward).value; }
    NodeFigure<double> figure(const Node& node, bool backward) const;
    /// Time of a graph outside its operations. 0 for estimates.
    double overheadMs(bool backward) const { return overheadMs_[backward]; }
    TimeBasis basis() const;
    const OperatorCosts& costs() const { return *costs_; }
    const MachineModel& machine() const { return machine_; }
    const std::vector<CompilerUse>& compilers() const { return compilers_; }
    const WorldShape& world() const { return world_; }
    const Links& links() const { return links_; }
    /// Why the estimates are unreliable; empty if the times are measured or reliable.
    std::string caution() const { return basis() == TimeBasis::measured ? std::string() : disturbanceNote(machine_); }

private:
    using BothMs = std::array<std::optional<double>, 2>;  ///< in the forward, in the backward

    void divideKernels(const TimingResult& timing);

    MachineModel machine_;
    std::shared_ptr<const OperatorCosts> costs_;
    std::vector<CompilerUse> compilers_;
    WorldShape world_;
    Links links_ = linksNamed(linkPresets().front());
    std::array<bool, 2> timed_{};  ///< whether operations of that graph were timed
    std::unordered_map<NodeId, BothMs> measured_;
    std::array<double, 2> overheadMs_{};
};

/// Estimated costs of a partition.
struct VariantCosts {
    std::int64_t savedBytes = 0;  ///< as in PartitionFigures
    std::size_t savedValues = 0, recomputedOps = 0;
    std::int64_t peakBytes = 0;            ///< predicted, excluding parameters, inputs and tangents
    std::int64_t givenBytes = 0;           ///< parameters, buffers, inputs, tangents
    double forwardMs = 0, backwardMs = 0;  ///< sums over the operations, and the overhead of measured graphs
    double recomputedMs = 0;               ///< the part of the backward that recomputes forward values
    std::array<double, 3> msBy{};          ///< of the operations, by where their times are from: see CostBasis
    TimeBasis basis = TimeBasis::estimated;
    std::int64_t sentBytes = 0;  ///< by this rank, in collectives
    double exposedMs = 0;        ///< how long the computation waits for them, estimated
    double simulatedMs = 0;      ///< of both streams, computation and communication; 0 without communication

    /// Measured on whole runs, if the variant was run.
    struct Measured {
        double forwardMs = 0, backwardMs = 0;
        std::int64_t savedBytes = 0, peakBytes = 0;
    };
    std::optional<Measured> measured;

    double ms() const { return forwardMs + backwardMs; }
    /// The part of the operations' time that was measured.
    double measuredShare() const {
        const double all = msBy[0] + msBy[1] + msBy[2];
        return all > 0 ? msBy[0] / all : 0;
    }
};

/// "measured 96 %, near 3 %, estimated 1 %": where a sum is from, without what it has nothing of. Empty if it is only
/// estimated.
std::string sharesText(const std::array<double, 3>& by);

VariantCosts costsOf(const Partition& partition, const FunctionMetadata& metadata, const NodeTimes& times);

VariantCosts::Measured measuredCosts(const TimingResult& timing);

}  // namespace aotscope
