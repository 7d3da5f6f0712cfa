#include "partition/joint_to_split.h"

#include "support/error.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>

namespace aotscope {

namespace {

class Overrides {
public:
    explicit Overrides(const JointToSplit& joint) : joint_(joint), kept_(joint.merged.begin(), joint.merged.end()) {}

    void resolve(std::set<NodeId>& ids) const {
        std::set<NodeId> found;
        for (const NodeId id : ids) found.insert(standIn(id));
        ids = std::move(found);
    }

    /// Resolves names of removed nodes to ids.
    void resolve(std::vector<std::string>& names, std::set<NodeId>& ids) const {
        std::erase_if(names, [&](std::string_view name) {
            if (name.starts_with('%')) name.remove_prefix(1);
            const Node* gone = named(*joint_.graph, name) ? nullptr : named(*joint_.before, name);
            if (gone) ids.insert(standIn(gone->id()));
            return gone != nullptr;
        });
    }

private:
    static const Node* named(const Graph& graph, std::string_view name) {
        const auto nodes = graph.nodes();
        const auto found = std::ranges::find_if(nodes, [&](const Node* node) {
            return node->name() == name || (node->kind() == NodeKind::placeholder && node->label == name);
        });
        return found == nodes.end() ? nullptr : *found;
    }

    NodeId standIn(NodeId id) const {
        for (auto next = kept_.find(id); next != kept_.end(); next = kept_.find(id)) id = next->second;
        if (const Node* gone = joint_.graph->findById(id) ? nullptr : joint_.before->findById(id))
            throw Error("%" + gone->name() +
                        " cannot be saved or recomputed: nothing uses it, so it was removed as "
                        "dead code; remove the override");
        return id;
    }

    const JointToSplit& joint_;
    std::unordered_map<NodeId, NodeId> kept_;  ///< by merged node
};

}  // namespace

PartitionOptions optionsFor(const JointToSplit& joint, PartitionOptions options) {
    if (!joint.whyNot.empty()) throw Error(joint.whyNot);
    options.cut.staticParameters = options.cut.staticParameters || joint.staticParameters;
    if (const auto function = std::exchange(options.function, {}); !function.empty())
        options.plan = joint.plans(function, *joint.graph);
    if (joint.before == joint.graph) return options;
    const Overrides overrides(joint);
    overrides.resolve(options.cut.mustSave);
    overrides.resolve(options.cut.mustRecompute);
    overrides.resolve(options.save, options.cut.mustSave);
    overrides.resolve(options.recompute, options.cut.mustRecompute);
    std::set<NodeId> merged;
    overrides.resolve(options.plan, merged);
    for (const NodeId id : merged) options.plan.push_back(joint.graph->findById(id)->name());
    return options;
}

}  // namespace aotscope
