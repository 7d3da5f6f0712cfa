// How a debugger examines, compares and edits the values of its run.

#include "debug/edit_value.h"
#include "debug/isolated_call.h"
#include "debug/measure.h"
#include "debug/step_debugger.h"
#include "ops/op_table.h"
#include "support/error.h"
#include "verify/check.h"
#include "verify/judge/reference_values.h"
#include "verify/model_autocast.h"
#include "verify/options_world.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace aotscope {

using Reason = DebugStop::Reason;

namespace {

bool hasInfiniteLiteral(const Argument& argument) {
    if (const auto* number = std::get_if<double>(&argument.value)) return std::isinf(*number);
    const auto* list = argument.list();
    return list && std::ranges::any_of(*list, hasInfiniteLiteral);
}

/// Runs `job`, turning LibTorch's own errors into ours.
template <typename Job>
auto translated(Job&& job) {
    try {
        return job();
    } catch (const Error&) {
        throw;
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& e) {
        throw Error(firstSentence(e.what()));
    }
}

}  // namespace

Debugger::Values StepDebugger::values(const std::vector<ValuePlace>& places, const Progress& progress) const {
    Values values(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        progress.throwIfCancelled();
        if (const c10::IValue* found = valueOf(places[i].graph, places[i].node))
            values[i] = translated([&] { return factsOf(*found); });
    }
    return values;
}

std::optional<ValueImage> StepDebugger::image(GraphKind graph, NodeId node,
                                              const std::vector<std::int64_t>& leading) const {
    const c10::IValue* found = valueOf(graph, node);
    if (!found) return std::nullopt;
    return translated([&] { return imageOf(*found, leading); });
}

std::string StepDebugger::callAsPython(GraphKind graph, NodeId id, const Progress& progress) const {
    const std::size_t half = halfOf(graph, id);
    const SteppedGraph& steps = *halves_[half].graph;
    const Node& node = *halves_[half].facts.at(id).node;
    const Node& call = makerOf(node);
    if (half > at_ || call.kind() != NodeKind::call || !steps.canCallAgain(call)) return {};
    IsolatedCall isolated;
    isolated.node = &call;
    for (const Node* operand : call.inputs()) {
        const c10::IValue* value = steps.value(*operand);
        if (!value) return {};
        isolated.operands.push_back({operand, *value});
    }
    const auto isNotFinite = [&](const IsolatedCall& smaller) {
        try {
            return std::ranges::any_of(steps.callAgain(smaller), [](const c10::IValue& result) {
                const NotFinite found = notFiniteIn(result);
                return found.nans + found.infs > 0;
            });
        } catch (const std::exception&) {  // the parts do not match
            return false;
        }
    };
    std::string text;
    within(progress, [&] {
        text = translated([&] {
            const bool bad = isNotFinite(isolated);
            return aotscope::callAsPython(bad ? cutDown(std::move(isolated), isNotFinite, progress) : isolated);
        });
    });
    return text;
}

void StepDebugger::compareToEager(const Progress& progress) {
    EagerComparison eager;
    const bool ranks = WorldScope::isActive();
    translated([&] {
        const auto autocast = modelAutocast(options_);
        const OptionsWorld world(options_);
        if (!ranks) {
            eager.difference = firstDifference(*modelRun_, compilation_, options_, progress);
            return;
        }
        const CheckResult checked = checkAtExample(*modelRun_, compilation_.function, options_, progress);
        eager.everyValue = World::current()->anyRank(!checked.ok || !edited_.empty());
    });
    compareTo(nullptr);
    // Ranks run eager together, so not only if one of them is edited.
    if (ranks || !edited_.empty()) compareTo(valuesOfEager());
    eager_ = std::move(eager);
}

std::unique_ptr<ReferenceValues> StepDebugger::valuesOfEager() const {
    return translated([&] {
        const auto autocast = modelAutocast(options_);
        const OptionsWorld world(options_);
        return eagerValues(*modelRun_, options_, compilation_.record);
    });
}

