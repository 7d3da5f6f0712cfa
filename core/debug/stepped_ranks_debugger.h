#pragma once

#include "debug/ranks_debugger.h"
#include "distributed/world_shape.h"

#include <functional>

namespace aotscope {

class SteppedRanks;
struct ExchangePlace;

/// Steps the debuggers of all ranks, which exchange tensors in this process.
class SteppedRanksDebugger final : public RanksDebugger {
public:
    /// Each rank's own debugger, at its start, and the record of its graphs. `shape` has the groups.
    SteppedRanksDebugger(const WorldShape& shape, std::vector<std::shared_ptr<Debugger>> ranks,
                         std::vector<std::shared_ptr<const CompileRecord>> records);
    ~SteppedRanksDebugger() override;

    DebugPosition positionOf(std::size_t rank) const override { return debuggers_[rank]->position(); }
    const DebugStop& lastStop() const override { return last_; }
    std::vector<DebugStep> steps() const override { return stepsOf(shown_); }
    std::vector<std::string> notes() const override { return debuggers_[shown_]->notes(); }
    std::vector<DebugStep> stepsOf(std::size_t rank) const { return debuggers_[rank]->steps(); }

    void step(const Progress& progress) override;
    void stepOverModule(const Progress& progress) override;
    void runTo(GraphKind graph, NodeId node, const Progress& progress) override;
    void goTo(const std::vector<RankPlace>& places, const Progress& progress) override;
    void run(const Progress& progress) override;
    /// Runs to the end first, as ranks that wait for each other cannot be searched one by one; takes the earliest.
    void runToNotFinite(const Progress& progress) override;
    void stepBack() override;
    void restart() override;

    std::vector<DebugBreakpoint> breakpoints() const override { return debuggers_[shown_]->breakpoints(); }
    /// Sums over all ranks.
    std::vector<int> hits() const override;
    void setBreakpoints(std::vector<DebugBreakpoint> breakpoints) override;

    void compareWithEager(const Progress& progress) override;
    /// `other` must have as many ranks.
    void compareWith(Debugger& other, const Progress& progress) override;
    void stopComparing() override;
    bool comparing() const override { return debuggers_[shown_]->comparing(); }

    using RanksDebugger::values;
    std::vector<std::optional<ValueFacts>> values(const std::vector<RankNode>& nodes,
                                                  const Progress& progress) const override;
    std::optional<ValueFacts> value(GraphKind graph, NodeId node) const override {
        return debuggers_[shown_]->value(graph, node);
    }
    std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                    const std::vector<std::int64_t>& leading) const override {
        return debuggers_[shown_]->image(graph, node, leading);
    }
    std::string callAsPython(GraphKind graph, NodeId node, const Progress& progress) const override;
    /// Also takes the other ranks back to where they were at that time.
    void edit(GraphKind graph, NodeId node, const std::string& value) override;

private:
    /// The number of steps of each rank.
    using Indices = std::vector<std::size_t>;
    enum class Outcome : std::uint8_t { stepped, waits, stopped, failed, ended, rests };

    std::size_t indexAt(std::size_t rank, const DebugPosition& position) const;
    std::size_t indexOf(std::size_t rank) const { return indexAt(rank, positionOf(rank)); }
    Indices indices() const;
    std::size_t targetOf(GraphKind graph, NodeId node) const;
    Outcome tryStep(std::size_t rank, bool ahead, const Progress& progress);
    bool round(const Progress& progress, const Indices& targets = {});
    std::size_t stepAll(std::vector<Outcome>& outcomes, bool ahead, const Progress& progress);
    void advance(const Progress& progress, const std::function<bool()>& until, DebugStop::Reason reason);
    void goBackTo(const Indices& indices);
    void stopFor(std::vector<std::size_t> stopped);
    void stopInVain();
    DebugStop stopOf(DebugStop::Reason reason, std::string text) const;
    DebugStop stopHere() const { return stopOf(DebugStop::Reason::reached, shownText()); }
    DebugStop stopAtEnd() const;
    std::string shownText() const;
    bool allEnded() const;

    WorldShape shape_;
    std::vector<std::shared_ptr<Debugger>> debuggers_;
    std::vector<std::size_t> stepsBefore_;  ///< by rank: the number of forward steps before its backward
    std::unique_ptr<SteppedRanks> worlds_;
    std::vector<std::vector<std::shared_ptr<const ExchangePlace>>> places_;  ///< by rank, before every step
    std::vector<Indices> rounds_;                                            ///< where the ranks were before each round
    DebugStop last_;
};

}  // namespace aotscope
