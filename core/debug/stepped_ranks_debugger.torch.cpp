#include "debug/stepped_ranks_debugger.h"

#include "aten/random_state.h"
#include "distributed/launch.h"
#include "distributed/mailbox.h"
#include "distributed/rank_turns.h"
#include "distributed/stepped_ranks.h"
#include "ops/op_table.h"
#include "support/error.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

using Reason = DebugStop::Reason;

namespace {

std::string rankName(std::size_t rank) { return "rank " + std::to_string(rank); }

}  // namespace

SteppedRanksDebugger::SteppedRanksDebugger(const WorldShape& shape, std::vector<std::shared_ptr<Debugger>> ranks,
                                           std::vector<std::shared_ptr<const CompileRecord>> records)
    : Debugger(std::move(records)), shape_(shape), debuggers_(std::move(ranks)) {
    check(debuggers_.size() == this->ranks(), "every rank has a debugger and a record");
    shape_.size = debuggers_.size();
    shape_.rank = 0;
    for (const auto& debugger : debuggers_) {
        const auto steps = debugger->steps();
        stepsBefore_.push_back(
            steps.size() - static_cast<std::size_t>(std::ranges::count(steps, GraphKind::backward, &DebugStep::graph)));
    }
    startOver();
    noteState();
}

SteppedRanksDebugger::~SteppedRanksDebugger() = default;

const DebugState& SteppedRanksDebugger::execute(const DebugCommand& command, const Progress& progress) {
    try {
        carryOut(command, progress);
    } catch (const std::exception&) {
        noteState();
        throw;
    }
    return noteState();
}

void SteppedRanksDebugger::carryOut(const DebugCommand& command, const Progress& progress) {
    switch (command.verb) {
        case DebugVerb::none: return;
        case DebugVerb::step:
        case DebugVerb::stepOverModule:
        case DebugVerb::run: return goOn(command.verb, progress);
        case DebugVerb::runTo: return runToNode(command.graph, command.node, progress);
        case DebugVerb::runToNotFinite: return findNotFinite(progress);
        case DebugVerb::stepBack: return goBack();
        case DebugVerb::restart: return startOver();
        case DebugVerb::goTo: return goToPlaces(command.places, progress);
        case DebugVerb::setBreakpoints:
        case DebugVerb::stopComparing: return tellAll(command);
        case DebugVerb::compareWithEager: return compareToEager(progress);
        case DebugVerb::compareWith: return compareToRun(command.other.get(), progress);
        case DebugVerb::edit: return edit(command);
    }
}

const DebugState& SteppedRanksDebugger::noteState() {
    const DebugState& shown = shownDebugger().state();
    state_.breakpoints = shown.breakpoints;
    state_.comparing = shown.comparing;
    state_.notes = shown.notes;
    state_.hits.assign(shown.breakpoints.size(), 0);
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
        state_.ranks[rank].position = debuggers_[rank]->position();
        const std::vector<int>& own = debuggers_[rank]->state().hits;
        for (std::size_t i = 0; i < std::min(state_.hits.size(), own.size()); ++i) state_.hits[i] += own[i];
    }
    return state_;
}

void SteppedRanksDebugger::tellAll(const DebugCommand& command) {
    for (const auto& debugger : debuggers_) debugger->execute(command, {});
}

Debugger::Values SteppedRanksDebugger::values(const std::vector<ValuePlace>& places, const Progress& progress) const {
    Values values;
    for (const ValuePlace& place : places) {
        progress.throwIfCancelled();
        values.push_back(debuggers_.at(place.rank)->value(place.graph, place.node));
    }
    return values;
}

// --- positions: for each rank, the number of steps that it has executed ------

std::size_t SteppedRanksDebugger::indexAt(std::size_t rank, const DebugPosition& position) const {
    return position.step + (position.graph == GraphKind::backward ? stepsBefore_[rank] : 0);
}

SteppedRanksDebugger::Indices SteppedRanksDebugger::indices() const {
    Indices all;
    for (std::size_t i = 0; i < ranks(); ++i) all.push_back(indexOf(i));
    return all;
}

