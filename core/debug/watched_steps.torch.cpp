#include "debug/watched_steps.h"

#include "support/error.h"

#include <algorithm>
#include <unordered_set>

namespace aotscope {

WatchedSteps::WatchedSteps(WatchedGraph watched, std::shared_ptr<const Graph> graph, ConstantTable constants)
    : SteppedGraph(std::move(graph)), watched_(std::move(watched)), constants_(std::move(constants)) {
    for (const Node* node : graph_->nodes())
        if (node->kind() == NodeKind::constant)
            if (const auto it = constants_.find(node->op()); it != constants_.end()) given_[node->id()] = it->second;
    listSteps();
}

void WatchedSteps::listSteps() {
    const auto nodes = [this](const std::vector<NodeId>& ids) {
        std::vector<const Node*> found;
        for (const NodeId id : ids)
            if (const Node* node = graph_->findById(id)) found.push_back(node);
        return found;
    };
    steps_.clear();
    for (const WatchedStep& step : watched_.steps())
        steps_.push_back({graph_->findById(step.node), nodes(step.results), nodes(step.inside)});
    findSteps();
}

void WatchedSteps::start(const std::vector<c10::IValue>& arguments, const RandomState& random) {
    next_ = 0;
    edited_.clear();
    const auto placeholders = graph_->placeholders();
    check(arguments.size() == placeholders.size(), "a graph gets one value for each placeholder");
    for (std::size_t i = 0; i < placeholders.size(); ++i) given_[placeholders[i]->id()] = arguments[i];
    const auto isSame = [](const c10::IValue& a, const c10::IValue& b) { return a.is(b); };
    if (start_ && std::ranges::equal(arguments, arguments_, isSame)) return;
    arguments_ = arguments;
    start_ = random;
    const bool decided = first_.after.has_value();
    first_ = watched_.run(arguments_, *start_);
    if (!decided) listSteps();
}

bool WatchedSteps::failsAt(const Step& step) const {
    const WatchedRun& run = current();
    if (run.error.empty()) return false;
    if (run.failed != kNoNode) return step.node->id() == run.failed;
    return std::ranges::none_of(step.results, [&](const Node* node) { return run.values.contains(node->id()); });
}

void WatchedSteps::execute(RandomState& random) {
    if (failsAt(steps_[next_])) throw Error(current().error);
    ++next_;
    if (ended() && current().after) random = *current().after;
}

void WatchedSteps::goBackTo(std::size_t step, RandomState& random) {
    if (step == next_) return;
    next_ = step;
    std::erase_if(edited_, [&](const Edited& edit) { return edit.ready > step; });
    random = *start_;
}

const c10::IValue* WatchedSteps::value(const Node& node) const {
    const Node& place = valueNodeOf(node);
    const auto ready = readyAfter(place);
    if (!ready || *ready > next_ || !start_) return nullptr;
    if (!edited_.empty())
        if (const auto it = edited_.back().values.find(place.id()); it != edited_.back().values.end())
            return &it->second;
    const auto& values = *ready == 0 ? given_ : current().values;
    const auto it = values.find(place.id());
    return it == values.end() ? nullptr : &it->second;
}

void WatchedSteps::setValue(const Node& node, c10::IValue value, RandomState& random) {
    const Node& place = valueNodeOf(node);
    const auto ready = readyAfter(place);
    check(ready && *ready <= next_, "only a value that is there can be replaced");
    goBackTo(*ready, random);
    Edited edit{*ready, edited_.empty() ? WatchedGraph::Edits() : edited_.back().values, {}};
    edit.values[place.id()] = std::move(value);
    edit.run = watched_.run(arguments_, *start_, edit.values);
    keepComputed(place, *ready, edit.run);
    edited_.push_back(std::move(edit));
}

void WatchedSteps::keepComputed(const Node& edited, std::size_t ready, WatchedRun& run) const {
    std::unordered_set<const Node*> following = {&edited};
    for (const Node* node : graph_->nodes())
        if (std::ranges::any_of(node->inputs(), [&](const Node* input) { return following.contains(input); }))
            following.insert(node);
    for (std::size_t i = 0; i < ready; ++i)
        for (const Node* node : steps_[i].results) {
            const auto before = current().values.find(node->id());
            if (before != current().values.end() && !(following.contains(node) && run.values.contains(node->id())))
                run.values[node->id()] = before->second;
        }
}

/// For isolated operations; null if LibTorch does not have one.
const InterpretedSteps* WatchedSteps::plain() const {
    if (plain_) return &*plain_;
    try {
        plain_.emplace(graph_, constants_, false);
    } catch (const Error&) {
        return nullptr;
    }
    plain_->start(arguments_, *start_);
    return &*plain_;
}

bool WatchedSteps::canCallAgain(const Node& call) const {
    const auto ready = readyAfter(call);
    return ready && *ready <= next_ && start_ && plain() && plain()->isPure(call);
}

std::vector<c10::IValue> WatchedSteps::callAgain(const IsolatedCall& call) const { return plain()->callAgain(call); }

}  // namespace aotscope
