#pragma once

#include "cost/variant_costs.h"
#include "record/compile_record.h"

#include <QString>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// A module of a model with its contents; numbers include its submodules.
struct ModuleEntry {
    QString path;               ///< "h.0.attn"; empty: the whole model
    QString type;               ///< "GPTAttention"; empty where it is not known
    int parent = -1, row = 0;   ///< row: its place among the modules of its parent
    std::vector<int> children;  ///< in the order in which they run first
    int end = 0;                ///< one past the last module in it
    std::size_t operations = 0;
    std::int64_t parameters = 0, parameterBytes = 0, savedBytes = 0;
    double ms = 0;                 ///< of one step, forward and backward
    std::array<double, 3> msBy{};  ///< of its operations, by where their times are from: see CostBasis

    /// "attn" within "h.0".
    QString name() const { return path.section(u'.', -1); }
};

/// The inputs of the tree of modules.
struct ModuleSources {
    std::shared_ptr<const CompileRecord> record;
    std::shared_ptr<const Graph> graph;  ///< the shown one, whose operations are counted
    GraphKind kind = GraphKind::joint;
    std::shared_ptr<const NodeTimes> times;  ///< null: unknown
};

/// The modules of a model as a tree, each before its submodules. It has the same modules whichever graph of a run is
/// shown.
struct ModuleTree {
    std::vector<ModuleEntry> modules;                ///< the first is the whole model; empty: no model
    std::vector<std::pair<NodeId, int>> operations;  ///< of the graph, in its order, with the module of each
    std::unordered_map<NodeId, int> moduleOf;        ///< of every node of the graph
    std::optional<TimeBasis> basis;                  ///< nothing: no times

    const ModuleEntry& operator[](int module) const { return modules[static_cast<std::size_t>(module)]; }
    bool isWithin(int module, int ancestor) const { return module >= ancestor && module < (*this)[ancestor].end; }
    /// -1: none.
    int byPath(const QString& path) const;
    /// The operations in a module and its submodules.
    std::vector<NodeId> operationsIn(int module) const;
    /// Whether both have the same modules at the same places.
    bool hasModulesOf(const ModuleTree& other) const;
};

ModuleTree moduleTree(const ModuleSources& sources);

}  // namespace aotscope
