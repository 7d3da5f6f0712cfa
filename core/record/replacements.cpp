#include "record/replacements.h"

#include "ir/id_table.h"
#include "ops/op_table.h"
#include "record/source_key.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

namespace {

using NodeList = std::vector<const Node*>;

/// The one that holds the result comes first; if that is unknown, the operation that the others prepare for.
std::vector<NodeId> mainFirst(NodeList nodes, const std::vector<NodeId>& results = {}) {
    auto main = std::ranges::find_if(nodes, [&](const Node* node) { return std::ranges::count(results, node->id()); });
    if (main == nodes.end())
        main = std::ranges::max_element(nodes, {}, [](const Node* node) { return node->inputs().size(); });
    std::rotate(nodes.begin(), main, main + 1);
    std::vector<NodeId> ids;
    for (const Node* node : nodes) ids.push_back(node->id());
    return ids;
}

/// The operations on one source line without a partner, and the known values that each of them is computed from.
class LineOfSource {
public:
    using Values = std::set<NodeId>;

    /// `known`: the number of a value in both graphs; used for operands outside of the line.
    LineOfSource(const NodeList& nodes, const std::unordered_map<const Node*, NodeId>& known) {
        for (const Node* node : nodes) {
            Values& own = uses_[node];
            for (const Node* value : node->inputs()) {
                const Node* input = isGetitem(*value) && !known.contains(value) ? value->inputs().front() : value;
                if (const auto inside = uses_.find(input); inside != uses_.end())
                    own.insert(inside->second.begin(), inside->second.end());
                else if (const auto it = known.find(input); it != known.end()) own.insert(it->second);
            }
        }
    }
    const Values& usesOf(const Node* node) const { return uses_.at(node); }

private:
    std::map<const Node*, Values> uses_;
};

/// The number of `uses` among `others`.
std::size_t commonWith(const LineOfSource::Values& others, const LineOfSource::Values& uses) {
    return static_cast<std::size_t>(std::ranges::count_if(uses, [&](NodeId id) { return others.contains(id); }));
}

/// Distributes the operations `after` among the operations `before`: each goes to the first one with most uses in
/// common; ties and unknown ones are distributed evenly in order, as repeated layers share a line.
std::map<const Node*, NodeList> deal(const NodeList& before, const NodeList& after, const LineOfSource& usesBefore,
                                     const LineOfSource& usesAfter) {
    std::map<LineOfSource::Values, std::pair<NodeList, NodeList>> shares;
    for (const Node* node : before) shares[usesBefore.usesOf(node)].first.push_back(node);
    NodeList others;
    for (const Node* node : after) {
        const auto& uses = usesAfter.usesOf(node);
        const auto common = [&](const Node* candidate) { return commonWith(usesBefore.usesOf(candidate), uses); };
        const Node* owner = *std::ranges::max_element(before, {}, common);
        (common(owner) == 0 ? others : shares[usesBefore.usesOf(owner)].second).push_back(node);
    }
    std::map<const Node*, NodeList> dealt;
    const auto evenly = [&](const NodeList& owners, const NodeList& nodes) {
        for (std::size_t i = 0; i < nodes.size(); ++i)
            dealt[owners[i * owners.size() / nodes.size()]].push_back(nodes[i]);
    };
    for (const auto& [uses, share] : shares) evenly(share.first, share.second);
    evenly(before, others);
    return dealt;
}

/// Numbers for values in both graphs: the ids before.
std::pair<std::unordered_map<const Node*, NodeId>, std::unordered_map<const Node*, NodeId>> knownValues(
    const Graph& before, const Graph& after, const NodePairs& paired, const Replacements& replaced) {
    std::unordered_map<NodeId, NodeId> there;
    for (const auto& [left, right] : paired) there[right] = left;
    for (const Replacement& replacement : replaced)
        for (const NodeId right : replacement.after) there[right] = replacement.before.front();
    std::unordered_map<const Node*, NodeId> left, right;
    std::unordered_set<NodeId> both;
    for (const auto& [id, number] : there) both.insert(number);
    for (const Node* node : before.nodes())
        if (both.contains(node->id())) left[node] = node->id();
    for (const Node* node : after.nodes())
        if (const auto it = there.find(node->id()); it != there.end()) right[node] = it->second;
    return {left, right};
}

std::string operationsOf(const std::vector<NodeId>& ids, const Graph& graph, bool withOverload) {
    constexpr std::size_t most = 5;
    std::vector<std::string_view> names;
    for (const NodeId id : ids)
        if (const Node* node = graph.findById(id); node && !isGetitem(*node)) {
            const std::string_view name = withOverload ? std::string_view(node->op()) : shortOpName(node->op());
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
        }
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (text.empty() ? "" : ", ") + std::string(names[i]);
    return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

/// Adds the elements in `graph` that are not in `known` to the replacement side that contains their tuple.
void takeElementsOf(const Graph& graph, const std::unordered_set<NodeId>& known, std::vector<NodeId> Replacement::*side,
                    Replacements& replaced) {
    std::unordered_map<NodeId, std::size_t> places;
    for (std::size_t i = 0; i < replaced.size(); ++i)
        for (const NodeId id : replaced[i].*side) places[id] = i;
    for (const Node* node : graph.nodes()) {
        if (!isGetitem(*node) || known.contains(node->id()) || node->inputs().empty()) continue;
        const auto place = places.find(node->inputs().front()->id());
        if (place == places.end() || places.contains(node->id())) continue;
        (replaced[place->second].*side).push_back(node->id());
        places[node->id()] = place->second;
    }
}

}  // namespace

Replacements replacedByRules(const std::vector<Rewrite>& rewrites, const Graph& before, const Graph& after) {
    using Calls = std::pair<std::string, SourceKey>;
    std::map<Calls, NodeList> calls;
    for (const Node* node : before.nodes())
        if (const auto source = sourceOf(*node)) calls[{node->op(), *source}].push_back(node);
    const NodesById there = nodesById(after);
    std::map<Calls, std::size_t> next;
    Replacements found;
    for (const Rewrite& rewrite : rewrites) {
        if (rewrite.parent >= 0) continue;
        NodeList made;
        for (const NodeId id : rewrite.nodes)
            if (const Node* node = there.at(id); node && !isGetitem(*node)) made.push_back(node);
        const auto first = std::ranges::find_if(made, [](const Node* node) { return sourceOf(*node).has_value(); });
        if (first == made.end()) continue;
        const auto call = calls.find({rewrite.op, *sourceOf(**first)});
        if (call == calls.end()) continue;
        if (const std::size_t index = next[call->first]++; index < call->second.size())
            found.push_back({{call->second[index]->id()}, mainFirst(std::move(made), rewrite.results)});
    }
    return found;
}

Replacements replacedInSource(const Graph& before, const Graph& after, const NodePairs& paired,
                              const Replacements& replaced) {
    std::unordered_set<NodeId> left, right;
    for (const auto& [a, b] : paired) left.insert(a), right.insert(b);
    for (const Replacement& replacement : replaced) {
        left.insert(replacement.before.begin(), replacement.before.end());
        right.insert(replacement.after.begin(), replacement.after.end());
    }
    std::map<SourceKey, std::pair<NodeList, NodeList>> lines;
    for (const Node* node : before.nodes())
        if (const auto source = sourceOf(*node); source && !left.contains(node->id()) && !isGetitem(*node))
            lines[*source].first.push_back(node);
    for (const Node* node : after.nodes())
        if (const auto source = sourceOf(*node); source && !right.contains(node->id()) && !isGetitem(*node))
            lines[*source].second.push_back(node);
    const auto [knownBefore, knownAfter] = knownValues(before, after, paired, replaced);
    Replacements found;
    for (const auto& [source, line] : lines) {
        const auto& [gone, made] = line;
        if (gone.empty() || made.empty()) continue;
        for (auto& [node, nodes] : deal(gone, made, {gone, knownBefore}, {made, knownAfter}))
            found.push_back({{node->id()}, mainFirst(nodes)});
    }
    return found;
}

void takeElements(const Graph& before, const Graph& after, const NodePairs& paired, Replacements& replaced) {
    std::unordered_set<NodeId> left, right;
    for (const auto& [a, b] : paired) left.insert(a), right.insert(b);
    takeElementsOf(before, left, &Replacement::before, replaced);
    takeElementsOf(after, right, &Replacement::after, replaced);
}

std::string describeReplacement(const Replacement& replacement, const Graph& before, const Graph& after) {
    const auto operations = [&](bool withOverload) {
        return std::pair(operationsOf(replacement.before, before, withOverload),
                         operationsOf(replacement.after, after, withOverload));
    };
    auto [from, to] = operations(false);
    if (from == to) std::tie(from, to) = operations(true);
    return from + " -> " + to;
}

}  // namespace aotscope
