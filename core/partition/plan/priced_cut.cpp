#include "partition/plan/priced_cut.h"

#include "partition/max_flow.h"

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

StepChoice pricedCut(StepSimulator& simulator, const MemoryPrices& prices, const StepChoice& before,
                     const std::vector<double>& factors) {
    const StepProblem& model = simulator.model();
    const PricedStep costs = priced(simulator, prices, before, factors);
    const int decisions = static_cast<int>(model.decisions.size()), blocks = static_cast<int>(model.blocks.size());
    FlowNetwork network;
    for (int i = 0; i < decisions + blocks; ++i) network.addVertex();
    const int source = network.addVertex(), sink = network.addVertex();
    constexpr FlowNetwork::Capacity never = FlowNetwork::kInfinite;
    for (int d = 0; d < decisions; ++d) {
        const StepDecision& decision = model.decisions[static_cast<std::size_t>(d)];
        if (!decision.mayKeep) network.addEdge(d, sink, never);
        else
            network.addEdge(source, d,
                            decision.mayRunAgain ? capacityOf(costs.again[static_cast<std::size_t>(d)]) : never);
        for (const StepUse& use : decision.reads) network.addEdge(decisions + use.which, d, never);
        for (const int made : decision.makes) {
            const StepBlock& block = model.blocks[static_cast<std::size_t>(made)];
            network.addEdge(d, decisions + made,
                            block.output ? 0 : capacityOf(costs.keep[static_cast<std::size_t>(made)]));
            if (block.gradient || !block.backward.empty()) network.addEdge(decisions + made, sink, never);
        }
    }
    for (int b = 0; b < blocks; ++b) {
        if (model.blocks[static_cast<std::size_t>(b)].decision >= 0) continue;
        network.addEdge(source, decisions + b, capacityOf(costs.keep[static_cast<std::size_t>(b)]));
        if (!model.blocks[static_cast<std::size_t>(b)].backward.empty()) network.addEdge(decisions + b, sink, never);
    }
    network.maximize(source, sink);
    const std::vector<bool> again = network.sinkSide(sink);
    return {again.begin(), again.begin() + decisions};
}

}  // namespace aotscope
