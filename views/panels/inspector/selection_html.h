#pragma once

#include "models/module_tree.h"
#include "panels/inspector/node_html.h"

#include <QAction>
#include <QList>

namespace aotscope {

/// Several nodes of a graph, or a module, with the facts about them.
struct InspectedSelection {
    std::vector<const Node*> nodes;  ///< of a module: its operations
    GraphKind kind = GraphKind::joint;
    const Partition* partition = nullptr;  ///< the shown one; null: none, or the graph has other nodes
    const TimingResult* timing = nullptr;  ///< null: not timed
    const ModuleTree* tree = nullptr;      ///< of the shown graph; only for a module
    int module = -1;                       ///< in the tree; -1: single nodes
    bool whatIf = false;                   ///< the partition is not the compiled one
    QList<QAction*> overrides = {};        ///< commands for the values; each becomes an action:NAME link
};

/// How many there are, their sums, and what they have in common; then the largest values that they save, and the nodes.
/// Empty ones are omitted.
std::vector<InspectorSection> selectionSections(const InspectedSelection& inspected);

}  // namespace aotscope
