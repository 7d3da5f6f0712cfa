#include "models/module_tree.h"

#include "models/words/to_qstring.h"
#include "record/model_places.h"
#include "record/partition_figures.h"

#include <algorithm>

namespace aotscope {

namespace {

using Index = std::size_t;
constexpr int kDeepest = 100;  ///< nesting depth of modules; deeper ones are merged

using Homes = std::unordered_map<NodeId, int>;  ///< the module of each node

/// Collects the modules in the order of their first operations.
class TreeBuilder {
public:
    explicit TreeBuilder(const ModuleSources& sources) : sources_(sources), record_(*sources.record) {
        modules_.emplace_back();
        byPath_.emplace(std::string(), 0);
    }

    ModuleTree run() {
        // In the order in which the model runs, whatever is shown.
        for (const GraphKind kind : {GraphKind::source, GraphKind::preFunctionalization, GraphKind::functional})
            if (const auto graph = record_.graph(kind)) homesOf(*graph, kind);
        for (const GraphKind kind : {GraphKind::joint, GraphKind::inference})
            if (const auto graph = record_.graph(kind)) homesOf(*graph, kind);
        addParameters();
        Homes shown = homesOf(*sources_.graph, sources_.kind);
        ModuleTree tree;
        for (const Node* node : sources_.graph->nodes()) {
            if (node->kind() != NodeKind::call) continue;
            tree.operations.emplace_back(node->id(), shown.at(node->id()));
            ++at(shown.at(node->id())).operations;
        }
        tree.moduleOf = std::move(shown);
        addSaved();
        tree.basis = addTimes();
        putInOrder(tree);
        return tree;
    }

private:
    ModuleEntry& at(int module) { return modules_[static_cast<Index>(module)]; }

    /// The path may come from a file, of any length.
    int find(const std::string& path) {
        if (const auto known = byPath_.find(path); known != byPath_.end()) return known->second;
        int module = 0, depth = 1;
        for (auto dot = path.find('.'); depth < kDeepest && dot != std::string::npos; dot = path.find('.', dot + 1)) {
            module = findIn(module, path.substr(0, dot));
            ++depth;
        }
        return findIn(module, path);
    }

    int findIn(int parent, const std::string& path) {
        const auto [known, isNew] = byPath_.emplace(path, static_cast<int>(modules_.size()));
        if (!isNew) return known->second;
        ModuleEntry entry;
        entry.path = toQString(path);
        entry.parent = parent;
        at(parent).children.push_back(known->second);
        modules_.push_back(std::move(entry));
        return known->second;
    }

    Homes homesOf(const Graph& graph, GraphKind kind) {
        const ModelPlaces places = placesIn(graph, kind, record_);
        Homes homes;
        for (const Node* node : graph.nodes()) {
            const SourceInfo* source = places.of(node->id());
            const int home = source ? find(source->module) : 0;
            if (source && at(home).type.isEmpty()) at(home).type = toQString(source->moduleType);
            homes.emplace(node->id(), home);
        }
        return homes;
    }

    /// From the first graph of the run: later ones drop what nothing uses.
    void addParameters() {
        if (record_.graphs.empty()) return;
        for (const Node* node : record_.graphs.begin()->second->placeholders()) {
            const auto* tensor = node->type.tensor();
            if (node->role != Role::parameter || !tensor) continue;
            const auto dot = node->label.rfind('.');
            ModuleEntry& owner = at(dot == std::string::npos ? 0 : find(node->label.substr(0, dot)));
            owner.parameters += tensor->numel();
            owner.parameterBytes += tensor->bytes();
        }
    }

    void addSaved() {
        const auto& partition = record_.partition;
        if (!partition || !partition->forward) return;
        const Homes homes = homesOf(*partition->forward, GraphKind::forward);
        const PartitionFigures figures = figuresOf(*partition);
        for (std::size_t i = 0; i < partition->saved.size(); ++i) {
            const auto home = homes.find(partition->saved[i].node);
            at(home == homes.end() ? 0 : home->second).savedBytes += figures.saved[i].bytes;
        }
    }