void StepDebugger::compareTo(std::unique_ptr<ReferenceValues> reference) {
    reference_ = std::move(reference);
    eager_.reset();
    compared_ = 0;
    sawDifference_ = false;
}

void StepDebugger::compareToRun(Debugger* other, const Progress& progress) {
    auto* run = dynamic_cast<StepDebugger*>(other);
    check(run, "all debuggers are of one kind");
    progress.enter("values of the other run");
    run->run(progress);
    if (run->lastStop().reason != Reason::ended)
        throw Error("the run to compare with did not finish: " + run->lastStop().text);
    std::unordered_map<NodeId, c10::IValue> values;
    for (const Entry& entry : run->values_)
        values.emplace(entry.node->id(), *run->halves_[entry.half].graph->value(*entry.node));
    compareTo(valuesOfRun(std::move(values), record(0), run->record(0)));
}

/// The first value not examined yet that is a reason to stop.
std::optional<DebugStop> StepDebugger::examine(bool notFinite) {
    while (comparing() && compared_ < values_.size())
        if (auto stop = difference(values_[compared_++])) {
            sawDifference_ = true;
            return stop;
        }
    while (notFinite && searched_ < values_.size())
        if (auto stop = originOfNotFinite(values_[searched_++])) return stop;
    return std::nullopt;
}

/// A recomputed node is in both halves; the graph of an earlier pass has all nodes.
bool StepDebugger::isAt(const Entry& entry, const BisectResult& found) const {
    const auto isOf = [&](const Half& half) { return found.graph == half.kind; };
    return found.node == entry.node->id() && (isOf(halves_[entry.half]) || std::ranges::none_of(halves_, isOf));
}

std::optional<DebugStop> StepDebugger::difference(const Entry& entry) const {
    if (eager_ && eager_->difference && isAt(entry, *eager_->difference)) {
        const BisectResult& found = *eager_->difference;
        std::string text = labelOf(*entry.node) + ": " + found.reason;
        if (found.value) text += (found.reason.empty() ? "" : "; ") + describe(*found.value);
        return stopAt(entry, Reason::difference, std::move(text));
    }
    if (!reference_ || (eager_ && !eager_->everyValue && !comesFromEdit(entry))) return std::nullopt;
    const auto found = translated(
        [&] { return reference_->judge(*entry.node, *halves_[entry.half].graph->value(*entry.node)).difference; });
    if (!found) return std::nullopt;
    return stopAt(entry, Reason::difference, labelOf(*entry.node) + ": " + describe(*found, reference_->name()));
}

/// A difference that the check has found and that is not in a step's value, or not in one that the run has passed.
std::optional<DebugStop> StepDebugger::differenceAround() {
    if (!eager_ || !eager_->difference || eager_->told) return std::nullopt;
    const BisectResult& found = *eager_->difference;
    const auto seen = [&](const Entry& entry) { return isAt(entry, found); };
    if (std::ranges::any_of(values_, seen)) return std::nullopt;
    eager_->told = sawDifference_ = true;
    const std::string what = found.found ? describe(found) : describe(found.outputs.front());
    return DebugStop{Reason::difference, "the run has ended; no value of its steps differs by itself, but " + what,
                     executed_.node ? executed_.node->id() : kNoNode, halves_[executed_.half].kind};
}

bool StepDebugger::comesFromEdit(const Entry& entry) const {
    if (edited_.empty()) return false;
    std::vector<Entry> open = {entry};
    std::unordered_set<const Node*> seen;
    while (!open.empty()) {
        const auto [half, node] = open.back();
        open.pop_back();
        if (!seen.insert(node).second) continue;
        if (edited_.contains(node->id())) return true;
        const std::size_t from = node->kind() == NodeKind::placeholder && half > 0 ? half - 1 : half;
        for (const Node* operand : operandsOf(half, *node)) open.push_back({from, operand});
    }
    return false;
}

