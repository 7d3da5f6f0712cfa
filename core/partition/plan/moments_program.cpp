#include "partition/plan/moments_program.h"

#include <algorithm>
#include <map>
#include <set>

namespace aotscope {

namespace {

constexpr double kMegabyte = 1e6, kKilobyte = 1e3;
constexpr int kNoColumn = -1;
constexpr std::size_t kForwardMoments = 10;

std::size_t number(int i) { return static_cast<std::size_t>(i); }

void append(std::vector<LinearProgram::Term>& terms, int column, double factor) {
    if (column != kNoColumn) terms.push_back({column, factor});
}

std::int64_t bytesOfAll(const StepProblem& model) {
    std::int64_t bytes = 0;
    for (const StepBlock& block : model.blocks) bytes += block.bytes;
    return bytes + *std::ranges::max_element(model.during);
}

}  // namespace

MomentsProgram::MomentsProgram(const StepProblem& model, std::int64_t limit, LimitedMoments moments, bool leastPeak)
    : model_(model),
      limit_(leastPeak ? 0 : static_cast<double>(limit)),
      unit_(bytesOfAll(model) > 20 * static_cast<std::int64_t>(kMegabyte) ? kMegabyte : kKilobyte),
      moments_(std::move(moments.backward)),
      forward_(std::move(moments.forward)) {
    std::ranges::sort(moments_);
    moments_.erase(std::unique(moments_.begin(), moments_.end()), moments_.end());
    if (leastPeak) peak_ = program_.addColumn({1, 0, static_cast<double>(2 * bytesOfAll(model)) / unit_, false});
    findLastUses();
    addColumns();
    for (int b = 0; b < static_cast<int>(model_.blocks.size()); ++b) addLives(b);
    for (std::size_t d = 0; d < runs_.size(); ++d) runOnce(d);
    addBackwardLimits();
    addForwardLimits();
}

/// What runs again does so once, and its results are not kept.
void MomentsProgram::runOnce(std::size_t decision) {
    Terms once;
    for (const int column : runs_[decision]) append(once, column, 1);
    bool keeps = false;
    for (const int made : model_.decisions[decision].makes) {
        if (kept_[number(made)] == kNoColumn) continue;
        Terms either = once;
        append(either, kept_[number(made)], 1);
        program_.atMost(1, std::move(either));
        keeps = true;
    }
    if (!keeps && once.size() > 1) program_.atMost(1, std::move(once));
}

/// Directly, or by what is computed from its results.
void MomentsProgram::findLastUses() {
    lastUse_.assign(model_.decisions.size(), 0);
    for (int d = static_cast<int>(model_.decisions.size()) - 1; d >= 0; --d)
        for (const int made : model_.decisions[number(d)].makes) {
            const StepBlock& block = model_.blocks[number(made)];
            int& last = lastUse_[number(d)];
            if (block.gradient) last = model_.lastSlot();
            for (const StepUse& use : block.backward) last = std::max(last, use.which);
            for (const StepUse& use : block.again) last = std::max(last, lastUse_[number(use.which)]);
        }
}

int MomentsProgram::lastUseOf(const StepBlock& block) const {
    if (block.decision >= 0) return lastUse_[number(block.decision)];
    int last = 0;
    for (const StepUse& use : block.backward) last = std::max(last, use.which);
    for (const StepUse& use : block.again) last = std::max(last, lastUse_[number(use.which)]);
    return last;
}

/// Stages end at moments; the last one at the end of the backward.
bool MomentsProgram::mayRun(int decision, int stage) const {
    const StepDecision& d = model_.decisions[number(decision)];
    if ((d.mayKeep && !d.mayRunAgain) || lastUse_[number(decision)] == 0) return false;
    const LimitedMoment begin = stage > 0 ? moments_[number(stage - 1)] : LimitedMoment{0, LimitedMoment::kOperation};
    const int last = lastUse_[number(decision)];
    if (begin.slot > last || (begin.slot == last && begin.decision == LimitedMoment::kOperation)) return false;
    if (stage == static_cast<int>(moments_.size())) return true;
    // What runs before one slot does so in the order of the joint graph.
    const LimitedMoment& end = moments_[number(stage)];
    const bool withinSlot = begin == LimitedMoment{end.slot - 1, LimitedMoment::kOperation};
    return !(end.decision != LimitedMoment::kOperation && withinSlot && decision > end.decision);
}

void MomentsProgram::addColumns() {
    const int stages = static_cast<int>(moments_.size()) + 1;
    runs_.assign(model_.decisions.size(), std::vector<int>(number(stages), kNoColumn));
    for (int d = 0; d < static_cast<int>(runs_.size()); ++d)
        for (int stage = 0; stage < stages; ++stage)
            if (mayRun(d, stage))
                runs_[number(d)][number(stage)] =
                    program_.addColumn({peak_ == kNoColumn ? model_.decisions[number(d)].ms : 0});
    kept_.assign(model_.blocks.size(), kNoColumn);
    alive_.assign(model_.blocks.size(), std::vector<int>(moments_.size(), kNoColumn));
    for (std::size_t b = 0; b < model_.blocks.size(); ++b) {
        const StepBlock& block = model_.blocks[b];
        const int last = lastUseOf(block);
        if (block.output || last == 0) continue;
        if (block.decision < 0 || model_.decisions[number(block.decision)].mayKeep) kept_[b] = program_.addColumn({});
        for (std::size_t m = 0; m < moments_.size(); ++m)
            if (moments_[m].slot <= last) alive_[b][m] = program_.addColumn({});
    }
}

int MomentsProgram::stageOf(int slot) const {
    return static_cast<int>(std::ranges::lower_bound(moments_, LimitedMoment{slot, LimitedMoment::kOperation}) -
                            moments_.begin());
}

/// What makes a block available in a stage: it was alive before, or is computed in it.
MomentsProgram::Terms MomentsProgram::availableAt(int block, int stage) const {
    Terms terms;
    append(terms, stage > 0 ? alive_[number(block)][number(stage - 1)] : kept_[number(block)], 1);
    if (const int made = model_.blocks[number(block)].decision; made >= 0)
        append(terms, runs_[number(made)][number(stage)], 1);
    return terms;
}

void MomentsProgram::addLives(int which) {
    const StepBlock& block = model_.blocks[number(which)];
    if (block.output || lastUseOf(block) == 0) return;
    const auto needs = [&](int column, int stage) {
        if (column == kNoColumn) return;
        Terms terms{{column, 1}};
        for (const LinearProgram::Term& term : availableAt(which, stage)) terms.push_back({term.column, -term.factor});
        program_.atMost(0, std::move(terms));
    };
    const int moments = static_cast<int>(moments_.size());
    for (int m = 0; m < moments; ++m) needs(alive_[number(which)][number(m)], m);
    std::set<int> stages;
    for (const StepUse& use : block.backward) stages.insert(stageOf(use.which));
    if (block.gradient) stages.insert(moments);
    for (const int stage : stages) program_.atLeast(1, availableAt(which, stage));
    for (const StepUse& use : block.backward) {
        const int stage = stageOf(use.which);
        const bool there =
            stage < moments && moments_[number(stage)] == LimitedMoment{use.which, LimitedMoment::kOperation};
        if (there && !use.inPlace && alive_[number(which)][number(stage)] != kNoColumn)
            program_.atLeast(1, {{alive_[number(which)][number(stage)], 1}});
    }
    for (const StepUse& use : block.again)
        for (int stage = 0; stage <= moments; ++stage) needs(runs_[number(use.which)][number(stage)], stage);
}

/// `fixed` and the bytes of `terms` are at most the limit, or the peak that is minimised.
void MomentsProgram::limitMemory(double fixed, Terms terms, int slot, int position) {
    limits_.push_back({program_.rows.size(), slot, position});
    for (LinearProgram::Term& term : terms) term.factor /= unit_;
    if (peak_ != kNoColumn) terms.push_back({peak_, -1});
    program_.atMost((limit_ - fixed) / unit_, std::move(terms));
}

void MomentsProgram::addBackwardLimits() {
    const auto outputs = static_cast<double>(model_.outputBytes());
    for (std::size_t m = 0; m < moments_.size(); ++m) {
        const LimitedMoment& moment = moments_[m];
        Terms terms;
        if (moment.decision == LimitedMoment::kOperation) {
            for (std::size_t b = 0; b < model_.blocks.size(); ++b)
                append(terms, alive_[b][m], static_cast<double>(model_.blocks[b].bytes));
            limitMemory(static_cast<double>(model_.during[number(moment.slot)]) + outputs, std::move(terms),
                        moment.slot, -1);
            continue;
        }
        // While the decision runs, what it reads and makes is there, too.
        const StepDecision& decision = model_.decisions[number(moment.decision)];
        const int running = runs_[number(moment.decision)][m];
        std::set<int> there(decision.makes.begin(), decision.makes.end());
        for (const StepUse& use : decision.reads)
            if (!use.inPlace) there.insert(use.which);
        for (int b = 0; b < static_cast<int>(model_.blocks.size()); ++b) {
            const StepBlock& block = model_.blocks[number(b)];
            if (block.output || block.bytes == 0) continue;
            int column = alive_[number(b)][m];
            if (running != kNoColumn && there.contains(b)) {
                const int alive = column;
                column = program_.addColumn({});
                if (alive != kNoColumn) program_.atLeast(0, {{column, 1}, {alive, -1}});
                program_.atLeast(0, {{column, 1}, {running, -1}});
            }
            append(terms, column, static_cast<double>(block.bytes));
        }
        if (decision.innerBytes > 0) append(terms, running, static_cast<double>(decision.innerBytes));
        limitMemory(static_cast<double>(model_.between[number(moment.slot)]) + outputs, std::move(terms), moment.slot,
                    -1);
    }
}

/// At the highest positions between those where kept blocks begin to be kept longer than the forward needs them.
void MomentsProgram::addForwardLimits() {
    const int border = model_.border();
    std::vector<double> profile(number(border) + 2);
    struct Extra {
        int from, column;
        double bytes;
    };
    std::vector<Extra> extras;
    for (std::size_t b = 0; b < model_.blocks.size(); ++b) {
        const StepBlock& block = model_.blocks[b];
        const bool inForward = model_.inForward(block);
        const auto bytes = static_cast<double>(block.bytes);
        const int last = block.output ? border : block.lastUse;
        if (inForward) {
            profile[number(block.made)] += bytes;
            profile[number(last) + 1] -= bytes;
        }
        if (kept_[b] != kNoColumn && last < border) extras.push_back({last + 1, kept_[b], bytes});
    }
    for (int f = 1; f <= border; ++f) profile[number(f)] += profile[number(f - 1)];
    for (int f = 0; f < border; ++f) profile[number(f)] += static_cast<double>(model_.forwardInner[number(f)]);
    std::ranges::sort(extras, {}, &Extra::from);
    std::set<int> starts{0};
    for (const Extra& extra : extras) starts.insert(extra.from);
    // With everything kept, what each could reach.
    std::vector<std::pair<double, int>> highest;
    double keptBytes = 0;
    auto next = extras.begin();
    for (auto start = starts.begin(); start != starts.end(); ++start) {
        const int end = std::next(start) == starts.end() ? border + 1 : *std::next(start);
        for (; next != extras.end() && next->from <= *start; ++next) keptBytes += next->bytes;
        const auto from = profile.begin() + *start;
        const int place = static_cast<int>(std::max_element(from, profile.begin() + end) - profile.begin());
        if (const double all = profile[number(place)] + keptBytes; peak_ != kNoColumn || all > limit_)
            highest.emplace_back(all, place);
    }
    std::set<int> places(forward_.begin(), forward_.end());
    std::vector<std::pair<double, int>> byHeight = highest;
    std::ranges::sort(byHeight, std::greater());
    if (highest.size() <= kForwardMoments) {
        for (const auto& [bytes, place] : highest) places.insert(place);
    } else {
        for (std::size_t i = 0; i < kForwardMoments / 2; ++i) places.insert(byHeight[i].second);
        for (std::size_t i = 0; i < highest.size(); i += highest.size() / (kForwardMoments / 2))
            places.insert(highest[i].second);
        places.insert(border);
    }
    for (const int place : places) {
        Terms terms;
        for (const Extra& extra : extras)
            if (extra.from <= place) append(terms, extra.column, extra.bytes);
        limitMemory(profile[number(place)], std::move(terms), -1, place);
    }
}

std::vector<double> MomentsProgram::valuesOf(StepSimulator& simulator, const StepChoice& choice) const {
    const StepOutcome outcome = simulator.run(choice);
    std::vector<double> values(program_.columns.size());
    const auto set = [&](int column) {
        if (column != kNoColumn) values[number(column)] = 1;
    };
    if (peak_ != kNoColumn) values[number(peak_)] = static_cast<double>(outcome.peak) / unit_;
    const auto runsAt = [&](int d) { return choice[number(d)] ? simulator.slotOf(d) : kNever; };
    for (int d = 0; d < static_cast<int>(runs_.size()); ++d) {
        const int slot = runsAt(d);
        if (slot == kNever) continue;
        const auto stage = std::ranges::lower_bound(moments_, LimitedMoment{slot, d}) - moments_.begin();
        set(runs_[number(d)][static_cast<std::size_t>(stage)]);
    }
    SimulatedMoment border;
    border.slot = -1;
    border.position = model_.border();
    for (const int block : simulator.aliveAt(border, choice)) set(kept_[number(block)]);
    for (std::size_t m = 0; m < moments_.size(); ++m) {
        const LimitedMoment& moment = moments_[m];
        const bool operation = moment.decision == LimitedMoment::kOperation;
        if (!operation && runsAt(moment.decision) != moment.slot) return {};
        for (const int block : simulator.aliveAt({moment.slot, operation ? -1 : moment.decision, -1, 0}, choice))
            set(alive_[number(block)][m]);
    }
    return values;
}

MemoryPrices MomentsProgram::pricesOf(const std::vector<double>& rows) const {
    MemoryPrices prices;
    prices.slot.assign(model_.slots.size(), 0);
    prices.forward.assign(static_cast<std::size_t>(model_.border()) + 1, 0);
    for (const LimitRow& limit : limits_) {
        const double price = std::max(0.0, -rows[limit.row]) / unit_;
        if (limit.slot >= 0) prices.slot[number(limit.slot)] += price;
        else prices.forward[number(limit.position)] += price;
    }
    return prices;
}

StepChoice MomentsProgram::choiceOf(const std::vector<double>& values) const {
    StepChoice choice = model_.keepAll();
    for (std::size_t d = 0; d < runs_.size(); ++d)
        for (const int column : runs_[d])
            if (column != kNoColumn && values[number(column)] > 0.5) choice[d] = 1;
    return choice;
}

}  // namespace aotscope
