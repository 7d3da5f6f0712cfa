#include "partition/plan/priced_cut.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

/// What each block costs if it is kept, and each decision if it runs again.
struct PricedStep {
    std::vector<double> keep, again;
};

constexpr double kTieMs = 1e-7;    // recomputing something free is not free
constexpr double kTieKeep = 1e-9;  // nor is keeping it

/// Sums of prices up to each slot, or from each position on.
std::vector<double> sumsOf(const std::vector<double>& prices, std::size_t size) {
    std::vector<double> sums(size + 1, 0);
    for (std::size_t i = 0; i < size; ++i) sums[i + 1] = sums[i] + (i < prices.size() ? prices[i] : 0);
    return sums;
}

PricedStep priced(StepSimulator& simulator, const MemoryPrices& prices, const StepChoice& before,
                  const std::vector<double>& factors) {
    const StepProblem& model = simulator.model();
    simulator.run(before);
    const std::vector<double> slots = sumsOf(prices.slot, model.slots.size());
    const std::vector<double> forward = sumsOf(prices.forward, static_cast<std::size_t>(model.border()) + 1);
    PricedStep result{std::vector<double>(model.blocks.size()), std::vector<double>(model.decisions.size())};
    for (std::size_t d = 0; d < model.decisions.size(); ++d)
        result.again[d] = (model.decisions[d].ms + kTieMs) * (factors.empty() ? 1 : factors[d]);
    for (std::size_t b = 0; b < model.blocks.size(); ++b) {
        const StepBlock& block = model.blocks[b];
        int last = block.gradient ? model.lastSlot() : 0, asked = 0;
        for (const StepUse& use : block.backward) last = std::max(last, use.which - use.inPlace);
        for (const StepUse& use : block.again) {
            const int slot = simulator.slotOf(use.which);
            if (slot == kNever) continue;
            asked = std::max(asked, slot);
            if (before[static_cast<std::size_t>(use.which)]) last = std::max(last, slot);
        }
        if (last == 0) last = asked;
        const auto bytes = static_cast<double>(block.bytes);
        const auto from = static_cast<std::size_t>(model.inForward(block) ? block.lastUse + 1 : block.made);
        const double kept = slots[static_cast<std::size_t>(last) + 1] + prices.border +
                            (from < forward.size() ? forward.back() - forward[from] : 0);
        result.keep[b] = bytes * kept + kTieKeep;
        const int slot = block.decision < 0 ? kNever : simulator.slotOf(block.decision);
        if (slot != kNever && last >= slot)
            result.again[static_cast<std::size_t>(block.decision)] +=
                bytes * (slots[static_cast<std::size_t>(last) + 1] - slots[static_cast<std::size_t>(slot)]);
    }
    return result;
}

FlowNetwork::Capacity capacityOf(double ms) {
    constexpr double kPerMs = 1e9, kLargest = 1e15;
    return static_cast<FlowNetwork::Capacity>(std::min(std::max(ms, 0.0) * kPerMs, kLargest));
}

}  // namespace

PricedCut::PricedCut(const StepProblem& model) : decisions_(model.decisions.size()) {
    const int decisions = static_cast<int>(decisions_), blocks = static_cast<int>(model.blocks.size());
    for (int i = 0; i < decisions + blocks; ++i) network_.addVertex();
    source_ = network_.addVertex();
    sink_ = network_.addVertex();
    constexpr FlowNetwork::Capacity never = FlowNetwork::kInfinite;
    for (int d = 0; d < decisions; ++d) {
        const StepDecision& decision = model.decisions[static_cast<std::size_t>(d)];
        if (!decision.mayKeep) network_.addEdge(d, sink_, never);
        else if (!decision.mayRunAgain) network_.addEdge(source_, d, never);
        else again_.push_back({network_.addEdge(source_, d, 0), static_cast<std::size_t>(d)});
        for (const StepUse& use : decision.reads) network_.addEdge(decisions + use.which, d, never);
        for (const int made : decision.makes) {
            const StepBlock& block = model.blocks[static_cast<std::size_t>(made)];
            const int edge = network_.addEdge(d, decisions + made, 0);
            if (!block.output) keep_.push_back({edge, static_cast<std::size_t>(made)});
            if (block.gradient || !block.backward.empty()) network_.addEdge(decisions + made, sink_, never);
        }
    }
    for (int b = 0; b < blocks; ++b) {
        const StepBlock& block = model.blocks[static_cast<std::size_t>(b)];
        if (block.decision >= 0) continue;
        keep_.push_back({network_.addEdge(source_, decisions + b, 0), static_cast<std::size_t>(b)});
        if (!block.backward.empty()) network_.addEdge(decisions + b, sink_, never);
    }
}

StepChoice PricedCut::at(StepSimulator& simulator, const MemoryPrices& prices, const StepChoice& before,
                         const std::vector<double>& factors) {
    const PricedStep costs = priced(simulator, prices, before, factors);
    for (const PricedEdge& priced : again_) network_.setCapacity(priced.edge, capacityOf(costs.again[priced.of]));
    for (const PricedEdge& priced : keep_) network_.setCapacity(priced.edge, capacityOf(costs.keep[priced.of]));
    network_.maximize(source_, sink_);
    const std::vector<bool> again = network_.sinkSide(sink_);
    return {again.begin(), again.begin() + static_cast<std::ptrdiff_t>(decisions_)};
}

}  // namespace aotscope
