#include "canvas/layout/subgraph_groups.h"

#include "canvas/layout/find_groups.h"

namespace aotscope {

namespace {

using Index = std::size_t;
using Kind = ModuleGroup::Kind;

class SubgraphGrafter {
public:
    SubgraphGrafter(DrawnGraph& graph, GroupTree& tree) : graph_(graph), tree_(tree) {}

    void run() {
        std::vector<std::vector<int>> boxes(graph_.subgraphs.size());
        for (Index i = 0; i < graph_.nodes.size(); ++i)
            if (const int subgraph = graph_.nodes[i].subgraph; subgraph >= 0)
                boxes[static_cast<Index>(subgraph)].push_back(static_cast<int>(i));
        for (Index s = 0; s < boxes.size(); ++s) add(graph_.subgraphs[s], boxes[s]);
    }

private:
    ModuleGroup& group(int index) { return tree_.groups[static_cast<Index>(index)]; }
    DrawnNode& node(int box) { return graph_.nodes[static_cast<Index>(box)]; }

    int addGroup(ModuleGroup added) {
        const int index = static_cast<int>(tree_.size());
        ModuleGroup& around = group(added.parent);
        added.depth = around.depth + 1;
        around.children.push_back(index);
        tree_.groups.push_back(std::move(added));
        placeBoxes(graph_, tree_, index);
        return index;
    }

    int operatorGroup(int owner) {
        DrawnNode& box = node(owner);
        if (box.frame >= 0) return box.frame;
        const ModuleGroup& around = group(box.within);
        ModuleGroup added;
        added.kind = Kind::op;
        added.path = around.path;
        added.title = box.title;
        added.key = graph_.ownerOf(owner) < 0 ? box.name : around.key + u'/' + box.name;
        added.box = owner;
        added.parent = box.within;
        return box.frame = addGroup(std::move(added));
    }

    void add(const DrawnSubgraph& subgraph, const std::vector<int>& boxes) {
        GroupTree inside = findGroups(graph_, boxes);
        ModuleGroup root = std::move(inside.groups.front());
        root.kind = Kind::subgraph;
        root.parent = operatorGroup(subgraph.owner);
        root.path = group(root.parent).path;
        root.title = subgraph.title;
        root.key = group(root.parent).key + u'/' + subgraph.title;
        root.children.clear();
        for (int around = root.parent; around >= 0; around = group(around).parent)
            group(around).operations += root.operations;
        graft(inside, addGroup(std::move(root)));
    }

    /// The modules in a subgraph, within its group.
    void graft(GroupTree& inside, int root) {
        const QString key = group(root).key + u'/';
        const int first = static_cast<int>(tree_.size()) - 1;  // the modules of `inside` start at 1
        for (Index g = 1; g < inside.size(); ++g) {
            ModuleGroup module = std::move(inside.groups[g]);
            module.parent = module.parent == 0 ? root : first + module.parent;
            module.key.prepend(key);
            module.children.clear();
            addGroup(std::move(module));
        }
    }

    DrawnGraph& graph_;
    GroupTree& tree_;
};

}  // namespace

void addSubgraphGroups(DrawnGraph& graph, GroupTree& tree) { SubgraphGrafter(graph, tree).run(); }

}  // namespace aotscope
