#include "distributed/rank_process.h"

#include "distributed/process_world.h"
#include "distributed/rendezvous.h"
#include "support/bounded_json.h"
#include "support/error.h"
#include "support/json_text.h"

namespace aotscope {

RankProcess::RankProcess(const Launch& launch, const std::vector<std::string>& groups, std::chrono::milliseconds limit)
    : rank_(launch.rank), count_(launch.size) {
    const WorldShape shape{launch.size, launch.rank, groups};
    requireSound(shape);
    Rendezvous rendezvous(launch, limit);
    auto mesh = std::make_unique<RankMesh>(rank_, count_, rendezvous.token(), rendezvous.isLocal());
    const std::vector<RankAddress> addresses = rendezvous.addresses(mesh->port());
    world_ = std::make_shared<ProcessWorld>(shape, limit);
    if (launch.endsWithParent) world_->endWithParent();
    world_->connect(std::move(mesh), addresses, [progress = progress_]() mutable { progress.cancel(); });
    world_->anyRank(false);  // all have read the addresses
    rendezvous.leave();
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
    nlohmann::json mine = nlohmann::json::array();
    guarded([&] {
        for (std::size_t point = rank_; point < count; point += count_) {
            progress_.throwIfCancelled();
            mine.push_back(job(point, progress_));
        }
    });
    const std::vector<std::string> all = gather(jsonLine(mine));
    std::vector<std::string> results(all.empty() ? 0 : count);
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        const nlohmann::json found = parseBounded(all[rank]);
        for (std::size_t i = 0; i < found.size(); ++i) results.at(rank + i * count_) = found[i].get<std::string>();
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
