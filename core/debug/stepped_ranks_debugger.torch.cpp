#include "debug/stepped_ranks_debugger.h"

#include "aten/random_state.h"
#include "distributed/launch.h"
#include "distributed/mailbox.h"
#include "distributed/rank_turns.h"
#include "distributed/stepped_ranks.h"
#include "ir/provenance.h"
#include "ops/op_table.h"
#include "support/error.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

using Reason = DebugStop::Reason;

namespace {

std::string rankName(std::size_t rank) { return "rank " + std::to_string(rank); }

std::string moduleNamed(const Node* node) {
    const auto source = node ? provenanceOf(*node).source : nullptr;
    return source ? source->module : std::string();
}

}  // namespace

SteppedRanksDebugger::SteppedRanksDebugger(const WorldShape& shape, std::vector<std::shared_ptr<Debugger>> ranks,
                                           std::vector<std::shared_ptr<const CompileRecord>> records)
    : RanksDebugger(std::move(records)), shape_(shape), debuggers_(std::move(ranks)) {
    check(debuggers_.size() == this->ranks(), "every rank has a debugger and a record");
    shape_.size = debuggers_.size();
    shape_.rank = 0;
    for (const auto& debugger : debuggers_) {
        const auto steps = debugger->steps();
        stepsBefore_.push_back(
            steps.size() - static_cast<std::size_t>(std::ranges::count(steps, GraphKind::backward, &DebugStep::graph)));
    }
    SteppedRanksDebugger::restart();
}

SteppedRanksDebugger::~SteppedRanksDebugger() = default;

