#pragma once

#include "debug/debugger.h"
#include "distributed/world_shape.h"

#include <functional>

namespace aotscope {

class SteppedRanks;
struct ExchangePlace;

/// All ranks of a distributed program, stepped together: every command lets each rank execute one step after the other,
/// and a collective is made when the last rank of its group is there. A rank that has to wait for others stays where it
/// is. What is asked of one run is asked of the shown rank; breakpoints, differences and failures of any rank stop all,
/// and are named.
class RanksDebugger final : public Debugger {
public:
    /// Each rank's own debugger, at its start, and the record of its graphs. `shape` has the groups.
    RanksDebugger(const WorldShape& shape, std::vector<std::shared_ptr<Debugger>> ranks,
                  std::vector<std::shared_ptr<const CompileRecord>> records);
    ~RanksDebugger() override;

    std::size_t ranks() const { return debuggers_.size(); }
    const Debugger& rank(std::size_t i) const { return *debuggers_[i]; }
    const CompileRecord& record(std::size_t i) const { return *records_[i]; }
    /// The first, or the one that somebody has chosen; another one if the last command has stopped for others only.
    std::size_t shown() const { return shown_; }
    void show(std::size_t rank);
    /// Of what a rank waits for, its node and the collective; empty: it can go on, or has ended.
    const std::string& waitsFor(std::size_t rank) const { return waits_[rank]; }
    /// The ranks that the last command stopped for; empty: for all.
    const std::vector<std::size_t>& stoppedBy() const { return stoppedBy_; }
    using Debugger::values;  ///< of the shown rank
    /// The value of the node of that name on every rank.
    std::vector<std::optional<ValueFacts>> values(GraphKind graph, const std::string& node) const;

    DebugPosition position() const override { return debuggers_[shown_]->position(); }
    const DebugStop& lastStop() const override { return last_; }
    std::vector<DebugStep> steps() const override { return debuggers_[shown_]->steps(); }

    void step(const Progress& progress) override;
    void stepOverModule(const Progress& progress) override;
    void runTo(GraphKind graph, NodeId node, const Progress& progress) override;
    void run(const Progress& progress) override;
    /// Runs to the end first, as ranks that wait for each other cannot be searched one by one; the earliest finding.
    void runToNotFinite(const Progress& progress) override;
    void stepBack() override;
    void restart() override;

    std::vector<DebugBreakpoint> breakpoints() const override { return debuggers_[shown_]->breakpoints(); }
    /// Of all ranks together.
    std::vector<int> hits() const override;
    void setBreakpoints(std::vector<DebugBreakpoint> breakpoints) override;

    void compareWithEager(const Progress& progress) override;
    /// `other`: as many ranks.
    void compareWith(Debugger& other, const Progress& progress) override;
    void stopComparing() override;
    bool comparing() const override { return debuggers_[shown_]->comparing(); }

    std::optional<ValueFacts> value(GraphKind graph, NodeId node) const override {
        return debuggers_[shown_]->value(graph, node);
    }
    std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                    const std::vector<std::int64_t>& leading) const override {
        return debuggers_[shown_]->image(graph, node, leading);
    }
    std::string callAsPython(GraphKind graph, NodeId node, const Progress& progress) const override;
    /// Also takes the other ranks back to where they were when the shown one was there.
    void edit(GraphKind graph, NodeId node, const std::string& value) override;

private:
    using Indices = std::vector<std::size_t>;
    enum class Outcome : std::uint8_t { stepped, waits, stopped, failed, ended };

    std::size_t indexOf(std::size_t rank) const;
    Indices indices() const;
    std::size_t targetOf(GraphKind graph, NodeId node) const;
    Outcome tryStep(std::size_t rank, bool ahead, const Progress& progress);
    bool round(const Progress& progress);
    std::size_t stepAll(std::vector<Outcome>& outcomes, bool ahead, const Progress& progress);
    void advance(const Progress& progress, const std::function<bool()>& until, DebugStop::Reason reason);
    void goBackTo(const Indices& indices);
    void stopFor(std::vector<std::size_t> stopped);
    void stopInVain();
    DebugStop stopOf(DebugStop::Reason reason, std::string text) const;

    WorldShape shape_;
    std::vector<std::shared_ptr<Debugger>> debuggers_;
    std::vector<std::shared_ptr<const CompileRecord>> records_;
    std::vector<std::size_t> stepsBefore_;  ///< of each rank: those of the forward, before its backward
    std::unique_ptr<SteppedRanks> worlds_;
    std::vector<std::vector<std::shared_ptr<const ExchangePlace>>> places_;  ///< of each rank, before every step
    std::vector<Indices> rounds_;                                            ///< where the ranks were before each
    std::vector<std::string> waits_;
    std::vector<std::size_t> stoppedBy_;
    std::size_t shown_ = 0;
    DebugStop last_;
};

}  // namespace aotscope
