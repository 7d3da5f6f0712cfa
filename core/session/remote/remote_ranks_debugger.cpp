#include "session/remote/remote_ranks_debugger.h"

#include "session/remote/debugger_there.h"
#include "support/names.h"

namespace aotscope {

namespace {

using nlohmann::json;
using session_format::DebugState;
using session_format::packed;
using session_format::RanksState;
using session_format::unpacked;

class RemoteRanksDebugger final : public DebuggerThere<RanksDebugger> {
public:
    RemoteRanksDebugger(std::unique_ptr<DebuggerLink> link, std::vector<std::shared_ptr<const CompileRecord>> records,
                        const json& start)
        : DebuggerThere(std::move(link), std::move(records)), positions_(ranks()) {
        for (const json& steps : listOf(start, "steps")) {
            if (steps_.size() == ranks() || !steps.is_binary()) throw Error("it has steps of no rank");
            const auto& bytes = steps.get_binary();
            steps_.push_back(
                unpacked<std::vector<DebugStep>>({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
            requireKnown(record(steps_.size() - 1), steps_.back());
        }
        if (steps_.size() != ranks()) throw Error("it has the steps of " + counted(steps_.size(), "rank"));
        takeAnswer(start);
    }

    DebugPosition positionOf(std::size_t rank) const override { return positions_[rank]; }
    std::vector<DebugStep> steps() const override { return steps_[shown_]; }

    void goTo(const std::vector<RankPlace>& places, const Progress& progress) override {
        command("goTo", {{"places", bytesJson(packed(places))}}, progress);
    }

    using DebuggerThere::values;
    std::vector<std::optional<ValueFacts>> values(const std::vector<RankNode>& nodes,
                                                  const Progress& progress) const override {
        return valuesThere("valuesOfRanks", nodes, progress);
    }

private:
    json saidAlways() const override { return {{"rank", shown_}}; }

    void take(const json& answer, DebugState state) override {
        auto all = unpacked<RanksState>(bytesOf(answer, "ranks"));
        if (all.positions.size() != ranks() || all.waits.size() != ranks() || all.shown >= ranks())
            throw Error("it is about other ranks");
        for (std::size_t rank = 0; rank < ranks(); ++rank) requireKnown(record(rank), all.positions[rank]);
        for (const std::size_t rank : all.stoppedBy)
            if (rank >= ranks()) throw Error("it has stopped for a rank that is not there");
        state_ = std::move(state);
        positions_ = std::move(all.positions);
        waits_ = std::move(all.waits);
        stoppedBy_ = std::move(all.stoppedBy);
        shown_ = all.shown;
    }

    std::vector<std::vector<DebugStep>> steps_;  ///< by rank
    std::vector<DebugPosition> positions_;
};

}  // namespace

std::shared_ptr<RanksDebugger> makeRemoteRanks(std::unique_ptr<DebuggerLink> link,
                                               std::vector<std::shared_ptr<const CompileRecord>> records,
                                               const json& start) {
    return std::make_shared<RemoteRanksDebugger>(std::move(link), std::move(records), start);
}

}  // namespace aotscope
