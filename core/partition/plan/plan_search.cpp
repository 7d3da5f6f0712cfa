#include "partition/plan/plan_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

namespace aotscope {

namespace {

constexpr double kSameMs = 1e-12;
constexpr double kLowestPrice = 1e-3, kHighestPrice = 1e3;  ///< in units
constexpr double kWidestShare = 1.5;                        ///< logarithm of the share of prices by moment
constexpr std::size_t kTightSlots = 8;
constexpr std::size_t kFewDecisions = 1500;   ///< all can be tried one by one, again and again
constexpr std::size_t kManyDecisions = 5000;  ///< a cut takes long

MemoryPrices scaled(const MemoryPrices& shape, double price) {
    MemoryPrices prices = shape;
    for (double& slot : prices.slot) slot *= price;
    for (double& position : prices.forward) position *= price;
    prices.border *= price;
    return prices;
}

}  // namespace

PlanSearch::PlanSearch(const StepProblem& model, std::int64_t limit, std::uint64_t seed)
    : model_(model), limit_(limit), simulator_(model), cuts_(model), random_(seed) {
    double ms = 0, bytes = 0;
    for (const StepDecision& decision : model.decisions) ms += decision.ms;
    for (const StepBlock& block : model.blocks) bytes += static_cast<double>(block.bytes);
    if (ms > 0 && bytes > 0) unit_ = ms / bytes;
    families_.resize(static_cast<std::size_t>(model.families));
    for (std::size_t d = 0; d < model.decisions.size(); ++d)
        if (const int family = model.decisions[d].family; family >= 0)
            families_[static_cast<std::size_t>(family)].push_back(d);
    lowest_.choice = model.keepAll();
    lowest_.outcome.peak = std::numeric_limits<std::int64_t>::max();
    judge(StepChoice(lowest_.choice));
}

StepOutcome PlanSearch::judge(const StepChoice& choice) {
    const StepOutcome outcome = simulator_.run(choice);
    if (outcome.peak < lowest_.outcome.peak) lowest_ = {choice, outcome};
    if (fits(outcome) && (!best_ || outcome.ms < best_->outcome.ms - kSameMs)) best_ = {choice, outcome};
    return outcome;
}

/// Of cuts that take long, fewer are made.
int PlanSearch::shareOfWork(int most) const {
    constexpr double kQuick = 500;  // decisions
    const double share = kQuick / std::max(kQuick, static_cast<double>(model_.decisions.size()));
    return std::max(2, static_cast<int>(most * share));
}

bool PlanSearch::canChange(std::size_t decision) const {
    return model_.decisions[decision].mayKeep && model_.decisions[decision].mayRunAgain;
}

MemoryPrices PlanSearch::atBorder(double price) const { return {{}, price, {}}; }

/// Lives follow from the choice: a second cut starts from those of the first.
StepChoice PlanSearch::cut(const MemoryPrices& prices, const StepChoice& from, const std::vector<double>& factors) {
    return cuts_.at(simulator_, prices, cuts_.at(simulator_, prices, from, factors), factors);
}

/// What is kept early lives longest: without a leaning, equal layers are equally dear.
std::vector<double> PlanSearch::leaning(double slope) const {
    const std::size_t size = model_.decisions.size();
    std::vector<double> factors(size);
    for (std::size_t d = 0; d < size; ++d)
        factors[d] = std::max(0.05, 1 + slope * static_cast<double>(d) / static_cast<double>(size));
    return factors;
}

std::optional<StepPlan> PlanSearch::bisect(const MemoryPrices& shape, const std::vector<double>& factors, double low,
                                           double high, int steps) {
    std::optional<StepPlan> found;
    StepChoice from = best_ ? best_->choice : lowest_.choice;
    for (int step = 0; step < steps; ++step) {
        const double middle = (low + high) / 2;
        StepChoice choice = cut(scaled(shape, std::exp(middle)), from, factors);
        const StepOutcome outcome = judge(choice);
        if (!fits(outcome)) {
            low = middle;
            if (step + 1 == steps) noteTightSlot();
            continue;
        }
        high = enough_ = middle;
        from = choice;
        if (!found || outcome.ms < found->outcome.ms) found = {std::move(choice), outcome};
    }
    return found;
}

/// What computes nearly everything again may need more memory than what keeps some: then the prices that fit lie
/// between others, and the lowest of them is looked for step by step.
std::optional<StepPlan> PlanSearch::between(const MemoryPrices& shape, const std::vector<double>& factors, double low,
                                            double high, int steps) {
    if (auto found = bisect(shape, factors, low, high, steps)) return found;
    constexpr int kSteps = 14;
    const double step = (high - low) / kSteps;
    for (double price = low + step; price < high; price += step)
        if (fits(judge(cut(scaled(shape, std::exp(price)), lowest_.choice, factors))))
            return bisect(shape, factors, price - step, price, steps);
    return {};
}

/// Of the choice that was simulated last.
void PlanSearch::noteTightSlot() {
    SimulatedMoment worst;
    for (const SimulatedMoment& moment : simulator_.moments())
        if (moment.slot >= 0 && moment.bytes > worst.bytes) worst = moment;
    if (worst.bytes <= limit_ || std::ranges::find(tightSlots_, worst.slot) != tightSlots_.end()) return;
    if (tightSlots_.size() >= kTightSlots) tightSlots_.erase(tightSlots_.begin());
    tightSlots_.push_back(worst.slot);
}

void PlanSearch::first(const Progress& progress) {
    const double low = std::log(unit_ * kLowestPrice), high = std::log(unit_ * kHighestPrice);
    constexpr int kSteps = 16, kFewestPrices = 40;
    for (const double slope : {0.001, 0.02, 0.1, 0.0, -0.02}) {
        progress.throwIfCancelled();
        between(atBorder(1), leaning(slope), low, high, kSteps);
        if (slope == 0.001 && best_) keepWhatFits(*best_, progress);
    }
    along(pricesByMoment(std::max(kFewestPrices, shareOfWork(150)), progress), progress);
    MemoryPrices everywhere = atBorder(1);
    everywhere.slot.assign(model_.slots.size(), 2.0 / static_cast<double>(model_.slots.size()));
    for (const double slope : {0.001, 0.05}) {
        progress.throwIfCancelled();
        bisect(everywhere, leaning(slope), low, high, kSteps);
    }
    if (best_) keepWhatFits(*best_, progress);
}

std::vector<double> PlanSearch::randomFactors() {
    const double byFamily = std::exp(-1 - 3 * uniform()), byDecision = std::exp(-2 - 4 * uniform());
    const double slope = (uniform() < 1.0 / 3 ? -1 : 1) * std::exp(-1 - 5 * uniform());
    std::vector<double> families(static_cast<std::size_t>(model_.families));
    for (double& family : families) family = normal() * byFamily;
    std::vector<double> factors = leaning(slope);
    for (std::size_t d = 0; d < factors.size(); ++d) {
        const int family = model_.decisions[d].family;
        const double alike = family >= 0 ? families[static_cast<std::size_t>(family)] : normal() * byFamily;
        factors[d] = std::max(0.05, factors[d] * (1 + alike) * (1 + normal() * byDecision));
    }
    return factors;
}

MemoryPrices PlanSearch::randomPrices() {
    MemoryPrices prices = atBorder(1);
    if (!tightSlots_.empty() && uniform() < 0.5) {
        prices.slot.assign(model_.slots.size(), 0);
        for (const int slot : tightSlots_)
            if (uniform() < 0.5) prices.slot[static_cast<std::size_t>(slot)] = 2 * uniform();
    } else if (uniform() < 1.0 / 3) {
        prices.slot.assign(model_.slots.size(), 3 * uniform() / static_cast<double>(model_.slots.size()));
    }
    return prices;
}

bool PlanSearch::again(const Progress& progress) {
    constexpr int kSteps = 12;
    constexpr double kPromising = 1.15;
    progress.throwIfCancelled();
    const double before = best_ ? best_->outcome.ms : std::numeric_limits<double>::max();
    const double low = justEnough_ ? *justEnough_ - 2 : std::log(unit_ * kLowestPrice);
    const double high = justEnough_ ? *justEnough_ + 3 : std::log(unit_ * kHighestPrice);
    const std::vector<double> factors = randomFactors();
    std::optional<StepPlan> found;
    if (byMoment_ && uniform() < 0.5) {
        found = bisect(*byMoment_, factors, -kWidestShare, kWidestShare, kSteps);
    } else {
        found = bisect(randomPrices(), factors, low, high, kSteps);
        if (found) justEnough_ = enough_;
    }
    if (found && found->outcome.ms < best_->outcome.ms * kPromising) {
        if (model_.decisions.size() > kFewDecisions || uniform() < 0.5) keepWhatFits(std::move(*found), progress);
        else fill(std::move(*found), progress);
    }
    if (best_) exchange(*best_, progress);
    return best_ && best_->outcome.ms < before - kSameMs;
}

/// Prices rise at the moments that break the limit most, and fall where there is room (a subgradient method).
MemoryPrices PlanSearch::pricesByMoment(int iterations, const Progress& progress) {
    MemoryPrices prices;
    prices.slot.assign(model_.slots.size(), 0);
    prices.forward.assign(static_cast<std::size_t>(model_.border()) + 1, 0);
    const std::vector<double> factors = leaning(0.001);
    const auto limit = static_cast<double>(limit_);
    StepChoice choice = lowest_.choice;
    std::vector<double> slotBytes, forwardBytes;
    for (int i = 0; i < iterations; ++i) {
        progress.throwIfCancelled();
        choice = cuts_.at(simulator_, prices, choice, factors);
        judge(choice);
        slotBytes.assign(prices.slot.size(), 0);
        forwardBytes.assign(prices.forward.size(), 0);
        for (const SimulatedMoment& moment : simulator_.moments()) {
            double& bytes = moment.slot >= 0 ? slotBytes[static_cast<std::size_t>(moment.slot)]
                                             : forwardBytes[static_cast<std::size_t>(moment.position)];
            bytes = std::max(bytes, static_cast<double>(moment.bytes));
        }
        const double step = unit_ * 0.5 / (1 + i / 10.0);
        constexpr double kSteep = 10;
        const auto change = [&](std::vector<double>& price, const std::vector<double>& bytes) {
            for (std::size_t k = 0; k < price.size(); ++k)
                if (price[k] > 0 && bytes[k] < limit)
                    price[k] = std::max(0.0, price[k] + step * kSteep * (bytes[k] / limit - 1));
            const auto worst = static_cast<std::size_t>(std::ranges::max_element(bytes) - bytes.begin());
            if (bytes[worst] > limit) price[worst] += step * std::min(1.0, kSteep * (bytes[worst] / limit - 1));
        };
        change(prices.slot, slotBytes);
        change(prices.forward, forwardBytes);
    }
    return prices;
}

void PlanSearch::along(const MemoryPrices& prices, const Progress& progress) {
    byMoment_ = prices;
    constexpr int kSteps = 12;
    const auto attempt = [&](const std::vector<double>& factors) {
        progress.throwIfCancelled();
        if (auto found = bisect(prices, factors, -kWidestShare, kWidestShare, kSteps)) {
            if (model_.decisions.size() > kFewDecisions) keepWhatFits(std::move(*found), progress);
            else fill(std::move(*found), progress);
        }
    };
    const bool many = model_.decisions.size() > kManyDecisions;
    for (const double slope : many ? std::vector{0.001} : std::vector{0.001, 0.02, -0.02}) attempt(leaning(slope));
    for (int i = shareOfWork(24); i > 0; --i) attempt(randomFactors());
    if (best_) exchange(*best_, progress);
}

/// Keeps again what need not be computed again, the most expensive first; in large steps several at once, which are
/// mostly the same operation of several layers.
void PlanSearch::keepWhatFits(StepPlan plan, const Progress& progress) {
    constexpr std::size_t kWork = 20'000'000;
    const std::size_t tries = kWork / (model_.decisions.size() + model_.slots.size()) + 1;
    std::vector<std::size_t> order(model_.decisions.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t d) { return model_.decisions[d].ms; });
    for (bool changed = true; changed;) {
        changed = false;
        progress.throwIfCancelled();
        std::vector<std::size_t> open;
        std::ranges::copy_if(order, std::back_inserter(open),
                             [&](std::size_t d) { return plan.choice[d] && canChange(d); });
        const std::size_t together = open.size() / tries + 1;
        for (std::size_t from = 0; from < open.size(); from += together) {
            const std::span some(open.begin() + static_cast<std::ptrdiff_t>(from),
                                 std::min(together, open.size() - from));
            for (const std::size_t d : some) plan.choice[d] = 0;
            const StepOutcome outcome = judge(plan.choice);
            if (fits(outcome) && outcome.ms < plan.outcome.ms - kSameMs) {
                plan.outcome = outcome;
                changed = true;
            } else {
                for (const std::size_t d : some) plan.choice[d] = 1;
            }
        }
    }
}