std::vector<std::optional<ValueFacts>> SteppedRanksDebugger::values(const std::vector<RankNode>& nodes,
                                                                    const Progress& progress) const {
    std::vector<std::optional<ValueFacts>> values;
    for (const RankNode& node : nodes) {
        progress.throwIfCancelled();
        values.push_back(debuggers_.at(node.rank)->value(node.graph, node.node));
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
    const auto own = record(shown_).graph(graph);
    const Node* node = own ? own->findById(id) : nullptr;
    if (node && isGetitem(*node)) node = node->args()[0].node();
    const auto steps = debuggers_[shown_]->steps();
    for (std::size_t i = 0; node && i < steps.size(); ++i)
        if (steps[i].graph == graph && (node->kind() != NodeKind::call || steps[i].node == node->id())) return i;
    throw Error("there is no such node in a " + std::string(name(graph)) + " graph of " + rankName(shown_) +
                ", or nothing uses its values");
}

DebugStop SteppedRanksDebugger::stopOf(Reason reason, std::string text) const {
    DebugStop stop = debuggers_[shown_]->lastStop();
    stop.reason = reason;
    stop.text = std::move(text);
    return stop;
}

DebugStop SteppedRanksDebugger::stopAtEnd() const {
    const std::string text = "all " + counted(ranks(), "rank") + " have ended";
    const std::string& shown = debuggers_[shown_]->lastStop().text;
    return stopOf(Reason::ended, comparing() ? text + "; " + rankName(shown_) + ": " + shown : text);
}

/// The text of the shown rank's last stop.
std::string SteppedRanksDebugger::shownText() const {
    return rankName(shown_) + ": " + debuggers_[shown_]->lastStop().text;
}

bool SteppedRanksDebugger::allEnded() const {
    return std::ranges::all_of(debuggers_, [](const auto& each) { return each->position().ended(); });
}

// --- running ---

SteppedRanksDebugger::Outcome SteppedRanksDebugger::tryStep(std::size_t rank, bool ahead, const Progress& progress) {
    Debugger& debugger = *debuggers_[rank];
    if (debugger.position().ended()) {  // the last values may still have to be compared or searched
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
    waits_[rank] = worlds_->waitsFor(rank);
    const Reason reason = debugger.lastStop().reason;
    if (reason == Reason::failed) {
        worlds_->repeatFrom(rank, place);
        return waits_[rank].empty() ? Outcome::failed : Outcome::waits;
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
        stoppedBy_.clear();
        last_ = stopOf(Reason::reached, "the run was stopped");
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
    stoppedBy_.clear();
    if (moved > 0) return false;
    if (waits()) stopInVain();
    else last_ = stopAtEnd();
    return true;
}

/// Described by the shown rank if it is among them, otherwise by the first; the others are mentioned after it.
void SteppedRanksDebugger::stopFor(std::vector<std::size_t> stopped) {
    stoppedBy_ = stopped;
    if (std::ranges::find(stopped, shown_) == stopped.end()) shown_ = stopped.front();
    std::erase(stopped, shown_);
    std::string text = shownText();
    if (!stopped.empty()) text += "; stopped as well: " + rankNames(stopped);
    last_ = stopOf(debuggers_[shown_]->lastStop().reason, std::move(text));
}

void SteppedRanksDebugger::stopInVain() {
    std::vector<RankStand> stands;
    for (std::size_t rank = 0; rank < ranks(); ++rank)
        stands.push_back({waits_[rank], debuggers_[rank]->position().ended()});
    last_ = stopOf(Reason::failed, standstillText(stands));
}

void SteppedRanksDebugger::advance(const Progress& progress, const std::function<bool()>& until, Reason reason) {
    for (;;) {
        if (round(progress)) return;
        if (!until()) continue;
        std::vector<std::size_t> waiting;
        for (std::size_t rank = 0; rank < ranks(); ++rank)
            if (!waits_[rank].empty()) waiting.push_back(rank);
        std::string text = shownText();
        if (!waits_[shown_].empty()) text = rankName(shown_) + " waits for others at " + waits_[shown_];
        else if (!waiting.empty()) text += "; " + rankNames(waiting) + " waiting for others";
        last_ = stopOf(allEnded() ? Reason::ended : reason, std::move(text));
        return;
    }
}

void SteppedRanksDebugger::step(const Progress& progress) {
    advance(
        progress, [] { return true; }, Reason::stepped);
}

void SteppedRanksDebugger::run(const Progress& progress) {
    advance(
        progress, [] { return false; }, Reason::reached);
}

void SteppedRanksDebugger::stepOverModule(const Progress& progress) {
    const DebugPosition start = position();
    const auto moduleAt = [&](const DebugPosition& at) {
        return at.ended() ? std::string() : moduleNamed(record(shown_).graph(at.graph)->findById(at.node));
    };
    const std::string module = moduleAt(start);
    const auto left = [&] {
        const DebugPosition now = position();
        const std::string inside = moduleAt(now);
        const bool within = inside == module || inside.starts_with(module + ".");
        return now.ended() || now.graph != start.graph || module.empty() || !within;
    };
    advance(progress, left, Reason::reached);
}

void SteppedRanksDebugger::runTo(GraphKind graph, NodeId node, const Progress& progress) {
    const std::size_t target = targetOf(graph, node), rank = shown_;
    if (target <= indexOf(rank)) {
        Indices there = indices();
        while (!rounds_.empty() && there[rank] > target) {
            there = rounds_.back();
            rounds_.pop_back();
        }
        goBackTo(there);
        last_ = stopHere();  // the target belongs to the shown rank
    } else {
        advance(
            progress, [&] { return indexOf(rank) >= target; }, Reason::reached);
        if (last_.reason != Reason::reached) return;
    }
    last_.node = node;
    last_.graph = graph;
}

/// The ranks exchange the same in any order.
void SteppedRanksDebugger::goTo(const std::vector<RankPlace>& places, const Progress& progress) {
    if (places.size() != ranks())
        throw Error("there are places of " + counted(places.size(), "rank") + "; the run has " +
                    counted(ranks(), "rank"));
    restart();
    Indices targets;
    for (std::size_t rank = 0; rank < ranks(); ++rank) targets.push_back(indexAt(rank, places[rank].position));
    std::vector<bool> tried(ranks());  // to make the waiting step
    for (bool behind = true; behind;) {
        behind = false;
        for (std::size_t rank = 0; rank < ranks(); ++rank) {
            if (indexOf(rank) < targets[rank]) behind = true;
            else if (places[rank].waits && !tried[rank]) {
                tryStep(rank, false, progress);
                tried[rank] = true;
            }
        }
        if (behind && round(progress, targets)) return;
    }
    last_ = allEnded() ? stopAtEnd() : stopHere();
}

void SteppedRanksDebugger::runToNotFinite(const Progress& progress) {
    run(progress);
    if (last_.reason != Reason::ended) return;
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
    else last_.text += "; " + shownText();
}

// --- going back ---

void SteppedRanksDebugger::goBackTo(const Indices& there) {
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
        const bool back = indexOf(rank) > there[rank];
        while (indexOf(rank) > there[rank]) debuggers_[rank]->stepBack();
        if (back) worlds_->goBackTo(rank, places_[rank][there[rank]]);
        waits_[rank].clear();
    }
    stoppedBy_.clear();
}

void SteppedRanksDebugger::stepBack() {
    if (rounds_.empty()) {
        last_ = stopOf(Reason::reached, "this is the start of the run");
        return;
    }
    const Indices there = rounds_.back();
    rounds_.pop_back();
    goBackTo(there);
    last_ = stopHere();
}

void SteppedRanksDebugger::restart() {
    worlds_ = std::make_unique<SteppedRanks>(shape_);
    places_.assign(ranks(), {});
    rounds_.clear();
    waits_.assign(ranks(), {});
    stoppedBy_.clear();
    for (const auto& debugger : debuggers_) debugger->restart();
    last_ = stopOf(Reason::started, counted(ranks(), "rank") + "; " + debuggers_[shown_]->lastStop().text);
}

void SteppedRanksDebugger::edit(GraphKind graph, NodeId node, const std::string& value) {
    debuggers_[shown_]->edit(graph, node, value);
    const std::size_t index = indexOf(shown_);
    Indices there = indices();
    while (!rounds_.empty() && rounds_.back()[shown_] >= index) {
        there = rounds_.back();
        rounds_.pop_back();
    }
    there[shown_] = index;
    if (index < places_[shown_].size()) worlds_->goBackTo(shown_, places_[shown_][index]);
    goBackTo(there);
    last_ = stopHere();
}

// --- queries for all ranks ---

std::vector<int> SteppedRanksDebugger::hits() const {
    std::vector<int> sums(breakpoints().size());
    for (const auto& debugger : debuggers_) {
        const std::vector<int> own = debugger->hits();
        for (std::size_t i = 0; i < std::min(sums.size(), own.size()); ++i) sums[i] += own[i];
    }
    return sums;
}

void SteppedRanksDebugger::setBreakpoints(std::vector<DebugBreakpoint> breakpoints) {
    for (const auto& debugger : debuggers_) debugger->setBreakpoints(breakpoints);
}

void SteppedRanksDebugger::compareWithEager(const Progress& progress) {
    RankTurns(shape_, saveRandomState).run([&](std::size_t rank) { debuggers_[rank]->compareWithEager(progress); });
}

void SteppedRanksDebugger::compareWith(Debugger& other, const Progress& progress) {
    auto* run = dynamic_cast<SteppedRanksDebugger*>(&other);
    if (!run || run->ranks() != ranks())
        throw Error("the run to compare with has other ranks; expected " + counted(ranks(), "rank"));
    run->run(progress);
    if (run->lastStop().reason != Reason::ended)
        throw Error("the run to compare with did not finish: " + run->lastStop().text);
    for (std::size_t rank = 0; rank < ranks(); ++rank) debuggers_[rank]->compareWith(*run->debuggers_[rank], progress);
}

void SteppedRanksDebugger::stopComparing() {
    for (const auto& debugger : debuggers_) debugger->stopComparing();
}

std::string SteppedRanksDebugger::callAsPython(GraphKind graph, NodeId node, const Progress& progress) const {
    return debuggers_[shown_]->callAsPython(graph, node, progress);
}

}  // namespace aotscope
