#include "distributed/meeting_world.h"

#include "distributed/place.h"

#include <algorithm>

namespace aotscope {

void MeetingWorld::exchange(const RankGroup& group, Contribution mine, Outcome outcome) {
    const std::string groupKey = keyOf(group);
    const MeetingKey key = {groupKey, calls_[groupKey]++};
    Pending pending{std::move(outcome.results), {}, {}, {}};
    pending.waitsFor = numbered(group, key.second, mine);
    pending.arrived = [this, key] { return mailbox_.isComplete(key); };
    pending.take = [this, key, group, fill = std::move(outcome.fill)] { fill(mailbox_.take(key, group)); };
    bring(key, group, std::move(mine));
    pending_.push_back(std::move(pending));
}

void MeetingWorld::send(const RankGroup& group, std::size_t peer, std::int64_t tag, Contribution message) {
    post(group.member(peer), messageKey(group, group.index, peer, tag), std::move(message));
}

void MeetingWorld::receive(const RankGroup& group, std::size_t peer, std::int64_t tag, std::string call,
                           at::Tensor result) {
    const std::string key = messageKey(group, peer, group.index, tag), place = PlaceScope::current();
    const std::string from = "rank " + std::to_string(group.member(peer));
    Pending pending{{result}, {}, {}, {}};
    pending.waitsFor = placed(place, call) + " from " + from;
    pending.arrived = [this, key] { return mailbox_.hasPost(key); };
    pending.take = [this, key, call, from, place, result] {
        const Contribution message = mailbox_.takePost(key);
        requireExpected(place, call, from, message);
        result.copy_(message.tensors[0]);
    };
    pending_.push_back(std::move(pending));
}

void MeetingWorld::wait(const at::Tensor& result) {
    const auto found =
        std::ranges::find_if(pending_, [&](const Pending& each) { return isAmong(result, each.results); });
    if (found == pending_.end()) return;
    const Pending pending = std::move(*found);
    pending_.erase(found);
    await(pending.arrived, pending.waitsFor);
    pending.take();
}

bool MeetingWorld::anyRank(bool mine) {
    const RankGroup all{"all ranks", 0, 1, groups().worldSize(), static_cast<std::size_t>(groups().rank())};
    const std::string groupKey = keyOf(all), question = "a question to all ranks";
    const MeetingKey key = {groupKey, calls_[groupKey]++};
    bring(key, all, {question, {}, {mine ? 1 : 0}, PlaceScope::current()});
    await([&] { return mailbox_.isComplete(key); }, question);
    const Contributions answers = mailbox_.take(key, all);
    bool any = false;
    for (std::size_t i = 0; i < answers.size(); ++i) any = any || answers[i].splits != std::vector<std::int64_t>{0};
    return any;
}

}  // namespace aotscope