/// Spends what is left of the limit where it saves most time for a byte.
void PlanSearch::fill(StepPlan plan, const Progress& progress) {
    std::vector<std::size_t> open;
    for (std::size_t d = 0; d < plan.choice.size(); ++d)
        if (plan.choice[d] && canChange(d)) open.push_back(d);
    while (true) {
        progress.throwIfCancelled();
        std::optional<std::size_t> best;
        double most = 0;
        StepOutcome chosen;
        for (const std::size_t d : open) {
            if (!plan.choice[d]) continue;
            plan.choice[d] = 0;
            const StepOutcome outcome = judge(plan.choice);
            plan.choice[d] = 1;
            const double spared = plan.outcome.ms - outcome.ms;
            if (spared <= kSameMs || !fits(outcome)) continue;
            const double score =
                spared / std::max(1.0, static_cast<double>(outcome.peak) - static_cast<double>(plan.outcome.peak));
            if (score <= most) continue;
            most = score;
            best = d;
            chosen = outcome;
        }
        if (!best) return;
        plan.choice[*best] = 0;
        plan.outcome = chosen;
    }
}

/// Annealing from a plan that fits: what breaks the limit costs, but less at first.
void PlanSearch::exchange(StepPlan plan, const Progress& progress) {
    constexpr std::size_t kWork = 400'000, kFewest = 100, kMost = 4000;
    const std::size_t steps = std::clamp(kWork / (model_.decisions.size() + model_.slots.size()), kFewest, kMost);
    std::vector<std::size_t> open;
    for (std::size_t d = 0; d < plan.choice.size(); ++d)
        if (canChange(d)) open.push_back(d);
    if (open.empty() || plan.outcome.ms <= 0) return;
    const double scale = plan.outcome.ms;
    const auto energy = [&](const StepOutcome& outcome) {
        constexpr double kBroken = 20;
        const double over =
            static_cast<double>(outcome.peak - limit_) / static_cast<double>(std::max<std::int64_t>(limit_, 1));
        return outcome.ms + (over > 0 ? kBroken * scale * over : 0);
    };
    double now = energy(plan.outcome);
    std::vector<std::size_t> flipped;
    for (std::size_t step = 0; step < steps; ++step) {
        if (step % 64 == 0) progress.throwIfCancelled();
        const double temperature =
            0.05 * scale * std::pow(1e-3, static_cast<double>(step) / static_cast<double>(steps));
        flipped.clear();
        const auto flip = [&](std::size_t d) {
            plan.choice[d] = !plan.choice[d];
            flipped.push_back(d);
        };
        const std::size_t first = open[random_() % open.size()];
        flip(first);
        const double kind = uniform();
        if (kind < 0.3) {  // another one the other way round
            const std::size_t second = open[random_() % open.size()];
            if (second != first && plan.choice[second] == plan.choice[first]) flip(second);
        } else if (kind < 0.55) {  // the same operation of another layer
            const int family = model_.decisions[first].family;
            if (family >= 0) {
                const std::vector<std::size_t>& alike = families_[static_cast<std::size_t>(family)];
                const std::size_t second = alike[random_() % alike.size()];
                if (second != first && plan.choice[second] == plan.choice[first] && canChange(second)) flip(second);
            }
        } else if (kind < 0.75 && plan.choice[first]) {  // with what would be kept only for it
            for (std::size_t last = first; !model_.decisions[last].reads.empty();) {
                const auto& reads = model_.decisions[last].reads;
                const StepBlock& block = model_.blocks[static_cast<std::size_t>(reads[random_() % reads.size()].which)];
                if (block.decision < 0 || block.output || !block.backward.empty()) break;
                last = static_cast<std::size_t>(block.decision);
                if (plan.choice[last] || !canChange(last)) break;
                flip(last);
            }
        }
        const double next = energy(judge(plan.choice));
        if (next <= now || uniform() < std::exp((now - next) / temperature)) now = next;
        else
            for (const std::size_t d : flipped) plan.choice[d] = !plan.choice[d];
    }
}

