#include "partition/plan/step_simulator.h"

#include <algorithm>

namespace aotscope {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

StepSimulator::StepSimulator(const StepProblem& model)
    : model_(model),
      firstRead_(model.blocks.size(), kNever),
      slot_(model.decisions.size(), kNever),
      event_(model.decisions.size(), -1) {
    for (std::size_t b = 0; b < model.blocks.size(); ++b) {
        for (const StepUse& use : model.blocks[b].backward) firstRead_[b] = std::min(firstRead_[b], use.which);
        if (model.blocks[b].gradient) firstRead_[b] = std::min(firstRead_[b], model.lastSlot());
    }
}

StepOutcome StepSimulator::run(const StepChoice& choice) {
    StepOutcome outcome;
    placeDecisions(choice);
    placeEvents(choice);
    backward_.assign(index(events_ + 1), 0);
    forward_.assign(index(model_.border() + 2), 0);
    for (int slot = 1; slot <= model_.lastSlot(); ++slot) {
        const int first = firstEvent_[index(slot)], operation = first + runs_[index(slot)];
        if (operation > first) add(first, operation - 1, model_.between[index(slot)]);
        if (slot < model_.lastSlot()) add(operation, operation, model_.during[index(slot)]);
    }
    for (std::size_t b = 0; b < model_.blocks.size(); ++b) addBlock(static_cast<int>(b), choice);
    for (std::size_t d = 0; d < model_.decisions.size(); ++d) {
        const StepDecision& decision = model_.decisions[d];
        if (!runsAgain(static_cast<int>(d), choice)) continue;
        outcome.ms += decision.ms;
        const int event = event_[d];
        add(event, event, decision.innerBytes);
        if (decision.stateBytes == 0 || !decision.inForward) continue;
        addForward(decision.node, model_.border(), decision.stateBytes);
        add(0, event, decision.stateBytes);
    }
    std::int64_t bytes = 0;
    for (int position = 0; position <= model_.border(); ++position) {
        bytes += forward_[index(position)];
        const std::int64_t inner = position < model_.border() ? model_.forwardInner[index(position)] : 0;
        outcome.peak = std::max(outcome.peak, bytes + inner);
    }
    bytes = 0;
    for (int event = 0; event < events_; ++event) {
        bytes += backward_[index(event)];
        outcome.peak = std::max(outcome.peak, bytes);
    }
    return outcome;
}

/// Each runs directly before the first operation that needs its results.
void StepSimulator::placeDecisions(const StepChoice& choice) {
    for (int d = static_cast<int>(model_.decisions.size()) - 1; d >= 0; --d) {
        const StepDecision& decision = model_.decisions[index(d)];
        int slot = kNever;
        for (const int made : decision.makes) {
            slot = std::min(slot, firstRead_[index(made)]);
            for (const StepUse& use : model_.blocks[index(made)].again)
                if (choice[index(use.which)]) slot = std::min(slot, slotOf(use.which));
        }
        slot_[index(d)] = slot != kNever && decision.slot != kNever ? decision.slot : slot;
    }
}

void StepSimulator::placeEvents(const StepChoice& choice) {
    runs_.assign(model_.slots.size(), 0);
    for (std::size_t d = 0; d < model_.decisions.size(); ++d)
        event_[d] = runsAgain(static_cast<int>(d), choice) ? runs_[index(slot_[d])]++ : -1;
    firstEvent_.assign(model_.slots.size(), 0);
    events_ = 0;
    for (int slot = 1; slot <= model_.lastSlot(); ++slot) {
        firstEvent_[index(slot)] = events_;
        events_ += runs_[index(slot)] + (slot < model_.lastSlot());
    }
    for (std::size_t d = 0; d < model_.decisions.size(); ++d)
        if (event_[d] >= 0) event_[d] += firstEvent_[index(slot_[d])];
}

int StepSimulator::lastEventOf(const StepBlock& block, const StepChoice& choice) const {
    int last = -1;
    for (const StepUse& use : block.backward)
        last = std::max(last, firstEvent_[index(use.which)] + runs_[index(use.which)] - use.inPlace);
    for (const StepUse& use : block.again)
        if (runsAgain(use.which, choice)) last = std::max(last, event_[index(use.which)] - use.inPlace);
    return block.gradient ? events_ - 1 : last;
}

bool StepSimulator::isNeeded(const StepBlock& block, const StepChoice& choice) const {
    return block.gradient || !block.backward.empty() ||
           std::ranges::any_of(block.again, [&](const StepUse& use) { return runsAgain(use.which, choice); });
}

void StepSimulator::addBlock(int which, const StepChoice& choice) {
    const StepBlock& block = model_.blocks[index(which)];
    const bool inForward = model_.inForward(block);
    const bool again = runsAgain(block.decision, choice);
    const int last = lastEventOf(block, choice);
    if (block.output) {  // the caller has it; a second copy may be made
        addForward(block.made, model_.border(), block.bytes);
        add(0, events_ - 1, block.bytes);
    }
    if (again) {
        const int event = event_[index(block.decision)];
        add(event, std::max(event, last), block.bytes);
    }
    if (block.output) return;
    if (!again && isNeeded(block, choice)) {  // kept
        addForward(block.made, model_.border(), block.bytes);
        add(0, last, block.bytes);
    } else if (inForward) {
        addForward(block.made, block.lastUse, block.bytes);
    }
}

void StepSimulator::add(int firstEvent, int lastEvent, std::int64_t bytes) {
    if (lastEvent < firstEvent) return;
    backward_[index(firstEvent)] += bytes;
    backward_[index(lastEvent + 1)] -= bytes;
}

void StepSimulator::addForward(int first, int last, std::int64_t bytes) {
    forward_[index(first)] += bytes;
    forward_[index(last + 1)] -= bytes;
}

std::vector<SimulatedMoment> StepSimulator::moments() const {
    std::vector<SimulatedMoment> all;
    std::int64_t bytes = 0;
    for (int position = 0; position <= model_.border(); ++position) {
        bytes += forward_[index(position)];
        const std::int64_t inner = position < model_.border() ? model_.forwardInner[index(position)] : 0;
        all.push_back({-1, -1, position, bytes + inner});
    }
    std::vector<int> running(index(events_), -1);
    for (std::size_t d = 0; d < model_.decisions.size(); ++d)
        if (event_[d] >= 0) running[index(event_[d])] = static_cast<int>(d);
    bytes = 0;
    int slot = 1;
    for (int event = 0; event < events_; ++event) {
        while (slot < model_.lastSlot() && event >= firstEvent_[index(slot + 1)]) ++slot;
        bytes += backward_[index(event)];
        const bool operation = slot < model_.lastSlot() && event == firstEvent_[index(slot)] + runs_[index(slot)];
        all.push_back({slot, operation ? -1 : running[index(event)], -1, bytes});
    }
    return all;
}

std::vector<int> StepSimulator::aliveAt(const SimulatedMoment& moment, const StepChoice& choice) const {
    std::vector<int> alive;
    const bool forward = moment.slot < 0;
    const int event = forward                ? -1
                      : moment.decision >= 0 ? event_[index(moment.decision)]
                                             : firstEvent_[index(moment.slot)] + runs_[index(moment.slot)];
    for (std::size_t b = 0; b < model_.blocks.size(); ++b) {
        const StepBlock& block = model_.blocks[b];
        if (block.output) continue;
        const bool again = runsAgain(block.decision, choice);
        const int last = lastEventOf(block, choice);
        const bool kept = !again && isNeeded(block, choice);
        const bool there = forward ? kept && block.made <= moment.position
                           : again ? event_[index(block.decision)] <= event && event <= last
                                   : kept && event <= last;
        if (there) alive.push_back(static_cast<int>(b));
    }
    return alive;
}

}  // namespace aotscope
