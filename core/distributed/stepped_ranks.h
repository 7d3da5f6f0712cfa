#pragma once

#include "distributed/mailbox.h"

#include <map>
#include <memory>
#include <optional>

namespace aotscope {

/// A rank's progress in its exchanges.
struct ExchangePlace {
    /// A collective that it has issued before the others, or a message that it expects.
    struct Pending {
        std::vector<at::Tensor> results;
        std::function<bool()> arrived;
        std::function<void()> take;
        std::string waitsFor;
        MeetingKey meeting;  ///< an empty group for messages
    };

    std::map<std::string, std::size_t> calls;           ///< by group
    std::map<std::string, std::size_t> sent, received;  ///< by sender, receiver and tag
    std::vector<Pending> pending;
};

/// All ranks of a world, stepped one after the other by one thread. A collective runs when the last rank of its group
/// reaches it: until then, the calls of the others throw Error and must be repeated. Everything is kept, so that ranks
/// can go back.
class SteppedRanks {
public:
    /// `shape` has the size and the groups; its rank is ignored.
    explicit SteppedRanks(const WorldShape& shape);

    std::size_t size() const { return ranks_.size(); }
    /// The world as seen by `rank`.
    const std::shared_ptr<World>& world(std::size_t rank) const { return ranks_[rank].world; }
    std::shared_ptr<const ExchangePlace> place(std::size_t rank) const { return ranks_[rank].place; }

    /// Call before a step of `rank`. `ahead`: it waits not at collectives, but where it needs their results.
    void begin(std::size_t rank, bool ahead);
    /// What it lacks, if its step failed because others have not arrived: "%all_reduce, all_reduce (sum) of ...".
    const std::string& waitsFor(std::size_t rank) const { return ranks_[rank].waitsFor; }
    /// Call after a failed step. The rank's contributions stay available to the others.
    void repeatFrom(std::size_t rank, std::shared_ptr<const ExchangePlace> place);
    /// Also withdraws its later contributions.
    void goBackTo(std::size_t rank, std::shared_ptr<const ExchangePlace> place);

private:
    friend class SteppedWorld;

    struct Rank {
        std::shared_ptr<World> world;
        std::shared_ptr<const ExchangePlace> place = std::make_shared<const ExchangePlace>();
        bool ahead = false;
        std::string waitsFor;
    };
    /// One collective of one group.
    struct Meeting {
        RankGroup group;
        std::vector<std::optional<Contribution>> brought;

        bool isComplete() const;
        std::vector<Contribution> all() const;
    };
    void fillFor(const MeetingKey& meeting);

    std::vector<Rank> ranks_;
    std::map<MeetingKey, Meeting> meetings_;
    std::map<std::string, std::vector<Contribution>> messages_;  ///< all that were sent
};

}  // namespace aotscope
