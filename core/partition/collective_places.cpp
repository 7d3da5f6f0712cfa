#include "partition/collective_places.h"

#include "ops/collectives.h"
#include "ops/op_table.h"

#include <algorithm>

namespace aotscope {

bool isViewLike(const Node& node) {
    return node.kind() == NodeKind::call &&
           (isGetitem(node) || hasTag(node, kView) || opFamily(node.op()) == OpFamily::view);
}

bool exchangesMessages(const Graph& graph) {
    return std::ranges::any_of(graph.nodes(), [](const Node* node) {
        const auto call = collectiveOf(*node);
        return call && (call->kind == CollectiveKind::send || call->kind == CollectiveKind::receive ||
                        call->kind == CollectiveKind::batch);
    });
}

CollectivePlaces::CollectivePlaces(std::vector<Node*> nodes) : nodes_(std::move(nodes)) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = *nodes_[i];
        places_[&node] = i;
        if (node.kind() == NodeKind::placeholder) first_ = i + 1;
        if (node.kind() == NodeKind::call && isMutating(node.op())) writes_.push_back(i);
    }
}

std::size_t CollectivePlaces::ready(const Node& collective) const {
    const auto write = std::ranges::lower_bound(writes_, of(&collective));
    std::size_t place = write == writes_.begin() ? first_ : std::max(first_, *(write - 1) + 1);
    std::vector<const Node*> pending(collective.inputs().begin(), collective.inputs().end());
    std::set<const Node*> seen;
    while (!pending.empty()) {
        const Node* node = pending.back();
        pending.pop_back();
        if (!seen.insert(node).second) continue;
        if (isViewLike(*node)) pending.insert(pending.end(), node->inputs().begin(), node->inputs().end());
        else place = std::max(place, of(node) + 1);
    }
    return place;
}

std::size_t CollectivePlaces::use(const Node& collective) const {
    const auto write = std::ranges::lower_bound(writes_, of(&collective));
    std::size_t place = write == writes_.end() ? nodes_.size() - 1 : *write;  // the output is last
    std::vector<const Node*> pending = waitsFor(collective);
    while (!pending.empty()) {
        const Node* value = pending.back();
        pending.pop_back();
        for (const Node* user : value->users())
            if (isViewLike(*user) && user->inputs().size() == 1) pending.push_back(user);
            else place = std::min(place, of(user));
    }
    return place;
}

std::vector<Node*> CollectivePlaces::waitAndViews(const Node& wait, std::size_t place) const {
    std::vector<Node*> found;
    std::vector<const Node*> pending{&wait};
    while (!pending.empty()) {
        const Node* value = pending.back();
        pending.pop_back();
        if (of(value) >= place) continue;
        found.push_back(nodes_[of(value)]);
        for (const Node* user : value->users())
            if (isViewLike(*user) && user->inputs().size() == 1) pending.push_back(user);
    }
    std::ranges::sort(found, {}, [&](const Node* node) { return of(node); });
    return found;
}

void Reordering::put(std::size_t place, Node* node) {
    put_[place].push_back(node);
    elsewhere_.insert(node);
}

void Reordering::emit(Node* node) {
    if (done_.insert(node).second) order_.push_back(node);
}

void Reordering::emitViews(Node* input) {
    if (!isViewLike(*input) || done_.contains(input) || elsewhere_.contains(input)) return;
    for (Node* deeper : input->inputs()) emitViews(deeper);
    emit(input);
}

std::vector<Node*> Reordering::order() {
    const std::vector<Node*>& nodes = places_.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (const auto here = put_.find(i); here != put_.end())
            for (Node* node : here->second) {
                for (Node* input : node->inputs()) emitViews(input);
                emit(node);
            }
        if (!elsewhere_.contains(nodes[i])) emit(nodes[i]);
    }
    return std::move(order_);
}

}  // namespace aotscope
