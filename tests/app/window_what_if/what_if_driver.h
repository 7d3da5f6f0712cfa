// A window with ways to the parts of what-if.
#pragma once

#include "app/window_driver.h"

#include <QtTest>

namespace aotscope::test {

struct WhatIf : Driver {
    WhatIfController& controller() const { return *window.whatIf(); }
    QString why() const { return controller().why()->text(); }
    const Node* joint(const char* name) const { return node(GraphKind::joint, name); }
    void selectNode(const char* name) const { clickNode(joint(name)->id()); }
    const DrawnNode& box(const char* name) const {
        const DrawnGraph& drawn = *canvas()->graph();
        return drawn.nodes[static_cast<std::size_t>(drawn.indexOf.at(joint(name)->id()))];
    }
    std::size_t changedBoxes() const {
        const auto& nodes = canvas()->graph()->nodes;
        return static_cast<std::size_t>(std::count_if(
            nodes.begin(), nodes.end(), [](const DrawnNode& n) { return !n.placement.change.isEmpty(); }));
    }
    /// An activation that the partition saves.
    NodeId savedActivation() const {
        for (const auto& value : record()->partition->saved)
            if (value.kind == SavedValue::Kind::activation && canvas()->graph()->indexOf.contains(value.node) &&
                record()->graph(GraphKind::joint)->findById(value.node)->kind() == NodeKind::call)
                return value.node;
        return kNoNode;
    }
};

}  // namespace aotscope::test
