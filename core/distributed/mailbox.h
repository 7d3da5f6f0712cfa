#pragma once

#include "distributed/group_keys.h"
#include "distributed/world.h"

#include <deque>
#include <map>
#include <mutex>
#include <optional>

namespace aotscope {

/// One collective of one group: the group's keyOf(), and the collective's number.
using MeetingKey = std::pair<std::string, std::size_t>;

/// "%all_reduce_1, all_reduce (sum) of Float[4]"
std::string placed(const std::string& place, const std::string& call);
/// "%all_reduce_1, all_reduce (sum) of Float[4], collective 3 of group '0'".
std::string numbered(const RankGroup& group, std::size_t number, const Contribution& contribution);
/// Throws Error, naming ranks and nodes, unless all ranks of the group have made the same call.
void requireEqual(const RankGroup& group, const std::vector<Contribution>& brought, std::size_t number);
/// Throws Error unless a message is what `place` expects.
void requireExpected(const std::string& place, const std::string& call, const std::string& from,
                     const Contribution& message);

/// Contributions of ranks to collectives, and messages that are not received yet. Thread-safe.
class Mailbox {
public:
    /// `takers`: how many ranks of a group take contributions from here; 0: all of them.
    explicit Mailbox(std::size_t takers) : takers_(takers) {}

    void bring(const MeetingKey& key, std::size_t groupSize, std::size_t index, Contribution contribution);
    bool isComplete(const MeetingKey& key) const;
    /// Throws Error, naming ranks and nodes, unless all ranks of the group have made the same call.
    Contributions take(const MeetingKey& key, const RankGroup& group);

    void post(const std::string& key, Contribution message);
    bool hasPost(const std::string& key) const;
    Contribution takePost(const std::string& key);

private:
    struct Meeting {
        std::vector<std::optional<Contribution>> brought;
        std::size_t present = 0, taken = 0;
    };

    std::size_t takers_;
    mutable std::mutex mutex_;
    std::map<MeetingKey, Meeting> meetings_;
    std::map<std::string, std::deque<Contribution>> posts_;  ///< by sender, receiver and tag
};

/// Whether `result` has the memory of one of `tensors`.
bool isAmong(const at::Tensor& result, const std::vector<at::Tensor>& tensors);

/// Where a rank is when nothing moves.
struct RankStand {
    std::string waitsFor;  ///< "%wait_tensor, for its all_reduce ..."; empty: it is computing
    bool ended = false;
};
/// "rank 0 is at ...; rank 1 has ended"
std::string standsText(const std::vector<RankStand>& ranks);
/// Why no rank can continue.
std::string standstillText(const std::vector<RankStand>& ranks);

/// The message of an exception of a rank.
std::string described(const std::exception_ptr& error);

}  // namespace aotscope