    std::optional<TimeBasis> addTimes() {
        if (!sources_.times) return std::nullopt;
        const auto inference = record_.graph(GraphKind::inference);
        if (inference) addTimesOf(*inference, GraphKind::inference);
        const auto& partition = record_.partition;
        if (partition && partition->forward) addTimesOf(*partition->forward, GraphKind::forward);
        if (partition && partition->backward) addTimesOf(*partition->backward, GraphKind::backward);
        return inference || partition ? std::optional(sources_.times->basis()) : std::nullopt;
    }

    void addTimesOf(const Graph& graph, GraphKind kind) {
        const bool backward = kind == GraphKind::backward;
        const Homes homes = homesOf(graph, kind);
        for (const Node* node : graph.nodes()) {
            const NodeFigure<double> time = sources_.times->figure(*node, backward);
            ModuleEntry& module = at(homes.at(node->id()));
            module.ms += time.value;
            module.msBy.at(static_cast<Index>(time.basis)) += time.value;
        }
        modules_.front().ms += sources_.times->overheadMs(backward);
    }

    /// Renumbers the modules, each before its submodules, and sums up their contents.
    void putInOrder(ModuleTree& tree) {
        std::vector<int> renumbered(modules_.size(), 0);
        addOrdered(tree, 0, -1, renumbered);
        for (auto& [node, module] : tree.operations) module = renumbered[static_cast<Index>(module)];
        for (auto& [node, module] : tree.moduleOf) module = renumbered[static_cast<Index>(module)];
        for (Index module = tree.modules.size(); module-- > 1;) {
            const ModuleEntry& own = tree.modules[module];
            ModuleEntry& around = tree.modules[static_cast<Index>(own.parent)];
            around.operations += own.operations;
            around.parameters += own.parameters;
            around.parameterBytes += own.parameterBytes;
            around.savedBytes += own.savedBytes;
            around.ms += own.ms;
            for (Index i = 0; i < own.msBy.size(); ++i) around.msBy[i] += own.msBy[i];
        }
    }

    void addOrdered(ModuleTree& tree, int module, int parent, std::vector<int>& renumbered) {
        const auto place = tree.modules.size();
        renumbered[static_cast<Index>(module)] = static_cast<int>(place);
        tree.modules.push_back(std::move(at(module)));
        const std::vector<int> children = std::exchange(tree.modules[place].children, {});
        tree.modules[place].parent = parent;
        for (const int child : children) {
            const int next = static_cast<int>(tree.modules.size());
            at(child).row = static_cast<int>(tree.modules[place].children.size());
            tree.modules[place].children.push_back(next);
            addOrdered(tree, child, static_cast<int>(place), renumbered);
        }
        tree.modules[place].end = static_cast<int>(tree.modules.size());
    }

    const ModuleSources& sources_;
    const CompileRecord& record_;
    std::vector<ModuleEntry> modules_;
    std::unordered_map<std::string, int> byPath_;
};

}  // namespace

int ModuleTree::byPath(const QString& path) const {
    const auto found = std::ranges::find(modules, path, &ModuleEntry::path);
    return found == modules.end() ? -1 : static_cast<int>(found - modules.begin());
}

std::vector<NodeId> ModuleTree::operationsIn(int module) const {
    std::vector<NodeId> nodes;
    for (const auto& [node, home] : operations)
        if (isWithin(home, module)) nodes.push_back(node);
    return nodes;
}

bool ModuleTree::hasModulesOf(const ModuleTree& other) const {
    return std::ranges::equal(modules, other.modules, {}, &ModuleEntry::path, &ModuleEntry::path);
}

ModuleTree moduleTree(const ModuleSources& sources) {
    if (!sources.record || !sources.graph) return {};
    return TreeBuilder(sources).run();
}

}  // namespace aotscope