/// The nodes that a value is computed from; for inputs of the backward, those of the forward.
std::vector<const Node*> StepDebugger::operandsOf(std::size_t half, const Node& node) const {
    if (node.kind() == NodeKind::placeholder) {
        if (half == 0) return {};
        const auto saved = halves_[half - 1].facts.find(node.id());
        return saved == halves_[half - 1].facts.end() ? std::vector<const Node*>() : std::vector{saved->second.node};
    }
    const Node& call = makerOf(node);
    return {call.inputs().begin(), call.inputs().end()};
}

/// Counts for the operands of a value; for operands that are never stored, for their operands.
NotFinite StepDebugger::operandsNotFinite(std::size_t half, const Node& node) const {
    const std::size_t from = node.kind() == NodeKind::placeholder ? half - 1 : half;
    NotFinite all;
    std::vector<const Node*> operands = operandsOf(half, node);
    std::unordered_set<const Node*> seen;
    while (!operands.empty()) {
        const Node* operand = operands.back();
        operands.pop_back();
        if (!seen.insert(operand).second) continue;
        if (const c10::IValue* value = halves_[from].graph->value(*operand)) {
            const NotFinite found = notFiniteIn(*value);
            all.nans += found.nans;
            all.infs += found.infs;
        } else if (operand->kind() == NodeKind::call) {
            const auto inputs = makerOf(*operand).inputs();
            operands.insert(operands.end(), inputs.begin(), inputs.end());
        }
    }
    return all;
}

std::optional<DebugStop> StepDebugger::originOfNotFinite(const Entry& entry) {
    const Node& node = *entry.node;
    const NotFinite found = notFiniteIn(*halves_[entry.half].graph->value(node));
    if (found.nans + found.infs == 0 || (node.kind() == NodeKind::call && isMeaningless(node))) return std::nullopt;
    sawNotFinite_ = true;
    const Node& call = makerOf(node);
    bool infiniteLiteral = std::ranges::any_of(call.args(), hasInfiniteLiteral);
    for (const auto& [key, argument] : call.kwargs()) infiniteLiteral = infiniteLiteral || hasInfiniteLiteral(argument);
    const NotFinite before = operandsNotFinite(entry.half, node);
    const bool nan = found.nans > 0 && before.nans == 0;
    const bool inf = found.infs > 0 && before.nans == 0 && before.infs == 0 && !infiniteLiteral;
    if (!nan && !inf) return std::nullopt;
    const ValueFacts facts = factsOf(*halves_[entry.half].graph->value(node));
    return stopAt(entry, Reason::notFinite,
                  labelOf(node) + " has " + (nan ? "a NaN" : "an infinity") +
                      (node.kind() == NodeKind::call ? " that comes from none of its operands" : "") + ": " +
                      describe(facts));
}

void StepDebugger::setValue(GraphKind graph, NodeId id, const std::string& text) {
    const std::size_t half = halfOf(graph, id);
    const Node& node = *halves_[half].facts.at(id).node;
    const c10::IValue* old = valueOf(graph, id);
    if (!old) {
        const std::string why = whyNoValue(steps(), positionNow(), halves_[half].graph->graph(), graph, node);
        if (why == kNotYet) throw Error("%" + node.name() + " has no value yet: run to the node after it first");
        throw Error("%" + node.name() + " has no value: " + why);
    }
    const c10::IValue value = translated([&] { return editedValue(*old, text, "%" + node.name()); });
    goBackTo(half, *halves_[half].graph->readyAfter(node));
    here().setValue(node, value, random_);
    edited_.insert(id);
    if (eager_ && !reference_) reference_ = valuesOfEager();
    // Examine it again.
    const auto entry = std::ranges::find_if(
        values_, [&](const Entry& e) { return e.half == half && here().value(*e.node) == here().value(node); });
    const auto index = static_cast<std::size_t>(entry - values_.begin());
    compared_ = std::min(compared_, index);
    searched_ = std::min(searched_, index);
    state_.stop = stopAt({half, &node}, Reason::reached, "%" + node.name() + " was edited; the run goes on behind it");
    moveOn();
}

}  // namespace aotscope
