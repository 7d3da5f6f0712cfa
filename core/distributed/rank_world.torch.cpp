#include "distributed/rank_world.h"

namespace aotscope {

RankWorld::RankWorld(RankTurns& turns, const WorldShape& shape)
    : MeetingWorld(shape, turns.mailbox_), turns_(turns), rank_(static_cast<std::size_t>(shape.rank)) {}

void RankWorld::bring(const MeetingKey& key, const RankGroup& group, Contribution mine) {
    mailbox_.bring(key, static_cast<std::size_t>(group.size()), group.index, std::move(mine));
}

void RankWorld::post(std::int64_t /*rank*/, const std::string& key, Contribution message) {
    mailbox_.post(key, std::move(message));
}

void RankWorld::await(std::function<bool()> ready, const std::string& waitsFor) {
    turns_.await(rank_, std::move(ready), waitsFor);
}

}  // namespace aotscope
