#include "distributed/mailbox.h"

#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

std::string placed(const std::string& place, const std::string& call) {
    return place.empty() ? call : place + ", " + call;
}

std::string numbered(const RankGroup& group, std::size_t number, const Contribution& contribution) {
    return placed(contribution.place, contribution.call) + ", collective " + std::to_string(number + 1) + " of group " +
           inQuotes(group.name);
}

void requireEqual(const RankGroup& group, const std::vector<Contribution>& brought, std::size_t number) {
    const auto differs =
        std::ranges::find_if(brought, [&](const Contribution& c) { return c.call != brought.front().call; });
    if (differs == brought.end()) return;
    const auto rank = [&](std::size_t i) { return "rank " + std::to_string(group.member(i)); };
    const auto at = static_cast<std::size_t>(differs - brought.begin());
    throw Error("collective " + std::to_string(number + 1) + " of group " + inQuotes(group.name) + ": " + rank(0) +
                " calls " + placed(brought[0].place, brought[0].call) + ", " + rank(at) + " calls " +
                placed(differs->place, differs->call) +
                "; all ranks must call the same collectives, on tensors of the same shapes, in the same order");
}

void requireExpected(const std::string& place, const std::string& call, const std::string& from,
                     const Contribution& message) {
    if (message.call != call)
        throw Error(placed(place, "irecv") + " expects " + call + ", " + from + " sends " +
                    placed(message.place, message.call));
}

void Mailbox::bring(const MeetingKey& key, std::size_t groupSize, std::size_t index, Contribution contribution) {
    const std::lock_guard lock(mutex_);
    Meeting& meeting = meetings_[key];
    if (!meeting.brought.empty() && meeting.brought.size() != groupSize)
        throw Error("brings something to a collective of " + std::to_string(groupSize) + " ranks; others say " +
                    std::to_string(meeting.brought.size()));
    meeting.brought.resize(groupSize);
    if (index >= groupSize || meeting.brought[index]) failCheck("a rank came twice to a collective");
    meeting.brought[index] = std::move(contribution);
    ++meeting.present;
}

bool Mailbox::isComplete(const MeetingKey& key) const {
    const std::lock_guard lock(mutex_);
    const auto meeting = meetings_.find(key);
    return meeting != meetings_.end() && meeting->second.present == meeting->second.brought.size();
}

Contributions Mailbox::take(const MeetingKey& key, const RankGroup& group) {
    const std::lock_guard lock(mutex_);
    Meeting& meeting = meetings_.at(key);
    std::vector<Contribution> brought;
    for (const auto& contribution : meeting.brought) brought.push_back(*contribution);
    requireEqual(group, brought, key.second);
    if (++meeting.taken == (takers_ == 0 ? meeting.brought.size() : takers_)) meetings_.erase(key);
    return Contributions(std::move(brought));
}

void Mailbox::post(const std::string& key, Contribution message) {
    const std::lock_guard lock(mutex_);
    posts_[key].push_back(std::move(message));
}

bool Mailbox::hasPost(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = posts_.find(key);
    return found != posts_.end() && !found->second.empty();
}

Contribution Mailbox::takePost(const std::string& key) {
    const std::lock_guard lock(mutex_);
    auto& queue = posts_.at(key);
    Contribution message = std::move(queue.front());
    queue.pop_front();
    return message;
}

bool isAmong(const at::Tensor& result, const std::vector<at::Tensor>& tensors) {
    const auto* storage = result.storage().unsafeGetStorageImpl();
    return std::ranges::any_of(tensors,
                               [&](const at::Tensor& t) { return t.storage().unsafeGetStorageImpl() == storage; });
}

std::string standsText(const std::vector<RankStand>& ranks) {
    constexpr std::size_t most = 16;
    std::string text;
    for (std::size_t i = 0; i < std::min(ranks.size(), most); ++i)
        text += (i == 0 ? "rank " : "; rank ") + std::to_string(i) +
                (ranks[i].ended              ? " has ended"
                 : ranks[i].waitsFor.empty() ? " is computing"
                                             : " is at " + ranks[i].waitsFor);
    return text + (ranks.size() > most ? "; and so on" : "");
}

std::string standstillText(const std::vector<RankStand>& ranks) {
    return "the ranks are deadlocked: " + standsText(ranks) +
           ". All ranks of a group must call the same collectives in the same order";
}

std::string described(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const Error& e) {
        return e.what();
    } catch (const std::exception& e) {
        return firstSentence(e.what());
    }
}

}  // namespace aotscope
