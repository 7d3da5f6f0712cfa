#include "ir/graph.h"

#include "support/enumerators.h"
#include "support/error.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

namespace {

/// The copies of a graph's nodes. Uses ids as indices; a graph with large gaps between ids, or duplicates, uses a hash
/// map.
class Copies {
public:
    Copies(std::size_t nodes, NodeId end) {
        if (static_cast<std::size_t>(end) <= 4 * nodes + 64) byId_.resize(static_cast<std::size_t>(end));
    }

    void add(const Node* original, Node* copy) {
        if (has(original->id()) && !at(original->id()).first) at(original->id()) = {original, copy};
        else others_.emplace(original, copy);
    }

    Node* of(const Node* original) const {
        if (has(original->id()))
            if (const auto& [known, copy] = byId_[static_cast<std::size_t>(original->id())]; known == original)
                return copy;
        return others_.at(original);
    }

private:
    using Pair = std::pair<const Node*, Node*>;
    bool has(NodeId id) const { return id >= 0 && static_cast<std::size_t>(id) < byId_.size(); }
    Pair& at(NodeId id) { return byId_[static_cast<std::size_t>(id)]; }

    std::vector<Pair> byId_;
    std::unordered_map<const Node*, Node*> others_;
};

/// Redirects `argument`, a copy, to the copies of the nodes it refers to.
void moveEdges(Argument& argument, const Copies& copies) {
    if (auto* node = std::get_if<Node*>(&argument.value)) *node = copies.of(*node);
    else if (auto* list = std::get_if<Argument::List>(&argument.value))
        for (Argument& element : *list) moveEdges(element, copies);
}

}  // namespace

std::string_view name(Stage stage) { return spelled(stage); }

std::string_view name(Role role) {
    return role == Role::userInput ? "input" : role == Role::userOutput ? "output" : spelled<'_'>(role);
}

std::optional<Role> roleFromName(std::string_view name) { return enumeratorNamed<Role>(name); }

std::string_view name(CheckpointPolicy policy) {
    using enum CheckpointPolicy;
    return textFor(policy, {{none, ""},
                            {mustSave, "MUST_SAVE"},
                            {preferSave, "PREFER_SAVE"},
                            {mustRecompute, "MUST_RECOMPUTE"},
                            {preferRecompute, "PREFER_RECOMPUTE"}});
}

std::optional<CheckpointPolicy> checkpointPolicyFromName(std::string_view text) {
    return text.empty() ? std::nullopt : enumeratorNamed<CheckpointPolicy>(text);
}

const Argument* Node::argument(std::size_t position, std::string_view keyword) const {
    if (position < args_.size()) return &args_[position];
    const auto named = std::ranges::find(kwargs_, keyword, &KeywordArguments::value_type::first);
    return named == kwargs_.end() ? nullptr : &named->second;
}

std::vector<Node*> Graph::nodes() const {
    std::vector<Node*> all;
    all.reserve(nodes_.size());
    for (const auto& node : nodes_) all.push_back(node.get());
    return all;
}

std::vector<Node*> Graph::placeholders() const {
    std::vector<Node*> found;
    for (const auto& node : nodes_)
        if (node->kind() == NodeKind::placeholder) found.push_back(node.get());
    return found;
}

Node* Graph::output() const {
    if (nodes_.empty() || nodes_.back()->kind() != NodeKind::output)
        failCheck("graph '" + name_ + "' has no output node yet");
    return nodes_.back().get();
}

std::size_t Graph::forwardOutputCount() const {
    return static_cast<std::size_t>(std::count_if(outputSlots_.begin(), outputSlots_.end(),
                                                  [](const OutputSlot& slot) { return slot.role != Role::gradient; }));
}

std::size_t Graph::callCount() const {
    return static_cast<std::size_t>(
        std::count_if(nodes_.begin(), nodes_.end(), [](const auto& n) { return n->kind() == NodeKind::call; }));
}