/// The number of steps before the one that computes a node of the shown rank.
std::size_t SteppedRanksDebugger::targetOf(GraphKind graph, NodeId id) const {
    const auto own = record(state_.shown).graph(graph);
    const Node* node = own ? own->findById(id) : nullptr;
    if (node && isGetitem(*node)) node = node->args()[0].node();
    const auto steps = shownDebugger().steps();
    for (std::size_t i = 0; node && i < steps.size(); ++i)
        if (steps[i].graph == graph && (node->kind() != NodeKind::call || steps[i].node == node->id())) return i;
    throw Error("there is no such node in a " + std::string(name(graph)) + " graph of " + rankName(state_.shown) +
                ", or nothing uses its values");
}

DebugStop SteppedRanksDebugger::stopOf(Reason reason, std::string text) const {
    DebugStop stop = shownDebugger().lastStop();
    stop.reason = reason;
    stop.text = std::move(text);
    return stop;
}

DebugStop SteppedRanksDebugger::stopAtEnd() const {
    const std::string text = "all " + counted(ranks(), "rank") + " have ended";
    const std::string& shown = shownDebugger().lastStop().text;
    return stopOf(Reason::ended,
                  shownDebugger().state().comparing ? text + "; " + rankName(state_.shown) + ": " + shown : text);
}

/// The text of the shown rank's last stop.
std::string SteppedRanksDebugger::shownText() const {
    return rankName(state_.shown) + ": " + shownDebugger().lastStop().text;
}

bool SteppedRanksDebugger::allEnded() const {
    return std::ranges::all_of(debuggers_, [](const auto& each) { return each->position().ended(); });
}

// --- running ---

SteppedRanksDebugger::Outcome SteppedRanksDebugger::tryStep(std::size_t rank, bool ahead, const Progress& progress) {
    Debugger& debugger = *debuggers_[rank];
    if (debugger.position().ended()) {  // the last values may not be compared or searched yet
        debugger.step(progress);
        return debugger.lastStop().reason == Reason::ended ? Outcome::ended : Outcome::stopped;
    }
    const std::size_t before = indexOf(rank);
    const auto place = worlds_->place(rank);
    places_[rank].resize(before);
    places_[rank].push_back(place);
    worlds_->begin(rank, ahead);
    {
        const WorldScope scope(worlds_->world(rank));
        debugger.step(progress);
    }
    state_.ranks[rank].waits = worlds_->waitsFor(rank);
    const Reason reason = debugger.lastStop().reason;
    if (reason == Reason::failed) {
        worlds_->repeatFrom(rank, place);
        return waits(rank) ? Outcome::waits : Outcome::failed;
    }
    return reason == Reason::stepped || (reason == Reason::ended && indexOf(rank) > before) ? Outcome::stepped
                                                                                            : Outcome::stopped;
}

/// Every rank that has not made its step tries to; waiting ranks retry after others. Returns how many have made it.
std::size_t SteppedRanksDebugger::stepAll(std::vector<Outcome>& outcomes, bool ahead, const Progress& progress) {
    std::size_t moved = 0;
    for (bool any = true; any;) {
        any = false;
        for (std::size_t rank = 0; rank < ranks(); ++rank) {
            if (outcomes[rank] != Outcome::waits) continue;
            outcomes[rank] = tryStep(rank, ahead, progress);
            if (outcomes[rank] == Outcome::waits) continue;
            any = true;
            if (outcomes[rank] != Outcome::ended) ++moved;
            if (outcomes[rank] == Outcome::failed) return moved;
        }
    }
    return moved;
}

