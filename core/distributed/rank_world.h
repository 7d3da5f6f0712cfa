#pragma once

#include "distributed/meeting_world.h"
#include "distributed/rank_turns.h"

namespace aotscope {

/// The world as seen by one of the ranks of RankTurns.
class RankWorld final : public MeetingWorld {
public:
    RankWorld(RankTurns& turns, const WorldShape& shape);

    std::chrono::steady_clock::duration away() const override { return turns_.ranks_[rank_].away; }

private:
    void bring(const MeetingKey& key, const RankGroup& group, Contribution mine) override;
    void post(std::int64_t rank, const std::string& key, Contribution message) override;
    void await(std::function<bool()> ready, const std::string& waitsFor) override;

    RankTurns& turns_;
    std::size_t rank_;
};

}  // namespace aotscope