Node* Graph::findByName(std::string_view name) const {
    for (const auto& node : nodes_)
        if (node->name() == name) return node.get();
    return nullptr;
}

Node* Graph::findById(NodeId id) const {
    if (id == kNoNode) return nullptr;
    if (!byId_.empty()) {
        const auto it = std::ranges::lower_bound(byId_, id, {}, &Node::id);
        return it != byId_.end() && (*it)->id() == id ? *it : nullptr;
    }
    // Ids ascend in most graphs; if they do not, or the id does not exist, all nodes are searched.
    std::size_t low = 0, high = nodes_.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (nodes_[middle]->id() == id) return nodes_[middle].get();
        if (nodes_[middle]->id() < id) low = middle + 1;
        else high = middle;
    }
    for (const auto& node : nodes_)
        if (node->id() == id) return node.get();
    return nullptr;
}

Node* Graph::addPlaceholder(std::string_view name, ValueType type, Role role, std::string label) {
    Node* node = append(NodeKind::placeholder, name);
    node->type = std::move(type);
    node->role = role;
    node->label = std::move(label);
    return node;
}

Node* Graph::addConstant(std::string_view attribute, ValueType type, std::string_view name) {
    Node* node = append(NodeKind::constant, name.empty() ? attribute : name);
    node->op_ = std::string(attribute);
    node->type = std::move(type);
    return node;
}

Node* Graph::addCall(std::string op, std::vector<Argument> args, KeywordArguments kwargs, ValueType type,
                     std::string_view name) {
    Node* node = append(NodeKind::call, name.empty() ? shortOpName(op) : name);
    node->op_ = std::move(op);
    node->type = std::move(type);
    setArguments(node, std::move(args), std::move(kwargs));
    return node;
}

Node* Graph::setOutput(std::vector<Argument> values, std::vector<OutputSlot> slots) {
    check(values.size() == slots.size(), "every output of a graph needs a slot");
    Node* node = append(NodeKind::output, "output");
    setArguments(node, std::move(values));
    outputSlots_ = std::move(slots);
    return node;
}

void Graph::setArguments(Node* node, std::vector<Argument> args, KeywordArguments kwargs) {
    for (Node* input : node->inputs_) std::erase(input->users_, node);
    node->args_ = std::move(args);
    node->kwargs_ = std::move(kwargs);
    node->inputs_.clear();
    constexpr std::size_t few = 32;
    std::unordered_set<const Node*> seen;  // for long lists only
    auto connect = [&, &inputs = node->inputs_](Node* input) {
        if (inputs.size() == few) seen.insert(inputs.begin(), inputs.end());
        const bool isNew = inputs.size() < few ? std::find(inputs.begin(), inputs.end(), input) == inputs.end()
                                               : seen.insert(input).second;
        if (isNew) inputs.push_back(input);
    };
    for (const auto& a : node->args_) forEachNode(a, connect);
    for (const auto& [key, a] : node->kwargs_) forEachNode(a, connect);
    for (Node* input : node->inputs_) input->users_.push_back(node);
}

void Graph::replaceAllUses(Node* node, Node* replacement) {
    auto map = [&](Node* n) { return Argument(n == node ? replacement : n); };
    for (Node* user : std::exchange(node->users_, {})) {
        std::vector<Argument> args;
        for (const auto& a : user->args_) args.push_back(mapNodes(a, map));
        KeywordArguments kwargs;
        for (const auto& [key, a] : user->kwargs_) kwargs.emplace_back(key, mapNodes(a, map));
        setArguments(user, std::move(args), std::move(kwargs));
    }
}

void Graph::reorder(const std::vector<Node*>& order) {
    byId_.clear();
    check(order.size() == nodes_.size(), "reorder needs a permutation of the graph's nodes");
    std::unordered_map<const Node*, std::unique_ptr<Node>> owned;
    for (auto& node : nodes_) {
        Node* key = node.get();
        owned.emplace(key, std::move(node));
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        nodes_[i] = std::move(owned.at(order[i]));
        check(nodes_[i] != nullptr, "reorder names a node twice");
    }
}

