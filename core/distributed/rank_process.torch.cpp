#include "distributed/rank_process.h"

#include "distributed/process_world.h"
#include "distributed/rendezvous.h"
#include "support/error.h"
#include "support/json/json_text.h"
#include "support/json/message_members.h"

#include <random>

namespace aotscope {

namespace {

/// A random text.
std::string makeToken() {
    std::random_device random;
    std::string text;
    for (std::size_t i = 0; i < 32; ++i) text += "0123456789abcdef"[random() % 16];
    return text;
}

}  // namespace

RankProcess::RankProcess(const Launch& launch, const std::vector<std::string>& groups, std::chrono::milliseconds limit)
    : rank_(launch.rank),
      count_(launch.size),
      launch_(launch),
      rendezvous_(openRendezvous(launch, limit)),
      world_(std::make_shared<ProcessWorld>(WorldShape{launch.size, launch.rank, groups}, limit)) {}

void RankProcess::meet(const WaitNotices& notices) {
    std::optional<FirstRank> first;
    if (rank_ > 0) first = rendezvous_->first(notices);
    const std::string token = first ? first->token : makeToken();
    auto mesh = openMesh(rank_, count_, token, rendezvous_->isLocal());
    if (!first) rendezvous_->announce({{rendezvous_->hostForOthers(), mesh->port()}, token});
    if (launch_.endsWithParent) world_->endWithParent();
    world_->meet({std::move(mesh), rendezvous_->hostForOthers(), first ? std::optional(first->address) : std::nullopt,
                  [progress = progress_]() mutable { progress.cancel(); }},
                 launch_, notices);
    world_->anyRank(false);  // nobody needs rank 0's address any more
    rendezvous_.reset();
}

RankProcess::~RankProcess() {
    if (world_) world_->disconnect();
}

void RankProcess::guarded(const std::function<void()>& job) {
    try {
        job();
    } catch (...) {
        world_->stop("rank " + std::to_string(rank_) + ": " + described(std::current_exception()));
        throw Error(world_->problem());
    }
}

void RankProcess::run(const std::function<void(const Progress&)>& job) {
    const WorldScope scope(world_);
    guarded([&] { job(progress_); });
}

std::vector<std::string> RankProcess::share(std::size_t count,
                                            const std::function<std::string(std::size_t point, const Progress&)>& job) {
    nlohmann::json done = nlohmann::json::array();
    guarded([&] {
        for (std::size_t point = rank_; point < count; point += count_) {
            progress_.throwIfCancelled();
            done.push_back(job(point, progress_));
        }
    });
    const std::vector<std::string> all = gather(jsonLine({{"points", std::move(done)}}));
    std::vector<std::string> results(all.empty() ? 0 : count);
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        const auto found = readFromRank(rank, [&] { return textsOf(messageIn(all[rank]), "points"); });
        std::size_t point = rank;
        for (const std::string& result : found) {
            if (point >= count)
                throw Error("rank " + std::to_string(rank) + " sends results of more points than it has");
            results[point] = result;
            point += count_;
        }
    }
    return results;
}

std::vector<std::string> RankProcess::gather(const std::string& mine) { return world_->gather(mine); }

bool RankProcess::anyRank(bool mine) { return world_->anyRank(mine); }

std::string RankProcess::fromFirst(const std::string& first) { return world_->fromFirst(first); }

void RankProcess::finish() { world_->finish(); }

void RankProcess::report(const std::string& error, const std::function<void(const std::string&)>& say) {
    world_->stop(error);
    world_->report(say);
}

}  // namespace aotscope
