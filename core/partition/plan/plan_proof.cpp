#include "partition/plan/plan_proof.h"

#include "support/elapsed.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace aotscope {

namespace {

constexpr double kProvedPeak = 3e-3;
constexpr int kWindows = 6, kRounds = 12, kNewMoments = 3;

/// The highest of each of some windows of the backward if everything is kept.
LimitedMoments highestMoments(StepSimulator& simulator) {
    const int slots = simulator.model().lastSlot() - 1;
    simulator.run(simulator.model().keepAll());
    std::vector<SimulatedMoment> highest(kWindows);
    for (const SimulatedMoment& moment : simulator.moments()) {
        if (moment.slot < 1 || moment.decision >= 0) continue;
        SimulatedMoment& best = highest[static_cast<std::size_t>((moment.slot - 1) * kWindows / slots)];
        if (moment.bytes > best.bytes) best = moment;
    }
    LimitedMoments moments;
    for (const SimulatedMoment& moment : highest)
        if (moment.slot > 0) moments.backward.push_back({moment.slot, LimitedMoment::kOperation});
    return moments;
}

/// The worst moment of the forward, or of the border, of the simulated choice, if it breaks `limit`.
bool addBrokenForward(const StepSimulator& simulator, std::int64_t limit, std::vector<int>& positions) {
    SimulatedMoment worst;
    for (const SimulatedMoment& moment : simulator.moments())
        if (moment.slot < 0 && moment.bytes > worst.bytes) worst = moment;
    if (worst.bytes <= limit || std::ranges::find(positions, worst.position) != positions.end()) return false;
    positions.push_back(worst.position);
    return true;
}

/// Adds the worst moments of the simulated choice that break `limit`. Returns whether there are new ones.
bool addBroken(const StepSimulator& simulator, std::int64_t limit, LimitedMoments& all) {
    std::vector<LimitedMoment>& moments = all.backward;
    std::vector<SimulatedMoment> broken;
    for (const SimulatedMoment& moment : simulator.moments())
        if (moment.slot >= 1 && moment.bytes > limit) broken.push_back(moment);
    std::ranges::stable_sort(broken, std::greater(), &SimulatedMoment::bytes);
    const int apart = std::max(2, simulator.model().lastSlot() / 80);
    std::vector<int> used;
    bool added = addBrokenForward(simulator, limit, all.forward);
    const auto add = [&](const LimitedMoment& moment) {
        if (std::ranges::find(moments, moment) != moments.end()) return false;
        moments.push_back(moment);
        return true;
    };
    for (const SimulatedMoment& moment : broken) {
        if (std::ranges::any_of(used, [&](int slot) { return std::abs(slot - moment.slot) < apart; })) continue;
        bool isNew = add({moment.slot, moment.decision < 0 ? LimitedMoment::kOperation : moment.decision});
        if (moment.decision >= 0 && moment.slot > 1) isNew |= add({moment.slot - 1, LimitedMoment::kOperation});
        if (!isNew) continue;
        added = true;
        used.push_back(moment.slot);
        if (static_cast<int>(used.size()) >= kNewMoments) break;
    }
    return added;
}

/// The least of recomputed time and of kept bytes at `price`, less the price of the bytes that there are.
double dualAt(PricedCut& cuts, StepSimulator& simulator, double price, double bytes) {
    const StepProblem& model = simulator.model();
    const StepChoice choice = cuts.at(simulator, {{}, price, {}}, model.keepAll(), {});
    std::vector<char> needed(model.blocks.size());
    double cost = 0;
    for (std::size_t d = 0; d < model.decisions.size(); ++d) {
        if (!choice[d]) continue;
        cost += model.decisions[d].ms;
        for (const StepUse& use : model.decisions[d].reads) needed[static_cast<std::size_t>(use.which)] = 1;
    }
    for (std::size_t b = 0; b < model.blocks.size(); ++b) {
        const StepBlock& block = model.blocks[b];
        const bool again = block.decision >= 0 && choice[static_cast<std::size_t>(block.decision)];
        const bool kept = !block.output && !again && (needed[b] || block.gradient || !block.backward.empty());
        if (kept) cost += price * static_cast<double>(block.bytes);
    }
    return cost - price * bytes;
}

}  // namespace

bool provesBest(double boundMs, double ms) {
    constexpr double kShare = 1e-4, kMs = 1e-9;
    return ms <= boundMs * (1 + kShare) + kMs;
}

