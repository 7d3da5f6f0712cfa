#include "record/run_map.h"

#include "record/level_map.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr std::size_t kMostRelatives = 200;  ///< that are examined

/// The same operation in the same half, whatever its sizes.
bool alike(const Node& a, const Node& b) {
    return a.kind() == b.kind() && a.stage == b.stage && shortOpName(a.op()) == shortOpName(b.op());
}

}  // namespace

RunMap::RunMap(const Graph& before, const Graph& after) : before_(before) {
    const LevelMap map = LevelMap::ofRuns(before, after);
    for (const auto& [old, twin] : map.pairs()) twins_.emplace(old, twin);
    std::unordered_map<std::string_view, const Node*> named;
    for (const Node* node : after.nodes()) named.emplace(node->name(), node);
    for (const Node* node : before.nodes())
        if (const auto same = named.find(node->name()); same != named.end() && alike(*node, *same->second))
            twins_.emplace(node->id(), same->second->id());
}

NodeId RunMap::of(NodeId id) const {
    if (const auto twin = twins_.find(id); twin != twins_.end()) return twin->second;
    const Node* gone = before_.findById(id);
    if (!gone) return kNoNode;
    std::vector<const Node*> family{gone};
    const auto add = [&](const Node* node) {
        // All operations use the same parameters, which therefore do not relate them.
        if (node && node->kind() == NodeKind::call && std::ranges::find(family, node) == family.end())
            family.push_back(node);
    };
    for (std::size_t i = 0; i < family.size() && family.size() < kMostRelatives; ++i) {
        if (const auto twin = twins_.find(family[i]->id()); twin != twins_.end()) return twin->second;
        add(before_.findById(family[i]->autograd.forward));
        for (const Node* input : family[i]->inputs()) add(input);
        for (const Node* user : family[i]->users()) add(user);
    }
    return kNoNode;
}

}  // namespace aotscope
