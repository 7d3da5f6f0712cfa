#pragma once

#include "distributed/rank_turns.h"

#include <deque>

namespace aotscope {

/// The world as one of the ranks of RankTurns sees it.
class RankWorld final : public World {
public:
    RankWorld(RankTurns& turns, const WorldShape& shape);

    void exchange(const RankGroup& group, Contribution mine, std::vector<at::Tensor> results,
                  FillResults fill) override;
    void send(const RankGroup& group, std::size_t peer, std::int64_t tag, Contribution message) override;
    void receive(const RankGroup& group, std::size_t peer, std::int64_t tag, std::string call,
                 at::Tensor result) override;
    void wait(const at::Tensor& result) override;
    bool anyRank(bool mine) override;

private:
    /// A collective, or a message, whose results nobody has waited for yet.
    struct Pending {
        std::vector<at::Tensor> results;
        std::function<bool()> arrived;
        std::function<void()> take;
        std::string waitsFor;
    };

    Contributions takeFrom(const RankGroup& group, const std::pair<std::string, std::size_t>& key);
    void complete(const Pending& pending);

    RankTurns& turns_;
    std::size_t rank_;
    std::deque<Pending> pending_;
};

}  // namespace aotscope
