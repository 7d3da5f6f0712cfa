#pragma once

#include "debug/debugger.h"
#include "distributed/world_shape.h"

#include <functional>

namespace aotscope {

class SteppedRanks;
struct ExchangePlace;

/// Steps the debuggers of all ranks, which exchange tensors in this process.
class SteppedRanksDebugger final : public Debugger {
public:
    /// Each rank's own debugger, at its start, and the record of its graphs. `shape` has the groups.
    SteppedRanksDebugger(const WorldShape& shape, std::vector<std::shared_ptr<Debugger>> ranks,
                         std::vector<std::shared_ptr<const CompileRecord>> records);
    ~SteppedRanksDebugger() override;

    void show(std::size_t rank) override {
        Debugger::show(rank);
        noteState();
    }
    std::vector<DebugStep> stepsOf(std::size_t rank) const override { return debuggers_[rank]->steps(); }
    const DebugState& execute(const DebugCommand& command, const Progress& progress) override;
    Values values(const std::vector<ValuePlace>& places, const Progress& progress) const override;
    std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                    const std::vector<std::int64_t>& leading) const override {
        return shownDebugger().image(graph, node, leading);
    }
    std::string callAsPython(GraphKind graph, NodeId node, const Progress& progress) const override {
        return shownDebugger().callAsPython(graph, node, progress);
    }

private:
    /// The number of steps of each rank.
    using Indices = std::vector<std::size_t>;
    enum class Outcome : std::uint8_t { stepped, waits, stopped, failed, ended, rests };

    Debugger& shownDebugger() const { return *debuggers_[state_.shown]; }
    void carryOut(const DebugCommand& command, const Progress& progress);
    const DebugState& noteState();
    void tellAll(const DebugCommand& command);

    void goOn(DebugVerb verb, const Progress& progress);
    void runToNode(GraphKind graph, NodeId node, const Progress& progress);
    /// The ranks exchange the same in any order.
    void goToPlaces(const std::vector<RankPlace>& places, const Progress& progress);
    /// Runs to the end first, as ranks that wait for each other cannot be searched one by one; takes the earliest.
    void findNotFinite(const Progress& progress);
    void goBack();
    void startOver();
    void compareToEager(const Progress& progress);
    void compareToRun(Debugger* other, const Progress& progress);
    /// Also takes the other ranks back to where they were at that time.
    void edit(const DebugCommand& command);

    std::size_t indexAt(std::size_t rank, const DebugPosition& position) const;
    std::size_t indexOf(std::size_t rank) const { return indexAt(rank, debuggers_[rank]->position()); }
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
    bool waits(std::size_t rank) const { return !state_.ranks[rank].waits.empty(); }

    WorldShape shape_;
    std::vector<std::shared_ptr<Debugger>> debuggers_;
    std::vector<std::size_t> stepsBefore_;  ///< by rank: the number of forward steps before its backward
    std::unique_ptr<SteppedRanks> worlds_;
    std::vector<std::vector<std::shared_ptr<const ExchangePlace>>> places_;  ///< by rank, before every step
    std::vector<Indices> rounds_;                                            ///< where the ranks were before each round
};

}  // namespace aotscope
