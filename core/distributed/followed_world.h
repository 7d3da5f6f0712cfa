#pragma once

#include "distributed/process_world.h"

#include <cstdint>
#include <map>

namespace aotscope {

/// The world of a rank driven by rank 0, in the rank's own process: its exchanges are sent to rank 0, where the thread
/// that waits for this rank performs them on its behalf.
class FollowedWorld final : public World {
public:
    FollowedWorld(ProcessWorld& processes, const WorldShape& shape) : World(shape), processes_(processes) {}

    void exchange(const RankGroup& group, Contribution mine, Outcome outcome) override;
    void send(const RankGroup& group, std::size_t peer, std::int64_t tag, Contribution message) override;
    void receive(const RankGroup& group, std::size_t peer, std::int64_t tag, std::string call,
                 at::Tensor result) override;
    void wait(const at::Tensor& result) override;
    bool anyRank(bool mine) override;

    /// The next command of rank 0. Results that arrive earlier are filled in.
    nlohmann::json nextCommand();
    /// Reports the result of the command.
    void answer(const nlohmann::json& result);

private:
    struct Awaited {
        std::uint64_t token = 0;
        std::vector<at::Tensor> results;
        TakeContributions fill;
    };

    nlohmann::json ask(nlohmann::json request, std::vector<at::Tensor> tensors);
    nlohmann::json hear();
    void askFor(Awaited awaited, nlohmann::json request, std::vector<at::Tensor> tensors);
    void fill(const nlohmann::json& message, const std::vector<at::Tensor>& tensors);

    ProcessWorld& processes_;
    std::uint64_t last_ = 0;
    std::vector<Awaited> awaited_;  ///< all of them: a debugger may go back to before they were filled in
};

/// A request to rank 0 to exchange something on a rank's behalf.
struct LedRequest {
    enum class Kind : std::uint8_t { any, wait, exchange, send, receive } kind = Kind::any;
    std::string place = {};   ///< the node that makes it
    bool mine = false;        ///< for `any`
    std::uint64_t token = 0;  ///< of the result
    RankGroup group = {};
    std::size_t peer = 0;
    std::int64_t tag = 0;
    Contribution contribution = {{}, {}};  ///< for `receive`: what it expects
};
/// Throws Error, a clause like those of message_members.h, for an invalid message. `ranks`: the number of ranks.
LedRequest ledRequestFrom(const nlohmann::json& message, const std::vector<at::Tensor>& tensors, std::int64_t ranks);

/// Rank 0's side: one of the ranks that it drives.
class LedRank : public std::enable_shared_from_this<LedRank> {
public:
    LedRank(ProcessWorld& processes, std::size_t rank) : processes_(processes), rank_(rank) {}

    void start(const nlohmann::json& command);
    /// The answer to the last command; meanwhile, performs the rank's exchanges in World::current(). Throws Error.
    nlohmann::json answer();

private:
    void tell(const nlohmann::json& message, std::vector<at::Tensor> tensors = {});
    nlohmann::json carryOut(const LedRequest& request);
    const at::Tensor& standFor(std::uint64_t token) const;
    void sendResult(std::uint64_t token, const Contributions& all);

    ProcessWorld& processes_;
    std::size_t rank_;
    std::map<std::uint64_t, at::Tensor> stands_;    ///< for results that exist
    std::map<std::uint64_t, at::Tensor> messages_;  ///< received by the rank
};

}  // namespace aotscope
