#include "cost/exchange_links.h"

#include "cost/communication.h"
#include "distributed/rank_turns.h"
#include "ops/functional_collectives.h"

#include <ATen/ops/ones.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace aotscope {

namespace {

constexpr std::int64_t kFewElements = 16, kManyElements = 1 << 18;
constexpr int kFewTimes = 50, kManyTimes = 4, kRepetitions = 5;

void gather(const at::Tensor& part, std::size_t ranks, int times) {
    const auto size = static_cast<std::int64_t>(ranks);
    for (int i = 0; i < times; ++i) waited(callCollective("all_gather_into_tensor", {part, size, "0"}));
}

/// Of one run of `times` gathers by the calling rank. What is first is not counted: threads begin, pages are new.
double ownSeconds(const at::Tensor& part, std::size_t ranks, int times) {
    gather(part, ranks, 1);
    const auto start = ownTime();
    gather(part, ranks, times);
    return std::chrono::duration<double>(ownTime() - start).count();
}

/// The mean of the ranks.
double secondsInTurns(const at::Tensor& part, std::size_t ranks, int times) {
    double sum = 0;
    RankTurns({ranks, 0, {}}, [] { return [] {}; }).run([&](std::size_t) { sum += ownSeconds(part, ranks, times); });
    return sum / static_cast<double>(ranks);
}

double secondsInAbsentWorld(const at::Tensor& part, std::size_t ranks, int times) {
    const WorldScope scope(std::make_shared<World>(WorldShape{ranks, 0, {}}));
    return ownSeconds(part, ranks, times);
}

/// Seconds that an all-gather takes of one rank's time: the shortest of several runs.
double secondsOfGather(std::size_t ranks, ExchangedIn how, std::int64_t elements, int times) {
    const at::Tensor part = at::ones({elements});
    double best = 0;
    for (int repetition = 0; repetition < kRepetitions; ++repetition) {
        const double seconds =
            (how == ExchangedIn::turns ? secondsInTurns : secondsInAbsentWorld)(part, ranks, times) / times;
        best = best == 0 ? seconds : std::min(best, seconds);
    }
    return best;
}

Collective gatherOf(std::int64_t elements, std::size_t ranks) {
    Collective call;
    call.kind = CollectiveKind::allGather;
    call.inputBytes = elements * static_cast<std::int64_t>(sizeof(float));
    call.resultBytes = call.inputBytes * static_cast<std::int64_t>(ranks);
    return call;
}

}  // namespace

Links linksOfThisProcess(std::size_t ranks, ExchangedIn how) {
    const auto count = static_cast<std::int64_t>(ranks);
    Links links{"this process", std::max<std::int64_t>(count, 1), {0, 1e12}, {0, 1e12}};
    if (ranks < 2) return links;
    const double few = secondsOfGather(ranks, how, kFewElements, kFewTimes),
                 many = secondsOfGather(ranks, how, kManyElements, kManyTimes);
    const auto sent = [&](std::int64_t elements) {
        return static_cast<double>(bytesOnTheWire(gatherOf(elements, ranks), count));
    };
    links.within.bytesPerSecond = (sent(kManyElements) - sent(kFewElements)) / std::max(many - few, 1e-9);
    // As many messages as collectiveMs counts.
    const double messages = std::ceil(std::log2(static_cast<double>(ranks)));
    links.within.latencyUs = std::max(0.0, few - sent(kFewElements) / links.within.bytesPerSecond) * 1e6 / messages;
    links.between = links.within;
    return links;
}

}  // namespace aotscope
