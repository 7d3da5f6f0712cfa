#include "canvas/layout/memory_groups.h"

#include "canvas/drawn_graph.h"
#include "ir/output_names.h"
#include "models/words/node_words.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace aotscope {

namespace {

std::int64_t storageOf(const Node* node) {
    const TensorType* type = node ? node->type.tensor() : nullptr;
    return type ? type->storage : -1;
}

/// "A" to "Z", "AA", ...
QString tagOf(std::size_t index) {
    QString tag;
    for (std::size_t i = index + 1; i > 0; i = (i - 1) / 26) tag.prepend(QChar(u'A' + static_cast<int>((i - 1) % 26)));
    return tag;
}

/// Unites the inputs of the graph, the user's outputs and the intermediate bases, numbered in this order.
class Grouper {
public:
    Grouper(const Graph& graph, const MetadataLinks& links, const FunctionMetadata& function)
        : graph_(graph), links_(links), function_(function), inputs_(links.described()->inputs.size()) {
        parent_.resize(inputs_ + function.outputs.size() + function.intermediateBases);
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
        for (const Node* node : graph.placeholders())
            if (const auto i = links.inputOf(node->id())) placeholders_[*i] = node;
    }

    std::vector<MemoryGroup> run() {
        uniteInputs();
        for (std::size_t i = 0; i < function_.outputs.size(); ++i) uniteOutput(i);
        std::map<std::size_t, std::vector<std::size_t>> members;
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < parent_.size(); ++i) {
            auto& group = members[find(i)];
            if (group.empty()) order.push_back(find(i));
            group.push_back(i);
        }
        std::vector<MemoryGroup> groups;
        for (const std::size_t root : order)
            if (members[root].size() > 1 || isSyntheticBase(root))
                groups.push_back(groupOf(members[root], tagOf(groups.size())));
        return groups;
    }

private:
    std::size_t find(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void unite(std::size_t a, std::size_t b) {
        if (a < parent_.size() && b < parent_.size()) parent_[std::max(find(a), find(b))] = std::min(find(a), find(b));
    }
    std::size_t output(std::size_t i) const { return inputs_ + i; }
    std::size_t base(std::size_t i) const { return inputs_ + function_.outputs.size() + i; }
    bool isSyntheticBase(std::size_t i) const {
        const auto it = placeholders_.find(i);
        return it != placeholders_.end() && links_.isSyntheticBase(it->second->id());
    }

    void uniteInputs() {
        std::map<std::int64_t, std::size_t> first;
        for (const auto& [i, node] : placeholders_)
            if (const std::int64_t storage = storageOf(node); storage >= 0)
                unite(first.emplace(storage, i).first->second, i);
    }
    void uniteOutput(std::size_t i) {
        const OutputInfo& info = function_.outputs[i];
        if (info.repeats) unite(output(i), output(*info.repeats));
        if (!info.base || !info.isAlias()) return;
        if (info.aliasesInput()) unite(output(i), links_.describedInput(*info.base));
        else if (info.type == OutputType::aliasOfIntermediateBaseIsUserOutput) unite(output(i), output(*info.base));
        else unite(output(i), base(*info.base));
    }

    MemoryGroup groupOf(const std::vector<std::size_t>& members, const QString& tag) const {
        MemoryGroup group{tag, {}, {}, {}};
        std::set<std::int64_t> storages;
        QStringList names;
        const auto take = [&](const Node* node) {
            if (!node) return;
            group.nodes.insert(node->id());
            storages.insert(storageOf(node));
        };
        for (const std::size_t i : members) {
            if (i < inputs_) {
                const auto it = placeholders_.find(i);
                take(it == placeholders_.end() ? nullptr : it->second);
                names << toQString(links_.described()->inputs[i].name);
            } else if (i < base(0)) {
                group.outputs.insert(i - inputs_);
                names << toQString(outputLabel(function_, i - inputs_));
                // A view of an intermediate is in its memory; a view of an input may be of the updated value instead.
                const OutputInfo& info = function_.outputs[i - inputs_];
                if (info.isAlias() && !info.aliasesInput()) take(graph_.findById(links_.outputNode(i - inputs_)));
            } else if (const Node* node = graph_.findById(links_.baseNode(i - base(0)))) {
                take(node);
                names << shownName(*node);
            }
        }
        storages.erase(-1);
        for (const Node* node : graph_.nodes())
            if (node->stage == Stage::forward && storages.contains(storageOf(node))) group.nodes.insert(node->id());
        group.members = names.join(QStringLiteral(", "));
        return group;
    }

    const Graph& graph_;
    const MetadataLinks& links_;
    const FunctionMetadata& function_;
    std::size_t inputs_;
    std::vector<std::size_t> parent_;
    std::map<std::size_t, const Node*> placeholders_;
};

}  // namespace

std::vector<MemoryGroup> memoryGroups(const Graph& graph, const MetadataLinks& links,
                                      const FunctionMetadata& function) {
    return links.described() ? Grouper(graph, links, function).run() : std::vector<MemoryGroup>();
}

}  // namespace aotscope
