#include "canvas/alike.h"

#include "canvas/layout/box_size.h"

#include <QHash>
#include <map>

namespace aotscope {

namespace {

using Index = std::size_t;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    return (hash ^ (value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2))) * 0xff51afd7ed558ccdULL;
}
std::uint64_t mixed(std::uint64_t hash, const QString& text) { return mixed(hash, qHash(text, 0)); }

/// `module` as shown inside a group.
QString within(const QString& module, const QString& group) {
    if (group.isEmpty()) return module;
    if (module.startsWith(group + u'.')) return module.mid(group.size() + 1);
    return module == group || group.startsWith(module + u'.') || module.isEmpty() ? QString() : module;
}

class Comparer {
public:
    Comparer(DrawnGraph& graph, GroupTree& tree) : graph_(graph), tree_(tree), inputs_(graph.nodes.size()) {
        for (const auto& edge : graph.edges) inputs_[static_cast<Index>(edge.to)].push_back(edge.from);
    }

    void run() {
        members_.resize(tree_.size());
        for (Index g = tree_.size(); g-- > 1;) {
            members_[g] = tree_.groups[g].boxes;
            for (const int child : tree_.groups[g].children) {
                const auto& below = members_[static_cast<Index>(child)];
                members_[g].insert(members_[g].end(), below.begin(), below.end());
            }
            tree_.groups[g].structure = structureOf(g);
        }
        std::map<std::uint64_t, std::vector<Index>> classes;
        for (Index g = 1; g < tree_.size(); ++g) classes[tree_.groups[g].structure].push_back(g);
        for (const auto& [structure, groups] : classes) {
            for (const Index g : groups) tree_.groups[g].alike = static_cast<int>(groups.size());
            if (groups.size() > 1) levelSizes(groups);
        }
    }

private:
    /// Operations, types and edges in the order of the members; names and places of modules do not count.
    std::uint64_t structureOf(Index g) {
        const auto& members = members_[g];
        place_.clear();
        for (Index i = 0; i < members.size(); ++i) place_[members[i]] = i + 1;
        // An operator that runs one subgraph has the members of that.
        std::uint64_t hash = members.size() + (static_cast<std::uint64_t>(tree_.groups[g].kind) << 32U);
        for (const int box : members) {
            const DrawnNode& node = graph_.nodes[static_cast<Index>(box)];
            hash = mixed(hash, node.title);
            hash = mixed(hash, within(node.origin.module, tree_.groups[g].path));
            hash = mixed(hash, node.lines.value(within(node.origin.module, tree_[node.within].path).isEmpty() ? 0 : 1));
            hash = mixed(hash,
                         static_cast<std::uint64_t>(node.stage) * 16 + static_cast<std::uint64_t>(node.lines.size()));
            for (const int input : inputs_[static_cast<Index>(box)]) hash = mixed(hash, place_.value(input, 0));
        }
        return hash;
    }

    void levelSizes(const std::vector<Index>& groups) {
        const Index count = members_[groups[0]].size();
        for (Index i = 0; i < count; ++i) {
            QSizeF size;
            for (const Index g : groups) size = size.expandedTo(sizeOf(g, i));
            for (const Index g : groups)
                if (i < members_[g].size()) graph_.nodes[static_cast<Index>(members_[g][i])].size = size;
        }
    }
    QSizeF sizeOf(Index g, Index i) const {
        return i < members_[g].size() ? graph_.nodes[static_cast<Index>(members_[g][i])].size : QSizeF();
    }

    DrawnGraph& graph_;
    GroupTree& tree_;
    std::vector<std::vector<int>> inputs_;
    std::vector<std::vector<int>> members_;
    QHash<int, std::uint64_t> place_;
};

}  // namespace

void shortenLabels(DrawnGraph& graph, const GroupTree& tree) {
    for (auto& node : graph.nodes) {
        if (node.kind != DrawnNode::Kind::call || node.origin.module.isEmpty() || node.lines.isEmpty()) continue;
        const QString inside = within(node.origin.module, tree[node.within].path);
        if (inside == node.origin.module) continue;
        if (inside.isEmpty()) node.lines.removeFirst();
        else node.lines.first() = inside;
        node.size = boxSize(node);
    }
}

void findAlike(DrawnGraph& graph, GroupTree& tree) { Comparer(graph, tree).run(); }

}  // namespace aotscope