/// One step of every rank that can make one and has made fewer than `targets` says; empty: no limit. True if there is a
/// reason to stop, which becomes the last stop.
bool SteppedRanksDebugger::round(const Progress& progress, const Indices& targets) {
    const Indices before = indices();
    std::vector<Outcome> outcomes(ranks(), Outcome::waits);
    for (std::size_t rank = 0; rank < targets.size(); ++rank)
        if (before[rank] >= targets[rank]) outcomes[rank] = Outcome::rests;
    const auto waits = [&] { return std::ranges::find(outcomes, Outcome::waits) != outcomes.end(); };
    std::size_t moved = 0;
    const auto note = [&] {
        if (indices() != before) rounds_.push_back(before);
    };
    try {
        moved = stepAll(outcomes, false, progress);
        if (moved == 0 && waits()) moved = stepAll(outcomes, true, progress);
    } catch (const Cancelled&) {
        note();
        state_.stoppedBy.clear();
        state_.stop = stopOf(Reason::reached, "the run was stopped");
        throw;
    }
    note();
    for (const Outcome outcome : {Outcome::failed, Outcome::stopped}) {
        std::vector<std::size_t> found;
        for (std::size_t rank = 0; rank < ranks(); ++rank)
            if (outcomes[rank] == outcome) found.push_back(rank);
        if (found.empty()) continue;
        stopFor(found);
        return true;
    }
    state_.stoppedBy.clear();
    if (moved > 0) return false;
    if (waits()) stopInVain();
    else state_.stop = stopAtEnd();
    return true;
}

/// Described by the shown rank if it is among them, otherwise by the first; the others are mentioned after it.
void SteppedRanksDebugger::stopFor(std::vector<std::size_t> stopped) {
    state_.stoppedBy = stopped;
    if (std::ranges::find(stopped, state_.shown) == stopped.end()) state_.shown = stopped.front();
    std::erase(stopped, state_.shown);
    std::string text = shownText();
    if (!stopped.empty()) text += "; stopped as well: " + rankNames(stopped);
    state_.stop = stopOf(shownDebugger().lastStop().reason, std::move(text));
}

void SteppedRanksDebugger::stopInVain() {
    std::vector<RankStand> stands;
    for (std::size_t rank = 0; rank < ranks(); ++rank)
        stands.push_back({state_.ranks[rank].waits, debuggers_[rank]->position().ended()});
    state_.stop = stopOf(Reason::failed, standstillText(stands));
}

void SteppedRanksDebugger::advance(const Progress& progress, const std::function<bool()>& until, Reason reason) {
    for (;;) {
        if (round(progress)) return;
        if (!until()) continue;
        std::vector<std::size_t> waiting;
        for (std::size_t rank = 0; rank < ranks(); ++rank)
            if (waits(rank)) waiting.push_back(rank);
        std::string text = shownText();
        if (waits(state_.shown))
            text = rankName(state_.shown) + " waits for others at " + state_.ranks[state_.shown].waits;
        else if (!waiting.empty()) text += "; " + rankNames(waiting) + " waiting for others";
        state_.stop = stopOf(allEnded() ? Reason::ended : reason, std::move(text));
        return;
    }
}

void SteppedRanksDebugger::goOn(DebugVerb verb, const Progress& progress) {
    const DebugPosition start = shownDebugger().position();
    const auto until = [&] { return hasArrived(verb, record(state_.shown), start, shownDebugger().position()); };
    advance(progress, until, verb == DebugVerb::step ? Reason::stepped : Reason::reached);
}

void SteppedRanksDebugger::runToNode(GraphKind graph, NodeId node, const Progress& progress) {
    const std::size_t target = targetOf(graph, node), rank = state_.shown;
    if (target <= indexOf(rank)) {
        Indices there = indices();
        while (!rounds_.empty() && there[rank] > target) {
            there = rounds_.back();
            rounds_.pop_back();
        }
        goBackTo(there);
        state_.stop = stopHere();  // the target is of the shown rank
    } else {
        advance(
            progress, [&] { return indexOf(rank) >= target; }, Reason::reached);
        if (state_.stop.reason != Reason::reached) return;
    }
    state_.stop.node = node;
    state_.stop.graph = graph;
}

