#pragma once

#include "distributed/mailbox.h"

#include <deque>

namespace aotscope {

/// A world of real ranks: this rank's contributions go to a mailbox of every other rank, and where it needs a result,
/// it waits for theirs. All of them are threads of this process (RankWorld), or processes (ProcessWorld).
class MeetingWorld : public World {
public:
    MeetingWorld(const WorldShape& shape, Mailbox& mailbox) : World(shape), mailbox_(mailbox) {}

    void exchange(const RankGroup& group, Contribution mine, Outcome outcome) override;
    void send(const RankGroup& group, std::size_t peer, std::int64_t tag, Contribution message) override;
    void receive(const RankGroup& group, std::size_t peer, std::int64_t tag, std::string call,
                 at::Tensor result) override;
    void wait(const at::Tensor& result) override;
    bool anyRank(bool mine) override;

protected:
    /// Delivers it to all ranks of the group, this one included.
    virtual void bring(const MeetingKey& key, const RankGroup& group, Contribution mine) = 0;
    virtual void post(std::int64_t rank, const std::string& key, Contribution message) = 0;
    /// Returns once `ready` holds; throws Error if it never can. `waitsFor` describes where this rank is.
    virtual void await(std::function<bool()> ready, const std::string& waitsFor) = 0;

    Mailbox& mailbox_;

private:
    /// A collective or message whose results were not waited for yet.
    struct Pending {
        std::vector<at::Tensor> results;
        std::function<bool()> arrived;
        std::function<void()> take;
        std::string waitsFor;
    };

    std::map<std::string, std::size_t> calls_;  ///< collectives so far, by group
    std::deque<Pending> pending_;
};

}  // namespace aotscope
