#include "distributed/world.h"

#include "support/resident_memory.h"

#include <c10/core/AutogradState.h>

namespace aotscope {

namespace {

/// LibTorch passes it to autograd threads, as it does for process groups.
auto infoKind() { return c10::DebugInfoKind::PARAM_COMMS_INFO; }

World* scopedWorld() { return dynamic_cast<World*>(c10::ThreadLocalDebugInfo::get(infoKind())); }

}  // namespace

Contributions Contributions::on(c10::Device device) const {
    Contributions there = *this;
    for (Contribution& contribution : there.items_)
        for (at::Tensor& tensor : contribution.tensors) tensor = tensor.to(device);
    return there;
}

std::shared_ptr<World> World::current() {
    World* world = scopedWorld();
    return world ? world->shared_from_this() : std::make_shared<World>(WorldShape{});
}

// NOLINTBEGIN(performance-unnecessary-value-param): worlds with other ranks keep what they are given
void World::exchange(const RankGroup& group, Contribution mine, Outcome outcome) {
    outcome.fill(Contributions(static_cast<std::size_t>(group.size()), std::move(mine)));
}

void World::send(const RankGroup& /*group*/, std::size_t /*peer*/, std::int64_t /*tag*/, Contribution /*message*/) {}

void World::receive(const RankGroup& /*group*/, std::size_t /*peer*/, std::int64_t /*tag*/, std::string /*call*/,
                    at::Tensor result) {
    result.zero_();
}
// NOLINTEND(performance-unnecessary-value-param)

void World::wait(const at::Tensor& /*result*/) {}

std::int64_t World::room() {
    if (!room_) room_ = availableBytes();
    return *room_;
}

bool World::anyRank(bool mine) { return mine; }

std::chrono::steady_clock::time_point ownTime() {
    const auto now = std::chrono::steady_clock::now();
    const World* world = scopedWorld();
    return world ? now - world->away() : now;
}

WorldScope::WorldScope(std::shared_ptr<World> world)
    : guard_(infoKind(), std::move(world)),
      hadThreads_(c10::AutogradState::get_tls_state().get_multithreading_enabled()) {
    c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
}

WorldScope::~WorldScope() { c10::AutogradState::get_tls_state().set_multithreading_enabled(hadThreads_); }

bool WorldScope::isActive() { return scopedWorld() != nullptr; }

}  // namespace aotscope
