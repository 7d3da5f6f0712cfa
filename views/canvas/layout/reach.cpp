#include "canvas/layout/reach.h"

#include <unordered_set>

namespace aotscope {

namespace {

template <typename Next>
std::vector<NodeId> reach(const Node& start, int depth, Next&& next) {
    std::vector<NodeId> found;
    std::unordered_set<const Node*> seen{&start};
    std::vector<const Node*> front{&start};
    for (int step = 0; !front.empty() && (depth == kAnyDepth || step < depth); ++step) {
        std::vector<const Node*> further;
        for (const Node* node : front)
            for (const Node* other : next(*node)) {
                if (other->kind() == NodeKind::output || !seen.insert(other).second) continue;
                found.push_back(other->id());
                further.push_back(other);
            }
        front = std::move(further);
    }
    return found;
}

std::vector<NodeId> downwards(const Node& from, const Node& to) {
    const std::vector<NodeId> below = usersOf(from, kAnyDepth), above = inputsOf(to, kAnyDepth);
    const std::unordered_set<NodeId> feeding(above.begin(), above.end());
    std::vector<NodeId> between;
    bool reached = false;
    for (const NodeId id : below) {
        reached = reached || id == to.id();
        if (feeding.contains(id)) between.push_back(id);
    }
    if (!reached) return {};
    between.insert(between.begin(), from.id());
    between.push_back(to.id());
    return between;
}

}  // namespace

std::vector<NodeId> inputsOf(const Node& node, int depth) {
    return reach(node, depth, [](const Node& n) { return n.inputs(); });
}

std::vector<NodeId> usersOf(const Node& node, int depth) {
    return reach(node, depth, [](const Node& n) { return n.users(); });
}

std::vector<NodeId> pathsBetween(const Node& a, const Node& b) {
    std::vector<NodeId> down = downwards(a, b);
    return down.empty() ? downwards(b, a) : down;
}

}  // namespace aotscope