double boundAtBorder(StepSimulator& simulator, std::int64_t limit) {
    const StepProblem& model = simulator.model();
    double ms = 0, bytes = 0;
    for (const StepBlock& block : model.blocks) bytes += static_cast<double>(block.bytes);
    for (const StepDecision& decision : model.decisions) ms += decision.ms;
    if (ms <= 0 || bytes <= 0) return 0;
    // The dual function is concave in the price.
    constexpr int kSteps = 24;
    constexpr double kWidest = 1e3;
    double low = std::log(ms / bytes / kWidest), high = std::log(ms / bytes * kWidest), best = 0;
    PricedCut cuts(model);
    const auto at = [&](double price) {
        const double dual = dualAt(cuts, simulator, std::exp(price), static_cast<double>(limit - model.outputBytes()));
        best = std::max(best, dual);
        return dual;
    };
    for (int step = 0; step < kSteps; ++step) {
        const double third = (high - low) / 3;
        if (at(low + third) < at(high - third)) low += third;
        else high -= third;
    }
    return best;
}

PlanBound proveBest(PlanSearch& search, std::int64_t limit, const ProgramSolver& solver, double seconds,
                    const Progress& progress) {
    PlanBound bound;
    const auto start = std::chrono::steady_clock::now();
    const auto left = [&] { return seconds - msSince(start) / 1000; };
    const auto proved = [&] { return search.best() && provesBest(bound.ms, search.best()->outcome.ms); };
    StepSimulator& simulator = search.simulator();
    LimitedMoments moments = highestMoments(simulator);
    for (int round = 0; round < kRounds && left() > 0 && !proved(); ++round) {
        progress.enter(stageOf("proof, program", round + 1, kRounds));
        const MomentsProgram program(simulator.model(), limit, moments);
        // A relaxation is solved quickly, and its prices lead to good plans.
        const ProgramAnswer relaxed = solver.relax(program.program(), left(), progress);
        bound.ms = std::max(bound.ms, relaxed.bound);
        if (!relaxed.prices.empty()) {
            const MemoryPrices prices = program.pricesOf(relaxed.prices);
            bound.msPerByte = std::accumulate(prices.slot.begin(), prices.slot.end(), 0.0) +
                              std::accumulate(prices.forward.begin(), prices.forward.end(), 0.0);
            search.along(prices, progress);
        }
        if (proved()) break;
        std::vector<double> known;
        if (search.best()) known = program.valuesOf(simulator, search.best()->choice);
        const ProgramAnswer answer = solver.solve(program.program(), known, left(), progress);
        if (answer.status == ProgramAnswer::Status::infeasible) {
            bound.status = PlanBound::Status::infeasible;
            return bound;
        }
        bound.ms = std::max(bound.ms, answer.bound);
        if (answer.values.empty() || proved()) break;
        const StepChoice choice = program.choiceOf(answer.values);
        search.consider(choice);
        if (proved() || simulator.run(choice).peak <= limit || !addBroken(simulator, limit, moments)) break;
    }
    if (proved()) bound.status = PlanBound::Status::optimal;
    return bound;
}

std::int64_t boundOfPeak(PlanSearch& search, const ProgramSolver& solver, double seconds, const Progress& progress) {
    std::int64_t bound = 0;
    const auto start = std::chrono::steady_clock::now();
    const auto left = [&] { return seconds - msSince(start) / 1000; };
    StepSimulator& simulator = search.simulator();
    LimitedMoments moments = highestMoments(simulator);
    for (int round = 0; round < kRounds && left() > 0; ++round) {
        progress.enter(stageOf("least peak, program", round + 1, kRounds));
        const MomentsProgram program(simulator.model(), 0, moments, true);
        const ProgramAnswer answer =
            solver.solve(program.program(), program.valuesOf(simulator, search.lowest().choice), left(), progress);
        bound = std::max(bound, static_cast<std::int64_t>(answer.bound * program.unit()));
        if (answer.values.empty()) break;
        const StepChoice choice = program.choiceOf(answer.values);
        search.consider(choice);
        const auto lowest = static_cast<double>(search.lowest().outcome.peak);
        if (lowest <= static_cast<double>(bound) * (1 + kProvedPeak)) break;
        simulator.run(choice);
        if (!addBroken(simulator, bound, moments)) break;
    }
    return bound;
}

}  // namespace aotscope