void SteppedRanksDebugger::goToPlaces(const std::vector<RankPlace>& places, const Progress& progress) {
    requireOfAll(places);
    startOver();
    Indices targets;
    for (std::size_t rank = 0; rank < ranks(); ++rank) targets.push_back(indexAt(rank, places[rank].position));
    std::vector<bool> tried(ranks());  // to make the waiting step
    for (bool behind = true; behind;) {
        behind = false;
        for (std::size_t rank = 0; rank < ranks(); ++rank) {
            if (indexOf(rank) < targets[rank]) behind = true;
            else if (!places[rank].waits.empty() && !tried[rank]) {
                tryStep(rank, false, progress);
                tried[rank] = true;
            }
        }
        if (behind && round(progress, targets)) return;
    }
    state_.stop = allEnded() ? stopAtEnd() : stopHere();
}

void SteppedRanksDebugger::findNotFinite(const Progress& progress) {
    goOn(DebugVerb::run, progress);
    if (state_.stop.reason != Reason::ended) return;
    std::optional<std::size_t> earliest;
    std::size_t first = 0;
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
        debuggers_[rank]->runToNotFinite(progress);
        const DebugStop& stop = debuggers_[rank]->lastStop();
        if (stop.reason != Reason::notFinite) continue;
        const auto steps = debuggers_[rank]->steps();
        const auto at = static_cast<std::size_t>(
            std::ranges::find_if(steps,
                                 [&](const DebugStep& s) { return s.graph == stop.graph && s.node == stop.node; }) -
            steps.begin());
        const std::size_t place = at == steps.size() ? 0 : at;  // an input
        if (earliest && place >= first) continue;
        earliest = rank;
        first = place;
    }
    if (earliest) stopFor({*earliest});
    else state_.stop.text += "; " + shownText();
}

// --- going back ---

void SteppedRanksDebugger::goBackTo(const Indices& there) {
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
        const bool back = indexOf(rank) > there[rank];
        while (indexOf(rank) > there[rank]) debuggers_[rank]->stepBack();
        if (back) worlds_->goBackTo(rank, places_[rank][there[rank]]);
        state_.ranks[rank].waits.clear();
    }
    state_.stoppedBy.clear();
}

void SteppedRanksDebugger::goBack() {
    if (rounds_.empty()) {
        state_.stop = stopOf(Reason::reached, "this is the start of the run");
        return;
    }
    const Indices there = rounds_.back();
    rounds_.pop_back();
    goBackTo(there);
    state_.stop = stopHere();
}

void SteppedRanksDebugger::startOver() {
    worlds_ = std::make_unique<SteppedRanks>(shape_);
    places_.assign(ranks(), {});
    rounds_.clear();
    for (RankPlace& rank : state_.ranks) rank.waits.clear();
    state_.stoppedBy.clear();
    for (const auto& debugger : debuggers_) debugger->restart();
    state_.stop = stopOf(Reason::started, counted(ranks(), "rank") + "; " + shownDebugger().lastStop().text);
}

void SteppedRanksDebugger::edit(const DebugCommand& command) {
    const std::size_t rank = state_.shown;
    debuggers_[rank]->execute(command, {});
    const std::size_t index = indexOf(rank);
    Indices there = indices();
    while (!rounds_.empty() && rounds_.back()[rank] >= index) {
        there = rounds_.back();
        rounds_.pop_back();
    }
    there[rank] = index;
    if (index < places_[rank].size()) worlds_->goBackTo(rank, places_[rank][index]);
    goBackTo(there);
    state_.stop = stopHere();
}

// --- queries for all ranks ---

void SteppedRanksDebugger::compareToEager(const Progress& progress) {
    RankTurns(shape_, saveRandomState).run([&](std::size_t rank) { debuggers_[rank]->compareWithEager(progress); });
}

void SteppedRanksDebugger::compareToRun(Debugger* other, const Progress& progress) {
    auto* run = dynamic_cast<SteppedRanksDebugger*>(other);
    if (!run || run->ranks() != ranks())
        throw Error("the run to compare with has other ranks; expected " + counted(ranks(), "rank"));
    run->run(progress);
    if (run->lastStop().reason != Reason::ended)
        throw Error("the run to compare with did not finish: " + run->lastStop().text);
    for (std::size_t rank = 0; rank < ranks(); ++rank)
        debuggers_[rank]->execute({.verb = DebugVerb::compareWith, .other = run->debuggers_[rank]}, progress);
}

}  // namespace aotscope
