#include "distributed/stepped_ranks.h"

#include "distributed/mailbox.h"
#include "distributed/place.h"
#include "support/error.h"

#include <algorithm>

namespace aotscope {

/// The world as seen by one of the ranks of SteppedRanks.
class SteppedWorld final : public World {
public:
    SteppedWorld(SteppedRanks& ranks, const WorldShape& shape)
        : World(shape), ranks_(ranks), rank_(static_cast<std::size_t>(shape.rank)) {}

    void exchange(const RankGroup& group, Contribution mine, Outcome outcome) override {
        ExchangePlace place = *me().place;
        const std::string groupKey = keyOf(group);
        const MeetingKey key{groupKey, place.calls[groupKey]++};
        SteppedRanks::Meeting& meeting = ranks_.meetings_[key];
        meeting.group = group;
        meeting.brought.resize(static_cast<std::size_t>(group.size()));
        const std::string waitsFor = numbered(group, key.second, mine);
        meeting.brought[group.index] = std::move(mine);
        const auto take = [this, key, fill = std::move(outcome.fill)] {
            const SteppedRanks::Meeting& there = ranks_.meetings_.at(key);
            auto brought = there.all();
            requireEqual(there.group, brought, key.second);
            fill(Contributions(std::move(brought)));
        };
        const bool complete = meeting.isComplete();
        if (!complete && !me().ahead) waitFor(waitsFor);
        if (complete) take();
        else
            place.pending.push_back({std::move(outcome.results),
                                     [this, key] { return ranks_.meetings_.at(key).isComplete(); }, take, waitsFor,
                                     key});
        me().place = std::make_shared<const ExchangePlace>(std::move(place));
        if (complete) ranks_.fillFor(key);
    }

    void send(const RankGroup& group, std::size_t peer, std::int64_t tag, Contribution message) override {
        ExchangePlace place = *me().place;
        const std::string key = messageKey(group, group.index, peer, tag);
        auto& messages = ranks_.messages_[key];
        messages.resize(place.sent[key]++, Contribution());
        messages.push_back(std::move(message));
        me().place = std::make_shared<const ExchangePlace>(std::move(place));
    }

    void receive(const RankGroup& group, std::size_t peer, std::int64_t tag, std::string call,
                 at::Tensor result) override {
        ExchangePlace place = *me().place;
        const std::string key = messageKey(group, peer, group.index, tag), here = PlaceScope::current();
        const std::string from = "rank " + std::to_string(group.member(peer));
        const std::size_t number = place.received[key]++;
        const auto arrived = [this, key, number] {
            const auto found = ranks_.messages_.find(key);
            return found != ranks_.messages_.end() && number < found->second.size();
        };
        const auto take = [this, key, number, here, call, from, result] {
            const Contribution& message = ranks_.messages_.at(key)[number];
            requireExpected(here, call, from, message);
            result.copy_(message.tensors[0]);
        };
        const std::string waitsFor = placed(here, call) + " from " + from;
        if (arrived()) take();
        else if (me().ahead) place.pending.push_back({{result}, arrived, take, waitsFor, {}});
        else waitFor(waitsFor);
        me().place = std::make_shared<const ExchangePlace>(std::move(place));
    }

    void wait(const at::Tensor& result) override {
        const auto holds = [&](const ExchangePlace::Pending& pending) { return isAmong(result, pending.results); };
        ExchangePlace place = *me().place;
        const auto found = std::ranges::find_if(place.pending, holds);
        if (found == place.pending.end()) return;
        if (!found->arrived()) waitFor(found->waitsFor);
        found->take();
        place.pending.erase(found);
        me().place = std::make_shared<const ExchangePlace>(std::move(place));
    }

private:
    SteppedRanks::Rank& me() const { return ranks_.ranks_[rank_]; }

    [[noreturn]] void waitFor(const std::string& what) const {
        me().waitsFor = what;
        throw Error("waits for other ranks at " + what);
    }

    SteppedRanks& ranks_;
    std::size_t rank_;
};

bool SteppedRanks::Meeting::isComplete() const {
    return std::ranges::all_of(brought, [](const auto& contribution) { return contribution.has_value(); });
}

std::vector<Contribution> SteppedRanks::Meeting::all() const {
    std::vector<Contribution> all;
    for (const auto& contribution : brought) all.push_back(*contribution);
    return all;
}

SteppedRanks::SteppedRanks(const WorldShape& shape) : ranks_(shape.size) {
    check(!ranks_.empty(), "no ranks to step");
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        WorldShape own = shape;
        own.rank = rank;
        ranks_[rank].world = std::make_shared<SteppedWorld>(*this, own);
    }
}

void SteppedRanks::begin(std::size_t rank, bool ahead) {
    ranks_[rank].ahead = ahead;
    ranks_[rank].waitsFor.clear();
}

void SteppedRanks::repeatFrom(std::size_t rank, std::shared_ptr<const ExchangePlace> place) {
    ranks_[rank].place = std::move(place);
}

void SteppedRanks::goBackTo(std::size_t rank, std::shared_ptr<const ExchangePlace> place) {
    const auto before = [](const std::map<std::string, std::size_t>& counts, const std::string& key) {
        const auto found = counts.find(key);
        return found == counts.end() ? std::size_t{0} : found->second;
    };
    const auto known = static_cast<std::int64_t>(rank);
    for (auto& [key, meeting] : meetings_)
        for (std::size_t i = 0; i < meeting.brought.size(); ++i)
            if (meeting.group.member(i) == known && key.second >= before(place->calls, key.first))
                meeting.brought[i].reset();
    for (const auto& [key, count] : ranks_[rank].place->sent)
        messages_[key].resize(std::min(messages_[key].size(), before(place->sent, key)), Contribution());
    ranks_[rank].place = std::move(place);
    ranks_[rank].waitsFor.clear();
}

/// Ranks that have gone ahead get their results as soon as they are available.
void SteppedRanks::fillFor(const MeetingKey& meeting) {
    for (const Rank& rank : ranks_)
        for (const ExchangePlace::Pending& pending : rank.place->pending)
            if (pending.meeting == meeting) pending.take();
}

}  // namespace aotscope