/// Annealing of a soft maximum: the highest moments count, not only the highest one.
void PlanSearch::lower(int rounds, const Progress& progress) {
    std::vector<std::size_t> open;
    for (std::size_t d = 0; d < model_.decisions.size(); ++d)
        if (canChange(d)) open.push_back(d);
    if (open.empty()) return;
    StepChoice choice = lowest_.choice;
    std::vector<int> atPeak;
    const auto height = [&](const StepOutcome& outcome) {
        constexpr double kSharpness = 60, kOthers = 0.15;
        const auto peak = static_cast<double>(outcome.peak);
        double sum = 0;
        for (const SimulatedMoment& moment : simulator_.moments())
            sum += std::exp(kSharpness * (static_cast<double>(moment.bytes) / peak - 1));
        return peak * (1 + std::log(sum) / kSharpness * kOthers);
    };
    const auto findAtPeak = [&] {
        const std::vector<SimulatedMoment> moments = simulator_.moments();
        const auto peak = std::ranges::max_element(moments, {}, &SimulatedMoment::bytes);
        atPeak.clear();
        for (const int block : simulator_.aliveAt(*peak, choice))
            if (model_.blocks[static_cast<std::size_t>(block)].decision >= 0 &&
                model_.blocks[static_cast<std::size_t>(block)].bytes * 200 > peak->bytes)
                atPeak.push_back(model_.blocks[static_cast<std::size_t>(block)].decision);
    };
    double now = height(judge(choice));
    const double start = now;
    findAtPeak();
    const auto pick = [&](const auto& list) { return list[random_() % list.size()]; };
    std::vector<std::size_t> flipped;
    for (int round = 0; round < rounds && !best_; ++round) {
        if (round % 64 == 0) progress.throwIfCancelled();
        const double temperature = start * 0.02 * std::pow(2e-3, static_cast<double>(round) / rounds);
        flipped.clear();
        const auto flip = [&](std::size_t d) {
            if (!canChange(d)) return;
            choice[d] = !choice[d];
            flipped.push_back(d);
        };
        std::size_t d = !atPeak.empty() && uniform() < 2.0 / 3 ? static_cast<std::size_t>(pick(atPeak)) : pick(open);
        flip(d);
        if (const double kind = uniform(); kind >= 0.5 && kind < 5.0 / 6) {  // with what it is computed from
            std::size_t last = d;
            for (auto depth = 1 + random_() % 5; depth > 0 && !model_.decisions[last].reads.empty(); --depth) {
                const StepUse& use = pick(model_.decisions[last].reads);
                const int made = model_.blocks[static_cast<std::size_t>(use.which)].decision;
                if (made < 0) break;
                last = static_cast<std::size_t>(made);
                if (choice[d] != choice[last]) flip(last);
            }
        } else if (kind >= 5.0 / 6) {
            flip(pick(open));
        }
        if (flipped.empty()) continue;
        const double next = height(judge(choice));
        if (next <= now || uniform() < std::exp((now - next) / temperature)) {
            now = next;
            findAtPeak();
        } else {
            for (const std::size_t f : flipped) choice[f] = !choice[f];
        }
    }
    if (best_) keepWhatFits(*best_, progress);
}

}  // namespace aotscope
