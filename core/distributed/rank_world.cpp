#include "distributed/rank_world.h"

#include "distributed/place.h"
#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Groups of one name that have no rank in common are different ones.
std::string keyOf(const RankGroup& group) {
    return group.name + "\n" + std::to_string(group.first) + "\n" + std::to_string(group.stride);
}

std::string placed(const std::string& place, const std::string& call) {
    return place.empty() ? call : place + ", " + call;
}

/// All ranks of a group must have called the same.
void requireEqual(const RankGroup& group, const std::vector<Contribution>& brought, std::size_t number) {
    const auto differs =
        std::ranges::find_if(brought, [&](const Contribution& c) { return c.call != brought.front().call; });
    if (differs == brought.end()) return;
    const auto rank = [&](std::size_t i) { return "rank " + std::to_string(group.member(i)); };
    const auto at = static_cast<std::size_t>(differs - brought.begin());
    throw Error("collective " + std::to_string(number + 1) + " of group " + inQuotes(group.name) + ": " + rank(0) +
                " calls " + placed(brought[0].place, brought[0].call) + ", " + rank(at) + " calls " +
                placed(differs->place, differs->call) +
                "; all ranks have to call the same collectives, on tensors of the same shapes, in the same order");
}

std::string messageKey(const RankGroup& group, std::size_t from, std::size_t to, std::int64_t tag) {
    return keyOf(group) + "\n" + std::to_string(from) + "\n" + std::to_string(to) + "\n" + std::to_string(tag);
}

}  // namespace

RankWorld::RankWorld(RankTurns& turns, const WorldShape& shape)
    : World(shape), turns_(turns), rank_(static_cast<std::size_t>(shape.rank)) {}

void RankWorld::exchange(const RankGroup& group, Contribution mine, std::vector<at::Tensor> results, FillResults fill) {
    Pending pending{std::move(results), {}, {}, {}};
    const std::string groupKey = keyOf(group), call = mine.call, place = mine.place;
    std::pair<std::string, std::size_t> key;
    {
        const std::lock_guard lock(turns_.mutex_);
        key = {groupKey, turns_.ranks_[rank_].calls[groupKey]++};
        RankTurns::Meeting& meeting = turns_.meetings_[key];
        meeting.brought.resize(static_cast<std::size_t>(group.size()));
        meeting.brought[group.index] = std::move(mine);
        ++meeting.present;
    }
    pending.waitsFor =
        placed(place, call) + ", collective " + std::to_string(key.second + 1) + " of group " + inQuotes(group.name);
    pending.arrived = [this, key] {
        const RankTurns::Meeting& meeting = turns_.meetings_.at(key);
        return meeting.present == meeting.brought.size();
    };
    pending.take = [this, key, group, fill = std::move(fill)] { fill(takeFrom(group, key)); };
    pending_.push_back(std::move(pending));
}

Contributions RankWorld::takeFrom(const RankGroup& group, const std::pair<std::string, std::size_t>& key) {
    const std::lock_guard lock(turns_.mutex_);
    RankTurns::Meeting& meeting = turns_.meetings_.at(key);
    std::vector<Contribution> brought;
    for (const auto& contribution : meeting.brought) brought.push_back(*contribution);
    requireEqual(group, brought, key.second);
    if (++meeting.taken == meeting.brought.size()) turns_.meetings_.erase(key);
    return Contributions(std::move(brought));
}

void RankWorld::send(const RankGroup& group, std::size_t peer, std::int64_t tag, Contribution message) {
    const std::lock_guard lock(turns_.mutex_);
    turns_.messages_[messageKey(group, group.index, peer, tag)].push_back(std::move(message));
}

void RankWorld::receive(const RankGroup& group, std::size_t peer, std::int64_t tag, std::string call,
                        at::Tensor result) {
    const std::string key = messageKey(group, peer, group.index, tag), place = PlaceScope::current();
    Pending pending{{result}, {}, {}, {}};
    const std::string from = "rank " + std::to_string(group.member(peer));
    pending.waitsFor = placed(place, call) + " from " + from;
    pending.arrived = [this, key] {
        const auto found = turns_.messages_.find(key);
        return found != turns_.messages_.end() && !found->second.empty();
    };
    pending.take = [this, key, call, from, place, result] {
        const std::lock_guard lock(turns_.mutex_);
        auto& queue = turns_.messages_.at(key);
        const Contribution message = std::move(queue.front());
        queue.erase(queue.begin());
        if (message.call != call)
            throw Error(placed(place, "irecv") + " expects " + call + ", " + from + " sends " +
                        placed(message.place, message.call));
        result.copy_(message.tensors[0]);
    };
    pending_.push_back(std::move(pending));
}

void RankWorld::wait(const at::Tensor& result) {
    const auto* storage = result.storage().unsafeGetStorageImpl();
    const auto holds = [&](const Pending& pending) {
        return std::ranges::any_of(pending.results,
                                   [&](const at::Tensor& t) { return t.storage().unsafeGetStorageImpl() == storage; });
    };
    const auto found = std::ranges::find_if(pending_, holds);
    if (found == pending_.end()) return;
    const Pending pending = std::move(*found);
    pending_.erase(found);
    complete(pending);
}

void RankWorld::complete(const Pending& pending) {
    turns_.await(rank_, pending.arrived, pending.waitsFor);
    pending.take();
}

bool RankWorld::anyRank(bool mine) {
    const RankGroup all{"all ranks", 0, 1, static_cast<std::int64_t>(turns_.ranks_.size()), rank_};
    bool any = false;
    exchange(all, {"a question to all ranks", {}, {mine ? 1 : 0}, {}}, {}, [&](const Contributions& answers) {
        for (std::size_t i = 0; i < answers.size(); ++i) any = any || answers[i].splits[0] != 0;
    });
    const Pending pending = std::move(pending_.back());
    pending_.pop_back();
    complete(pending);
    return any;
}

}  // namespace aotscope