std::unique_ptr<Graph> Graph::clone() const {
    auto copy = std::make_unique<Graph>(name_);
    copy->nodes_.reserve(nodes_.size());
    Copies copies(nodes_.size(), nextId_);
    for (const auto& node : nodes_)
        copies.add(node.get(), copy->nodes_.emplace_back(std::make_unique<Node>(*node)).get());
    for (const auto& node : copy->nodes_) {
        for (Argument& a : node->args_) moveEdges(a, copies);
        for (auto& [key, a] : node->kwargs_) moveEdges(a, copies);
        for (Node*& input : node->inputs_) input = copies.of(input);
        for (Node*& user : node->users_) user = copies.of(user);
    }
    copy->symbols_ = symbols_;
    copy->outputSlots_ = outputSlots_;
    copy->nameCounts_ = nameCounts_;
    copy->nextId_ = nextId_;
    return copy;
}

void Graph::setIdentity(Node* node, NodeId id) {
    byId_.clear();
    node->id_ = id;
    nextId_ = std::max(nextId_, id + 1);
}

void Graph::indexIds() {
    byId_ = nodes();
    if (std::ranges::is_sorted(byId_, {}, &Node::id)) byId_.clear();
    else std::ranges::sort(byId_, {}, &Node::id);
}

Node* Graph::append(NodeKind kind, std::string_view baseName) {
    byId_.clear();
    const bool finished = !nodes_.empty() && nodes_.back()->kind() == NodeKind::output;
    if (finished && kind == NodeKind::output) failCheck("graph '" + name_ + "' already ends with its output");
    auto node = std::make_unique<Node>();
    node->id_ = nextId_++;
    node->kind_ = kind;
    node->name_ = uniqueName(baseName);
    return nodes_.insert(nodes_.end() - (finished ? 1 : 0), std::move(node))->get();
}

Node* Graph::adopt(const Node& original) {
    Node* node = append(original.kind(), original.name());
    setIdentity(node, original.id());
    node->op_ = original.op_;
    node->type = original.type;
    node->stage = original.stage;
    node->role = original.role;
    node->label = original.label;
    node->source = original.source;
    node->autograd = original.autograd;
    node->checkpoint = original.checkpoint;
    return node;
}

std::size_t Graph::erase(const std::vector<Node*>& removed) {
    byId_.clear();
    const auto isRemoved = [](const auto& node) { return node->id_ == kNoNode; };
    for (Node* node : removed) node->id_ = kNoNode;
    std::unordered_set<Node*> used;  // by removed nodes; lists of users may be long, so each is traversed once
    for (const Node* node : removed) used.insert(node->inputs_.begin(), node->inputs_.end());
    for (Node* input : used) std::erase_if(input->users_, isRemoved);
    return std::erase_if(nodes_, isRemoved);
}

std::string Graph::uniqueName(std::string_view base) {
    const auto [known, isNew] = nameCounts_.try_emplace(std::string(base), 0);
    if (isNew) return known->first;
    int& count = known->second;
    std::string candidate = std::string(base) + "_";
    const std::size_t stem = candidate.size();
    do candidate.replace(stem, std::string::npos, std::to_string(++count));
    while (!nameCounts_.try_emplace(candidate, 0).second);
    return candidate;
}

std::string_view packetOf(std::string_view op) {
    const auto first = op.find('.');
    const auto second = first == std::string_view::npos ? first : op.find('.', first + 1);
    return op.substr(0, second);
}

std::string_view shortOpName(std::string_view op) {
    const auto packet = packetOf(op);
    const auto dot = packet.find('.');
    return dot == std::string_view::npos ? packet : packet.substr(dot + 1);
}

std::map<std::string, int> opHistogram(const Graph& graph) {
    std::unordered_map<std::string_view, int> counts;
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::call) ++counts[node->op()];
    return {counts.begin(), counts.end()};
}

}  // namespace aotscope
