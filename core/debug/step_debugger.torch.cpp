#include "debug/step_debugger.h"

#include "aten/random_state.h"
#include "debug/interpreted_steps.h"
#include "debug/measure.h"
#include "debug/watched_steps.h"
#include "distributed/place.h"
#include "distributed/world.h"
#include "ir/provenance.h"
#include "ops/collectives.h"
#include "support/library_error.h"
#include "support/names.h"
#include "verify/foreign_job.h"
#include "verify/observed_run.h"
#include "verify/options_world.h"

#include <algorithm>
#include <typeinfo>

namespace aotscope {

using Reason = DebugStop::Reason;

std::string labelOf(const Node& node) {
    std::string text = "%" + node.name();
    if (node.kind() == NodeKind::call) text += " = " + node.op();
    if (!node.label.empty()) text += " '" + node.label + "'";
    const std::string place = placeText(provenanceOf(node).source.get());
    return place.empty() ? text : text + " (" + place + ")";
}

StepDebugger::StepDebugger(std::shared_ptr<const ModelRun> modelRun, const Compilation& compilation,
                           const Options& options, bool confined)
    : Debugger({compilation.record}),
      modelRun_(std::move(modelRun)),
      options_(options),
      compilation_(compilation),
      arguments_(graphArguments(*modelRun_, compilation, options_, {})),
      confined_(confined) {
    const RecordFacts facts(record(0));
    for (const GraphKind kind : executedGraphs(record(0))) {
        halves_.push_back({kind, makeSteps(compilation, kind), {}});
        for (const QueryFacts& node : facts.of(*record(0).graph(kind), kind))
            halves_.back().facts[node.node->id()] = node;
    }
    startOver();
    runOnce();
    noteState();
}

std::unique_ptr<SteppedGraph> StepDebugger::makeSteps(const Compilation& compilation, GraphKind kind) const {
    const CompiledFunction& function = *compilation.function;
    const bool backward = kind == GraphKind::backward, gradMode = kind == GraphKind::forward;
    const auto graph = record(0).graph(kind);
    const ConstantTable& constants = compilation.constants.working;
    const auto interpreted = [&](std::string note) {
        return std::make_unique<InterpretedSteps>(graph, constants, gradMode, std::move(note));
    };
    const auto compilers = function.compilers();
    const CompilerUse& use = backward ? compilers.back() : compilers.front();
    if (use.used == "interpreter") return interpreted(use.note);
    const bool meets = typeid(*World::current()) != typeid(World);  // several ranks run
    if (meets && std::ranges::any_of(graph->nodes(), [](const Node* node) { return communicates(node->op()); }))
        return interpreted("the interpreter steps the " + graph->name() + " graph in place of " + use.used +
                           ", which cannot stop where ranks wait for each other");
    return std::make_unique<WatchedSteps>(watchedHalf(compilation, kind), graph, constants);
}

/// Runs the graphs once: what other compilers than the interpreter show of them is known only afterwards.
void StepDebugger::runOnce() {
    if (std::ranges::none_of(halves_, [](const Half& half) { return half.graph->runsAtOnce(); })) return;
    failureOf([&] {  // a failing kernel is a stop when it is reached again
        for (; !here().ended(); moveOn()) here().execute(random_);
    });
    startOver();
}

void StepDebugger::within(const Progress& progress, const std::function<void()>& job) const {
    if (!confined_) return job();
    confinedJob(Budget(progress), job);
}

const DebugState& StepDebugger::execute(const DebugCommand& command, const Progress& progress) {
    try {
        within(progress, [&] { carryOut(command, progress); });
    } catch (const std::exception&) {
        noteState();
        throw;
    }
    return noteState();
}

void StepDebugger::carryOut(const DebugCommand& command, const Progress& progress) {
    using enum DebugVerb;
    switch (command.verb) {
        case none: return;
        case step:
        case stepOverModule:
        case run:
        case runToNotFinite: return goOn(command.verb, progress);
        case runTo: return runToNode(command.graph, command.node, progress);
        case stepBack: return goBack();
        case restart: return startOver();
        case goTo: return goToPlace(command.places, progress);
        case setBreakpoints: return breakAt(command.breakpoints);
        case compareWithEager: return compareToEager(progress);
        case compareWith: return compareToRun(command.other.get(), progress);
        case stopComparing: return compareTo(nullptr);
        case edit: return setValue(command.graph, command.node, command.value);
    }
}

const DebugState& StepDebugger::noteState() {
    state_.ranks.front().position = positionNow();
    state_.breakpoints = conditions_.breakpoints();
    state_.hits = conditions_.hits();
    state_.comparing = comparing();
    state_.notes = notes();
    return state_;
}

DebugPosition StepDebugger::positionNow() const {
    const Node* next = here().nodeOf(here().next());
    return {halves_[at_].kind, here().next(), here().steps(), next ? next->id() : kNoNode};
}

std::vector<DebugStep> StepDebugger::stepsOf(std::size_t /*rank*/) const {
    std::vector<DebugStep> steps;
    for (const Half& half : halves_)
        for (std::size_t i = 0; i < half.graph->steps(); ++i)
            steps.push_back({half.kind, i, half.graph->nodeOf(i)->id(), idsOf(half.graph->insideOf(i))});
    return steps;
}

std::vector<std::string> StepDebugger::fallbacks() const {
    std::vector<std::string> list;
    if (options_.deviceGraphs)
        list.emplace_back("graphs run operation by operation, and not as captured pieces, while they are stepped");
    for (const Half& half : halves_)
        if (std::string note = half.graph->note(); !half.graph->runsAtOnce() && !note.empty())
            list.push_back(std::move(note));
    return list;
}

std::vector<std::string> StepDebugger::notes() const {
    std::vector<std::string> notes = fallbacks();
    for (const Half& half : halves_)
        if (std::string note = half.graph->note(); half.graph->runsAtOnce() && !note.empty())
            notes.push_back(std::move(note));
    notes.insert(notes.end(), impossible_.begin(), impossible_.end());
    return notes;
}

void StepDebugger::breakAt(const std::vector<DebugBreakpoint>& breakpoints) {
    conditions_.set(breakpoints);
    std::vector<QueryFacts> operations, values;
    for (const Half& half : halves_)
        for (std::size_t i = 0; !breakpoints.empty() && i < half.graph->steps(); ++i) {
            operations.push_back(half.facts.at(half.graph->nodeOf(i)->id()));
            for (const Node* node : half.graph->insideOf(i)) operations.push_back(half.facts.at(node->id()));
            for (const Node* node : half.graph->resultsOf(i)) values.push_back(half.facts.at(node->id()));
        }
    operations.insert(operations.end(), values.begin(), values.end());
    impossible_.clear();
    for (const std::string& condition : conditions_.impossible(operations, values))
        impossible_.push_back("breakpoint '" + condition +
                              "' cannot stop the run: it matches no operation of the graphs");
}

DebugStop StepDebugger::stopAt(const Entry& entry, Reason reason, std::string text) const {
    return {reason, std::move(text), entry.node->id(), halves_[entry.half].kind};
}

// --- where the run is ---

std::size_t StepDebugger::halfOf(GraphKind kind, NodeId node) const {
    for (std::size_t i = 0; i < halves_.size(); ++i)
        if (halves_[i].kind == kind && halves_[i].facts.contains(node)) return i;
    throw Error("there is no node " + std::to_string(node) + " in a " + std::string(name(kind)) +
                " graph of this run; it has a " + std::string(name(halves_[0].kind)) + " graph" +
                (halves_.size() > 1 ? " and a backward" : ""));
}

const c10::IValue* StepDebugger::valueOf(GraphKind kind, NodeId node) const {
    const std::size_t half = halfOf(kind, node);
    return half > at_ ? nullptr : halves_[half].graph->value(*halves_[half].facts.at(node).node);
}

void StepDebugger::start(std::size_t half, const std::vector<c10::IValue>& arguments) {
    at_ = half;
    here().start(arguments, random_);
    for (const Node* node : here().graph().nodes())
        if (node->kind() == NodeKind::placeholder || node->kind() == NodeKind::constant)
            values_.push_back({half, node});
}

/// Moves on to the backward, if that is next.
void StepDebugger::moveOn() {
    while (here().ended() && at_ + 1 < halves_.size()) {
        const std::vector<c10::IValue> returned = here().outputs();
        std::vector<c10::IValue> arguments;
        for (const std::size_t i : savedOutputs(here().graph())) arguments.push_back(returned[i]);
        arguments.insert(arguments.end(), arguments_.tangents.begin(), arguments_.tangents.end());
        start(at_ + 1, arguments);
    }
}

void StepDebugger::goBackTo(std::size_t half, std::size_t step) {
    for (; at_ > half; --at_) here().goBackTo(0, random_);
    here().goBackTo(step, random_);
    std::erase_if(values_, [&](const Entry& entry) {
        return entry.half > half || (entry.half == half && *here().readyAfter(*entry.node) > step);
    });
    compared_ = std::min(compared_, values_.size());
    searched_ = std::min(searched_, values_.size());
}

void StepDebugger::startOver() {
    values_.clear();
    compared_ = searched_ = 0;
    sawNotFinite_ = false;
    edited_.clear();
    conditions_.forgetHits();
    const RandomStateGuard kept(options_.seed);
    random_ = RandomState();
    start(0, arguments_.primals);
    std::string text =
        "the " + std::string(name(halves_[0].kind)) + " is about to start, " + counted(here().steps(), "step");
    if (halves_.size() > 1) text += "; the backward has " + std::to_string(halves_[1].graph->steps());
    state_.stop = {Reason::started, std::move(text), kNoNode, halves_[0].kind};
    moveOn();
}

void StepDebugger::goBack() {
    if (here().next() == 0 && (at_ == 0 || halves_[at_ - 1].graph->steps() == 0)) {
        state_.stop = {Reason::reached, "this is the start of the run", kNoNode, halves_[at_].kind};
        return;
    }
    if (here().next() > 0) goBackTo(at_, here().next() - 1);
    else goBackTo(at_ - 1, halves_[at_ - 1].graph->steps() - 1);
    const Node& next = *here().nodeOf(here().next());
    state_.stop = stopAt({at_, &next}, Reason::reached, labelOf(next) + " is next again");
}

// --- running ---

void StepDebugger::goOn(DebugVerb verb, const Progress& progress) {
    const DebugPosition start = positionNow();
    advance(progress, verb == DebugVerb::step ? Reason::stepped : Reason::reached, verb == DebugVerb::runToNotFinite,
            [&] { return hasArrived(verb, record(0), start, positionNow()); });
}

void StepDebugger::advance(const Progress& progress, Reason reason, bool notFinite,
                           const std::function<bool()>& until) {
    const bool fromStart = state_.stop.reason == Reason::started;
    announced_ = {};
    for (bool first = true;; first = false) {
        std::optional<DebugStop> stop = examine(notFinite);
        if (!stop && here().ended()) stop = differenceAround();
        if (!stop && here().ended()) stop = atEnd(notFinite);
        if (!stop && (!first || fromStart)) stop = breakpointBefore();
        if (!stop && !first && until()) {
            stop = stopAt(executed_, reason, whatWasExecuted() + " was executed");
            if (reason == Reason::reached) stop->text = labelOf(*here().nodeOf(here().next())) + " is next";
        }
        if (!stop) {
            announce(progress);
            stop = executeNext();
        }
        if (!stop) continue;
        state_.stop = std::move(*stop);
        return;
    }
}

DebugStop StepDebugger::atEnd(bool notFinite) const {
    std::string text = "the run has ended";
    if (notFinite)
        text += std::string(": no ") + (sawNotFinite_ ? "other " : "") + "NaN or infinity " +
                (sawNotFinite_ ? "arises in " : "was found in ") + counted(values_.size(), "value");
    if (comparing())
        text += std::string(notFinite ? ", and no " : ": no ") + (sawDifference_ ? "other " : "") + "difference from " +
                (eager_ ? "eager" : reference_->name()) + " in " + counted(values_.size(), "value");
    return {Reason::ended, std::move(text), executed_.node ? executed_.node->id() : kNoNode,
            halves_[executed_.half].kind};
}

std::string StepDebugger::whatWasExecuted() const {
    const std::size_t others = halves_[executed_.half].graph->insideOf(executedStep_).size();
    return labelOf(*executed_.node) +
           (others > 0 ? ", with " + counted(others, "other operation") + " in one kernel," : std::string());
}

/// A canceled run has stopped, too.
void StepDebugger::announce(const Progress& progress) {
    constexpr auto pause = std::chrono::milliseconds(100);
    const Node& next = *here().nodeOf(here().next());
    if (progress.cancelled())
        state_.stop = stopAt({at_, &next}, Reason::reached, "the run was stopped; " + labelOf(next) + " is next");
    progress.throwIfCancelled();
    const auto now = std::chrono::steady_clock::now();
    if (now - announced_ < pause) return;
    announced_ = now;
    progress.enter(stageOf(std::string(name(halves_[at_].kind)) + ", step", here().next() + 1, here().steps()));
}

std::optional<DebugStop> StepDebugger::executeNext() {
    const std::size_t step = here().next();
    const Entry entry{at_, here().nodeOf(step)};
    try {
        const OptionsWorld world(options_);
        const std::string name = "%" + entry.node->name();
        const PlaceScope place(name);
        here().execute(random_);
        modelRun_->model().files.requireWhole();
    } catch (const std::exception& e) {
        return stopAt(entry, Reason::failed, labelOf(*entry.node) + " fails: " + firstSentence(e.what()));
    }
    executed_ = entry;
    executedStep_ = step;
    for (const Node* result : here().resultsOf(step))
        if (here().value(*result)) values_.push_back({at_, result});
    auto hit = breakpointAfter(step);
    moveOn();
    return hit;
}

std::optional<DebugStop> StepDebugger::breakpointBefore() {
    const std::size_t step = here().next();
    const auto& facts = halves_[at_].facts;
    const Node& next = *here().nodeOf(step);
    std::vector<QueryFacts> nodes{facts.at(next.id())};
    for (const auto* list : {&here().resultsOf(step), &here().insideOf(step)})
        for (const Node* node : *list)
            if (node != &next) nodes.push_back(facts.at(node->id()));
    const auto [hit, node] = conditions_.before(nodes);
    if (!hit) return std::nullopt;
    const bool inside = std::ranges::find(here().insideOf(step), node) != here().insideOf(step).end();
    return stopAt({at_, inside ? node : &next}, Reason::breakpoint,
                  "breakpoint '" + hit->condition + "': " + labelOf(inside ? *node : next) +
                      (inside ? " is next, in one kernel with %" + next.name() : " is next"));
}

std::optional<DebugStop> StepDebugger::breakpointAfter(std::size_t step) {
    if (!conditions_.readValues()) return std::nullopt;
    for (const Node* result : here().resultsOf(step)) {
        const c10::IValue* found = here().value(*result);
        if (!found) continue;
        const ValueFacts value = factsOf(*found);
        QueryFacts facts = halves_[at_].facts.at(result->id());
        facts.value = &value;
        if (const DebugBreakpoint* hit = conditions_.after(facts).breakpoint)
            return stopAt({at_, result}, Reason::breakpoint,
                          "breakpoint '" + hit->condition + "': " + labelOf(*result) + " is " + describe(value));
    }
    return std::nullopt;
}

void StepDebugger::runToNode(GraphKind graph, NodeId node, const Progress& progress) {
    const std::size_t half = halfOf(graph, node);
    const auto ready = halves_[half].graph->readyAfter(*halves_[half].facts.at(node).node);
    if (!ready) throw Error("nothing uses the values of this node: the run does not reach it");
    const std::size_t step = std::max<std::size_t>(*ready, 1) - 1;
    if (half < at_ || (half == at_ && step <= here().next())) {
        goBackTo(half, step);
        moveOn();
        const Node* next = here().nodeOf(here().next());
        state_.stop = {Reason::reached, next ? labelOf(*next) + " is next" : "the run has ended", node, graph};
        return;
    }
    advance(progress, Reason::reached, false, [&] { return at_ > half || (at_ == half && here().next() >= step); });
    if (state_.stop.reason != Reason::reached) return;
    state_.stop.node = node;
    state_.stop.graph = graph;
}

void StepDebugger::goToPlace(const std::vector<RankPlace>& places, const Progress& progress) {
    requireOfAll(places);
    startOver();
    const DebugPosition &there = places.front().position, start = positionNow();
    if (there.ended()) goOn(DebugVerb::run, progress);
    else if (there.node != start.node || there.graph != start.graph) runToNode(there.graph, there.node, progress);
}

}  // namespace aotscope
