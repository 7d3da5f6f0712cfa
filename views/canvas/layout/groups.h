#pragma once

#include "canvas/drawn_graph.h"

#include <cstdint>

namespace aotscope {

/// One call of a module, with the boxes of its forward and of its backward. The boxes of either half follow each
/// other in an order in which the graph can run, so that a graph of collapsed groups has no cycles.
///
/// An operator that runs subgraphs is a group of its subgraphs, which are groups, too. They are open and closed
/// together. Where many boxes are outside of modules, those that follow each other are runs: closed, they are one box
/// like a module; open, they have no frame.
struct ModuleGroup {
    enum class Kind : std::uint8_t { module, op, subgraph, run };
    Kind kind = Kind::module;
    QString path;   ///< "blocks.3.c_attn"; empty for the whole graph; of all but modules, of the module around
    QString type;   ///< "Linear"; empty where it is not known
    QString title;  ///< of all but modules: "cond", "true_fn: true_graph_0", "mul … mean"
    QString key;    ///< the path, with a number for later calls: the same group in another pass has the same key
    int box = -1;   ///< operators: their box
    int parent = -1;
    std::vector<int> children;
    std::vector<int> boxes;       ///< directly in it, forward first
    int depth = 0;                ///< of the whole graph 0
    int operations = 0;           ///< in it and in the groups within
    std::uint64_t structure = 0;  ///< the same for groups with the same operations, types and edges
    int alike = 1;                ///< number of groups of this structure
};

/// The modules of a graph as nested groups; the first is the whole graph. Modules of a few operations make no group.
class GroupTree {
public:
    std::vector<ModuleGroup> groups;

    const ModuleGroup& operator[](int group) const { return groups[static_cast<std::size_t>(group)]; }
    std::size_t size() const { return groups.size(); }
    bool isWithin(int group, int ancestor) const;
    int commonAncestor(int a, int b) const;
    /// The depth down to which modules must be open to show what is directly in it.
    int openDepth(int group) const;
    /// The largest depth of a module.
    int deepest() const;
    /// The group that opens and closes with `group`: for a subgraph its operator, else itself.
    int opening(int group) const;
    /// -1: none.
    int byKey(const QString& key) const;
    /// "3" within "blocks"; the whole path at the top.
    QString nameWithin(int group) const;
    /// The path of a module, the title of an operator or subgraph.
    const QString& fullName(int group) const;
};

inline bool hasGroups(const DrawnGraph& graph) { return graph.groups && graph.groups->size() > 1; }

/// Gives the boxes directly in a group their places in the tree.
void placeBoxes(DrawnGraph& graph, const GroupTree& tree, int group);

/// The label of a group: "3 · GPTBlock".
QString titleOf(const GroupTree& tree, int group);

/// Finds the groups of a graph, and gives the boxes of operators theirs. Labels omit what the group around a box says,
/// and boxes at the same place of similar groups have one size, so that such groups can share a layout.
std::shared_ptr<const DrawnGraph> withGroups(DrawnGraph graph);

}  // namespace aotscope
