#include "debug/step_debugger.h"

#include "aten/random_state.h"
#include "debug/measure.h"
#include "distributed/place.h"
#include "ir/provenance.h"
#include "support/error.h"
#include "support/names.h"
#include "verify/observed_run.h"
#include "verify/options_world.h"

#include <algorithm>

namespace aotscope {

using Reason = DebugStop::Reason;

namespace {

std::string moduleOf(const Node& node) {
    const auto source = provenanceOf(node).source;
    return source ? source->module : std::string();
}

bool isWithin(const std::string& module, const std::string& outer) {
    return module == outer || module.starts_with(outer + ".");
}

}  // namespace

std::string labelOf(const Node& node) {
    std::string text = "%" + node.name();
    if (node.kind() == NodeKind::call) text += " = " + node.op();
    if (!node.label.empty()) text += " '" + node.label + "'";
    const std::string place = placeText(provenanceOf(node).source.get());
    return place.empty() ? text : text + " (" + place + ")";
}

StepDebugger::StepDebugger(std::shared_ptr<const ModelRun> modelRun, const Compilation& compilation,
                           const Options& options)
    : modelRun_(std::move(modelRun)),
      record_(compilation.record),
      options_(options),
      arguments_(graphArguments(*modelRun_, compilation, options_, {})) {
    const RecordFacts facts(*record_);
    for (const GraphKind kind : executedGraphs(*record_)) {
        const auto graph = record_->graph(kind);
        halves_.push_back({kind, SteppedGraph(graph, compilation.constants.working, kind == GraphKind::forward), {}});
        for (const QueryFacts& node : facts.of(*graph, kind)) halves_.back().facts[node.node->id()] = node;
    }
    StepDebugger::restart();
}

DebugPosition StepDebugger::position() const {
    const Node* next = here().nodeOf(here().next());
    return {halves_[at_].kind, here().next(), here().steps(), next ? next->id() : kNoNode};
}

std::vector<DebugStep> StepDebugger::steps() const {
    std::vector<DebugStep> steps;
    for (const Half& half : halves_)
        for (std::size_t i = 0; i < half.graph.steps(); ++i)
            steps.push_back({half.kind, i, half.graph.nodeOf(i)->id()});
    return steps;
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
    return half > at_ ? nullptr : halves_[half].graph.value(*halves_[half].facts.at(node).node);
}

void StepDebugger::start(std::size_t half, const std::vector<c10::IValue>& arguments) {
    at_ = half;
    here().start(arguments);
    for (const Node* node : here().graph().nodes())
        if (node->kind() == NodeKind::placeholder || node->kind() == NodeKind::constant)
            values_.push_back({half, node});
}

/// To the backward, if that is next.
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

void StepDebugger::restart() {
    values_.clear();
    compared_ = searched_ = 0;
    conditions_.forgetHits();
    const RandomStateGuard kept;
    seedRandom(options_.seed);
    random_ = RandomState();
    start(0, arguments_.primals);
    std::string text =
        "the " + std::string(name(halves_[0].kind)) + " is about to start, " + counted(here().steps(), "step");
    if (halves_.size() > 1) text += "; the backward has " + std::to_string(halves_[1].graph.steps());
    last_ = {Reason::started, std::move(text), kNoNode, halves_[0].kind};
    moveOn();
}

void StepDebugger::stepBack() {
    if (here().next() == 0 && (at_ == 0 || halves_[at_ - 1].graph.steps() == 0)) {
        last_ = {Reason::reached, "this is the start of the run", kNoNode, halves_[at_].kind};
        return;
    }
    if (here().next() > 0) goBackTo(at_, here().next() - 1);
    else goBackTo(at_ - 1, halves_[at_ - 1].graph.steps() - 1);
    const Node& next = *here().nodeOf(here().next());
    last_ = stopAt({at_, &next}, Reason::reached, labelOf(next) + " is next again");
}

// --- running ---

void StepDebugger::step(const Progress& progress) {
    advance(progress, Reason::stepped, false, [] { return true; });
}

void StepDebugger::run(const Progress& progress) {
    advance(progress, Reason::reached, false, [] { return false; });
}

void StepDebugger::runToNotFinite(const Progress& progress) {
    advance(progress, Reason::reached, true, [] { return false; });
}

void StepDebugger::advance(const Progress& progress, Reason reason, bool notFinite,
                           const std::function<bool()>& until) {
    const bool fromStart = last_.reason == Reason::started;
    announced_ = {};
    for (bool first = true;; first = false) {
        std::optional<DebugStop> stop = examine(notFinite);
        if (!stop && here().ended())
            stop = DebugStop{Reason::ended, "the run has ended", executed_.node ? executed_.node->id() : kNoNode,
                             halves_[executed_.half].kind};
        if (!stop && (!first || fromStart)) stop = breakpointBefore();
        if (!stop && !first && until()) {
            stop = stopAt(executed_, reason, labelOf(*executed_.node) + " was executed");
            if (reason == Reason::reached) stop->text = labelOf(*here().nodeOf(here().next())) + " is next";
        }
        if (!stop) {
            announce(progress);
            stop = executeNext();
        }
        if (!stop) continue;
        last_ = std::move(*stop);
        return;
    }
}

/// A run that is cancelled has been stopped, too.
void StepDebugger::announce(const Progress& progress) {
    constexpr auto pause = std::chrono::milliseconds(100);
    const Node& next = *here().nodeOf(here().next());
    if (progress.cancelled())
        last_ = stopAt({at_, &next}, Reason::reached, "the run was stopped; " + labelOf(next) + " is next");
    progress.throwIfCancelled();
    const auto now = std::chrono::steady_clock::now();
    if (now - announced_ < pause) return;
    announced_ = now;
    progress.enter(std::string(name(halves_[at_].kind)) + ", step " + std::to_string(here().next() + 1) + " of " +
                   std::to_string(here().steps()));
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
    for (const Node* result : here().resultsOf(step)) values_.push_back({at_, result});
    auto hit = breakpointAfter(step);
    moveOn();
    return hit;
}

std::optional<DebugStop> StepDebugger::breakpointBefore() {
    const std::size_t step = here().next();
    const auto& facts = halves_[at_].facts;
    std::vector<QueryFacts> nodes{facts.at(here().nodeOf(step)->id())};
    for (const Node* result : here().resultsOf(step))
        if (result != nodes[0].node) nodes.push_back(facts.at(result->id()));
    const DebugBreakpoint* hit = conditions_.before(nodes);
    if (!hit) return std::nullopt;
    return stopAt({at_, nodes[0].node}, Reason::breakpoint,
                  "breakpoint '" + hit->condition + "': " + labelOf(*nodes[0].node) + " is next");
}

std::optional<DebugStop> StepDebugger::breakpointAfter(std::size_t step) {
    if (!conditions_.readValues()) return std::nullopt;
    for (const Node* result : here().resultsOf(step)) {
        const ValueFacts value = factsOf(*here().value(*result));
        QueryFacts facts = halves_[at_].facts.at(result->id());
        facts.value = &value;
        if (const DebugBreakpoint* hit = conditions_.after(facts))
            return stopAt({at_, result}, Reason::breakpoint,
                          "breakpoint '" + hit->condition + "': " + labelOf(*result) + " is " + describe(value));
    }
    return std::nullopt;
}

void StepDebugger::stepOverModule(const Progress& progress) {
    const std::size_t half = at_;
    const std::string module = here().ended() ? std::string() : moduleOf(*here().nodeOf(here().next()));
    advance(progress, Reason::reached, false, [&] {
        return at_ != half || module.empty() || !isWithin(moduleOf(*here().nodeOf(here().next())), module);
    });
}

void StepDebugger::runTo(GraphKind graph, NodeId node, const Progress& progress) {
    const std::size_t half = halfOf(graph, node);
    const auto ready = halves_[half].graph.readyAfter(*halves_[half].facts.at(node).node);
    if (!ready) throw Error("nothing uses the values of this node: the run does not reach it");
    const std::size_t step = std::max<std::size_t>(*ready, 1) - 1;
    if (half < at_ || (half == at_ && step <= here().next())) {
        goBackTo(half, step);
        moveOn();
        const Node* next = here().nodeOf(here().next());
        last_ = {Reason::reached, next ? labelOf(*next) + " is next" : "the run has ended", node, graph};
        return;
    }
    advance(progress, Reason::reached, false, [&] { return at_ > half || (at_ == half && here().next() >= step); });
    if (last_.reason != Reason::reached) return;
    last_.node = node;
    last_.graph = graph;
}

}  // namespace aotscope
